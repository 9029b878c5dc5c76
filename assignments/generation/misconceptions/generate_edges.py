"""Mode, settings and prompts of the exercise generation.generate."""

from __future__ import annotations

import torch

from grader.testing import Explained, variant
from misconceptions.generate import about, filling, growing
from misconceptions.shared import (
    MODE_NOT_RESTORED,
    NEW_TOKENS_ONLY,
    NO_TOKEN_ACCEPTED,
    RESEEDED,
    SAME_DTYPE,
    SETTINGS_IGNORED,
    TRAINING,
    evaluating,
    fill,
    grow,
    prompts,
    refuse,
)


@about("generation.generate/training-mode", **TRAINING)
def training_mode(ref, model, idx, max_new_tokens, **how):
    return grow(ref, model, idx, max_new_tokens, how)


@variant("generation.generate/training-mode")
def _(ref, model, idx, max_new_tokens, **how):
    return fill(ref, model, idx, max_new_tokens, how)


@about("generation.generate/mode-not-restored", **MODE_NOT_RESTORED)
def mode_not_restored(ref, model, idx, max_new_tokens, **how):
    model.eval()
    return grow(ref, model, idx, max_new_tokens, how)


@variant("generation.generate/mode-not-restored")
def _(ref, model, idx, max_new_tokens, **how):
    return fill(ref, model.train(mode=False), idx, max_new_tokens, how)


@about("generation.generate/new-tokens-only", **NEW_TOKENS_ONLY)
def new_tokens_only(ref, model, idx, max_new_tokens, **how):
    return growing()(ref, model, idx, max_new_tokens, **how)[:, idx.shape[1] :]


@variant("generation.generate/new-tokens-only")
def _(ref, model, idx, max_new_tokens, **how):
    return filling()(ref, model, idx, max_new_tokens, **how).split([idx.shape[1], max_new_tokens], dim=1)[1]


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


for setting, neutral, en, zh_tw in SETTINGS_IGNORED:

    def without(ref, model, idx, max_new_tokens, *, setting=setting, neutral=neutral, **how):
        unless_greedy = how["temperature"] and neutral
        how |= {setting: unless_greedy if setting == "temperature" else neutral}
        return growing()(ref, model, idx, max_new_tokens, **how)

    def again(ref, model, idx, max_new_tokens, *, setting=setting, neutral=neutral, **how):
        def draw(logits, _):
            if setting == "temperature" and how["temperature"] == 0:
                return logits.argmax(dim=-1)
            return ref.sample_next(logits, **(how | {setting: neutral}))

        return filling(draw=draw)(ref, model, idx, max_new_tokens)

    about(f"generation.generate/{setting.replace('_', '-')}-not-passed", en=en, zh_tw=zh_tw)(without)
    variant(f"generation.generate/{setting.replace('_', '-')}-not-passed")(again)


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


@about("generation.generate/same-dtype", **SAME_DTYPE)
def same_dtype(ref, model, idx, max_new_tokens, **how):
    return growing()(ref, model, idx, max_new_tokens, **how).to(idx.dtype)


@variant("generation.generate/same-dtype")
def _(ref, model, idx, max_new_tokens, **how):
    return filling()(ref, model, idx, max_new_tokens, **how).type_as(idx)


@about("generation.generate/anything-accepted", **NO_TOKEN_ACCEPTED)
def anything_accepted(ref, model, idx, max_new_tokens, **how):
    if max_new_tokens < 0:
        return idx.long()
    return growing()(ref, model, idx, max_new_tokens, **how)


@variant("generation.generate/anything-accepted")
def _(ref, model, idx, max_new_tokens, **how):
    return filling()(ref, model, idx, max(0, max_new_tokens), **how)


@about(
    "generation.generate/prompt-overwritten",
    en=Explained(
        "You write into the prompt.",
        "It belongs to the caller, who may want to continue it once more. Shifting tokens to the left, or assigning to entries, changes it; joining tensors gives a new one.",
        hint="Print the prompt before and after the call.",
    ),
    zh_tw=Explained(
        "你改寫了提示。",
        "它屬於呼叫你的人，之後可能還要再接一次。把詞元往左移、對元素指定值，都會改動它；把張量接起來則會得到新的張量。",
        hint="在呼叫前後各印一次提示。",
    ),
)
def prompt_overwritten(ref, model, idx, max_new_tokens, **how):
    out = growing()(ref, model, idx, max_new_tokens, **how)
    idx[:] = out[:, max_new_tokens:]
    return out


@variant("generation.generate/prompt-overwritten")
def _(ref, model, idx, max_new_tokens, **how):
    out = filling()(ref, model, idx, max_new_tokens, **how)
    idx.copy_(out.narrow(1, max_new_tokens, idx.shape[1]))
    return out
