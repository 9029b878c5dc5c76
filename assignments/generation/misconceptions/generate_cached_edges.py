"""Limits and chance of the exercise generation.generate_cached."""

from __future__ import annotations

import torch

from grader.testing import Explained, variant
from misconceptions.generate_cached import about, caching, ready, run
from misconceptions.shared import RESEEDED, evaluating, prompts, refuse


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
