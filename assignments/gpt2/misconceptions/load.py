"""What goes wrong in gpt2.load_gpt2_state_dict."""

from __future__ import annotations

from functools import partial

import torch
from torch import nn

from grader.testing import misconception, variant
from misconceptions.shared import words

LINEAR = ("c_attn.weight", "c_proj.weight", "c_fc.weight")
TIED = ("transformer.wte.weight", "lm_head.weight")


def masked(key):
    return key.endswith((".attn.bias", ".attn.masked_bias"))


def named(key):
    return key if key.startswith(("transformer.", "lm_head.")) else f"transformer.{key}"


def turned(name, tensor, _):
    return tensor.T if name.endswith(LINEAR) else tensor


def also_turned(name, tensor, _):
    *_, layer, kind = name.split(".")
    return torch.einsum("io->oi", tensor) if layer in {"c_attn", "c_proj", "c_fc"} and kind == "weight" else tensor


def tied(ours, _):
    if TIED[0] in ours and not torch.equal(ours.setdefault(TIED[1], ours[TIED[0]]), ours[TIED[0]]):
        raise ValueError("two matrices for one")


def filled(model, ours):
    """By torch's own loading."""
    model.load_state_dict(ours)


def copied(model, ours, *, missing=True, left=True, put=torch.Tensor.copy_):
    """One parameter at a time."""
    mine = dict(model.named_parameters(remove_duplicate=False))
    if (missing and mine.keys() - ours.keys()) or (left and ours.keys() - mine.keys()):
        raise ValueError("these are the weights of another model")
    both = [(mine[name], tensor) for name, tensor in ours.items() if name in mine]
    if any(parameter.shape != tensor.shape for parameter, tensor in both):
        raise ValueError("another shape")
    with torch.no_grad():
        for parameter, tensor in both:
            put(parameter, tensor)


def load(model, state, *, skip=masked, name_of=named, turn=turned, head=tied, fill=filled):
    """The right way; each of its steps can be another one."""
    shapes = {name: parameter.shape for name, parameter in model.named_parameters(remove_duplicate=False)}
    ours = {}
    for key, tensor in state.items():
        if not skip(key):
            name = name_of(key)
            ours[name] = turn(name, tensor, shapes.get(name))
    head(ours, state)
    fill(model, ours)


def also_load(model, state, *, skip=masked, name_of=named, turn=also_turned, head=tied, fill=copied):
    shapes = {name: tensor.shape for name, tensor in model.state_dict().items()}
    names = {key: name_of(key) for key in state if not skip(key)}
    ours = {name: turn(name, state[key], shapes.get(name)) for key, name in names.items()}
    head(ours, state)
    fill(model, ours)


def loading(ref, config, load):
    """The right model with another way to load."""

    class Loading(ref.originals.GPT):
        def load_gpt2_state_dict(self, state):
            load(self, state)

    return Loading(config)


def mistaken(slug, usual, other, *, en, zh):
    """Declare a mistake: the steps of loading that are wrong, in each of the two styles."""
    about = f"gpt2.load_gpt2_state_dict/{slug}"
    misconception(about, name="GPT", **words(en, zh))(lambda ref, config: loading(ref, config, partial(load, **usual)))
    variant(about)(lambda ref, config: loading(ref, config, partial(also_load, **other)))


def by_shape(_, tensor, shape):
    return tensor if shape is None or tensor.shape == shape else tensor.T


def also_by_shape(_, tensor, shape):
    return tensor.t() if tensor.dim() == 2 and shape not in (None, tensor.size()) else tensor


def forced(name, tensor, shape):
    right = turned(name, tensor, shape)
    return right if shape is None else right.reshape(shape)


def also_forced(name, tensor, shape):
    right = also_turned(name, tensor, shape)
    return right.flatten().view(*shape) if shape is not None and right.numel() == shape.numel() else right


def taken(model, ours):
    """Every name gets a parameter of its own."""
    copied(model, ours, put=lambda *_: None)
    for name, tensor in ours.items():
        module, _, kind = name.rpartition(".")
        owner = model.get_submodule(module)
        setattr(owner, kind, nn.Parameter(tensor.to(getattr(owner, kind).dtype, copy=True)))


def also_taken(model, ours):
    copied(model, ours)
    for module in list(model.modules()):
        for kind, parameter in list(module.named_parameters(recurse=False)):
            module.register_parameter(kind, nn.Parameter(parameter.detach().clone()))


def put_data(parameter, tensor):
    parameter.data = tensor.clone()


def put_storage(parameter, tensor):
    new = tensor.detach().contiguous()
    parameter.data = torch.empty_like(new).copy_(new)


def head_in_state(ours, state):
    tied(ours, state)
    state["lm_head.weight"] = state.get("wte.weight", state.get("transformer.wte.weight"))


def also_head_in_state(ours, state):
    for embedding in [tensor for key, tensor in state.items() if key.endswith("wte.weight")]:
        state.update({"lm_head.weight": embedding})
    tied(ours, state)


def in_place(name, tensor, _):
    return tensor.t_() if name.endswith(LINEAR) else tensor


def also_in_place(name, tensor, _):
    return tensor.transpose_(0, 1) if ".c_" in name and name.endswith("weight") else tensor


def head_given(ours, _):
    if TIED[0] in ours and TIED[1] in ours and not torch.equal(ours[TIED[0]], ours[TIED[1]]):
        raise ValueError("two matrices for one")


def head_of_the_bare(ours, state):
    head_given(ours, state)
    if "wte.weight" in state:
        ours.setdefault(TIED[1], state["wte.weight"])


def also_head_of_the_bare(ours, state):
    if not any(key.startswith("transformer.") for key in state):
        tied(ours, state)
    head_given(ours, state)


def embedding_for_head(ours, _):
    if TIED[0] in ours:
        ours[TIED[1]] = ours[TIED[0]]


def with_biases(head):
    def checked(ours, state):
        head(ours, state)
        if "transformer.ln_f.bias" not in ours:
            raise ValueError("transformer.ln_f.bias")

    return checked


mistaken(
    "not-turned",
    {"turn": lambda _, tensor, __: tensor},
    {"turn": lambda *given: given[1]},
    en=(
        "c_attn, c_proj and c_fc are not all turned.",
        "GPT-2's code stores the weights of its linear layers as [in, out] and computes x W; nn.Linear stores [out, in] and computes x W^T.",
        "What is the shape of h.0.mlp.c_fc.weight, published and in your model?",
    ),
    zh=(
        "c_attn、c_proj 和 c_fc 沒有全部轉置。",
        "GPT-2 的程式把線性層的權重存成 [in, out]，計算 x W；nn.Linear 存成 [out, in]，計算 x W^T。",
        "h.0.mlp.c_fc.weight 的形狀，公開的是什麼？你的模型裡是什麼？",
    ),
)
mistaken(
    "turned-by-shape",
    {"turn": by_shape},
    {"turn": also_by_shape},
    en=(
        "A matrix is turned where its shape does not fit, and only there.",
        "attn.c_proj.weight is square: it fits either way, is stored turned like the others, and gives wrong logits without any error. Names say what is turned; shapes do not.",
        "Which of the four matrices of a block would never raise?",
    ),
    zh=(
        "只有形狀對不上時才轉置。",
        "attn.c_proj.weight 是方陣：怎麼放都對得上，但它和其他矩陣一樣是轉置著存的，於是 logits 錯了卻沒有錯誤訊息。要看名字，不能看形狀。",
        "區塊的四個矩陣裡，哪一個永遠不會報錯？",
    ),
)
mistaken(
    "everything-turned",
    {"turn": lambda _, tensor, __: tensor.T if tensor.dim() == 2 else tensor},
    {"turn": lambda _, tensor, __: tensor.permute(*reversed(range(tensor.dim())))},
    en=(
        "Every matrix is turned, the embeddings too.",
        "An embedding is a table with a row for each token or position, published as nn.Embedding has it.",
        "What is the shape of wte.weight, published and in your model?",
    ),
    zh=(
        "所有矩陣都轉置了，連嵌入也是。",
        "嵌入是一張表，每個詞元或位置一個橫列，公開的和 nn.Embedding 的方向一樣。",
        "wte.weight 的形狀，公開的是什麼？你的模型裡是什麼？",
    ),
)
mistaken(
    "reshaped",
    {"turn": lambda name, tensor, _: tensor.reshape(tensor.shape[::-1]) if name.endswith(LINEAR) else tensor},
    {"turn": lambda name, tensor, _: tensor.flatten().view(*tensor.T.shape) if ".c_" in name else tensor},
    en=(
        "The matrices are reshaped, not transposed.",
        "reshape keeps the order of the numbers and cuts it into other rows: the shape is right and every number is in the wrong place.",
        "Try both on [[1, 2, 3], [4, 5, 6]].",
    ),
    zh=(
        "矩陣用了 reshape，而不是轉置。",
        "reshape 保留數字的順序，只是切成不同的橫列：形狀對了，數字全放錯地方。",
        "拿 [[1, 2, 3], [4, 5, 6]] 兩種都試試。",
    ),
)
mistaken(
    "shapes-forced",
    {"turn": forced},
    {"turn": also_forced},
    en=(
        "A tensor of another shape is reshaped until it fits.",
        "The right number of numbers in the wrong order is no weight.",
        "What should happen with a wpe.weight of shape [d, block_size]?",
    ),
    zh=(
        "形狀不同的張量被 reshape 到合為止。",
        "個數對、順序錯的數字不是權重。",
        "形狀是 [d, block_size] 的 wpe.weight 應該怎麼處理？",
    ),
)
mistaken(
    "head-needed",
    {"head": head_given},
    {"head": head_given},
    en=(
        "Weights without lm_head.weight are refused.",
        "The head is wte.weight, so published files may leave it out.",
        "Which of your parameters is lm_head.weight?",
    ),
    zh=(
        "沒有 lm_head.weight 的權重被拒絕。",
        "輸出層就是 wte.weight，公開的檔案可以省略它。",
        "lm_head.weight 是你的哪一個參數？",
    ),
)
mistaken(
    "head-missing-in-bare-keys-only",
    {"head": head_of_the_bare},
    {"head": also_head_of_the_bare},
    en=(
        "With the prefix lm_head.weight is asked for, without it is not.",
        "Either may lack it, for it is wte.weight again. Look for the name after it was made your own.",
        "By which name do you look for wte.weight?",
    ),
    zh=(
        "鍵有開頭時要求 lm_head.weight，沒有開頭時卻不用。",
        "兩種都可能沒有它，因為它就是 wte.weight。要在鍵改成自己的名字之後再找。",
        "你用哪個名字找 wte.weight？",
    ),
)
mistaken(
    "head-not-compared",
    {"head": embedding_for_head},
    {"head": lambda ours, _: ours.update({TIED[1]: ours[TIED[0]]} if TIED[0] in ours else {})},
    en=(
        "lm_head.weight is not looked at.",
        "Where it differs from wte.weight the published model was not tied, and this one cannot hold it.",
        "What should happen with two different matrices for one parameter?",
    ),
    zh=(
        "沒有看 lm_head.weight。",
        "它和 wte.weight 不同時，公開的模型沒有把兩者綁在一起，這個模型就裝不下。",
        "一個參數有兩個不同的矩陣，應該怎麼辦？",
    ),
)
mistaken(
    "tie-broken",
    {"fill": taken},
    {"fill": also_taken},
    en=(
        "After loading, head and embedding are two parameters.",
        "A new nn.Parameter for each name undoes the tie. Copy into the parameters that are there.",
        "Is lm_head.weight still the same object as wte.weight?",
    ),
    zh=(
        "載入之後，輸出層和嵌入變成兩個參數。",
        "替每個名字建立新的 nn.Parameter，綁定就解開了。要複製到原有的參數裡。",
        "lm_head.weight 和 wte.weight 還是同一個物件嗎？",
    ),
)
mistaken(
    "dtype-taken-over",
    {"fill": partial(copied, put=put_data)},
    {"fill": partial(copied, put=put_storage)},
    en=(
        "The model takes over the dtype of the weights.",
        "Whoever asked for a float64 model has a float32 one after loading. Copying keeps the dtype.",
        "What does `parameter.data = tensor` do to the dtype?",
    ),
    zh=(
        "模型變成了權重的 dtype。",
        "想要 float64 模型的人，載入之後卻是 float32。用複製就能保留 dtype。",
        "`parameter.data = tensor` 對 dtype 做了什麼？",
    ),
)
mistaken(
    "head-written-into-the-argument",
    {"head": head_in_state},
    {"head": also_head_in_state},
    en=(
        "You wrote lm_head.weight into the dict that you were given.",
        "It is the caller's: who saves or loads it again finds another one.",
        "Collect the tensors in a dict of your own.",
    ),
    zh=(
        "你把 lm_head.weight 寫進傳進來的 dict。",
        "那是呼叫端的：之後要存檔或再載入的人，看到的已經不一樣。",
        "把張量收集到自己的 dict 裡。",
    ),
)
mistaken(
    "argument-turned",
    {"turn": in_place},
    {"turn": also_in_place},
    en=(
        "You turned the tensors that you were given, in place.",
        "Loaded a second time, they are turned back.",
        "t_() and transpose_() change the tensor; .T does not.",
    ),
    zh=("你就地轉置了傳進來的張量。", "第二次載入時，它們又被轉回去了。", "t_() 和 transpose_() 會改動張量；.T 不會。"),
)
mistaken(
    "biases-needed",
    {"head": with_biases(tied)},
    {"head": with_biases(tied)},
    en=(
        "Weights without biases are refused, by a model that has none.",
        "With bias=False nothing is missing. Ask the model which parameters it has.",
        "Which keys does state_dict() have for bias=False?",
    ),
    zh=(
        "模型沒有偏值（bias），卻拒絕沒有偏值的權重。",
        "bias=False 時什麼都不缺。有哪些參數，要問模型。",
        "bias=False 時，state_dict() 有哪些鍵？",
    ),
)
