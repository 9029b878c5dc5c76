"""What goes wrong in gpt2.from_preset."""

from __future__ import annotations

from dataclasses import fields
from functools import partial

import torch
from torch import nn

from grader.testing import misconception, variant
from misconceptions.shared import words

FEMTO = 2
GPT2 = {"vocab_size": 50257, "block_size": 1024}
NEEDED = ("vocab_size", "block_size")


def sizes(**other):
    """The right numbers of each size, with some changed."""
    table = {
        "femto": (1, 1, 2),
        "pico": (3, 3, 6),
        "nano": (3, 3, 48),
        "gpt2": (12, 12, 768),
        "gpt2-medium": (24, 16, 1024),
        "gpt2-large": (36, 20, 1280),
        "gpt2-xl": (48, 25, 1600),
    }
    names = ("n_layer", "n_head", "d_model")
    found = {name: dict(zip(names, numbers, strict=True)) for name, numbers in table.items()}
    for name in found:
        found[name] |= (GPT2 if name.startswith("gpt2") else {}) | other.get(name.replace("-", "_"), {})
    return found


class Weighed(nn.Module):
    """As many numbers as a GPT of this size, and nothing else: a size is counted, not computed with."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        d, biases = config.d_model, config.bias
        block = 12 * d * d + (13 if biases else 2) * d
        norm = 2 * d if biases else d
        self.all = nn.Parameter(
            torch.empty((config.vocab_size + config.block_size) * d + config.n_layer * block + norm)
        )


def made(ref, numbers):
    config = ref.GPTConfig(**numbers)
    return ref.GPT(config) if config.d_model <= FEMTO else Weighed(config)


def known(table, name):
    if name not in table:
        raise ValueError(f"no {name}")
    return table[name]


def complete(numbers):
    if lacking := [name for name in NEEDED if name not in numbers]:
        raise ValueError(lacking[0])
    return numbers


def preset(ref, name, overrides, *, table=None, find=known, check=complete, add=lambda base, more: {**base, **more}):
    """The right way; each of its steps can be another one."""
    base = find(sizes() if table is None else table, name)
    return made(ref, check(add(base, overrides)))


def also_preset(ref, name, overrides, *, table=None, find=known, check=complete, add=lambda base, more: base | more):
    numbers = check(add(dict(find(table or sizes(), name)), overrides))
    kinds = {field.name for field in fields(ref.GPTConfig)}
    if strange := set(numbers) - kinds:
        raise TypeError(f"no field {strange}")
    return made(ref, {key: numbers[key] for key in sorted(numbers)})


def mistaken(slug, usual, other=None, *, en, zh):
    """Declare a mistake: the steps that are wrong, in each of the two styles."""
    about = f"gpt2.from_preset/{slug}"
    one, two = partial(preset, **usual), partial(also_preset, **(usual if other is None else other))
    misconception(about, name="from_preset", **words(en, zh))(lambda ref, name, **more: one(ref, name, more))
    variant(about)(lambda ref, name, **more: two(ref, name, more))


def all_with(**numbers):
    return {name: {**base, **numbers} for name, base in sizes().items()}


def gpt2_with(**numbers):
    return {name: {**base, **numbers} if name.startswith("gpt2") else base for name, base in sizes().items()}


def remembered():
    """Keep what was set in one of the small sizes, for the next model of that size."""
    kept = {}

    def add(base, more):
        size = tuple(base.items())
        before = {} if "vocab_size" in base else kept.get(size, {})
        kept[size] = {name: value for name, value in more.items() if name in base}
        return base | before | more

    return add


def anything(table, name):
    return table.get(name, table["gpt2"])


def only_fields(base, more):
    return base | {name: value for name, value in more.items() if name not in {"n_embd", "n_vocab", "n_ctx"}}


def also_only_fields(base, more):
    return base | {name: value for name, value in more.items() if name in {*base, *NEEDED, "dropout", "bias"}}


def bound(numbers):
    if lacking := [name for name in NEEDED if name not in numbers]:
        raise TypeError(lacking)
    return numbers


mistaken(
    "femto-of-two-layers",
    {"table": sizes(femto={"n_layer": 2})},
    en=(
        "femto has two layers in your table.",
        "It has 1 layer, 1 head and the width 2, so that every number can be followed by hand.",
        "Read the sizes in the docstring again.",
    ),
    zh=("你的表裡 femto 有兩層。", "它只有 1 層、1 個頭，寬度是 2，每個數都能用手算跟著走。", "再看一次說明裡的大小。"),
)
mistaken(
    "pico-of-one-head",
    {"table": sizes(pico={"n_head": 1})},
    en=(
        "pico has one head in your table.",
        "It has 3 layers, 3 heads and the width 6. The number of parameters is the same, so counting does not show it.",
        "Read the sizes in the docstring again.",
    ),
    zh=(
        "你的表裡 pico 只有一個頭。",
        "它有 3 層、3 個頭，寬度是 6。參數個數一樣，所以數參數看不出來。",
        "再看一次說明裡的大小。",
    ),
)
mistaken(
    "nano-of-width-64",
    {"table": sizes(nano={"d_model": 64, "n_head": 4})},
    en=(
        "nano is 64 wide in your table, with 4 heads.",
        "It has 3 layers, 3 heads and the width 48.",
        "Read the sizes in the docstring again.",
    ),
    zh=("你的表裡 nano 的寬度是 64，有 4 個頭。", "它有 3 層、3 個頭，寬度是 48。", "再看一次說明裡的大小。"),
)
mistaken(
    "small-of-16-heads",
    {"table": sizes(gpt2={"n_head": 16})},
    en=(
        "gpt2 has 16 heads in your table.",
        "It has 12, each of width 64. The number of parameters does not tell how many heads there are.",
        "In all four sizes a head is 64 wide.",
    ),
    zh=(
        "你的表裡 gpt2 有 16 個頭。",
        "它有 12 個，每個寬度是 64。參數個數看不出有幾個頭。",
        "四種大小裡，每個頭的寬度都是 64。",
    ),
)
mistaken(
    "medium-of-12-heads",
    {"table": sizes(gpt2_medium={"n_head": 12, "d_model": 768})},
    en=(
        "gpt2-medium is as wide as gpt2 in your table.",
        "It has 24 layers, 16 heads and the width 1024: 354,823,168 parameters.",
        "In all four sizes a head is 64 wide.",
    ),
    zh=(
        "你的表裡 gpt2-medium 和 gpt2 一樣寬。",
        "它有 24 層、16 個頭，寬度是 1024：354,823,168 個參數。",
        "四種大小裡，每個頭的寬度都是 64。",
    ),
)
mistaken(
    "large-of-16-heads",
    {"table": sizes(gpt2_large={"n_head": 16})},
    en=(
        "gpt2-large has 16 heads in your table.",
        "It has 20. 1280 divides into 16 as well, so no error tells.",
        "In all four sizes a head is 64 wide.",
    ),
    zh=(
        "你的表裡 gpt2-large 有 16 個頭。",
        "它有 20 個。1280 也能被 16 整除，所以不會報錯。",
        "四種大小裡，每個頭的寬度都是 64。",
    ),
)
mistaken(
    "xl-of-20-heads",
    {"table": sizes(gpt2_xl={"n_head": 20})},
    en=(
        "gpt2-xl has 20 heads in your table.",
        "It has 25, an odd number but the right one: 1600 / 64.",
        "In all four sizes a head is 64 wide.",
    ),
    zh=(
        "你的表裡 gpt2-xl 有 20 個頭。",
        "它有 25 個，看起來奇怪卻是對的：1600 / 64。",
        "四種大小裡，每個頭的寬度都是 64。",
    ),
)
mistaken(
    "vocabulary-padded",
    {"table": gpt2_with(vocab_size=50304)},
    en=(
        "GPT-2's vocabulary is rounded up to 50304.",
        "Some train with that, for a multiple of 64 is faster. The published weights have 50257 rows.",
        "How many rows has the published wte.weight?",
    ),
    zh=(
        "GPT-2 的詞彙表被湊成 50304。",
        "有人訓練時這樣做，因為 64 的倍數比較快。公開的權重有 50257 個橫列。",
        "公開的 wte.weight 有幾個橫列？",
    ),
)
mistaken(
    "half-the-positions",
    {"table": gpt2_with(block_size=512)},
    en=(
        "GPT-2 has 512 positions in your table.",
        "That was GPT. GPT-2 learned 1024.",
        "How many rows has the published wpe.weight?",
    ),
    zh=("你的表裡 GPT-2 有 512 個位置。", "那是 GPT。GPT-2 學了 1024 個。", "公開的 wpe.weight 有幾個橫列？"),
)
mistaken(
    "dropout-of-a-tenth",
    {"table": all_with(dropout=0.1)},
    en=(
        "The models come with dropout.",
        "The sizes say nothing of it, so the configuration's default stands: 0.",
        "Which fields does a size set?",
    ),
    zh=("模型帶著 dropout。", "大小沒有提到它，所以用設定的預設值：0。", "一種大小會設定哪些欄位？"),
)
mistaken(
    "without-biases",
    {"table": all_with(bias=False)},
    en=(
        "The models come without biases.",
        "The sizes say nothing of it, so the configuration's default stands, and GPT-2 has biases.",
        "How far is your number of parameters from 124,439,808?",
    ),
    zh=(
        "模型沒有偏值（bias）。",
        "大小沒有提到它，所以用設定的預設值，而 GPT-2 有偏值。",
        "你的參數個數和 124,439,808 差多少？",
    ),
)
mistaken(
    "overrides-ignored",
    {"add": lambda base, more: base | {name: more[name] for name in NEEDED if name in more and name not in base}},
    {"add": lambda base, more: {**base, **{k: v for k, v in more.items() if k in NEEDED and k not in base}}},
    en=(
        "Only vocab_size and block_size can be given, and only to the small sizes.",
        "Every field of the configuration may be set or replaced: a GPT-2 with dropout, or of 2 layers for a test.",
        "What does from_preset('gpt2', n_layer=2) give?",
    ),
    zh=(
        "只有小的大小可以給 vocab_size 和 block_size，其他都不理會。",
        "設定的每個欄位都可以設定或取代：例如帶 dropout 的 GPT-2，或測試用的 2 層。",
        "from_preset('gpt2', n_layer=2) 會得到什麼？",
    ),
)
mistaken(
    "overrides-only-add",
    {"add": lambda base, more: more | base},
    {"add": lambda base, more: {**more, **base}},
    en=(
        "What a size says cannot be replaced.",
        "Of two dicts that are merged the later one wins: what the caller says comes last.",
        "What does {**a, **b} give where both have a key?",
    ),
    zh=(
        "大小已經寫明的欄位無法取代。",
        "合併兩個 dict 時，後面的優先：呼叫端說的要放在後面。",
        "兩邊都有同一個鍵時，{**a, **b} 會得到什麼？",
    ),
)
mistaken(
    "table-changed",
    {"add": remembered()},
    {"add": remembered()},
    en=(
        "What is set once stays set.",
        "Updating the dict of the table changes the table: the next model of that size has the other one's numbers.",
        "Ask for a size twice, the first time with another n_layer.",
    ),
    zh=(
        "設定過一次之後，就一直留著。",
        "直接更新表裡的 dict，表就變了：下一個同樣大小的模型會拿到別人的數。",
        "同一種大小要兩次，第一次給不同的 n_layer。",
    ),
)
mistaken(
    "gpt2-instead-of-an-error",
    {"find": anything},
    {"find": lambda table, name: table[name if name in table else "gpt2"]},
    en=(
        "A name that nobody knows gives gpt2.",
        "A slip of the pen then costs hours on the wrong model.",
        "What should from_preset('gpt2-small') say?",
    ),
    zh=(
        "不認得的名字會得到 gpt2。",
        "打錯一個字，就可能在錯的模型上花好幾個小時。",
        "from_preset('gpt2-small') 應該說什麼？",
    ),
)
mistaken(
    "key-error",
    {"find": lambda table, name: table[name]},
    {"find": dict.__getitem__},
    en=(
        "A name that nobody knows raises KeyError.",
        "A ValueError is promised, and should name the sizes that there are.",
        "What does a dict raise where a key is missing?",
    ),
    zh=("不認得的名字會引發 KeyError。", "說好是 ValueError，而且最好列出有哪些大小。", "dict 缺少鍵時會引發什麼？"),
)
mistaken(
    "usual-vocabulary",
    {"check": lambda numbers: GPT2 | numbers},
    {"check": lambda numbers: {**GPT2, **numbers}},
    en=(
        "A small size without a vocabulary gets GPT-2's.",
        "femto's two columns for 50257 tokens are nobody's wish: what is not known is to be asked for.",
        "What should from_preset('femto') say?",
    ),
    zh=(
        "小的大小沒有給詞彙表時，用了 GPT-2 的。",
        "沒有人想要 50257 個詞元配 femto 的兩個直行：不知道的就要問。",
        "from_preset('femto') 應該說什麼？",
    ),
)
mistaken(
    "type-error",
    {"check": bound},
    en=(
        "What is missing shows as the configuration's TypeError.",
        "A ValueError is promised, and can say which size needs what.",
        "Look before the configuration is made.",
    ),
    zh=(
        "缺少的欄位變成設定自己的 TypeError。",
        "說好是 ValueError，而且可以說明哪種大小需要什麼。",
        "在建立設定之前就檢查。",
    ),
)
mistaken(
    "strange-fields-dropped",
    {"add": only_fields},
    {"add": also_only_fields},
    en=(
        "A field that the configuration does not have is dropped without a word.",
        "Whoever writes n_embd=4 believes that it counts.",
        "Hand all overrides on: the configuration knows its fields.",
    ),
    zh=(
        "設定沒有的欄位默默被丟掉。",
        "寫 n_embd=4 的人會以為它有作用。",
        "把所有取代的欄位都交給設定：它知道自己有哪些欄位。",
    ),
)
