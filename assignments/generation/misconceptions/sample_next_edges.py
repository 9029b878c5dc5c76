"""The draw itself, and what is refused, in the exercise generation.sample_next."""

from __future__ import annotations

import torch

from grader.testing import Explained, variant
from misconceptions.sample_next import about, probabilities, pruned
from misconceptions.shared import drawn


@about(
    "generation.sample_next/rank-drawn",
    en=Explained(
        "You draw a rank, and return it as a token.",
        "What you draw from is sorted, so that 0 stands for the likeliest token and not for the first of the vocabulary. The sort told you which token has which rank.",
        hint="If token 3 is the likeliest by far, what do you return?",
    ),
    zh_tw=Explained(
        "你抽到的是名次，卻當成詞元回傳。",
        "你從排序過的機率裡抽，0 代表最可能的詞元，而不是詞彙表的第一個。哪個名次是哪個詞元，排序時就知道了。",
        hint="如果詞元 3 的機率大得多，你會回傳什麼？",
    ),
)
def rank_drawn(ref, logits, *, temperature, top_k, top_p, generator):
    probs = probabilities(ref, logits, temperature, top_k, top_p)
    return drawn(probs.sort(dim=-1, descending=True, stable=True).values, generator)


@variant("generation.sample_next/rank-drawn")
def _(ref, logits, *, temperature, top_k, top_p, generator):
    probs = pruned(ref, logits, temperature, top_k, top_p)
    return drawn(probs.gather(-1, (-probs).argsort(dim=-1, stable=True)), generator)


@about(
    "generation.sample_next/first-row-for-all",
    en=Explained(
        "One token is drawn for all rows.",
        "Each row is a text of its own, with its own logits and its own draw.",
        hint="How many numbers does your draw give for a batch of 3?",
    ),
    zh_tw=Explained(
        "你替所有橫列只抽了一個詞元。",
        "每個橫列是一段獨立的文字，有自己的 logits，也要自己抽。",
        hint="批次有 3 個橫列時，你一次抽出幾個數？",
    ),
)
def first_row_for_all(ref, logits, *, temperature, top_k, top_p, generator):
    probs = probabilities(ref, logits, temperature, top_k, top_p)
    return drawn(probs[:1], generator).expand(len(logits))


@variant("generation.sample_next/first-row-for-all")
def _(ref, logits, *, temperature, top_k, top_p, generator):
    probs = pruned(ref, logits, temperature, top_k, top_p)
    token = torch.multinomial(probs[0], 1, generator=generator).item()
    return torch.full((len(logits),), token)


@about(
    "generation.sample_next/not-the-generator",
    en=Explained(
        "You do not draw with the generator that you were given.",
        "Without it torch draws from its own, which everything else uses too: a text can then not be had again from its seed.",
        hint="Does your draw have an argument for a generator?",
    ),
    zh_tw=Explained(
        "你沒有用傳進來的產生器抽樣。",
        "沒有給產生器，torch 就用自己的那一個，而其他程式也在用它：之後就無法用同一個種子重現同一段文字。",
        hint="你抽樣的呼叫有給產生器的參數嗎？",
    ),
)
def not_the_generator(ref, logits, *, temperature, top_k, top_p, generator):
    return drawn(probabilities(ref, logits, temperature, top_k, top_p), None)


@variant("generation.sample_next/not-the-generator")
def _(ref, logits, *, temperature, top_k, top_p, generator):
    return drawn(pruned(ref, logits, temperature, top_k, top_p), torch.default_generator)


@about(
    "generation.sample_next/fixed-seed",
    en=Explained(
        "You seed a generator yourself.",
        "The generator that you were given goes on from draw to draw, and whoever gave it chose its seed. One that you seed anew draws the same every time.",
        hint="Search for manual_seed in your function.",
    ),
    zh_tw=Explained(
        "你自己替產生器設了種子。",
        "傳進來的產生器會一次一次接著抽下去，種子由給它的人決定。你重新設種子，每次抽到的就都一樣。",
        hint="在你的函式裡找 manual_seed。",
    ),
)
def fixed_seed(ref, logits, *, temperature, top_k, top_p, generator):
    return drawn(probabilities(ref, logits, temperature, top_k, top_p), torch.Generator().manual_seed(0))


@variant("generation.sample_next/fixed-seed")
def _(ref, logits, *, temperature, top_k, top_p, generator):
    again = torch.Generator()
    again.manual_seed(0)
    return drawn(pruned(ref, logits, temperature, top_k, top_p), again)


@about(
    "generation.sample_next/column",
    en=Explained(
        "Your tokens come in a column.",
        "A draw of one token for each row has the shape [B, 1]; the result is [B]. The axis of length 1 has to go.",
        hint="What is the shape that multinomial gives?",
    ),
    zh_tw=Explained(
        "你的詞元排成一個直行。",
        "每個橫列抽一個詞元，形狀是 [B, 1]；結果要是 [B]。那個長度 1 的軸要去掉。",
        hint="multinomial 給的形狀是什麼？",
    ),
)
def column(ref, logits, *, temperature, top_k, top_p, generator):
    return drawn(probabilities(ref, logits, temperature, top_k, top_p), generator)[:, None]


@variant("generation.sample_next/column")
def _(ref, logits, *, temperature, top_k, top_p, generator):
    return torch.multinomial(pruned(ref, logits, temperature, top_k, top_p), num_samples=1, generator=generator)


@about(
    "generation.sample_next/zero-is-one",
    en=Explained(
        "You draw at temperature 0 as if it were 1.",
        "0 counts as false: `temperature or 1` and `if temperature:` take it for a temperature that was left out.",
        hint="What is `0.0 or 1.0`?",
    ),
    zh_tw=Explained(
        "溫度 0 時，你當成溫度 1 來抽。",
        "0 會被當成假：`temperature or 1` 和 `if temperature:` 都會以為沒有給溫度。",
        hint="`0.0 or 1.0` 是多少？",
    ),
)
def zero_is_one(ref, logits, *, temperature, top_k, top_p, generator):
    return drawn(probabilities(ref, logits, temperature or 1.0, top_k, top_p), generator)


@variant("generation.sample_next/zero-is-one")
def _(ref, logits, *, temperature, top_k, top_p, generator):
    return drawn(pruned(ref, logits, temperature or 1, top_k, top_p), generator)


@about(
    "generation.sample_next/nothing-is-all",
    en=Explained(
        "You take a top_k or top_p of 0 for None.",
        "0 counts as false, so `if top_k:` passes it over. It is out of range, and the filter would say so if it were asked.",
        hint="How do you ask whether top_k was left out?",
    ),
    zh_tw=Explained(
        "你把 top_k 或 top_p 為 0 當成 None。",
        "0 會被當成假，`if top_k:` 就跳過去了。它超出範圍，交給過濾器的話，它會告訴你。",
        hint="你怎麼判斷沒有給 top_k？",
    ),
)
def nothing_is_all(ref, logits, *, temperature, top_k, top_p, generator):
    return drawn(probabilities(ref, logits, temperature, top_k or None, top_p or None), generator)


@variant("generation.sample_next/nothing-is-all")
def _(ref, logits, *, temperature, top_k, top_p, generator):
    return drawn(pruned(ref, logits, temperature, top_k or None, top_p or None), generator)


@about(
    "generation.sample_next/any-axes",
    en=Explained(
        "You accept logits that have not two axes.",
        "One row alone is [1, V]. Whoever passes [V] or [B, T, V] forgot something, most often to choose the last position, and should be told.",
        hint="What comes back for logits of shape [V]?",
    ),
    zh_tw=Explained(
        "你接受了不是兩個軸的 logits。",
        "只有一個橫列時是 [1, V]。傳來 [V] 或 [B, T, V] 的人漏了什麼，多半是忘了選最後一個位置，應該要讓他知道。",
        hint="形狀 [V] 的 logits，你會回傳什麼？",
    ),
)
def any_axes(ref, logits, *, temperature, top_k, top_p, generator):
    rows = logits.reshape(-1, logits.shape[-1])
    tokens = drawn(probabilities(ref, rows, temperature, top_k, top_p), generator)
    return tokens.reshape(logits.shape[:-1])


@variant("generation.sample_next/any-axes")
def _(ref, logits, *, temperature, top_k, top_p, generator):
    lead = logits.shape[:-1]
    rows = logits.flatten(0, -2) if lead else logits[None]
    return drawn(pruned(ref, rows, temperature, top_k, top_p), generator).view(lead)


@about(
    "generation.sample_next/in-place",
    en=Explained(
        "You write into the logits that you were given.",
        "They belong to the caller, who may want to draw from them again. `/=` and assignments to entries change them; an operation that gives a new tensor does not.",
        hint="Print the logits before and after the call. Which line changed them?",
    ),
    zh_tw=Explained(
        "你改寫了別人給你的 logits。",
        "它們屬於呼叫你的人，之後可能還要再抽一次。`/=` 和對元素的指定都會改動它；產生新張量的運算則不會。",
        hint="在呼叫前後各印一次 logits。是哪個敘述改了它？",
    ),
)
def in_place(ref, logits, *, temperature, top_k, top_p, generator):
    probs = probabilities(ref, logits, temperature, top_k, top_p)
    logits[:] = probs
    return drawn(logits, generator)


@variant("generation.sample_next/in-place")
def _(ref, logits, *, temperature, top_k, top_p, generator):
    logits.copy_(pruned(ref, logits, temperature, top_k, top_p))
    return drawn(logits, generator)
