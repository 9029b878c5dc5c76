"""What goes wrong in gpt2.gpt with the blocks, the last norm and what the model is made of."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import torch
from torch import nn
from torch.nn import functional as F

from misconceptions.shared import also_make, make, mistaken, norm, stack, wte


def in_turn(m, x, caches, step):
    """The blocks one after the other, each by step(block, x, cache)."""
    pairs = zip(m.transformer.h, caches, strict=True)
    return reduce(lambda rows, pair: step(pair[0], rows, pair[1]), pairs, x)


def normed(m, x):
    """The last norm without its weights."""
    return (x - x.mean(-1, keepdim=True)) * (x.var(-1, keepdim=True, unbiased=False) + 1e-5).rsqrt()


def with_blocks(made):
    """Both ways to make the parts, with other blocks: made(ref, config)."""
    return (
        {"make": lambda m, ref: make(m, ref, h=made(ref, m.config))},
        {"make": lambda m, ref: also_make(m, ref, h=made(ref, m.config))},
    )


def unlisted(maker, kind):
    """The parts with their blocks where torch does not look."""

    def made(m, ref):
        maker(m, ref)
        blocks = kind(m.transformer.h)
        del m.transformer.h
        m.blocks = [blocks]

    return made


def copied(maker):
    """The parts with a head of its own, which begins as the embedding."""

    def made(m, ref):
        maker(m, ref)
        m.lm_head.weight = nn.Parameter(wte(m).detach().clone())

    return made


def biased(maker, attribute):
    def made(m, ref):
        maker(m, ref)
        if m.config.bias:
            setattr(m.lm_head, attribute, nn.Parameter(torch.zeros(m.config.vocab_size)))

    return made


def other_way_round(m):
    blocks = {id(block): other for block, other in zip(m.transformer.h, reversed(m.transformer.h), strict=True)}
    return lambda block, rows, cache: blocks[id(block)](rows, cache)


def blocks(blocks, x, caches):
    for block, cache in zip(blocks, caches, strict=True):
        x = block(x, cache)
    return x


mistaken(
    "blocks-in-reverse",
    {"stack": lambda m, x, caches: in_turn(m, x, caches, other_way_round(m))},
    {
        "stack": lambda m, x, caches: reduce(
            lambda rows, i: m.transformer.h[i](rows, caches[i]), range(m.config.n_layer - 1, -1, -1), x
        )
    },
    en=(
        "The last block comes first.",
        "A new model does not notice, for all blocks begin alike. Published weights do: what block 1 reads is what block 0 has written.",
        "Which block gets the embeddings?",
    ),
    zh=(
        "最後一個區塊排在最前面。",
        "新模型看不出來，因為所有區塊一開始都差不多。公開的權重就看得出來：第 1 個區塊讀的，是第 0 個區塊寫的。",
        "哪一個區塊拿到嵌入？",
    ),
)
mistaken(
    "one-block-object",
    *with_blocks(lambda ref, config: nn.ModuleList([ref.Block(config)] * config.n_layer)),
    en=(
        "All layers are one block object.",
        "`[Block(config)] * n_layer` makes one block and names it n_layer times: the layers share their weights, and the model has a fraction of its parameters.",
        "Change the weights of one block. Is it the only one that changes?",
    ),
    zh=(
        "所有層都是同一個區塊物件。",
        "`[Block(config)] * n_layer` 只建立一個區塊，然後給它 n_layer 個名字：各層共用權重，參數只剩幾分之一。",
        "改變一個區塊的權重，只有它變了嗎？",
    ),
)
mistaken(
    "last-norm-missing",
    {"head": lambda m, x: m.lm_head(x)},
    {"head": lambda m, x: x @ m.lm_head.weight.T},
    en=(
        "The last norm is missing.",
        "In a block the norm stands before each branch, so what leaves the last block is not normed. ln_f does that before the head.",
        "Double ln_f.weight. Do the logits change?",
    ),
    zh=(
        "少了最後的 norm。",
        "區塊裡的 norm 在每個分支之前，所以離開最後一個區塊的東西沒有正規化過。輸出層之前要由 ln_f 來做。",
        "把 ln_f.weight 變成兩倍，logits 會變嗎？",
    ),
)
mistaken(
    "norm-before-the-blocks",
    {"stack": lambda m, x, caches: stack(m, norm(m, x), caches), "head": lambda m, x: m.lm_head(x)},
    {
        "stack": lambda m, x, caches: in_turn(m, norm(m, x), caches, lambda block, *rest: block(*rest)),
        "head": lambda m, x: F.linear(x, wte(m)),
    },
    en=(
        "ln_f stands before the blocks and not after them.",
        "It norms what the head reads, the sum of all that the blocks have added.",
        "The f is for final. Without blocks nobody can tell; what about one block?",
    ),
    zh=(
        "ln_f 放在區塊之前，而不是之後。",
        "它要正規化的是輸出層讀到的東西，也就是所有區塊加起來的和。",
        "f 是 final。沒有區塊時看不出差別；有一個區塊時呢？",
    ),
)
mistaken(
    "blocks-in-a-list",
    {"make": unlisted(make, list), "stack": lambda m, x, caches: blocks(m.blocks[0], x, caches)},
    {"make": unlisted(also_make, tuple), "stack": lambda m, x, caches: blocks(m.blocks[0], x, caches)},
    en=(
        "The blocks are in a plain Python list, where torch does not find them.",
        "They have no place in state_dict(), .double() and .to() pass them by, and no optimizer sees them.",
        "Print the keys of state_dict(). nn.ModuleList is a list that torch knows.",
    ),
    zh=(
        "區塊放在普通的 Python list 裡，torch 找不到。",
        "它們不在 state_dict() 裡，.double() 和 .to() 會略過它們，最佳化器也看不到。",
        "印出 state_dict() 的鍵。nn.ModuleList 是 torch 認得的 list。",
    ),
)
mistaken(
    "dropout-left-out-of-the-blocks",
    *with_blocks(lambda ref, c: nn.ModuleList(ref.Block(replace(c, dropout=0.0)) for _ in range(c.n_layer))),
    en=(
        "The blocks are made without the configuration's dropout.",
        "Whoever sets dropout=0.1 trains nearly without it, and no error says so.",
        "What does each block get in __init__? Give it the configuration itself.",
    ),
    zh=(
        "建立區塊時，沒有把設定裡的 dropout 傳進去。",
        "設了 dropout=0.1 的人幾乎沒有用到 dropout，也不會有錯誤訊息。",
        "__init__ 裡每個區塊拿到什麼？把整個設定交給它。",
    ),
)
mistaken(
    "last-norm-always-biased",
    {"make": lambda m, ref: make(m, ref, ln_f=ref.LayerNorm(m.config.d_model))},
    {"make": lambda m, ref: also_make(m, ref, ln_f=ref.LayerNorm(m.config.d_model, bias=True))},
    en=(
        "ln_f has a bias although the configuration says there is none.",
        "bias=False is for all norms and all linear layers.",
        "Print the keys of state_dict() for bias=False.",
    ),
    zh=(
        "設定寫明不要偏值（bias），ln_f 卻有。",
        "bias=False 適用於所有 norm 和所有線性層。",
        "印出 bias=False 時 state_dict() 的鍵。",
    ),
)
mistaken(
    "head-biased",
    {"make": biased(make, "bias")},
    {
        "make": biased(also_make, "bias"),
        "head": lambda m, x: F.linear(norm(m, x), wte(m), getattr(m.lm_head, "bias", None)),
    },
    en=(
        "lm_head has a bias.",
        "The head is the token embedding again, and that has none, whatever the configuration says of the other layers.",
        "Print the keys of state_dict(). Is there lm_head.bias?",
    ),
    zh=(
        "lm_head 有偏值（bias）。",
        "輸出層就是詞元嵌入，而嵌入沒有偏值，不論設定怎麼說其他層。",
        "印出 state_dict() 的鍵。有 lm_head.bias 嗎？",
    ),
)
mistaken(
    "head-of-its-own",
    {"make": copied(make)},
    {"make": copied(also_make)},
    en=(
        "lm_head has a weight of its own.",
        "It may begin as a copy, but after one step of training the two differ. GPT-2 has one matrix for both, which learns from both its uses and saves V d parameters.",
        "Is lm_head.weight the same object as wte.weight? A copy with the same numbers is not.",
    ),
    zh=(
        "lm_head 有自己的 weight。",
        "它一開始可能是複製品，但訓練一步之後兩者就不同了。GPT-2 的兩處是同一個矩陣，從兩種用途一起學，也省下 V d 個參數。",
        "lm_head.weight 和 wte.weight 是同一個物件嗎？數字一樣的複製品不算。",
    ),
)
mistaken(
    "head-made-and-not-used",
    {"make": copied(make), "head": lambda m, x: F.linear(norm(m, x), wte(m))},
    {"make": copied(also_make), "head": lambda m, x: norm(m, x) @ m.transformer.wte.weight.mT},
    en=(
        "lm_head has a weight of its own, which is never used.",
        "The logits come from wte, as they should. But setting lm_head.weight does nothing, and an optimizer carries V d numbers that never get a gradient.",
        "Set lm_head.weight alone. Do the logits change?",
    ),
    zh=(
        "lm_head 有自己的 weight，卻從來沒有用到。",
        "logits 由 wte 算出來，這沒有錯。但是設定 lm_head.weight 沒有作用，最佳化器還帶著 V d 個永遠沒有梯度的數。",
        "只設定 lm_head.weight，logits 會變嗎？",
    ),
)
mistaken(
    "head-cut-off",
    {"head": lambda m, x: F.linear(norm(m, x), wte(m).detach())},
    {"head": lambda m, x: norm(m, x) @ m.lm_head.weight.data.T},
    en=(
        "The head is cut off from the gradient.",
        "The numbers are shared, but `.data` or `.detach()` keeps the embedding from learning what the head needs: its gradient is the sum of both uses.",
        "Compare the gradient of a token that is in no input.",
    ),
    zh=(
        "輸出層和梯度斷開了。",
        "數字是共用的，但 `.data` 或 `.detach()` 讓嵌入學不到輸出層需要的東西：它的梯度是兩種用途的和。",
        "看看一個沒有出現在輸入裡的詞元，它的梯度是什麼。",
    ),
)
