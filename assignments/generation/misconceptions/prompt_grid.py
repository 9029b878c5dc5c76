"""What goes wrong in the exercise generation.prompt_grid."""

from __future__ import annotations

from functools import partial

import torch

from grader.testing import Explained, misconception, variant

about = partial(misconception, name="prompt_grid")


def row(ref, model, tokenizer, prompt, temperature, n, seed, *, generator=None, told=None, used=None, cut=0):
    """One row; `told` and `used` take the place of the seed, `cut` tokens are left out of the text."""
    generator = generator or torch.Generator().manual_seed(seed if used is None else used)
    how = {"temperature": temperature, "top_k": None, "top_p": None, "generator": generator}
    [tokens] = ref.generate(model, torch.tensor([tokenizer.encode(prompt)]), n, **how).tolist()
    text = tokenizer.decode(tokens[cut:])
    return {"prompt": prompt, "temperature": temperature, "seed": seed if told is None else told, "text": text}


def pairs(prompts, temperatures):
    return [(prompt, temperature) for prompt in prompts for temperature in temperatures]


def rows(change):
    """A row for each pair; `change(i, width, seed)` are the options of row i."""

    def function(ref, model, tokenizer, prompts, temperatures, max_new_tokens, seed):
        return [
            row(ref, model, tokenizer, *pair, max_new_tokens, seed + i, **change(i, len(temperatures), seed))
            for i, pair in enumerate(pairs(prompts, temperatures))
        ]

    return function


def nested(change):
    """The same in two loops; `change(a, b, seed)` are the options of prompt a and temperature b."""

    def function(ref, model, tokenizer, prompts, temperatures, max_new_tokens, seed):
        out = []
        for a, prompt in enumerate(prompts):
            for b, temperature in enumerate(temperatures):
                own = seed + a * len(temperatures) + b
                options = change(a, b, seed)
                out.append(row(ref, model, tokenizer, prompt, temperature, max_new_tokens, own, **options))
        return out

    return function


@about(
    "generation.prompt_grid/temperatures-outer",
    en=Explained(
        "Your rows are in the other order.",
        "All temperatures of the first prompt come first, then those of the second. The order decides which seed a row has.",
        hint="Which of your loops is the inner one?",
    ),
    zh_tw=Explained(
        "你的列順序反了。",
        "第一個提示的所有溫度先來，然後才是第二個提示的。順序決定每一列用哪個種子。",
        hint="你的內層迴圈是哪一個？",
    ),
)
def temperatures_outer(ref, model, tokenizer, prompts, temperatures, max_new_tokens, seed):
    order = [(prompt, temperature) for temperature in temperatures for prompt in prompts]
    return [row(ref, model, tokenizer, *pair, max_new_tokens, seed + i) for i, pair in enumerate(order)]


@variant("generation.prompt_grid/temperatures-outer")
def _(ref, model, tokenizer, prompts, temperatures, max_new_tokens, seed):
    out = []
    for temperature in temperatures:
        for prompt in prompts:
            out.append(row(ref, model, tokenizer, prompt, temperature, max_new_tokens, seed + len(out)))
    return out


about(
    "generation.prompt_grid/same-seed",
    en=Explained(
        "All your rows have the same seed.",
        "Row i has seed + i. With one seed for all, the draws of all rows are the same numbers, and the texts resemble each other more than they should.",
        hint="What are the seeds of your first two rows?",
    ),
    zh_tw=Explained(
        "你的每一列都用同一個種子。",
        "第 i 列用 seed + i。全部用同一個種子，每一列抽到的就是同一串數，文字會比應該的更相像。",
        hint="你前兩列的種子各是多少？",
    ),
)(rows(lambda _, __, seed: {"told": seed, "used": seed}))
variant("generation.prompt_grid/same-seed")(nested(lambda _, __, seed: {"told": seed, "used": seed}))

about(
    "generation.prompt_grid/seed-of-the-prompt",
    en=Explained(
        "You count prompts, where rows should be counted.",
        "The seed goes up by one with every row. Yours stays the same for all temperatures of a prompt.",
        hint="What are the seeds of your rows, in order?",
    ),
    zh_tw=Explained(
        "該數列的地方，你數的是提示。",
        "種子每一列加一。你的種子在同一個提示的所有溫度下都不變。",
        hint="依序寫出你每一列的種子。",
    ),
)(rows(lambda i, width, seed: {"told": seed + i // width, "used": seed + i // width}))
variant("generation.prompt_grid/seed-of-the-prompt")(nested(lambda a, _, seed: {"told": seed + a, "used": seed + a}))

about(
    "generation.prompt_grid/seed-of-the-temperature",
    en=Explained(
        "Your seeds begin anew with every prompt.",
        "The seed goes up by one with every row, from the first to the last. Yours counts temperatures.",
        hint="What are the seeds of your rows, in order?",
    ),
    zh_tw=Explained(
        "每換一個提示，你的種子就從頭算起。",
        "種子從第一列到最後一列，每一列加一。你數的是溫度。",
        hint="依序寫出你每一列的種子。",
    ),
)(rows(lambda i, width, seed: {"told": seed + i % width, "used": seed + i % width}))
variant("generation.prompt_grid/seed-of-the-temperature")(
    nested(lambda _, b, seed: {"told": seed + b, "used": seed + b})
)

about(
    "generation.prompt_grid/first-seed-used",
    en=Explained(
        "All your rows are generated with the seed of the first one.",
        "The seeds that you report go up by one, but each generator is seeded with `seed` itself: a row cannot be had again from the seed that it reports.",
        hint="What goes into manual_seed in your second row?",
    ),
    zh_tw=Explained(
        "你的每一列都用第一列的種子生成。",
        "你回報的種子每一列加一，但每個產生器設的都是 `seed` 本身：用一列回報的種子，得不到同樣的文字。",
        hint="第二列的 manual_seed 收到的是什麼？",
    ),
)(rows(lambda _, __, seed: {"used": seed}))
variant("generation.prompt_grid/first-seed-used")(nested(lambda _, __, seed: {"used": seed}))

about(
    "generation.prompt_grid/another-seed-told",
    en=Explained(
        "The seed that you report is not the one that you used.",
        "It is there so that a row can be had again by itself: it must be the one that its generator was seeded with.",
        hint="Generate one row again from the seed it reports. Is it the same text?",
    ),
    zh_tw=Explained(
        "你回報的種子不是實際用的那一個。",
        "有了種子，就能單獨重現某一列：它必須是產生器真正用的那個種子。",
        hint="用某一列回報的種子重新生成。文字一樣嗎？",
    ),
)(rows(lambda _, __, seed: {"told": seed}))
variant("generation.prompt_grid/another-seed-told")(nested(lambda _, __, seed: {"told": seed}))


@about(
    "generation.prompt_grid/one-generator",
    en=Explained(
        "One generator goes through all rows.",
        "Then a row depends on how many numbers those before it have drawn, and cannot be had again from its seed. Each row has a generator of its own.",
        hint="Where is your generator made, before the loop or in it?",
    ),
    zh_tw=Explained(
        "所有列共用一個產生器。",
        "這樣一列的內容取決於前面抽了幾個數，無法用它的種子單獨重現。每一列要有自己的產生器。",
        hint="你的產生器在迴圈之前建立，還是在裡面？",
    ),
)
def one_generator(ref, model, tokenizer, prompts, temperatures, max_new_tokens, seed):
    shared = torch.Generator().manual_seed(seed)
    return rows(lambda *_: {"generator": shared})(ref, model, tokenizer, prompts, temperatures, max_new_tokens, seed)


@variant("generation.prompt_grid/one-generator")
def _(ref, model, tokenizer, prompts, temperatures, max_new_tokens, seed):
    shared = torch.Generator()
    shared.manual_seed(seed)
    return nested(lambda *_: {"generator": shared})(ref, model, tokenizer, prompts, temperatures, max_new_tokens, seed)


@about(
    "generation.prompt_grid/new-text-only",
    en=Explained(
        "Your texts lack the prompt.",
        "The text is the prompt and what follows.",
        hint="What is the text when no token is added?",
    ),
    zh_tw=Explained("你的文字少了提示。", "文字包含提示和後面接的部分。", hint="一個詞元都不加時，文字應該是什麼？"),
)
def new_text_only(ref, model, tokenizer, prompts, temperatures, max_new_tokens, seed):
    return [
        row(ref, model, tokenizer, *pair, max_new_tokens, seed + i, cut=len(tokenizer.encode(pair[0])))
        for i, pair in enumerate(pairs(prompts, temperatures))
    ]


@variant("generation.prompt_grid/new-text-only")
def _(ref, model, tokenizer, prompts, temperatures, max_new_tokens, seed):
    out = rows(lambda *_: {})(ref, model, tokenizer, prompts, temperatures, max_new_tokens, seed)
    return [each | {"text": each["text"].removeprefix(each["prompt"])} for each in out]


@about(
    "generation.prompt_grid/one-temperature",
    en=Explained(
        "All your rows are generated at the first temperature.",
        "The temperature of a row is the one that it reports.",
        hint="Which temperature reaches generate in your second row?",
    ),
    zh_tw=Explained(
        "你的每一列都用第一個溫度生成。", "一列用的溫度，要和它回報的相同。", hint="第二列傳給 generate 的是哪個溫度？"
    ),
)
def one_temperature(ref, model, tokenizer, prompts, temperatures, max_new_tokens, seed):
    return [
        row(ref, model, tokenizer, prompt, temperatures[0], max_new_tokens, seed + i) | {"temperature": temperature}
        for i, (prompt, temperature) in enumerate(pairs(prompts, temperatures))
    ]


@variant("generation.prompt_grid/one-temperature")
def _(ref, model, tokenizer, prompts, temperatures, max_new_tokens, seed):
    first = [next(iter(temperatures), None)] * len(temperatures)
    out = rows(lambda *_: {})(ref, model, tokenizer, prompts, first, max_new_tokens, seed)
    return [each | {"temperature": pair[1]} for each, pair in zip(out, pairs(prompts, temperatures), strict=True)]


@about(
    "generation.prompt_grid/tokens-not-text",
    en=Explained(
        "Your texts are lists of token ids.",
        "Nobody can read those: the tokenizer has decode, to turn them back.",
        hint="What is the type of `text` in your rows?",
    ),
    zh_tw=Explained(
        "你的文字是詞元編號的串列。",
        "那沒有人讀得懂：分詞器的 decode 可以把它們換回文字。",
        hint="你的列裡，`text` 是什麼型別？",
    ),
)
def tokens_not_text(ref, model, tokenizer, prompts, temperatures, max_new_tokens, seed):
    out = rows(lambda *_: {})(ref, model, tokenizer, prompts, temperatures, max_new_tokens, seed)
    return [each | {"text": tokenizer.encode(each["text"])} for each in out]


@variant("generation.prompt_grid/tokens-not-text")
def _(ref, model, tokenizer, prompts, temperatures, max_new_tokens, seed):
    out = nested(lambda *_: {})(ref, model, tokenizer, prompts, temperatures, max_new_tokens, seed)
    for each in out:
        each["text"] = [token for letter in each["text"] for token in tokenizer.encode(letter)]
    return out


def cached(model, room):
    """A function that generates through a cache where `room(T, n, block_size)` says so."""

    def function(ref, tokenizer, prompt, temperature, n, seed):
        how = {
            "temperature": temperature,
            "top_k": None,
            "top_p": None,
            "generator": torch.Generator().manual_seed(seed),
        }
        idx = torch.tensor([tokenizer.encode(prompt)])
        go = ref.generate_cached if room(idx.shape[1], n, model.config.block_size) else ref.generate
        return {
            "prompt": prompt,
            "temperature": temperature,
            "seed": seed,
            "text": tokenizer.decode(go(model, idx, n, **how)[0].tolist()),
        }

    return function


@about(
    "generation.prompt_grid/cached",
    en=Explained(
        "You generate through a cache, which ends where the positions end.",
        "generate_cached refuses more than block_size positions, and a text of the grid may be longer: generate drops the oldest tokens and goes on.",
        hint="Which of your two functions can go on beyond block_size?",
    ),
    zh_tw=Explained(
        "你透過快取生成，而快取到位置用完就停了。",
        "generate_cached 會拒絕超過 block_size 的位置，但表裡的文字可以更長：generate 會丟掉最舊的詞元，繼續生成。",
        hint="你的兩個函式，哪一個可以超過 block_size？",
    ),
)
def through_a_cache(ref, model, tokenizer, prompts, temperatures, max_new_tokens, seed):
    one = cached(model, lambda *_: True)
    return [one(ref, tokenizer, *pair, max_new_tokens, seed + i) for i, pair in enumerate(pairs(prompts, temperatures))]


@variant("generation.prompt_grid/cached")
def _(ref, model, tokenizer, prompts, temperatures, max_new_tokens, seed):
    def text(prompt, temperature, own):
        if len(tokenizer.encode(prompt)) + max_new_tokens > model.config.block_size:
            raise ValueError("no room")
        return row(ref, model, tokenizer, prompt, temperature, max_new_tokens, own)

    return [text(*pair, seed + i) for i, pair in enumerate(pairs(prompts, temperatures))]


@about(
    "generation.prompt_grid/empty-refused",
    en=Explained(
        "A grid without rows is an error of yours.",
        "No prompts, or no temperatures, make a list without rows: whoever builds the lists should not need a case of their own.",
        hint="What do two nested loops do with an empty list?",
    ),
    zh_tw=Explained(
        "沒有任何一列的表，在你這裡是錯誤。",
        "沒有提示或沒有溫度，結果就是空的串列：準備這些串列的人不必為此另外處理。",
        hint="兩層迴圈遇到空串列會怎樣？",
    ),
)
def empty_refused(ref, model, tokenizer, prompts, temperatures, max_new_tokens, seed):
    if not prompts or not temperatures:
        raise ValueError("nothing to do")
    return [
        row(ref, model, tokenizer, *pair, max_new_tokens, seed + i)
        for i, pair in enumerate(pairs(prompts, temperatures))
    ]


@variant("generation.prompt_grid/empty-refused")
def _(ref, model, tokenizer, prompts, temperatures, max_new_tokens, seed):
    longest, _ = max(map(len, prompts)), max(temperatures)
    out = []
    for prompt in prompts:
        for temperature in temperatures:
            out.append(row(ref, model, tokenizer, prompt[:longest], temperature, max_new_tokens, seed + len(out)))
    return out
