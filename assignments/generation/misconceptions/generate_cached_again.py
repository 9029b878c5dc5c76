"""Positions that pass through the model again in the exercise generation.generate_cached."""

from __future__ import annotations

import torch

from grader.testing import Explained, variant
from misconceptions.generate_cached import about, caches, caching, recursive

AGAIN = {
    "en": Explained(
        "You show the model the whole text again, though its earlier positions are in the cache.",
        "The keys and values of everything before are in the cache already. What you show is put behind them, at later positions: each token stands there two and more times, and block_size is soon passed.",
        hint="How long is the cache after each new token? By how much should it grow?",
    ),
    "zh_tw": Explained(
        "前面的位置已經在快取裡，你卻又把整段文字給模型看一次。",
        "前面所有的鍵和值都在快取裡了。你給的會接在後面，站到更後面的位置：每個詞元就出現了兩次以上，而且很快就超過 block_size。",
        hint="每新增一個詞元，快取有多長？應該增加多少？",
    ),
}
about("generation.generate_cached/whole-sequence-again", **AGAIN)(caching(feed=lambda out, _: out))


@variant("generation.generate_cached/whole-sequence-again")
@recursive
def _(ref, model, out, width, n, draw):
    cache, shown = caches(ref, model), out.split(width, dim=1)
    for _ in range(n):
        for part in shown:
            logits = model(part, cache=cache)[0][:, -1]
        out = torch.hstack([out, draw(logits).reshape(-1, 1)])
        shown = (out,)
    return out


@about("generation.generate_cached/whole-sequence-after-the-last-too", **AGAIN)
@recursive
def after_the_last_too(ref, model, out, width, n, draw):
    cache = caches(ref, model)
    for part in out.split(width, dim=1):
        logits, _ = model(part, cache=cache)
    for _ in range(n):
        out = torch.cat([out, draw(logits[:, -1])[:, None]], dim=1)
        logits, _ = model(out, cache=cache)
    return out


@variant("generation.generate_cached/whole-sequence-after-the-last-too")
@recursive
def _(ref, model, out, width, n, draw):
    cache, T = caches(ref, model), out.shape[1]
    last = [model(out[:, a : a + width], cache=cache)[0][:, -1] for a in range(0, T, width)][-1]
    while out.shape[1] < T + n:
        out = torch.hstack([out, draw(last).unsqueeze(1)])
        last = model(out, cache=cache)[0].unbind(dim=1)[-1]
    return out


@about(
    "generation.generate_cached/no-cache",
    en=Explained(
        "You compute everything anew for every token.",
        "The tokens are right, and the work is that of generate: for each new one all positions pass through the model again. With the cache only the new one has to.",
        hint="How many positions does the model see altogether, for 6 tokens of prompt and 5 new ones?",
    ),
    zh_tw=Explained(
        "你每個詞元都全部重算。",
        "詞元是對的，工作量卻和 generate 一樣：每新增一個，所有位置都再經過模型一次。有快取時，只有新的那個需要。",
        hint="提示 6 個詞元、新增 5 個，模型一共看了幾個位置？",
    ),
)
@recursive
def no_cache(ref, model, out, width, n, draw):
    for _ in range(n):
        cache = caches(ref, model)
        for part in out.split(width, dim=1):
            logits = model(part, cache=cache)[0]
        out = torch.cat([out, draw(logits[:, -1])[:, None]], dim=1)
    return out


@variant("generation.generate_cached/no-cache")
@recursive
def _(ref, model, out, width, n, draw):
    for _ in range(n):
        parts, cache = range(0, out.shape[1], width), caches(ref, model)
        last = [model(out[:, a : a + width], cache=cache)[0][:, -1] for a in parts][-1]
        out = torch.hstack([out, draw(last).unsqueeze(1)])
    return out


@about(
    "generation.generate_cached/last-of-the-prompt-again",
    en=Explained(
        "The last token of the prompt passes through the model twice.",
        "The prompt is in the cache, all of it. A loop that begins by showing the last token puts it there once more, a position later, and everything after it moves on by one. What the prompt gave holds the first new token already: draw first, show afterwards.",
        hint="How long is the cache when you draw the first token? How long is the prompt?",
    ),
    zh_tw=Explained(
        "提示的最後一個詞元經過模型兩次。",
        "整個提示都已經在快取裡。迴圈一開始就給最後一個詞元，會把它再放進去一次，位置往後一格，後面的也全都移一格。第一個新詞元要從提示的輸出抽：先抽，再給模型看。",
        hint="抽第一個詞元時，快取有多長？提示有多長？",
    ),
)
@recursive
def last_of_the_prompt_again(ref, model, out, width, n, draw):
    cache = caches(ref, model)
    for part in out.split(width, dim=1) if n else ():
        model(part, cache=cache)
    for _ in range(n):
        logits, _ = model(out[:, -1:], cache=cache)
        out = torch.cat([out, draw(logits[:, -1])[:, None]], dim=1)
    return out


@variant("generation.generate_cached/last-of-the-prompt-again")
@recursive
def _(ref, model, out, width, n, draw):
    cache, T = caches(ref, model), out.shape[1]
    shown = [*out.split(width, dim=1), out[:, T - 1 :]]
    while out.shape[1] < T + n:
        last = [model(part, cache=cache)[0].unbind(dim=1)[-1] for part in shown][-1]
        shown = [draw(last).unsqueeze(1)]
        out = torch.hstack([out, *shown])
    return out


TWO = {
    "en": Explained(
        "You show two tokens each time, and the model has seen the first of them.",
        "Only the newest is not in the cache. The one before it is put there once more, at a later position: the cache grows by two with every token.",
        hint="By how much does the cache grow with each new token? By how much should it?",
    ),
    "zh_tw": Explained(
        "你每次給模型兩個詞元，而前一個它已經看過了。",
        "只有最新的那個不在快取裡。它前面的那個又被放進去一次，站在更後面的位置：每新增一個詞元，快取就長了兩格。",
        hint="每新增一個詞元，快取增加多少？應該增加多少？",
    ),
}
about("generation.generate_cached/two-at-a-time", **TWO)(caching(feed=lambda out, _: out[:, -2:]))


@variant("generation.generate_cached/two-at-a-time")
@recursive
def _(ref, model, out, width, n, draw):
    cache, shown = caches(ref, model), out.split(width, dim=1)
    for _ in range(n):
        for part in shown:
            logits = model(part, cache=cache)[0][:, -1]
        out = torch.hstack([out, draw(logits).reshape(-1, 1)])
        shown = (out.narrow(1, out.shape[1] - 2, 2),)
    return out
