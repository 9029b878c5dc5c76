"""Limits, mode, settings and prompts of the exercise generation.generate_cached."""

from __future__ import annotations

import torch

from grader.testing import Explained, variant
from misconceptions.generate_cached import about, caching, ready, run
from misconceptions.shared import (
    MODE_NOT_RESTORED,
    NEW_TOKENS_ONLY,
    NO_TOKEN_ACCEPTED,
    RESEEDED,
    SAME_DTYPE,
    SETTINGS_IGNORED,
    TRAINING,
    evaluating,
    prompts,
    refuse,
)


@about(
    "generation.generate_cached/longer-accepted",
    en=Explained(
        "You do not refuse more than block_size positions.",
        "Cropping does not help here. When the oldest token goes, every other one moves to a lower position; but the keys and values in the cache hold the embedding of the old one, and cannot be turned into others.",
        hint="What do you compare with block_size, and when?",
    ),
    zh_tw=Explained(
        "超過 block_size 個位置時，你沒有拒絕。",
        "這裡裁掉也沒有用。最舊的詞元離開後，其他的都要往前移一個位置；但快取裡的鍵和值含有舊位置的嵌入，沒辦法換成別的。",
        hint="你拿什麼和 block_size 比？什麼時候比？",
    ),
)
def longer_accepted(ref, model, idx, max_new_tokens, **how):
    if idx.ndim == 2 and idx.shape[1] + max_new_tokens > model.config.block_size:
        how.pop("chunk_size", None)
        return ref.generate(model, idx, max_new_tokens, **how)
    return caching()(ref, model, idx, max_new_tokens, **how)


@variant("generation.generate_cached/longer-accepted")
def _(ref, model, idx, max_new_tokens, *, chunk_size=None, **how):
    out, block = prompts(idx, max_new_tokens), model.config.block_size
    refuse(chunk_size is not None and chunk_size < 1)
    with evaluating(model):
        if out.shape[1] + max_new_tokens <= block:
            width = chunk_size or out.shape[1]
            return run(ref, model, out, width, max_new_tokens, lambda last: ref.sample_next(last, **how))
        for _ in range(max_new_tokens):
            out = torch.hstack([out, ref.sample_next(model(out[:, -block:])[0][:, -1], **how)[:, None]])
    return out


@about(
    "generation.generate_cached/full-refused",
    en=Explained(
        "You refuse a text that just fits.",
        "Prompt and new tokens may be block_size together; only more is too many.",
        hint="Is it `>` or `>=` in your check?",
    ),
    zh_tw=Explained(
        "剛好放得下的文字，你也拒絕了。",
        "提示和新的詞元合起來可以有 block_size 個，超過才太多。",
        hint="你檢查的是 `>` 還是 `>=`？",
    ),
)
def full_refused(ref, model, idx, max_new_tokens, **how):
    refuse(idx.shape[-1] + max_new_tokens >= model.config.block_size)
    return caching()(ref, model, idx, max_new_tokens, **how)


@variant("generation.generate_cached/full-refused")
def _(ref, model, idx, max_new_tokens, **how):
    if model.config.block_size - idx.shape[-1] <= max_new_tokens:
        raise ValueError("too long")
    return ref.originals.generate_cached(model, idx, max_new_tokens, **how)


@about(
    "generation.generate_cached/empty-chunk-accepted",
    en=Explained(
        "You accept a chunk without a position.",
        "0 counts as false: `chunk_size or T` takes it for one that was left out. Nothing can be shown in chunks of 0 or fewer.",
        hint="How do you ask whether chunk_size was given?",
    ),
    zh_tw=Explained(
        "你接受了一個位置都沒有的區塊。",
        "0 會被當成假：`chunk_size or T` 會以為沒有給。區塊大小是 0 或負數，什麼都給不出去。",
        hint="你怎麼判斷有沒有給 chunk_size？",
    ),
)
def empty_chunk(ref, model, idx, max_new_tokens, *, chunk_size=None, **how):
    width = max(chunk_size, 0) if chunk_size else None
    return caching()(ref, model, idx, max_new_tokens, chunk_size=width or None, **how)


@variant("generation.generate_cached/empty-chunk-accepted")
def _(ref, model, idx, max_new_tokens, *, chunk_size=None, **how):
    width = idx.shape[-1] if chunk_size is None or chunk_size < 1 else chunk_size
    return ref.originals.generate_cached(model, idx, max_new_tokens, chunk_size=width or None, **how)


def unguarded(ref, model, idx, n, chunk_size, how):
    out, width = ready(model, idx, n, chunk_size)
    return run(ref, model, out, width, n, lambda last: ref.sample_next(last, **how))


@about("generation.generate_cached/training-mode", **TRAINING)
def training_mode(ref, model, idx, max_new_tokens, *, chunk_size=None, **how):
    return unguarded(ref, model, idx, max_new_tokens, chunk_size, how)


@variant("generation.generate_cached/training-mode")
def _(ref, model, idx, max_new_tokens, *, chunk_size=None, **how):
    with torch.no_grad():
        return unguarded(ref, model, idx, max_new_tokens, chunk_size, how)


@about("generation.generate_cached/mode-not-restored", **MODE_NOT_RESTORED)
def mode_not_restored(ref, model, idx, max_new_tokens, *, chunk_size=None, **how):
    model.eval()
    return unguarded(ref, model, idx, max_new_tokens, chunk_size, how)


@variant("generation.generate_cached/mode-not-restored")
def _(ref, model, idx, max_new_tokens, **how):
    out = ref.originals.generate_cached(model, idx, max_new_tokens, **how)
    model.train(mode=False)
    return out


@about("generation.generate_cached/new-tokens-only", **NEW_TOKENS_ONLY)
def new_tokens_only(ref, model, idx, max_new_tokens, **how):
    return caching()(ref, model, idx, max_new_tokens, **how)[:, idx.shape[1] :]


@variant("generation.generate_cached/new-tokens-only")
def _(ref, model, idx, max_new_tokens, **how):
    return ref.originals.generate_cached(model, idx, max_new_tokens, **how).narrow(1, idx.shape[1], max_new_tokens)


for setting, neutral, en, zh_tw in SETTINGS_IGNORED:

    def without(ref, model, idx, max_new_tokens, *, setting=setting, neutral=neutral, **how):
        unless_greedy = how["temperature"] and neutral
        how |= {setting: unless_greedy if setting == "temperature" else neutral}
        return caching()(ref, model, idx, max_new_tokens, **how)

    def again(ref, model, idx, max_new_tokens, *, setting=setting, neutral=neutral, **how):
        if setting != "temperature" or how["temperature"]:
            how[setting] = neutral
        return ref.originals.generate_cached(model, idx, max_new_tokens, **how)

    about(f"generation.generate_cached/{setting.replace('_', '-')}-not-passed", en=en, zh_tw=zh_tw)(without)
    variant(f"generation.generate_cached/{setting.replace('_', '-')}-not-passed")(again)


@about("generation.generate_cached/reseeded", **RESEEDED)
def reseeded(ref, model, idx, max_new_tokens, *, chunk_size=None, generator, **how):
    out, width = ready(model, idx, max_new_tokens, chunk_size)

    def draw(last):
        return ref.sample_next(last, **how, generator=generator.manual_seed(generator.initial_seed()))

    with evaluating(model):
        return run(ref, model, out, width, max_new_tokens, draw)


@variant("generation.generate_cached/reseeded")
def _(ref, model, idx, max_new_tokens, *, chunk_size=None, generator, **how):
    state, (out, width) = generator.get_state(), ready(model, idx, max_new_tokens, chunk_size)

    def draw(last):
        generator.set_state(state)
        return ref.sample_next(last, **how, generator=generator)

    with evaluating(model):
        return run(ref, model, out, width, max_new_tokens, draw)


@about("generation.generate_cached/same-dtype", **SAME_DTYPE)
def same_dtype(ref, model, idx, max_new_tokens, **how):
    return caching()(ref, model, idx, max_new_tokens, **how).to(idx.dtype)


@variant("generation.generate_cached/same-dtype")
def _(ref, model, idx, max_new_tokens, **how):
    return ref.originals.generate_cached(model, idx, max_new_tokens, **how).type_as(idx)


@about("generation.generate_cached/anything-accepted", **NO_TOKEN_ACCEPTED)
def anything_accepted(ref, model, idx, max_new_tokens, **how):
    return idx.long() if max_new_tokens < 0 else caching()(ref, model, idx, max_new_tokens, **how)


@variant("generation.generate_cached/anything-accepted")
def _(ref, model, idx, max_new_tokens, **how):
    return ref.originals.generate_cached(model, idx, max(0, max_new_tokens), **how)


@about(
    "generation.generate_cached/prompt-overwritten",
    en=Explained(
        "You write into the prompt.",
        "It belongs to the caller, who may want to continue it once more. Assigning to entries changes it; joining tensors gives a new one.",
        hint="Print the prompt before and after the call.",
    ),
    zh_tw=Explained(
        "你改寫了提示。",
        "它屬於呼叫你的人，之後可能還要再接一次。對元素指定值會改動它；把張量接起來則會得到新的張量。",
        hint="在呼叫前後各印一次提示。",
    ),
)
def prompt_overwritten(ref, model, idx, max_new_tokens, **how):
    out = caching()(ref, model, idx, max_new_tokens, **how)
    idx[:] = out[:, max_new_tokens:]
    return out


@variant("generation.generate_cached/prompt-overwritten")
def _(ref, model, idx, max_new_tokens, **how):
    out = ref.originals.generate_cached(model, idx, max_new_tokens, **how)
    idx.copy_(out.narrow(1, max_new_tokens, idx.shape[1]))
    return out
