"""Settings, rows and prompts of the exercise generation.generate."""

from __future__ import annotations

import torch

from grader.testing import Explained, variant
from misconceptions.generate import about, filling, growing
from misconceptions.shared import RESEEDED, evaluating, prompts, refuse


@about(
    "generation.generate/prompt-cropped",
    en=Explained(
        "You return only the last block_size tokens.",
        "What the model can see and what you return are two things: crop what goes in, and keep the text whole.",
        hint="Which variable do you crop, and which do you return?",
    ),
    zh_tw=Explained(
        "你只回傳了最後 block_size 個詞元。",
        "模型看得到的和你要回傳的是兩回事：裁的是輸入，文字要保持完整。",
        hint="你裁的是哪個變數？回傳的又是哪個？",
    ),
)
def prompt_cropped(ref, model, idx, max_new_tokens, **how):
    whole = growing()(ref, model, idx, max_new_tokens, **how)
    return whole[:, -(model.config.block_size + 1) :] if max_new_tokens else whole


@variant("generation.generate/prompt-cropped")
def _(ref, model, idx, max_new_tokens, **how):
    out, block = prompts(idx, max_new_tokens), model.config.block_size
    with evaluating(model):
        for _ in range(max_new_tokens):
            out = out[:, max(0, out.shape[1] - block) :]
            out = torch.cat([out, ref.sample_next(model(out)[0][:, -1], **how)[:, None]], dim=1)
    return out


@about(
    "generation.generate/always-greedy",
    en=Explained(
        "You always take the likeliest token.",
        "Temperature, top-k, top-p and the generator are for sample_next, which draws. The likeliest alone is what temperature 0 asks for.",
        hint="Do you call sample_next?",
    ),
    zh_tw=Explained(
        "你每次都選機率最大的詞元。",
        "溫度、top-k、top-p 和產生器，都是給負責抽樣的 sample_next 用的。只選最大的，是溫度 0 的事。",
        hint="你有呼叫 sample_next 嗎？",
    ),
)
def always_greedy(ref, model, idx, max_new_tokens, **how):
    return growing(draw=lambda logits, _: logits.argmax(dim=-1))(ref, model, idx, max_new_tokens)


@variant("generation.generate/always-greedy")
def _(ref, model, idx, max_new_tokens, **how):
    return filling()(ref, model, idx, max_new_tokens, **(how | {"temperature": 0}))


@about("generation.generate/reseeded", **RESEEDED)
def reseeded(ref, model, idx, max_new_tokens, *, generator, **how):
    def draw(logits, _):
        return ref.sample_next(logits, **how, generator=generator.manual_seed(generator.initial_seed()))

    return growing(draw=draw)(ref, model, idx, max_new_tokens)


@variant("generation.generate/reseeded")
def _(ref, model, idx, max_new_tokens, *, generator, **how):
    state = generator.get_state()

    def draw(logits, _):
        generator.set_state(state)
        return ref.sample_next(logits, **how, generator=generator)

    return filling(draw=draw)(ref, model, idx, max_new_tokens)


about(
    "generation.generate/first-row-for-all",
    en=Explained(
        "You continue all rows with the first row's token.",
        "Each row is a text of its own, and gets a token of its own.",
        hint="What is the shape of what you put behind the texts?",
    ),
    zh_tw=Explained(
        "你把第一個橫列的詞元接到所有橫列後面。",
        "每個橫列是一段獨立的文字，各自得到自己的詞元。",
        hint="你接在文字後面的東西是什麼形狀？",
    ),
)(
    lambda ref, model, idx, max_new_tokens, **how: growing(
        draw=lambda logits, _: ref.sample_next(logits, **how)[:1].expand(len(logits))
    )(ref, model, idx, max_new_tokens)
)
variant("generation.generate/first-row-for-all")(
    lambda ref, model, idx, max_new_tokens, **how: filling(
        draw=lambda logits, _: torch.full((len(logits),), ref.sample_next(logits, **how)[0].item())
    )(ref, model, idx, max_new_tokens)
)


@about(
    "generation.generate/one-too-many",
    en=Explained(
        "You add one token too many.",
        "max_new_tokens is how many are added, not how often the loop may go on after the first.",
        hint="How many tokens come when 0 are asked for?",
    ),
    zh_tw=Explained(
        "你多加了一個詞元。",
        "max_new_tokens 是總共加幾個，不是第一個之後還要跑幾次迴圈。",
        hint="要求 0 個時，你加了幾個？",
    ),
)
def one_too_many(ref, model, idx, max_new_tokens, **how):
    refuse(max_new_tokens < 0)
    return growing()(ref, model, idx, max_new_tokens + 1, **how)


@variant("generation.generate/one-too-many")
def _(ref, model, idx, max_new_tokens, **how):
    prompts(idx, max_new_tokens)
    return filling()(ref, model, idx, max_new_tokens + 1, **how)
