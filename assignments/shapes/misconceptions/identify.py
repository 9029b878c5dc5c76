"""What goes wrong in the exercise shapes.identify."""

from __future__ import annotations

import re
from functools import partial

from grader.testing import Explained, misconception, variant
from misconceptions.shared import ASSERTS

about = partial(misconception, name="identify")
BLOCK = re.compile(r"h\.(\d+)\.")


def expected(d):
    """The matrices of a block."""
    return {
        "attn.c_attn.weight": (3 * d, d),
        "attn.c_proj.weight": (d, d),
        "mlp.c_fc.weight": (4 * d, d),
        "mlp.c_proj.weight": (d, 4 * d),
    }


def wanted(state, L):
    """Check that the matrices of L blocks are there and fit."""
    for name in ("wte.weight", "wpe.weight"):
        if len(state.get(name, ())) != 2:
            raise ValueError(f"{name} is no matrix")
    d = state["wte.weight"][1]
    blocks = {f"h.{i}.{name}": shape for i in range(L) for name, shape in expected(d).items()}
    if not L or state["wpe.weight"][1] != d or any(state.get(name) != shape for name, shape in blocks.items()):
        raise ValueError("the shapes do not belong together")


def numbers(state):
    """The numbers of the blocks."""
    return {int(found[1]) for found in map(BLOCK.match, state) if found}


def read(ref, state, **changed):
    """The right sizes with some changed."""
    L = len(numbers(state))
    wanted(state, L)
    (V, d), block_size = state["wte.weight"], state["wpe.weight"][0]
    return ref.ModelShape(
        **{"n_layer": L, "n_head": None, "d_model": d, "vocab_size": V, "block_size": block_size} | changed
    )


def counted(ref, state, missing=ValueError, n_head=None):
    """The right sizes in another style: block after block, until there is none; nothing of a block may be left."""
    try:
        V, d = state["wte.weight"]
        block_size, width = state["wpe.weight"]
    except KeyError:
        raise missing from None
    L = 0
    while any(name.startswith(f"h.{L}.") for name in state):
        for name, shape in expected(d).items():
            if f"h.{L}.{name}" not in state:
                raise missing
            if state[f"h.{L}.{name}"] != shape:
                raise ValueError(name)
        L += 1
    if L == 0 or width != d or any(name.startswith("h.") and int(name.split(".")[1]) >= L for name in state):
        raise ValueError("the shapes do not belong together")
    return ref.ModelShape(L, n_head, d, V, block_size)


@about(
    "shapes.identify/last-number-as-count",
    en=Explained(
        "You return the number of the last block.",
        "Blocks are numbered from 0: the last of three is 2.",
        hint="Which numbers have the blocks of a model with one layer?",
    ),
    zh_tw=Explained(
        "你回傳的是最後一個區塊的編號。",
        "區塊從 0 開始編號：三個裡面最後一個是 2。",
        hint="只有一層的模型，區塊編號是多少？",
    ),
)
def last_number(ref, state):
    return read(ref, state, n_layer=max(numbers(state), default=0))


@variant("shapes.identify/last-number-as-count")
def _(ref, state):
    right = counted(ref, state)
    return ref.ModelShape(right.n_layer - 1, None, right.d_model, right.vocab_size, right.block_size)


@about(
    "shapes.identify/names-counted",
    en=Explained(
        "You count parameters, not blocks.",
        "A block has several parameters, and all of their names begin with its number.",
        hint="How many names begin with `h.0.`?",
    ),
    zh_tw=Explained(
        "你數的是參數，不是區塊。",
        "一個區塊有好幾個參數，名字全都以它的編號開頭。",
        hint="有幾個名字以 h.0. 開頭？",
    ),
)
def names_counted(ref, state):
    return read(ref, state, n_layer=sum(BLOCK.match(name) is not None for name in state))


@variant("shapes.identify/names-counted")
def _(ref, state):
    right = counted(ref, state)
    L = len([name for name in state if name[:2] == "h."])
    return ref.ModelShape(L, None, right.d_model, right.vocab_size, right.block_size)


@about(
    "shapes.identify/vocabulary-and-width-exchanged",
    en=Explained(
        "You read the embedding the wrong way round.",
        "wte is [V, d]: a row for each token, and the row is what is looked up.",
        hint="Which is larger in GPT-2, the vocabulary or the width?",
    ),
    zh_tw=Explained(
        "你把嵌入讀反了。",
        "wte 是 [V, d]：每個詞元一個橫列，查出來的就是橫列。",
        hint="GPT-2 的詞彙量和寬度，哪個比較大？",
    ),
)
def exchanged(ref, state):
    right = read(ref, state)
    return read(ref, state, d_model=right.vocab_size, vocab_size=right.d_model)


@variant("shapes.identify/vocabulary-and-width-exchanged")
def _(ref, state):
    right = counted(ref, state)
    return ref.ModelShape(right.n_layer, None, right.vocab_size, right.d_model, right.block_size)


@about(
    "shapes.identify/vocabulary-and-block-exchanged",
    en=Explained(
        "You exchanged the two embeddings.",
        "wte is looked up by token, wpe by position: V rows in the first, block_size rows in the second.",
        hint="What do the t and the p stand for?",
    ),
    zh_tw=Explained(
        "你把兩個嵌入對調了。",
        "wte 用詞元查，wpe 用位置查：前者有 V 個橫列，後者有 block_size 個。",
        hint="t 和 p 各代表什麼？",
    ),
)
def embeddings_exchanged(ref, state):
    right = read(ref, state)
    return read(ref, state, block_size=right.vocab_size, vocab_size=right.block_size)


@variant("shapes.identify/vocabulary-and-block-exchanged")
def _(ref, state):
    right = counted(ref, state)
    return ref.ModelShape(right.n_layer, None, right.d_model, right.block_size, right.vocab_size)


@about(
    "shapes.identify/width-of-qkv",
    en=Explained(
        "Your width is that of q, k and v together.",
        "c_attn is [3 d, d]: three projections on top of each other. Its second axis is d.",
        hint="Why is c_attn not square?",
    ),
    zh_tw=Explained(
        "你的寬度是 q、k、v 合起來的。",
        "c_attn 是 [3 d, d]：三個投影疊在一起。第二軸才是 d。",
        hint="c_attn 為什麼不是方形？",
    ),
)
def width_of_qkv(ref, state):
    right = read(ref, state)
    return read(ref, state, d_model=3 * right.d_model)


@variant("shapes.identify/width-of-qkv")
def _(ref, state):
    right = counted(ref, state)
    rows = state["h.0.attn.c_attn.weight"][0]
    return ref.ModelShape(right.n_layer, None, rows, right.vocab_size, right.block_size)


@about(
    "shapes.identify/heads-guessed",
    en=Explained(
        "You guess the number of heads.",
        "In GPT-2 every head is 64 wide, but nothing in the shapes says so: [3 d, d] is the same for 1 head and for 12. Say "
        "None.",
        hint="Does any parameter change its shape when n_head does?",
    ),
    zh_tw=Explained(
        "頭數是你猜的。",
        "GPT-2 的頭都是 64 寬，但形狀裡看不出來：1 個頭和 12 個頭都是 [3 d, d]。請填 None。",
        hint="n_head 改變時，有哪個參數的形狀會變？",
    ),
)
def guessed(ref, state):
    return read(ref, state, n_head=max(state["wte.weight"][1] // 64, 1) if len(state.get("wte.weight", ())) == 2 else 1)


@variant("shapes.identify/heads-guessed")
def _(ref, state):
    right = counted(ref, state)
    heads = right.d_model // 64 or 1
    return ref.ModelShape(right.n_layer, heads, right.d_model, right.vocab_size, right.block_size)


@about(
    "shapes.identify/width-divided-by-64",
    en=Explained(
        "You divide the width by 64 and call that the number of heads.",
        "In GPT-2 every head is 64 wide, but nothing in the shapes says so, and a model narrower than 64 would have no head at "
        "all. Say None.",
        hint="How many heads has a model of width 48 for you?",
    ),
    zh_tw=Explained(
        "你把寬度除以 64，就當成頭數。",
        "GPT-2 的頭都是 64 寬，但形狀裡看不出來；寬度不到 64 的模型，就會連一個頭都沒有。請填 None。",
        hint="寬度 48 的模型，你說有幾個頭？",
    ),
)
def width_by_64(ref, state):
    width = state["wte.weight"][1] if len(state.get("wte.weight", ())) == 2 else 0
    return read(ref, state, n_head=width // 64)


@variant("shapes.identify/width-divided-by-64")
def _(ref, state):
    return counted(ref, state, n_head=counted(ref, state).d_model >> 6)


@about(
    "shapes.identify/one-head",
    en=Explained(
        "You say that there is one head.",
        "All heads lie side by side in c_attn, so that one head and twelve look the same. What is not known is not 1: say None.",
        hint="Does any parameter change its shape when n_head does?",
    ),
    zh_tw=Explained(
        "你說只有一個頭。",
        "所有的頭在 c_attn 裡並排，所以 1 個頭和 12 個頭看起來一樣。不知道並不等於 1：請填 None。",
        hint="n_head 改變時，有哪個參數的形狀會變？",
    ),
)
def one_head(ref, state):
    return read(ref, state, n_head=1)


@variant("shapes.identify/one-head")
def _(ref, state):
    return counted(ref, state, n_head=1)


@about(
    "shapes.identify/three-heads",
    en=Explained(
        "You take q, k and v for three heads.",
        "c_attn is three times as tall as wide because it makes three things, for all heads at once.",
        hint="What are the three parts of what c_attn gives?",
    ),
    zh_tw=Explained(
        "你把 q、k、v 當成三個頭。",
        "c_attn 的高是寬的三倍，因為它一次替所有的頭算出三樣東西。",
        hint="c_attn 算出來的三個部分是什麼？",
    ),
)
def three_heads(ref, state):
    return read(ref, state, n_head=3)


@variant("shapes.identify/three-heads")
def _(ref, state):
    right = counted(ref, state)
    rows, columns = state["h.0.attn.c_attn.weight"]
    return counted(ref, state, n_head=rows // columns) if right else right


@about(
    "shapes.identify/layers-as-heads",
    en=Explained(
        "You take the layers for the heads as well.",
        "In pico both are 3, in GPT-2 small both are 12; in GPT-2 medium there are 24 layers of 16 heads.",
        hint="Are there models with as many layers and another number of heads?",
    ),
    zh_tw=Explained(
        "你把層數也當成頭數。",
        "pico 兩者都是 3，GPT-2 small 兩者都是 12；但 GPT-2 medium 有 24 層、每層 16 個頭。",
        hint="有沒有層數一樣、頭數不同的模型？",
    ),
)
def layers_as_heads(ref, state):
    return read(ref, state, n_head=len(numbers(state)))


@variant("shapes.identify/layers-as-heads")
def _(ref, state):
    return counted(ref, state, n_head=counted(ref, state).n_layer)


# Edges.


@about(
    "shapes.identify/numbers-as-text",
    en=Explained(
        "You compare the numbers of blocks as text.",
        'As text "9" comes after "10" and "11". From the eleventh block on the last is not the largest.',
        hint='Which is larger, "9" or "10"? And 9 or 10?',
    ),
    zh_tw=Explained(
        "你把區塊編號當成文字來比。",
        '當成文字，"9" 排在 "10" 和 "11" 後面。從第十一個區塊起，最後一個就不是最大的。',
        hint='"9" 和 "10" 哪個大？9 和 10 呢？',
    ),
)
def as_text(ref, state):
    last = max((name.split(".")[1] for name in state if name.startswith("h.")), default="-1")
    return read(ref, state, n_layer=int(last) + 1)


@variant("shapes.identify/numbers-as-text")
def _(ref, state):
    right = counted(ref, state)
    last = max(map(str, range(right.n_layer)))
    return ref.ModelShape(int(last) + 1, None, right.d_model, right.vocab_size, right.block_size)


@about(
    "shapes.identify/one-digit",
    en=Explained(
        "You read one digit of a block's number.",
        "h.10 and h.11 look like block 1 to you, so that no model has more than ten layers.",
        hint="Where does the number end? Look for the dot.",
    ),
    zh_tw=Explained(
        "區塊編號你只讀了一位數。",
        "h.10、h.11 在你看來都是區塊 1，於是沒有模型超過十層。",
        hint="編號到哪裡結束？看看那個點。",
    ),
)
def one_digit(ref, state):
    return read(ref, state, n_layer=len({name[2] for name in state if name.startswith("h.")}))


@variant("shapes.identify/one-digit")
def _(ref, state):
    right = counted(ref, state)
    return ref.ModelShape(min(right.n_layer, 10), None, right.d_model, right.vocab_size, right.block_size)


@about(
    "shapes.identify/vocabulary-of-the-head",
    en=Explained(
        "You read the vocabulary off the head.",
        "lm_head.weight is often missing, since it is tied, and may be padded. wte is always there and says it.",
        hint="Which of your results change when lm_head.weight does?",
    ),
    zh_tw=Explained(
        "詞彙量你是從輸出層讀的。",
        "lm_head.weight 因為共用而常常不在，也可能補過列。wte 一定在，由它來說。",
        hint="lm_head.weight 改變時，你的哪些結果跟著變？",
    ),
)
def vocabulary_of_head(ref, state):
    head = state.get("lm_head.weight") or state.get("wte.weight", (0,))
    return read(ref, state, vocab_size=head[0])


@variant("shapes.identify/vocabulary-of-the-head")
def _(ref, state):
    right = counted(ref, state)
    V = right.vocab_size
    for name, shape in state.items():
        if name == "lm_head.weight":
            V, _ = shape
    return ref.ModelShape(right.n_layer, None, right.d_model, V, right.block_size)


@about(
    "shapes.identify/unknown-names-refused",
    en=Explained(
        "You refuse names that you do not expect.",
        "Saved models hold more than parameters: a head, masks of old versions. They say nothing, and do no harm.",
        hint="What does your function do with lm_head.weight?",
    ),
    zh_tw=Explained(
        "沒料到的名字你就拒絕。",
        "存下來的模型不只有參數：還有輸出層、舊版本的遮罩。它們什麼也沒說，也沒有壞處。",
        hint="遇到 lm_head.weight，你的函式會怎麼做？",
    ),
)
def unknown_refused(ref, state):
    known = re.compile(r"w[tp]e\.weight|ln_f\.(weight|bias)|h\.\d+\.(ln_[12]|attn\.c_\w+|mlp\.c_\w+)\.(weight|bias)")
    if not all(map(known.fullmatch, state)):
        raise ValueError("an unknown name")
    return read(ref, state)


@variant("shapes.identify/unknown-names-refused")
def _(ref, state):
    right = counted(ref, state)
    layers = {"wte", "wpe", "ln_f", "ln_1", "ln_2", "c_attn", "c_proj", "c_fc"}
    for name in state:
        if name.split(".")[-2] not in layers:
            raise ValueError(name)
    return right


@about(
    "shapes.identify/every-h-a-block",
    en=Explained(
        "You take every name that begins with an h for a block.",
        "The names of a block begin with `h.` and its number. One that merely begins with the same letter belongs to something else, and says nothing of the blocks.",
        hint="What does your function make of a name such as head.3.weight?",
    ),
    zh_tw=Explained(
        "凡是 h 開頭的名字，你都當成區塊。",
        "區塊的名字以 `h.` 和它的編號開頭。只是第一個字母相同的，屬於別的東西，和區塊無關。",
        hint="遇到 head.3.weight 這樣的名字，你的函式會怎麼做？",
    ),
)
def every_h(ref, state):
    wanted(state, len({name.split(".")[1] for name in state if name.startswith("h")}))
    return read(ref, state)


@variant("shapes.identify/every-h-a-block")
def _(ref, state):
    right = counted(ref, state)
    if any(re.match(r"h[^.]+\.\d", name) for name in state):
        raise ValueError("a block is missing")
    return right


@about(
    "shapes.identify/norms-needed",
    en=Explained(
        "You cannot do without biases or norms.",
        "The matrices say it all. A model without biases has none of them, and is identified as well.",
        hint="From which parameter do you read d_model?",
    ),
    zh_tw=Explained(
        "你少了偏置或 LayerNorm 就不行。",
        "矩陣已經說明一切。沒有偏置的模型就是沒有，一樣認得出來。",
        hint="你從哪個參數讀出 d_model？",
    ),
)
def norms_needed(ref, state):
    if "ln_f.weight" not in state:
        raise ValueError("ln_f.weight is missing")
    return read(ref, state)


@variant("shapes.identify/norms-needed")
def _(ref, state):
    right = counted(ref, state)
    if (right.d_model,) not in state.values():
        raise ValueError("there is no LayerNorm")
    return right


@about(
    "shapes.identify/key-error",
    en=Explained(
        "A missing parameter raises KeyError.",
        "You reach for a name that is not there. That the parameters are not those of a GPT-2 is told with ValueError.",
        hint="What happens without wpe.weight? Ask before you reach.",
    ),
    zh_tw=Explained(
        "少了參數時，引發的是 KeyError。",
        "你去拿了不存在的名字。參數不是 GPT-2 的，要用 ValueError 說。",
        hint="沒有 wpe.weight 會怎樣？先問再拿。",
    ),
)
def key_error(ref, state):
    names = ["wte.weight", "wpe.weight", *(f"h.{i}.{name}" for i in numbers(state) for name in expected(1))]
    absent = {name for name in names if name not in state}
    whole = {f"h.{i}.{name}" for i in numbers(state) for name in expected(1)}
    if absent and len(numbers(state)) == max(numbers(state)) + 1 and absent < {*whole, "wte.weight", "wpe.weight"}:
        raise KeyError(min(absent))
    return read(ref, state)


@variant("shapes.identify/key-error")
def _(ref, state):
    return counted(ref, state, missing=KeyError)


@about(
    "shapes.identify/missing-unnoticed",
    en=Explained(
        "You do not notice that a matrix is missing.",
        "Two embeddings and the numbers of blocks are enough to answer, but without all matrices of its blocks it is no GPT-2.",
        hint="What does your function say without h.1.mlp.c_fc.weight?",
    ),
    zh_tw=Explained(
        "少了矩陣，你沒有發現。",
        "有兩個嵌入和區塊編號就能回答，但區塊的矩陣不齊全，就不是 GPT-2。",
        hint="沒有 h.1.mlp.c_fc.weight 時，你的函式怎麼說？",
    ),
)
def missing_unnoticed(ref, state):
    d = state.get("wte.weight", (0, 0))[-1]
    filled = {f"h.{i}.{name}": shape for i in numbers(state) for name, shape in expected(d).items()}
    return read(ref, filled | state)


@variant("shapes.identify/missing-unnoticed")
def _(ref, state):
    whole = dict(state)
    for i in {name.split(".")[1] for name in state if name.startswith("h.")}:
        for name, shape in expected(state.get("wte.weight", [1])[-1]).items():
            whole.setdefault(f"h.{i}.{name}", shape)
    return counted(ref, whole)


@about(
    "shapes.identify/shapes-unchecked",
    en=Explained(
        "You do not check that the shapes belong together.",
        "Weights stored the other way round, or embeddings of another width, would be loaded into a model that they do not fit.",
        hint="What does your function say to a c_attn of [d, 3 d]?",
    ),
    zh_tw=Explained(
        "你沒有檢查形狀彼此相合。",
        "方向存反的權重、寬度不同的嵌入，都會被載入裝不下它們的模型。",
        hint="c_attn 是 [d, 3 d] 時，你的函式怎麼說？",
    ),
)
def shapes_unchecked(ref, state):
    d = state.get("wte.weight", ())[-1:]
    if not d or "wpe.weight" not in state:
        raise ValueError("an embedding is missing")
    tidy = {"wte.weight": (state["wte.weight"][0], *d), "wpe.weight": (state["wpe.weight"][0], *d)}
    names = {f"h.{i}.{name}": shape for i in numbers(state) for name, shape in expected(*d).items()}
    return read(ref, state | tidy | {name: shape for name, shape in names.items() if name in state})


@variant("shapes.identify/shapes-unchecked")
def _(ref, state):
    blocks = {}
    for name in state:
        if name.startswith("h."):
            _, i, rest = name.split(".", 2)
            blocks.setdefault(int(i), set()).add(rest)
    if not {"wte.weight", "wpe.weight"} <= state.keys() or sorted(blocks) != list(range(len(blocks))) or not blocks:
        raise ValueError("something is missing")
    if not all(expected(1).keys() <= names for names in blocks.values()):
        raise ValueError("a matrix is missing")
    return ref.ModelShape(len(blocks), None, state["wte.weight"][-1], state["wte.weight"][0], state["wpe.weight"][0])


@about(
    "shapes.identify/stored-the-other-way-accepted",
    en=Explained(
        "You accept weights that are stored the other way round.",
        "Published GPT-2 files hold [d_in, d_out]. Here weights are as nn.Linear holds them, [d_out, d_in]: what is turned around "
        "has to be turned back before it is loaded, so say that it does not fit.",
        hint="What does your function say to a c_fc of [d, 4 d]?",
    ),
    zh_tw=Explained(
        "方向存反的權重你也接受。",
        "公開的 GPT-2 檔案存的是 [d_in, d_out]。這裡的權重和 nn.Linear 一樣是 [d_out, d_in]：存反的要先轉回來才能載入，所以要說不合。",
        hint="c_fc 是 [d, 4 d] 時，你的函式怎麼說？",
    ),
)
def either_way(ref, state):
    return read(ref, {name: shape[::-1] if turned(state, name) else shape for name, shape in state.items()})


def turned(state, name):
    """Whether a matrix of a block is stored the other way round."""
    found = BLOCK.match(name)
    width = state.get("wte.weight", (1,))[-1]
    right = expected(width).get(name[found.end() :]) if found else None
    return right is not None and state[name] == right[::-1]


@variant("shapes.identify/stored-the-other-way-accepted")
def _(ref, state):
    d = state.get("wte.weight", (1,))[-1]
    known = {f"h.{i}.{name}": shape for i in numbers(state) for name, shape in expected(d).items()}
    upright = {name: shape for name, shape in known.items() if sorted(state.get(name, ())) == sorted(shape)}
    return counted(ref, state | upright)


@about(
    "shapes.identify/gap-unnoticed",
    en=Explained(
        "A missing block does not trouble you.",
        "Blocks 0, 2 and 3 are not three layers, and not four: one is lost. Say so.",
        hint="Which numbers must there be if there are L blocks?",
    ),
    zh_tw=Explained(
        "少了一個區塊你也不在意。",
        "區塊 0、2、3 不是三層，也不是四層：丟了一個。要說出來。",
        hint="有 L 個區塊時，必須有哪些編號？",
    ),
)
def gap_counted(ref, state):
    place = {i: new for new, i in enumerate(sorted(numbers(state)))}
    return read(
        ref, {BLOCK.sub(lambda found: f"h.{place[int(found[1])]}.", name): shape for name, shape in state.items()}
    )


@variant("shapes.identify/gap-unnoticed")
def _(ref, state):
    names = sorted({name.split(".")[1] for name in state if name.startswith("h.")}, key=int)
    closed = {}
    for name, shape in state.items():
        first, *rest = name.split(".")
        if first == "h":
            rest[0] = str(names.index(rest[0]))
        closed[".".join([first, *rest])] = shape
    return counted(ref, closed)


@about(
    "shapes.identify/no-blocks-accepted",
    en=Explained(
        "You accept a model without blocks.",
        "Two embeddings alone are no GPT-2.",
        hint="What does your function say when no name begins with `h.`?",
    ),
    zh_tw=Explained(
        "沒有區塊的模型你也接受。",
        "只有兩個嵌入，不是 GPT-2。",
        hint="沒有任何名字以 h. 開頭時，你的函式怎麼說？",
    ),
)
def no_blocks(ref, state):
    if numbers(state):
        return read(ref, state)
    one = {f"h.0.{name}": shape for name, shape in expected(state["wte.weight"][1]).items()}
    return read(ref, state | one, n_layer=0)


@variant("shapes.identify/no-blocks-accepted")
def _(ref, state):
    if any(name.startswith("h.") for name in state):
        return counted(ref, state)
    V, d = state["wte.weight"]
    return ref.ModelShape(0, None, d, V, state["wpe.weight"][0])


@about("shapes.identify/asserts", **ASSERTS)
def asserts(ref, state):
    try:
        return read(ref, state)
    except ValueError as error:
        raise AssertionError(str(error)) from error


@variant("shapes.identify/asserts")
def _(ref, state):
    assert "wte.weight" in state
    assert "wpe.weight" in state
    assert numbers(state)
    for i in range(len(numbers(state))):
        for name, shape in expected(state["wte.weight"][-1]).items():
            assert state.get(f"h.{i}.{name}") == shape
    assert state["wpe.weight"][1:] == state["wte.weight"][1:]
    assert len(state["wte.weight"]) == 2
    return counted(ref, state)


@about(
    "shapes.identify/state-emptied",
    en=Explained(
        "You take parameters out of the state.",
        "pop takes them out of the dict that belongs to the caller, who still wants to load it.",
        hint="What is left in the dict after your function has run?",
    ),
    zh_tw=Explained(
        "你把參數從 state 裡拿走了。",
        "pop 是從呼叫者的字典裡拿走，而呼叫者還要用它來載入。",
        hint="你的函式跑完之後，字典裡剩下什麼？",
    ),
)
def emptied(ref, state):
    right = read(ref, state)
    for name in ("wte.weight", "wpe.weight"):
        state.pop(name)
    return right


@variant("shapes.identify/state-emptied")
def _(ref, state):
    right = counted(ref, state)
    del state["wpe.weight"], state["wte.weight"]
    return right
