"""Axes that do not fit in the loops of generate and generate_cached: whatever is drawn, it raises."""

from __future__ import annotations

import torch

from grader.testing import Explained, misconception, variant
from misconceptions.generate import growing
from misconceptions.generate_cached import caches, caching, recursive
from misconceptions.shared import evaluating, prompts

AXES = {
    "en": Explained(
        "The axes in your loop do not fit, and no token gets through.",
        "The model gives [B, T, V]. What is drawn from is its last position, [B, V]. A draw gives [B], and to stand behind [B, T] it has to be [B, 1] first.",
        hint="Print the shapes of the logits, the token and the text in the first round. Which has an axis too many, or too few?",
    ),
    "zh_tw": Explained(
        "迴圈裡的軸對不起來，一個新的詞元都產生不了。",
        "模型給的是 [B, T, V]。抽樣用的是最後一個位置，[B, V]。抽出來的是 [B]，要接到 [B, T] 後面，得先變成 [B, 1]。",
        hint="在第一輪印出 logits、詞元和文字的形狀。哪一個多了一個軸，或少了一個軸？",
    ),
}


@misconception("generation.generate/axes", name="generate", **AXES)
def token_without_an_axis(ref, model, idx, max_new_tokens, **how):
    out = prompts(idx, max_new_tokens)
    with evaluating(model):
        for _ in range(max_new_tokens):
            token = ref.sample_next(model(out[:, -model.config.block_size :])[0][:, -1], **how)
            out = torch.cat([out, token], dim=1)
    return out


variant("generation.generate/axes")(growing(at=slice(None)))


@misconception("generation.generate_cached/axes", name="generate_cached", **AXES)
@recursive
def cached_token_without_an_axis(ref, model, out, width, n, draw):
    cache, unseen = caches(ref, model), out.split(width, dim=1)
    for _ in range(n):
        for part in unseen:
            logits, _ = model(part, cache=cache)
        token = draw(logits[:, -1])
        unseen = (token[:, None],)
        out = torch.hstack([out, token])
    return out


variant("generation.generate_cached/axes")(caching(at=slice(None)))
