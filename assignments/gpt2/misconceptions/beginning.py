"""What goes wrong in gpt2.gpt with the numbers that a new model begins with."""

from __future__ import annotations

import torch
from torch import nn

from misconceptions.shared import also_begin, begin, mistaken


def root(m, of=2):
    return max(of * m.config.n_layer, 1) ** 0.5


def embeddings(m, only=("wte", "wpe")):
    return [m.get_parameter(f"transformer.{name}.weight") for name in only]


def then(first, after):
    """Begin as usual and change something: after(m)."""

    def both(m):
        first(m)
        after(m)

    return {"begin": both}


def only_attention(m):
    for block in m.transformer.h:
        block.mlp.c_proj.weight.normal_(0, 0.02)


def biases(m):
    for name, parameter in m.named_parameters():
        if "c_" in name and name.endswith("bias"):
            parameter.uniform_(-0.1, 0.1)


def also_biases(m):
    for module in m.modules():
        if isinstance(module, nn.Linear) and module.bias is not None:
            module.bias.copy_(0.1 * torch.randn_like(module.bias))


def norms(m):
    for name, parameter in m.named_parameters():
        if "ln_" in name:
            parameter.normal_(0, 0.02)


def also_norms(m):
    for parameter in (p for p in m.parameters() if p.ndim == 1):
        parameter.copy_(torch.randn(parameter.shape) * 0.02)
    for block in m.transformer.h:
        for layer in (block.attn.c_attn, block.attn.c_proj, block.mlp.c_fc, block.mlp.c_proj):
            if layer.bias is not None:
                layer.bias.zero_()


def set_all(tables, setter):
    for table in tables:
        setter(table)


mistaken(
    "projections-not-scaled",
    {"begin": lambda m: begin(m, proj=0.02)},
    {"begin": lambda m: also_begin(m, lambda *_: 0.02)},
    en=(
        "The projections into the residual stream begin as large as all others.",
        "2 L of them are added up, so the variance of the stream grows with the depth. GPT-2 divides their standard deviation by the root of 2 L.",
        "Which two linear layers of a block write into the stream?",
    ),
    zh=(
        "寫入殘差流的投影，一開始和其他矩陣一樣大。",
        "一共有 2 L 個要相加，殘差流的變異數會隨深度變大。GPT-2 把它們的標準差除以 2 L 的平方根。",
        "區塊裡哪兩個線性層寫入殘差流？",
    ),
)
mistaken(
    "scaled-by-the-root-of-the-depth",
    {"begin": lambda m: begin(m, proj=0.02 / root(m, 1))},
    {"begin": lambda m: also_begin(m, lambda name, std: std * 2**0.5 if "c_proj" in name else std)},
    en=(
        "The projections are scaled by the root of L, not of 2 L.",
        "Each block adds to the stream twice, once after attention and once after the MLP.",
        "How many additions are there in L blocks?",
    ),
    zh=(
        "投影除以的是 L 的平方根，而不是 2 L 的。",
        "每個區塊對殘差流加兩次：注意力之後一次，MLP 之後一次。",
        "L 個區塊裡有幾次相加？",
    ),
)
mistaken(
    "only-attention-scaled",
    then(begin, only_attention),
    {"begin": lambda m: also_begin(m, lambda name, std: 0.02 if "mlp" in name else std)},
    en=(
        "Only the projection of attention is scaled, not that of the MLP.",
        "Both are called c_proj, and both add to the stream.",
        "Print the standard deviation of every c_proj.weight.",
    ),
    zh=(
        "只縮小了注意力的投影，沒有縮小 MLP 的。",
        "兩個都叫 c_proj，也都加到殘差流上。",
        "印出每個 c_proj.weight 的標準差。",
    ),
)
mistaken(
    "left-to-torch",
    {"begin": lambda _: None},
    {"begin": lambda m: set_all([], m)},
    en=(
        "The weights begin as torch makes them.",
        "nn.Embedding begins as N(0, 1), which as a head gives logits of some ten: the first loss is many times ln V.",
        "Compare the first loss with ln V.",
    ),
    zh=(
        "權重維持 torch 預設的初始值。",
        "nn.Embedding 的預設是 N(0, 1)，拿來當輸出層，logits 會有幾十那麼大：最初的損失是 ln V 的好幾倍。",
        "把最初的損失和 ln V 比一比。",
    ),
)
mistaken(
    "embeddings-of-1",
    {"begin": lambda m: begin(m, embeddings=1.0)},
    {"begin": lambda m: also_begin(m, lambda name, std: 1.0 if "wte" in name or "wpe" in name else std)},
    en=(
        "The embeddings begin as N(0, 1).",
        "The token embedding is the head too. Tied after the head was drawn, it brings the deviation that nn.Embedding begins with.",
        "Print wte.weight.std() of a new model.",
    ),
    zh=(
        "嵌入一開始是 N(0, 1)。",
        "詞元嵌入也是輸出層。輸出層初始化之後才綁在一起，帶來的就是 nn.Embedding 預設的標準差。",
        "印出新模型的 wte.weight.std()。",
    ),
)
mistaken(
    "biases-drawn",
    then(begin, biases),
    then(also_begin, also_biases),
    en=(
        "The biases do not begin as 0.",
        "nn.Linear draws them unless they are set.",
        "Print c_fc.bias of a new model.",
    ),
    zh=("偏值（bias）一開始不是 0。", "沒有另外設定時，nn.Linear 會隨機抽取偏值。", "印出新模型的 c_fc.bias。"),
)
mistaken(
    "norms-drawn",
    then(begin, norms),
    then(also_begin, also_norms),
    en=(
        "The norms begin with random weights.",
        "Their weights begin as 1 and their biases as 0, so that a new norm only norms. Drawing every parameter draws these too.",
        "Print ln_f.weight of a new model.",
    ),
    zh=(
        "norm 一開始的權重是隨機的。",
        "它們的 weight 從 1、bias 從 0 開始，新的 norm 只做正規化。把所有參數都隨機抽取，就連它們也抽了。",
        "印出新模型的 ln_f.weight。",
    ),
)
