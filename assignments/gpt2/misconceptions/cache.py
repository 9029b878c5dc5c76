"""What goes wrong in gpt2.gpt with the cache."""

from __future__ import annotations

import torch
from torch.nn import functional as F

from misconceptions.shared import OTHER, USUAL, also_rows, check, fit, kept, mistaken, rows, wpe, wte


def in_blocks(cache_of):
    """The blocks, each with the cache that cache_of(caches, i) gives it."""

    def stack(m, x, caches):
        for i, block in enumerate(m.transformer.h):
            x = block(x, cache_of(caches, i))
        return x

    return {"stack": stack}


def also_in_blocks(cache_of):
    def stack(m, x, caches):
        here = list(m.transformer.h)
        while here:
            x = here[0](x, cache_of(caches, len(m.transformer.h) - len(here)))
            here.pop(0)
        return x

    return {"stack": stack}


def any_number(m, idx, targets, cache):
    fit(m, idx, targets)
    caches = [None] * m.config.n_layer if cache is None else list(cache)
    if kept(caches) + idx.shape[1] > m.config.block_size:
        raise ValueError("too many positions")
    return caches, kept(caches)


def all_blocks(m, x, caches):
    for block, cache in zip(m.transformer.h, caches, strict=True):
        x = block(x, cache)
    return x


def also_all_blocks(m, x, caches):
    for i, cache in enumerate(caches):
        x = m.transformer.h[i](x, cache)
    if len(caches) < len(m.transformer.h):
        raise ValueError("a block has no cache")
    return x


def late(m, idx, targets, cache):
    fit(m, idx, targets)
    if cache is not None and len(cache) != m.config.n_layer:
        raise ValueError("caches")
    m.past = cache[0].length if cache else 0
    return cache or [None] * m.config.n_layer, m.past


def refused_late(m, logits, loss):
    if m.past + logits.shape[1] > m.config.block_size:
        raise ValueError("too many positions")
    return logits, loss


def wrapping(m, idx, past):
    return m.transformer.wte(idx) + m.transformer.wpe((torch.arange(idx.shape[1]) + past) % m.config.block_size)


def also_wrapping(m, idx, past):
    return F.embedding(idx, wte(m)) + wpe(m).roll(-past, 0).repeat(2, 1)[: idx.shape[1]]


def shapeless(m, idx, targets, cache):
    fit(m, idx, targets, shapes=False)
    return check(m, idx, None, cache)


def shaped_late(loss):
    """A loss that looks at the shape of the targets first, when the blocks are done."""

    def function(m, logits, targets, idx):
        fit(m, idx, targets)
        return loss(m, logits, targets, idx)

    return function


def some_blocks(m, x, caches):
    for block, cache in zip(m.transformer.h, caches, strict=False):
        x = block(x, cache)
    return x


def also_some_blocks(m, x, caches):
    for i in range(min(len(caches), m.config.n_layer)):
        x = m.transformer.h[i](x, caches[i])
    return x


mistaken(
    "cached-positions-forgotten",
    {"embed": lambda m, idx, _: rows(m, idx, 0)},
    {"embed": lambda m, idx, _: also_rows(m, idx, 0)},
    en=(
        "With a cache the positions start at 0 again.",
        "The new tokens come after those in the cache: with 5 of them there the next one is at position 5.",
        "Print the positions of the second part. `length` of a cache says what came before.",
    ),
    zh=(
        "有快取時，位置又從 0 開始。",
        "新詞元接在快取裡的詞元之後：快取裡有 5 個，下一個就在位置 5。",
        "印出第二部分的位置。快取的 `length` 說明前面有多少。",
    ),
)
mistaken(
    "cache-not-passed",
    in_blocks(lambda *_: None),
    also_in_blocks(lambda *_: None),
    en=(
        "The cache does not reach the blocks.",
        "It stays empty, so the new tokens know nothing of those before them.",
        "What is `length` after the first part?",
    ),
    zh=("快取沒有傳到區塊。", "它一直是空的，新詞元就不知道前面有什麼。", "第一部分之後，`length` 是多少？"),
)
mistaken(
    "only-the-first-block-cached",
    in_blocks(lambda caches, i: None if i else caches[i]),
    also_in_blocks(lambda caches, i: caches[i] if i == 0 else None),
    en=(
        "Only the first block gets its cache.",
        "Every block has keys and values of its own, and each needs those of the tokens before.",
        "Print the `length` of every cache after the first part.",
    ),
    zh=(
        "只有第一個區塊拿到快取。",
        "每個區塊都有自己的鍵和值，也都需要前面詞元的鍵和值。",
        "第一部分之後，印出每個快取的 `length`。",
    ),
)
mistaken(
    "one-cache-for-all-blocks",
    in_blocks(lambda caches, _: caches[0]),
    also_in_blocks(lambda caches, _: next(iter(caches))),
    en=(
        "All blocks write into the first cache.",
        "The second block then attends to the keys of the first one as if they were tokens.",
        "What is the `length` of the first cache after one token in two blocks?",
    ),
    zh=(
        "所有區塊都寫進第一個快取。",
        "這樣第二個區塊會把第一個區塊的鍵當成詞元來注意。",
        "兩個區塊處理一個詞元之後，第一個快取的 `length` 是多少？",
    ),
)
mistaken(
    "caches-of-any-number",
    {"check": any_number, "stack": some_blocks},
    {"check": any_number, "stack": also_some_blocks},
    en=(
        "Too few or too many caches are accepted.",
        "zip() stops with the shorter of its arguments: with a cache too few a block is left out, and nobody is told.",
        "Count the caches before the first block sees one of them.",
    ),
    zh=(
        "快取太少或太多都接受了。",
        "zip() 在較短的引數結束時就停下來：快取少一個，就少跑一個區塊，而且沒有人知道。",
        "在第一個區塊用到快取之前，先數一數有幾個。",
    ),
)
mistaken(
    "caches-counted-too-late",
    {"check": any_number, "stack": all_blocks},
    {"check": any_number, "stack": also_all_blocks},
    en=(
        "That the caches are too few or too many shows only after some were filled.",
        "zip() with `strict` looks no further than the next pair: it raises when the blocks before have added the tokens already.",
        "Give two blocks a single cache. What is its `length` after the error?",
    ),
    zh=(
        "快取太少或太多，要等到有些已經填進去才發現。",
        "zip() 加上 `strict` 也只看下一對：它報錯時，前面的區塊已經把詞元加進快取了。",
        "給兩個區塊一個快取。報錯之後，它的 `length` 是多少？",
    ),
)
mistaken(
    "refused-too-late",
    {"check": late, "embed": wrapping, "out": refused_late},
    {"check": late, "embed": also_wrapping, "out": refused_late},
    en=(
        "The length is checked after the caches were filled.",
        "Whoever catches the error finds positions in the cache that were refused. Check before anything is changed.",
        "What is `length` after a call that raised?",
    ),
    zh=(
        "快取填進去之後才檢查長度。",
        "接住錯誤的人會發現，快取裡有被拒絕的位置。改動任何東西之前就要先檢查。",
        "呼叫報錯之後，`length` 是多少？",
    ),
)
mistaken(
    "targets-seen-too-late",
    {"check": shapeless, "loss": shaped_late(USUAL["loss"])},
    {"check": shapeless, "loss": shaped_late(OTHER["loss"])},
    en=(
        "That the targets have another shape shows only after the caches were filled.",
        "They are needed at the end, and refused at the beginning: whoever catches the error finds tokens in the caches that were refused. Check all shapes before the first block.",
        "Call it with a cache and targets of another shape. What is `length` after the error?",
    ),
    zh=(
        "快取填進去之後，才發現目標的形狀不對。",
        "目標到最後才用到，卻要在一開始就檢查：接住錯誤的人會發現，快取裡有被拒絕的詞元。進第一個區塊之前，先檢查所有形狀。",
        "給它快取和形狀不同的目標。報錯之後，`length` 是多少？",
    ),
)
