"""What goes wrong in the exercise interpret.head_ablation with what is taken away."""

from __future__ import annotations

from functools import partial

import torch

from grader.testing import Explained, misconception, variant
from misconceptions.ablating import hooking, weighing, zeroed

about = partial(misconception, name="head_ablation")


def after_c_proj(attn, change):
    return attn.c_proj.register_forward_hook(lambda _, __, out: change(out))


def outputs_of_c_proj(attn, own):
    attn.c_proj.weight[own] = 0
    attn.c_proj.bias[own] = 0


about(
    "interpret.head_ablation/after-c-proj",
    en=Explained(
        "You set columns to 0 after c_proj.",
        "c_proj mixes the heads: each of its columns holds something of all of them. A head has columns of its own only before it.",
        hint="Which columns of what c_proj returns does head 0 change?",
    ),
    zh_tw=Explained(
        "你在 c_proj 之後才把直行設成 0。",
        "c_proj 會把各個頭混在一起：它的每個直行都有每個頭的份。只有在它之前，一個頭才有自己的直行。",
        hint="頭 0 會改變 c_proj 輸出的哪些直行？",
    ),
)(hooking(hang=after_c_proj))
variant("interpret.head_ablation/after-c-proj")(weighing(forget=outputs_of_c_proj))


def rows_of_c_proj(attn, own):
    attn.c_proj.weight[own] = 0


about(
    "interpret.head_ablation/rows-of-c-proj",
    en=Explained(
        "You set rows of c_proj's weight to 0.",
        "nn.Linear keeps its weight as [out, in]: a row makes one output of all heads, a column reads one input. What reads a head are columns.",
        hint="What is the shape of the weight of nn.Linear(2, 3)?",
    ),
    zh_tw=Explained(
        "你把 c_proj 權重的橫列設成 0。",
        "nn.Linear 的權重是 [out, in]：一個橫列用所有的頭算出一個輸出，一個直行讀一個輸入。讀某個頭的是直行。",
        hint="nn.Linear(2, 3) 的權重是什麼形狀？",
    ),
)(weighing(forget=rows_of_c_proj))


@variant("interpret.head_ablation/rows-of-c-proj")
def _(ref, model, idx, layer, head):
    def hang(attn, change):
        return attn.c_proj.register_forward_hook(lambda _, __, out: change(out - attn.c_proj.bias) + attn.c_proj.bias)

    return hooking(hang=hang)(ref, model, idx, layer, head)


about(
    "interpret.head_ablation/the-whole-layer",
    en=Explained(
        "You silenced all heads of the layer.",
        "What is measured is then the attention of a layer, whichever head was asked for. One head has d / H of the columns.",
        hint="Does your result depend on head?",
    ),
    zh_tw=Explained(
        "你讓整層的頭都安靜了。",
        "這樣量到的是整層的注意力，不管問的是哪個頭。一個頭只占 d / H 個直行。",
        hint="你的結果會隨 head 改變嗎？",
    ),
)(hooking(cols=lambda h, H, d: torch.arange(d)))
variant("interpret.head_ablation/the-whole-layer")(weighing(cols=lambda *_: slice(None)))

about(
    "interpret.head_ablation/all-but-the-head",
    en=Explained(
        "You silenced all heads but this one.",
        "That asks how well the layer does with one head alone. Asked for is how well it does without.",
        hint="Which columns does your assignment reach?",
    ),
    zh_tw=Explained(
        "你讓這個頭以外的頭都安靜了。",
        "這是在問只靠一個頭做得多好。這一題問的是少了它做得多好。",
        hint="你的指定動到哪些直行？",
    ),
)(hooking(silence=lambda Z, own: Z - zeroed(Z, own)))


def others_unread(attn, own):
    kept = attn.c_proj.weight[:, own].clone()
    attn.c_proj.weight.zero_()
    attn.c_proj.weight[:, own] = kept


variant("interpret.head_ablation/all-but-the-head")(weighing(forget=others_unread))

about(
    "interpret.head_ablation/heads-interleaved",
    en=Explained(
        "You took every H-th column for a head.",
        "A head has a contiguous slice of d / H columns. With yours a piece of each head is gone, and the rest of each remains.",
        hint="With 12 columns and 3 heads: which are those of head 1?",
    ),
    zh_tw=Explained(
        "你把每隔 H 個的直行當成一個頭。",
        "一個頭是連續的 d / H 個直行。照你的做法，每個頭都少了一塊，也都還剩一些。",
        hint="12 個直行、3 個頭：頭 1 是哪些直行？",
    ),
)(hooking(cols=lambda h, H, d: torch.arange(h, d, H)))
variant("interpret.head_ablation/heads-interleaved")(weighing(cols=lambda h, H, d: slice(h, None, H)))


class _Renamed:
    """A part of a block in the place of its attention."""

    def __init__(self, part):
        self.attn = part


def only_last(Z, own):
    Z = Z.clone()
    Z[:, -1:] = zeroed(Z[:, -1:], own)
    return Z


def averaged(Z, own):
    Z = Z.clone()
    Z[..., own] = Z[..., own].mean(dim=1, keepdim=True)
    return Z


def without_queries(attn, own):
    attn.c_attn.weight[own] = 0
    attn.c_attn.bias[own] = 0


def c_attn_silenced(attn, change):
    return attn.c_attn.register_forward_hook(lambda _, __, out: change(out))


about(
    "interpret.head_ablation/queries-silenced",
    en=Explained(
        "You set the head's queries to 0.",
        "All its scores are 0 then, so it looks at all tokens alike, and still brings their mean. A head whose output is 0 brings nothing.",
        hint="What is the softmax of a row of zeros?",
    ),
    zh_tw=Explained(
        "你把這個頭的查詢設成 0。",
        "這樣它的分數都是 0，於是平均地看所有詞元，還是帶來它們的平均。輸出是 0 的頭什麼也不帶來。",
        hint="一整列零的 softmax 是什麼？",
    ),
)(hooking(hang=c_attn_silenced))
variant("interpret.head_ablation/queries-silenced")(weighing(forget=without_queries))
