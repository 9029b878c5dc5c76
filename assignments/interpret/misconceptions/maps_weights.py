"""What goes wrong in the exercise interpret.attention_maps with the weights themselves."""

from __future__ import annotations

import math
from functools import partial

import torch

from grader.testing import Explained, misconception, variant
from misconceptions.looking import by_hooks, by_walking, row, rows, shown, thirds, weigh

about = partial(misconception, name="attention_maps")

about(
    "interpret.attention_maps/before-the-softmax",
    en=Explained(
        "Your maps are scores, not weights.",
        "A score is any number, and says nothing until it is compared with the others of its row: the softmax makes shares of them, which sum to 1.",
        hint="What does each of your rows sum to?",
    ),
    zh_tw=Explained(
        "你的圖是分數，不是權重。",
        "分數可以是任何數，要和同一個橫列的其他分數比較才有意義：softmax 把它們變成份額，總和是 1。",
        hint="你的每個橫列總和是多少？",
    ),
)(by_hooks(weights=lambda S: S.masked_fill(~shown(S), -math.inf)))
variant("interpret.attention_maps/before-the-softmax")(
    by_walking(weights=rows(lambda s, t: torch.cat([s[: t + 1], torch.full_like(s[t + 1 :], -math.inf)])))
)

about(
    "interpret.attention_maps/not-masked",
    en=Explained(
        "Your maps have weights on later tokens.",
        "The model cannot look ahead, so its own weights there are 0, and those of the others are larger than yours. A map has to show what was computed.",
        hint="What is hidden from query 0, and when is it hidden, before the softmax or after?",
    ),
    zh_tw=Explained(
        "你的圖在之後的詞元上也有權重。",
        "模型不能往後看，所以那裡真正的權重是 0，其他地方的權重也比你的大。圖要呈現的是真正算出來的東西。",
        hint="查詢 0 看不到什麼？是在 softmax 之前還是之後遮住的？",
    ),
)(by_hooks(weights=lambda S: S.softmax(-1)))
variant("interpret.attention_maps/not-masked")(by_walking(weights=rows(lambda s, _: row(s, len(s)))))

about(
    "interpret.attention_maps/masked-after-the-softmax",
    en=Explained(
        "You hid the later tokens after the softmax.",
        "They took part in the sum by which each row is divided, so what is left of a row sums to less than 1. They have to be hidden from the softmax.",
        hint="What does the first row sum to? What would a score of -inf become?",
    ),
    zh_tw=Explained(
        "你在 softmax 之後才遮住之後的詞元。",
        "它們已經算進每個橫列的分母，所以橫列剩下的總和小於 1。要讓 softmax 看不到它們。",
        hint="第一個橫列總和是多少？分數是 -inf 會變成什麼？",
    ),
)(by_hooks(weights=lambda S: S.softmax(-1).tril()))
variant("interpret.attention_maps/masked-after-the-softmax")(
    by_walking(weights=rows(lambda s, t: row(s, len(s)) * (torch.arange(len(s)) <= t)))
)

about(
    "interpret.attention_maps/filled-with-zero",
    en=Explained(
        "You set the scores of later tokens to 0.",
        "exp(0) is 1, which is a good share of a row. Only a score of -inf gives the weight 0.",
        hint="What does the softmax make of the scores [-1, 0]?",
    ),
    zh_tw=Explained(
        "你把之後的詞元的分數設成 0。",
        "exp(0) 是 1，在橫列裡占不小的一份。分數要是 -inf，權重才會是 0。",
        hint="softmax 會把分數 [-1, 0] 變成什麼？",
    ),
)(by_hooks(weights=lambda S: (S * shown(S)).softmax(-1)))
variant("interpret.attention_maps/filled-with-zero")(
    by_walking(weights=rows(lambda s, t: row(torch.cat([s[: t + 1], s.new_zeros(len(s) - t - 1)]), len(s))))
)


about(
    "interpret.attention_maps/softmax-columns",
    en=Explained(
        "Your softmax ran down the columns.",
        "Each query shares one unit of attention among the keys, so each row sums to 1. Down the columns queries compete for a key.",
        hint="Which axis of [H, T, T] holds the keys?",
    ),
    zh_tw=Explained(
        "你的 softmax 沿著直行計算了。",
        "每個查詢把 1 單位的注意力分給各個鍵，所以每個橫列總和是 1。沿著直行算，變成查詢互相搶一個鍵。",
        hint="[H, T, T] 的哪個軸是鍵？",
    ),
)(by_hooks(weights=lambda S: S.masked_fill(~shown(S), -math.inf).softmax(-2)))
variant("interpret.attention_maps/softmax-columns")(
    by_walking(weights=lambda S: S.exp().tril() / S.exp().tril().sum(dim=0))
)


def exchanged(fused, n_head):
    q, k, v = thirds(fused, n_head)
    return k, q, v


about(
    "interpret.attention_maps/queries-and-keys-exchanged",
    en=Explained(
        "You took the keys for queries, and the queries for keys.",
        "Row i then says how much the others would look at token i, not what token i looks at. c_attn gives queries, keys and values in this order.",
        hint="Which third of c_attn's output does the row of a score come from?",
    ),
    zh_tw=Explained(
        "你把鍵當成查詢，把查詢當成鍵。",
        "這樣橫列 i 說的是別人會看詞元 i 多少，而不是詞元 i 看了什麼。c_attn 依序給出查詢、鍵和值。",
        hint="分數的橫列來自 c_attn 輸出的哪三分之一？",
    ),
)(by_hooks(split=exchanged))


def keys_first(h, H, d):
    own = torch.arange(h * d // H, (h + 1) * d // H)
    return d + own, own


variant("interpret.attention_maps/queries-and-keys-exchanged")(by_walking(columns=keys_first))


about(
    "interpret.attention_maps/scaled-by-the-width",
    en=Explained(
        "You scaled by the width of the model.",
        "Each head takes products of d / H numbers, so it is √(d / H) that keeps its scores in range, and what the model divides by.",
        hint="How many products does one score sum up?",
    ),
    zh_tw=Explained(
        "你用模型的寬度來縮放。",
        "每個頭是 d / H 個乘積相加，所以要用 √(d / H) 讓分數維持適當的大小；模型除的也是它。",
        hint="一個分數是幾個乘積的和？",
    ),
)(by_hooks(score=lambda q, k, _, d: q @ k.mT / math.sqrt(d)))
variant("interpret.attention_maps/scaled-by-the-width")(by_walking(temper=lambda _, d: d**0.5))

about(
    "interpret.attention_maps/not-scaled",
    en=Explained(
        "You did not scale the scores.",
        "The model divides them by √(d / H) before the softmax. Without that the maps look more decided than the model is.",
        hint="What stands between the product and the softmax in the equation?",
    ),
    zh_tw=Explained(
        "你沒有縮放分數。",
        "模型在 softmax 之前會把分數除以 √(d / H)。少了這一步，圖看起來會比模型更篤定。",
        hint="公式裡，內積和 softmax 之間還有什麼？",
    ),
)(by_hooks(score=lambda q, k, *_: q @ k.mT))
variant("interpret.attention_maps/not-scaled")(by_walking(temper=lambda *_: 1))


about(
    "interpret.attention_maps/heads-interleaved",
    en=Explained(
        "You gave each head every H-th column.",
        "A head has a contiguous slice of the columns. Yours are made of a piece of every head, and none of them is one that the model has.",
        hint="When the last axis becomes two, which of them is the head, the first or the second?",
    ),
    zh_tw=Explained(
        "你讓每個頭拿每隔 H 個的直行。",
        "一個頭拿的是連續的一段。你的頭是各個頭的碎片拼成的，模型裡沒有這樣的頭。",
        hint="最後一軸拆成兩軸時，頭是前面那一軸還是後面那一軸？",
    ),
)(by_hooks(split=lambda fused, H: [part.unflatten(1, (-1, H)).permute(2, 0, 1) for part in fused.chunk(3, dim=1)]))
variant("interpret.attention_maps/heads-interleaved")(
    by_walking(columns=lambda h, H, d: (torch.arange(h, d, H), torch.arange(d + h, 2 * d, H)))
)


def viewed(fused, n_head):
    return [part.reshape(n_head, len(part), -1) for part in fused.chunk(3, dim=1)]


about(
    "interpret.attention_maps/heads-by-view",
    en=Explained(
        "You reshaped straight to the heads.",
        "The shape [H, T, d / H] is right, but head 0 now holds the first tokens with all their columns, and not all tokens with the first columns.",
        hint="Two steps are needed: the last axis becomes two, then two axes change places.",
    ),
    zh_tw=Explained(
        "你直接 reshape 成各個頭。",
        "形狀 [H, T, d / H] 沒錯，但頭 0 裝的是前幾個詞元的所有直行，而不是所有詞元的前幾個直行。",
        hint="要分兩步：最後一軸拆成兩軸，再把兩軸對調。",
    ),
)(by_hooks(split=viewed))


def cut(fused, n_head):
    """The numbers of each third in a line, and the heads one after the other."""
    lines = [part.contiguous().flatten() for part in torch.tensor_split(fused, 3, dim=1)]
    return [torch.stack([piece.unflatten(0, (len(fused), -1)) for piece in line.chunk(n_head)]) for line in lines]


variant("interpret.attention_maps/heads-by-view")(
    by_hooks(split=cut, score=lambda q, k, *_: torch.einsum("htd,hsd->hts", q, k) * q.shape[2] ** -0.5)
)


def one_in_three(fused, n_head):
    return fused.unflatten(1, (n_head, 3, -1)).permute(2, 1, 0, 3)


about(
    "interpret.attention_maps/three-in-each-head",
    en=Explained(
        "You cut into heads first, and each head into queries, keys and values.",
        "c_attn gives all queries, then all keys, then all values. In your order a query meets what is the query of another head.",
        hint="Of the 3 d columns: which are the queries of head 1?",
    ),
    zh_tw=Explained(
        "你先切成頭，再把每個頭切成查詢、鍵和值。",
        "c_attn 先給所有的查詢，再給所有的鍵，然後是所有的值。照你的順序，一個查詢碰到的是另一個頭的查詢。",
        hint="3 d 個直行裡，哪些是頭 1 的查詢？",
    ),
)(by_hooks(split=one_in_three))


def side_by_side(h, H, d):
    d_head = d // H
    start = torch.arange(3 * h * d_head, (3 * h + 1) * d_head)
    return start, start + d_head


variant("interpret.attention_maps/three-in-each-head")(by_walking(columns=side_by_side))

about(
    "interpret.attention_maps/always-float64",
    en=Explained(
        "Your maps are float64 whatever the model is.",
        "What a float32 model computes is float32. One float64 tensor, such as a mask of zeros and -inf, makes everything that it meets float64.",
        hint="Call it with a float32 model, and print the dtype after each line.",
    ),
    zh_tw=Explained(
        "不管模型是什麼型別，你的圖都是 float64。",
        "float32 的模型算出來的是 float32。一個 float64 張量，例如由 0 和 -inf 組成的遮罩，會把碰到的東西都變成 float64。",
        hint="用 float32 的模型呼叫，逐行印出 dtype。",
    ),
)(by_hooks(arrange=lambda maps: torch.stack(maps).double()))
variant("interpret.attention_maps/always-float64")(
    by_hooks(weights=lambda S: weigh(S) + torch.zeros(S.shape, dtype=torch.float64))
)
