"""What goes wrong in the exercise training.parameter_groups."""

from __future__ import annotations

from torch import nn

from grader.testing import Explained
from misconceptions.shared import about

mistaken = about("training.parameter_groups", "parameter_groups")


def split(decays, *, parameters=None):
    """Two groups, by `decays(parameter)`."""

    def function(ref, model, weight_decay):
        found = list(model.parameters() if parameters is None else parameters(model))
        return [
            {"params": [p for p in found if decays(p)], "weight_decay": weight_decay},
            {"params": [p for p in found if not decays(p)], "weight_decay": 0.0},
        ]

    return function


def sorted_out(decays, *, walk=None):
    """The same by a loop over names, where `decays(name, parameter)`; with None a parameter goes nowhere."""

    def function(ref, model, weight_decay):
        yes, no = [], []
        for name, p in model.named_parameters() if walk is None else walk(model):
            verdict = decays(name, p)
            if verdict is not None:
                (yes if verdict else no).append(p)
        return [{"params": yes, "weight_decay": weight_decay}, {"params": no, "weight_decay": 0.0}]

    return function


def weights_of(model, kinds):
    """The ids of the weights of modules of some kinds."""
    return {id(module.weight) for module in model.modules() if isinstance(module, kinds)}


mistaken(
    "all-decay",
    lambda ref, model, weight_decay: [{"params": list(model.parameters()), "weight_decay": weight_decay}],
    lambda ref, model, weight_decay: sorted_out(lambda name, p: True)(ref, model, weight_decay)[:1],
    en=Explained(
        "Everything decays.",
        "A bias, and the gain of a norm, have no matrix whose size could be kept small; pulled towards 0 they only lose what they are there for. Tensors of fewer than 2 dimensions do not decay.",
        hint="What is the weight decay of a bias in your groups?",
    ),
    zh_tw=Explained(
        "你讓所有參數都衰減。",
        "偏值和 norm 的增益沒有需要控制大小的矩陣；往 0 拉只會失去它們的作用。少於 2 個維度的張量不衰減。",
        hint="在你的分組裡，偏值的權重衰減是多少？",
    ),
)
mistaken(
    "swapped",
    split(lambda p: p.dim() < 2),
    sorted_out(lambda name, p: p.dim() in (0, 1)),
    en=Explained(
        "The groups have changed places: vectors decay, matrices do not.",
        "Decay keeps matrices small, which is what it is for. Biases and gains should stay free.",
        hint="In which of your groups is a weight of two dimensions?",
    ),
    zh_tw=Explained(
        "兩組對調了：向量衰減，矩陣不衰減。",
        "衰減的用意就是讓矩陣保持小。偏值和增益則應該自由。",
        hint="兩個維度的權重在你的哪一組？",
    ),
)
mistaken(
    "embeddings-spared",
    lambda ref, model, weight_decay: (
        (spared := weights_of(model, nn.Embedding))
        and split(lambda p: p.dim() >= 2 and id(p) not in spared)(ref, model, weight_decay)
    ),
    sorted_out(lambda name, p: p.dim() >= 2 and "wte" not in name and "wpe" not in name),
    en=Explained(
        "Embeddings do not decay.",
        "Some implementations spare them. Here the rule is the number of dimensions alone: an embedding is a matrix, and the token embedding is also the matrix of the head.",
        hint="How many dimensions has wte.weight?",
    ),
    zh_tw=Explained(
        "你沒有讓嵌入衰減。",
        "有些實作會放過它們。這裡只看維度的個數：嵌入是矩陣，而且詞元嵌入同時也是輸出頭的矩陣。",
        hint="wte.weight 有幾個維度？",
    ),
)
mistaken(
    "only-linear",
    lambda ref, model, weight_decay: (
        (linear := weights_of(model, (nn.Linear, nn.Embedding)))
        and split(lambda p: id(p) in linear)(ref, model, weight_decay)
    ),
    sorted_out(lambda name, p: name.endswith(".weight") and p.dim() > 1),
    en=Explained(
        "You go by the kind of layer, or by its name.",
        "A parameter that no layer of torch owns then falls out of the rule: a kernel, or a table that a model keeps itself. What decides is the number of dimensions.",
        hint="What happens to a parameter [2, 3, d] that stands in the model itself?",
    ),
    zh_tw=Explained(
        "你依層的種類或名稱來分。",
        "這樣一來，不屬於 torch 任何一層的參數就不適用：卷積核，或模型自己保存的表。決定的是維度的個數。",
        hint="直接放在模型裡、形狀 [2, 3, d] 的參數會怎樣？",
    ),
)
mistaken(
    "only-biases-spared",
    sorted_out(lambda name, p: "bias" not in name),
    lambda ref, model, weight_decay: (
        (spared := {id(p) for name, p in model.named_parameters() if name.rpartition(".")[2].startswith("bias")})
        and split(lambda p: id(p) not in spared)(ref, model, weight_decay)
    ),
    en=Explained(
        "You spare what is called bias, and nothing else.",
        "The gain of a norm is called weight, has one dimension and should not decay; a table called bias has two, and should. Names tell less than dimensions.",
        hint="In which group is the weight of a LayerNorm?",
    ),
    zh_tw=Explained(
        "你只放過名稱有 bias 的參數。",
        "norm 的增益叫做 weight，只有一個維度，不該衰減；叫做 bias 的表有兩個維度，應該衰減。名稱不如維度可靠。",
        hint="LayerNorm 的 weight 在哪一組？",
    ),
)
mistaken(
    "gains-decay",
    sorted_out(lambda name, p: p.dim() >= 2 or (p.dim() == 1 and "bias" not in name)),
    lambda ref, model, weight_decay: (
        (gains := weights_of(model, nn.LayerNorm))
        and split(lambda p: p.dim() >= 2 or id(p) in gains)(ref, model, weight_decay)
    ),
    en=Explained(
        "The gains of norms decay.",
        "They are called weight, but have one dimension: each multiplies a feature, and 1 is where it does nothing. Pulled towards 0 it switches the feature off.",
        hint="In which group is the weight of a LayerNorm?",
    ),
    zh_tw=Explained(
        "norm 的增益被你拿去衰減了。",
        "它們叫做 weight，但只有一個維度：每個數乘上一個特徵，1 才是不起作用。往 0 拉，等於把特徵關掉。",
        hint="LayerNorm 的 weight 在哪一組？",
    ),
)
mistaken(
    "scalars-decay",
    split(lambda p: p.dim() != 1),
    sorted_out(lambda name, p: len(p.shape) != 1),
    en=Explained(
        "A parameter without dimensions decays.",
        "You spare what has exactly one. A single number, such as a learnt temperature, has none, and should not be pulled towards 0 either.",
        hint="Is your rule `!= 1` or `>= 2`?",
    ),
    zh_tw=Explained(
        "沒有維度的參數，你讓它衰減了。",
        "你只放過剛好一個維度的。單獨的一個數（例如學出來的溫度）沒有維度，也不該往 0 拉。",
        hint="你的規則是 `!= 1` 還是 `>= 2`？",
    ),
)
mistaken(
    "exactly-two",
    split(lambda p: p.dim() == 2),
    sorted_out(lambda name, p: len(p.shape) == 2),
    en=Explained(
        "Only tensors of exactly 2 dimensions decay.",
        "A kernel has 3 or 4 and is a matrix of patterns all the same. The rule is 2 or more.",
        hint="Is your rule `== 2` or `>= 2`?",
    ),
    zh_tw=Explained(
        "只有剛好 2 個維度的張量會衰減。",
        "卷積核有 3 或 4 個維度，但一樣是由圖樣組成的矩陣。規則是 2 個以上。",
        hint="你的規則是 `== 2` 還是 `>= 2`？",
    ),
)
mistaken(
    "others-left-out",
    lambda ref, model, weight_decay: split(lambda p: p.dim() >= 2)(ref, model, weight_decay)[:1],
    lambda ref, model, weight_decay: sorted_out(lambda name, p: len(p.shape) > 1)(ref, model, weight_decay)[:1],
    en=Explained(
        "What does not decay is in no group.",
        "An optimizer moves what it is given. Left out, biases and norms stay for ever what they were at the beginning.",
        hint="Count the parameters in your groups, and those of the model.",
    ),
    zh_tw=Explained(
        "不衰減的參數不在任何一組。",
        "最佳化器只會動交給它的東西。漏掉的偏值和 norm 就永遠停在初始值。",
        hint="數一數分組裡的參數，再數模型的參數。",
    ),
)
mistaken(
    "outer-parameters-only",
    split(lambda p: p.dim() >= 2, parameters=lambda model: model.parameters(recurse=False)),
    sorted_out(lambda name, p: p.dim() >= 2 if "." not in name else None),
    en=Explained(
        "Only the parameters that stand in the model itself are in your groups.",
        "Most belong to its layers, and to layers of layers. `model.parameters()` goes through all of them.",
        hint="What does `recurse` mean there?",
    ),
    zh_tw=Explained(
        "你的分組裡只有直接放在模型裡的參數。",
        "大部分參數屬於它的各層，以及層裡的層。`model.parameters()` 會走遍全部。",
        hint="那裡的 `recurse` 是什麼意思？",
    ),
)


def _both_names(model):
    return model.named_parameters(remove_duplicate=False)


def _module_by_module(model):
    for module in model.modules():
        yield from module.parameters(recurse=False)


mistaken(
    "tied-twice",
    sorted_out(lambda name, p: p.dim() >= 2, walk=_both_names),
    split(lambda p: p.dim() >= 2, parameters=_module_by_module),
    en=Explained(
        "A tensor that two layers share stands twice.",
        "The embedding and the head are one tensor with two names. In a group twice it moves and decays twice in a step; torch's own optimizers warn of it. `model.parameters()` gives each tensor once.",
        hint="How do you go through the model? How often does wte.weight come?",
    ),
    zh_tw=Explained(
        "兩層共用的張量出現了兩次。",
        "嵌入和輸出頭是同一個張量，有兩個名稱。在組裡出現兩次，一步就會移動兩次、衰減兩次；torch 自己的最佳化器會警告。`model.parameters()` 每個張量只給一次。",
        hint="你怎麼走訪模型？wte.weight 出現幾次？",
    ),
)


def _in_both(ref, model, weight_decay):
    groups = split(lambda p: p.dim() >= 2)(ref, model, weight_decay)
    groups[1]["params"].append(model.head.weight)
    return groups


def _in_both_too(ref, model, weight_decay):
    named = list(model.named_parameters(remove_duplicate=False))
    head = [p for name, p in named if name == "head.weight"]
    yes = [p for name, p in named if p.dim() >= 2 and name != "head.weight"]
    no = [p for _, p in named if p.dim() < 2]
    return [{"params": yes, "weight_decay": weight_decay}, {"params": no + head, "weight_decay": 0.0}]


mistaken(
    "tied-in-both",
    _in_both,
    _in_both_too,
    en=Explained(
        "The tensor that embedding and head share is in both groups.",
        "By one name it decays, by the other it does not. It is one tensor, of two dimensions, and stands once.",
        hint="Is model.head.weight the same tensor as model.wte.weight?",
    ),
    zh_tw=Explained(
        "嵌入和輸出頭共用的張量同時在兩組裡。",
        "用一個名稱它衰減，用另一個名稱它不衰減。它是同一個張量，有兩個維度，只能出現一次。",
        hint="model.head.weight 和 model.wte.weight 是同一個張量嗎？",
    ),
)
mistaken(
    "fixed-decay",
    lambda ref, model, weight_decay: split(lambda p: p.dim() >= 2)(ref, model, 0.1),
    lambda ref, model, weight_decay: sorted_out(lambda name, p: p.dim() > 1)(ref, model, 1e-1),
    en=Explained(
        "The argument weight_decay is not used: yours is always 0.1.",
        "Whoever sets another one gets the same training, and wonders.",
        hint="Look for 0.1 in your code.",
    ),
    zh_tw=Explained(
        "沒有用到引數 weight_decay：你的一律是 0.1。",
        "設成別的值的人，訓練結果卻一模一樣，百思不解。",
        hint="找找程式裡的 0.1。",
    ),
)


def _default_left(ref, model, weight_decay):
    groups = split(lambda p: p.dim() >= 2)(ref, model, weight_decay)
    del groups[1]["weight_decay"]
    return groups


mistaken(
    "default-decays",
    _default_left,
    lambda ref, model, weight_decay: [
        {"params": [p for p in model.parameters() if p.dim() > 1], "weight_decay": weight_decay},
        {"params": [p for p in model.parameters() if p.dim() <= 1]},
    ],
    en=Explained(
        "The second group does not say that it does not decay.",
        "What a group leaves out it takes from the optimizer's own numbers, and AdamW's weight decay is not 0. Write the 0 down.",
        hint="What weight decay has a group without the key, in AdamW(groups, weight_decay=0.1)?",
    ),
    zh_tw=Explained(
        "第二組沒有說明自己不衰減。",
        "組裡沒寫的，就沿用最佳化器的設定，而 AdamW 的權重衰減不是 0。要把 0 寫出來。",
        hint="在 AdamW(groups, weight_decay=0.1) 裡，沒有寫這個鍵的組，權重衰減是多少？",
    ),
)
