"""What goes wrong in gpt2.load_gpt2_state_dict with the keys: their names, those passed over, those missing or left over."""

from __future__ import annotations

from functools import partial

from misconceptions.load import TIED, copied, filled, mistaken


def forgiving(model, ours, missing):
    """Forgive that one parameter is missing."""
    mine = model.state_dict()
    filled(model, {name: mine[name] for name in mine if name.endswith(missing)} | ours)


def also_forgiving(model, ours, missing):
    mine = {name for name, _ in model.named_parameters(remove_duplicate=False)}
    lost = {name for name in mine - ours.keys() if not name.endswith(missing)}
    if lost or ours.keys() - mine:
        raise ValueError("another model's")
    copied(model, ours, missing=False)


mistaken(
    "prefix-expected",
    {"name_of": lambda key: key},
    {"name_of": str},
    en=(
        "Keys without the prefix `transformer.` are not known.",
        "The bare transformer was published too, and its keys begin with wte, wpe, h and ln_f.",
        "What does your model call wte.weight?",
    ),
    zh=(
        "不認得沒有 `transformer.` 開頭的鍵。",
        "單獨的 transformer 也有公開，它的鍵以 wte、wpe、h 和 ln_f 開頭。",
        "你的模型怎麼稱呼 wte.weight？",
    ),
)
mistaken(
    "prefix-always-added",
    {"name_of": lambda key: key if key.startswith("lm_head.") else f"transformer.{key}"},
    {"name_of": lambda key: ("" if key == TIED[1] else "transformer.") + key},
    en=(
        "The prefix `transformer.` is added to keys that have it.",
        "The weights of the language model come with the prefix, those of the bare transformer without.",
        "What becomes of the key transformer.wte.weight?",
    ),
    zh=(
        "已經有 `transformer.` 開頭的鍵又加了一次。",
        "語言模型的權重帶著這個開頭，單獨的 transformer 則沒有。",
        "鍵 transformer.wte.weight 會變成什麼？",
    ),
)
mistaken(
    "masks-not-passed-over",
    {"skip": lambda _: False},
    {"skip": lambda key: not key},
    en=(
        "The masks of old checkpoints are taken for parameters.",
        "attn.bias and attn.masked_bias hold the causal mask and what it fills in. They were saved once and are no weights.",
        "Which keys of the state end in attn.bias?",
    ),
    zh=(
        "把舊檔案裡的遮罩當成參數。",
        "attn.bias 和 attn.masked_bias 存的是因果遮罩和填入的數。它們曾經被一起存檔，並不是權重。",
        "哪些鍵以 attn.bias 結尾？",
    ),
)
mistaken(
    "attention-biases-lost",
    {
        "skip": lambda key: key.endswith(("attn.bias", "masked_bias")),
        "fill": lambda m, ours: forgiving(m, ours, "c_attn.bias"),
    },
    {
        "skip": lambda key: "attn.bias" in key or "masked" in key,
        "fill": lambda m, ours: also_forgiving(m, ours, "c_attn.bias"),
    },
    en=(
        "c_attn.bias is passed over as if it were a mask.",
        "c_attn.bias ends in attn.bias too. Without the dot before attn the test takes both, and a missing key that is forgiven hides it.",
        "Print the keys that you pass over.",
    ),
    zh=(
        "把 c_attn.bias 當成遮罩略過了。",
        "c_attn.bias 也以 attn.bias 結尾。沒有 attn 前面的點，兩種都會符合，而缺少的鍵又被放過，就看不出來。",
        "印出你略過的鍵。",
    ),
)
mistaken(
    "attention-biases-missed",
    {"skip": lambda key: key.endswith(("attn.bias", "masked_bias"))},
    {"skip": lambda key: "attn.bias" in key or "masked" in key},
    en=(
        "c_attn.bias is passed over as if it were a mask, and then missed.",
        "c_attn.bias ends in attn.bias too: without the dot before attn the test takes both. So weights that have everything are refused, for a key that you dropped yourself.",
        "Which key does the error name? Print the keys that you pass over.",
    ),
    zh=(
        "把 c_attn.bias 當成遮罩略過，之後又說缺少它。",
        "c_attn.bias 也以 attn.bias 結尾：沒有 attn 前面的點，兩種都會符合。於是什麼都不缺的權重被拒絕，缺的正是你自己丟掉的鍵。",
        "錯誤訊息說缺了哪個鍵？印出你略過的鍵。",
    ),
)
mistaken(
    "not-strict",
    {"fill": lambda model, ours: model.load_state_dict(ours, strict=False)},
    {"fill": partial(copied, missing=False, left=False)},
    en=(
        "Neither a missing key nor one that is left over is told.",
        "With strict=False torch lists both in what it returns, and raises nothing: a model whose names all differ is loaded with nothing, and keeps its random numbers.",
        "What does load_state_dict return, and who looks at it?",
    ),
    zh=(
        "鍵缺少或多餘，都沒有報錯。",
        "strict=False 時，torch 只在回傳值裡列出兩者，不會引發例外：名字全都不同的模型什麼也沒載入，保留的是隨機的數。",
        "load_state_dict 回傳什麼？有誰去看它？",
    ),
)
mistaken(
    "missing-is-forgiven",
    {"fill": partial(copied, missing=False)},
    {"fill": lambda m, ours: copied(m, {**dict(m.named_parameters(remove_duplicate=False)), **ours})},
    en=(
        "A key that is missing is not told.",
        "The parameter keeps its random numbers, and the model is nearly the published one: nothing is harder to find.",
        "Take wpe.weight away. What does your method say?",
    ),
    zh=(
        "缺少鍵的時候沒有報錯。",
        "那個參數會保留隨機的數，模型就只是「差不多」是公開的那個：沒有比這更難找的錯誤。",
        "拿掉 wpe.weight，你的方法會怎麼說？",
    ),
)
mistaken(
    "left-over-is-forgiven",
    {"fill": partial(copied, left=False)},
    {"fill": lambda m, ours: copied(m, {name: ours[name] for name in ours if name in m.state_dict()})},
    en=(
        "A key that the model does not have is not told.",
        "The weights may be those of a deeper model: what is loaded is then the beginning of another one.",
        "Load the weights of 3 blocks into a model of 2.",
    ),
    zh=(
        "模型沒有的鍵沒有報錯。",
        "那可能是更深的模型的權重：載入的只是另一個模型的開頭。",
        "把 3 個區塊的權重載入 2 個區塊的模型試試。",
    ),
)
