"""What goes wrong in the exercise generation.generate_cached."""

from __future__ import annotations

from functools import partial

import torch

from grader.testing import Explained, misconception, variant
from misconceptions.shared import evaluating, prompts, refuse

about = partial(misconception, name="generate_cached")


def ready(model, idx, n, chunk_size):
    """What is refused, and how wide a chunk is."""
    idx = prompts(idx, n)
    refuse(idx.shape[1] + n > model.config.block_size or (chunk_size is not None and chunk_size < 1))
    return idx, chunk_size or idx.shape[1]


def caches(ref, model):
    return [ref.LayerCache() for _ in range(model.config.n_layer)]


def run(ref, model, out, width, n, draw, cache=None, feed=None, at=-1):
    """Show the prompt in chunks, then each token: `feed(out, token)` is what the model is shown next."""
    cache = caches(ref, model) if cache is None else cache
    for start in range(0, out.shape[1] if n else 0, width):
        logits, _ = model(out[:, start : start + width], cache=cache)
    for i in range(n):
        token = draw(logits[:, at])[:, None]
        out = torch.cat([out, token], dim=1)
        if i < n - 1:
            logits, _ = model(token if feed is None else feed(out, token), cache=cache)
    return out


def caching(**hooks):
    """Right in everything but the hooks."""

    def function(ref, model, idx, max_new_tokens, *, chunk_size=None, **how):
        out, width = ready(model, idx, max_new_tokens, chunk_size)
        with evaluating(model):
            return run(ref, model, out, width, max_new_tokens, lambda last: ref.sample_next(last, **how), **hooks)

    return function


def recursive(wrong):
    """The same told otherwise: `wrong(ref, model, out, width, n, draw)` in the place of the loop."""

    def function(ref, model, idx, max_new_tokens, *, chunk_size=None, **how):
        out, width = ready(model, idx, max_new_tokens, chunk_size)
        with evaluating(model):
            return wrong(ref, model, out, width, max_new_tokens, lambda last: ref.sample_next(last, **how))

    return function


@about(
    "generation.generate_cached/forgets",
    en=Explained(
        "You show the model the new token without the cache.",
        "Then it sees one token, at position 0, and nothing of what came before. The cache has to go in with every call.",
        hint="In which of your calls of the model is there a cache?",
    ),
    zh_tw=Explained(
        "你給模型看新的詞元時，沒有附上快取。",
        "這樣它只看到一個詞元，站在位置 0，前面的什麼都看不到。每次呼叫都要附上快取。",
        hint="你哪幾次呼叫模型時有快取？",
    ),
)
@recursive
def forgets(ref, model, out, width, n, draw):
    cache, logits = caches(ref, model), None
    for part in out.split(width, dim=1) if n else ():
        logits, _ = model(part, cache=cache)
    for _ in range(n):
        token = draw(logits[:, -1])[:, None]
        out = torch.cat([out, token], dim=1)
        logits, _ = model(token)
    return out


@variant("generation.generate_cached/forgets")
@recursive
def _(ref, model, out, width, n, draw):
    cache, shown = caches(ref, model), out.split(width, dim=1)
    for _ in range(n):
        for part in shown:
            last = model(part, cache=cache)[0][:, -1]
        out = torch.hstack([out, draw(last).reshape(-1, 1)])
        shown, cache = (out[:, -1:],), caches(ref, model)
    return out


@about(
    "generation.generate_cached/one-cache-for-all-layers",
    en=Explained(
        "All layers share one cache.",
        "Each layer has keys and values of its own. `[LayerCache()] * n` is the same object n times, so that every layer puts its own behind those of the others.",
        hint="After one token, how long is the cache of the first layer?",
    ),
    zh_tw=Explained(
        "所有層共用一個快取。",
        "每一層有自己的鍵和值。`[LayerCache()] * n` 是同一個物件出現 n 次，每一層都把自己的接到別層後面。",
        hint="看過一個詞元之後，第一層的快取有多長？",
    ),
)
def one_cache(ref, model, idx, max_new_tokens, **how):
    return caching(cache=[ref.LayerCache()] * model.config.n_layer)(ref, model, idx, max_new_tokens, **how)


@variant("generation.generate_cached/one-cache-for-all-layers")
@recursive
def _(ref, model, out, width, n, draw):
    single = ref.LayerCache()
    return run(ref, model, out, width, n, draw, cache=[single for _ in range(model.config.n_layer)])


@about(
    "generation.generate_cached/fresh-cache-each-chunk",
    en=Explained(
        "Every chunk of the prompt gets an empty cache.",
        "Then a chunk sees nothing of those before it, and its positions begin at 0 again. One cache goes through the whole call.",
        hint="Where are your caches made, before the loop over chunks or in it?",
    ),
    zh_tw=Explained(
        "提示的每個區塊都拿到空的快取。",
        "這樣區塊看不到前面的區塊，位置也從 0 重新算起。整個呼叫從頭到尾用同一份快取。",
        hint="你的快取在區塊的迴圈之前建立，還是在裡面？",
    ),
)
@recursive
def fresh_cache(ref, model, out, width, n, draw):
    cache = None
    for part in out.split(width, dim=1) if n else ():
        cache = caches(ref, model)
        logits, _ = model(part, cache=cache)
    for i in range(n):
        token = draw(logits[:, -1])[:, None]
        out = torch.cat([out, token], dim=1)
        if i < n - 1:
            logits, _ = model(token, cache=cache)
    return out


@variant("generation.generate_cached/fresh-cache-each-chunk")
@recursive
def _(ref, model, out, width, n, draw):
    T = out.shape[1]
    last = out[:, (T - 1) // width * width :]
    grown = run(ref, model, last, width, n, draw)
    return torch.cat([out, grown[:, last.shape[1] :]], dim=1)


@about(
    "generation.generate_cached/rest-dropped",
    en=Explained(
        "You drop what is left when the chunks do not divide the prompt.",
        "The last chunk may be shorter. Without it the model continues a text that ends earlier.",
        hint="Which positions do your chunks of 4 have, for a prompt of 6?",
    ),
    zh_tw=Explained(
        "區塊大小不能整除提示時，剩下的被你丟掉了。",
        "最後一個區塊可以比較短。少了它，模型接的是一段提早結束的文字。",
        hint="提示有 6 個詞元、區塊是 4 時，你的區塊包含哪些位置？",
    ),
)
@recursive
def rest_dropped(ref, model, out, width, n, draw):
    T = out.shape[1]
    seen = out[:, : T // width * width] if width <= T else out
    grown = run(ref, model, seen, width, n, draw)
    return torch.cat([out, grown[:, seen.shape[1] :]], dim=1)


@variant("generation.generate_cached/rest-dropped")
@recursive
def _(ref, model, out, width, n, draw):
    cache, new = caches(ref, model), []
    parts = [part for part in out.split(width, dim=1) if part.shape[1] == width or out.shape[1] < width]
    for _ in range(n):
        for part in parts:
            last = model(part, cache=cache)[0][:, -1]
        new.append(draw(last)[:, None])
        parts = new[-1:]
    return torch.cat([out, *new], dim=1)


@about(
    "generation.generate_cached/chunk-ignored",
    en=Explained(
        "You show the model the whole prompt at once.",
        "chunk_size says how many positions there is room for. The numbers are the same, the memory is not.",
        hint="Where does chunk_size stand in your code?",
    ),
    zh_tw=Explained(
        "你一次就把整個提示給模型看。",
        "chunk_size 說的是一次放得下幾個位置。數值一樣，用的記憶體卻不一樣。",
        hint="chunk_size 出現在你程式的哪裡？",
    ),
)
@recursive
def chunk_ignored(ref, model, out, width, n, draw):
    return run(ref, model, out, max(width, out.shape[1]), n, draw)


@variant("generation.generate_cached/chunk-ignored")
@recursive
def _(ref, model, out, width, n, draw):
    cache, shown = caches(ref, model), out
    for _ in range(n):
        shown = draw(model(shown, cache=cache)[0][:, -1])[:, None]
        out = torch.hstack([out, shown])
    return out


about(
    "generation.generate_cached/first-position",
    en=Explained(
        "You take the logits of the first position of what you showed.",
        "For a new token alone that is also the last. For the prompt it is not: what follows stands at its last position.",
        hint="Which of your tokens are wrong, all or only the first new one?",
    ),
    zh_tw=Explained(
        "你取的是給模型看的第一個位置的 logits。",
        "只有一個新詞元時，它也是最後一個。提示則不然：接下來是什麼，在最後一個位置。",
        hint="你的詞元全部都錯，還是只有第一個新的錯？",
    ),
)(caching(at=0))


@variant("generation.generate_cached/first-position")
@recursive
def _(ref, model, out, width, n, draw):
    cache, shown = caches(ref, model), out.split(width, dim=1)
    for _ in range(n):
        for part in shown:
            first = model(part, cache=cache)[0].unbind(dim=1)[0]
        shown = (draw(first)[:, None],)
        out = torch.hstack([out, *shown])
    return out
