"""What the mistakes share: the parts that they get right, and words for mistakes of several exercises."""

from __future__ import annotations

import math
from contextlib import contextmanager

import torch

from grader.testing import Explained


def refuse(wrong, why="out of range"):
    """Raise what the reference raises, where something is wrong."""
    if wrong:
        raise ValueError(why)


def one_hot(logits):
    """All probability on the first of the largest."""
    return torch.zeros_like(logits).scatter(-1, logits.argmax(dim=-1, keepdim=True), 1.0)


def powers(logits, exponent=1.0):
    """The softmax of logits times an exponent, written out."""
    p = torch.exp((logits - logits.amax(dim=-1, keepdim=True)) * exponent)
    return p / p.sum(dim=-1, keepdim=True)


def by_row(logits, rule):
    """Apply `rule(list of logits) -> list of logits` to each row, entry by entry; gradients get through."""
    rows = [_row(logits, rule(list(row))) for row in logits.reshape(-1, logits.shape[-1])]
    return torch.stack(rows).reshape(*logits.shape[:-1], -1)


def _row(logits, entries):
    return torch.stack([x if isinstance(x, torch.Tensor) else logits.new_tensor(x) for x in entries])


def hidden(row, kept, fill=-math.inf):
    """A row in which only the tokens of `kept` have logits of their own."""
    return [x if token in kept else fill for token, x in enumerate(row)]


def ranked(row):
    """The tokens of a row, most probable first."""
    return sorted(range(len(row)), key=lambda token: -row[token])


def drawn(probs, generator):
    """One token for each row: [B, V] -> [B]."""
    return torch.multinomial(probs, 1, generator=generator)[:, 0]


@contextmanager
def evaluating(model):
    """Without dropout, and afterwards in the mode of before."""
    before = model.training
    model.eval()
    try:
        yield
    finally:
        model.train(before)


def prompts(idx, n):
    """Prompts as they are continued: int64, and refused where they are none."""
    refuse(idx.ndim != 2 or idx.shape[1] < 1 or n < 0)
    return idx.long()


# --- Two ways to write the loop -----------------------------------------------------------------------------------


def grow(ref, model, idx, n, how, *, see=None, at=-1, draw=None):
    """Put token after token behind the prompts."""
    out, block = prompts(idx, n), model.config.block_size
    for i in range(n):
        context = out[:, -block:] if see is None else see(out, block, i)
        logits = model(context)[0][:, at]
        token = ref.sample_next(logits, **how) if draw is None else draw(logits, i)
        out = torch.hstack([out, token.reshape(-1, 1)])
    return out


def fill(ref, model, idx, n, how, *, start=None, pick=None, draw=None):
    """Make room for all tokens, and fill it."""
    known = prompts(idx, n)
    T = known.shape[1]
    room = torch.cat([known, known.new_zeros(len(known), n)], dim=1)
    for end in range(T, T + n):
        begin = max(0, end - model.config.block_size) if start is None else start(end, model.config.block_size)
        logits, _ = model(room[:, begin:end])
        last = logits[:, -1] if pick is None else pick(logits)
        room[:, end] = ref.sample_next(last, **how) if draw is None else draw(last, end - T)
    return room


# --- Words for mistakes of several exercises ----------------------------------------------------------------------

IN_PLACE = {
    "en": Explained(
        "You write into the logits that you were given.",
        "They belong to the caller, who may need them again: the next temperature, the next filter. Operations that end in an underscore, `/=`, and assignments to entries change them; an operation that gives a new tensor does not.",
        hint="Print the logits before and after the call. Which line changed them?",
    ),
    "zh_tw": Explained(
        "你改寫了別人給你的 logits。",
        "它們屬於呼叫你的人，之後可能還要用：換個溫度，或再過濾一次。名稱以底線結尾的運算、`/=`，以及對元素的指定，都會改動它；產生新張量的運算則不會。",
        hint="在呼叫前後各印一次 logits。是哪個敘述改了它？",
    ),
}
WIDENED = {
    "en": Explained(
        "You return another dtype than you were given.",
        "A model computes in float32, or in less. What comes after it keeps that dtype: one float64 tensor makes everything that it meets float64, and twice as large.",
        hint="Call it with float32 logits, and print the dtype after each line.",
    ),
    "zh_tw": Explained(
        "你回傳的 dtype 和收到的不同。",
        "模型用 float32 或更窄的型別計算，後面的步驟要維持同樣的 dtype：一個 float64 張量會把碰到的東西都變成 float64，大小也變成兩倍。",
        hint="用 float32 的 logits 呼叫，逐行印出 dtype。",
    ),
}
DETACHED = {
    "en": Explained(
        "No gradient gets through.",
        "Your result has the right numbers and does not know where they came from. `detach`, `no_grad`, `.item()`, `.tolist()`, NumPy, and a tensor made anew cut the thread to the logits.",
        hint="Give it logits with requires_grad=True. After which line is requires_grad of what you have gone?",
    ),
    "zh_tw": Explained(
        "梯度傳不過去。",
        "你的結果數值正確，卻不知道這些數值從哪裡來。`detach`、`no_grad`、`.item()`、`.tolist()`、NumPy，以及重新建立的張量，都會切斷和 logits 的連結。",
        hint="給它 requires_grad=True 的 logits。經過哪個敘述之後，手上的東西就不再 requires_grad？",
    ),
}
WHOLE_BATCH = {
    "en": Explained(
        "You mix the rows of a batch.",
        "Each row is a distribution of its own, over the last axis. You took all rows for one: what happens to a sequence then depends on what else is in the batch.",
        hint="Call it with one row, and with the same row and another one below. Is the first row's result the same?",
    ),
    "zh_tw": Explained(
        "你把一個批次裡的橫列混在一起了。",
        "每個橫列自成一個分布，沿著最後一軸。你把所有橫列當成一個：一個序列的結果就會隨批次裡的其他序列而變。",
        hint="先用一個橫列呼叫，再在下面加上另一個橫列一起呼叫。第一個橫列的結果一樣嗎？",
    ),
}
FILL_NEAR_ZERO = {
    "en": Explained(
        "You put a number near 0 in the place of what is filtered out.",
        "0 and 1e-10 are small probabilities, but as logits they are not small: exp of 0 is 1, and among negative logits it is the largest. A logit of -inf is what gives the probability 0.",
        hint="What is the softmax of [-3, 1e-10]?",
    ),
    "zh_tw": Explained(
        "你把濾掉的地方填成接近 0 的數。",
        "0 和 1e-10 當機率很小，當 logit 卻不小：exp(0) 是 1，在負的 logits 裡還是最大的。logit 要是 -inf，機率才會是 0。",
        hint="[-3, 1e-10] 的 softmax 是多少？",
    ),
}
SORTED_OUT = {
    "en": Explained(
        "Your result is in the order of the sorted logits.",
        "Place i of a row belongs to token i of the vocabulary. After sorting it belongs to the token of rank i: whoever draws from your result draws ranks, and takes them for tokens.",
        hint="Filter [1, 3, 2] so that two stay. Where is the 3 in your result?",
    ),
    "zh_tw": Explained(
        "你的結果照排序後的順序排列。",
        "一個橫列的位置 i 屬於詞彙表的詞元 i。排序之後，它屬於第 i 名的詞元：從你的結果抽樣的人抽到的是名次，卻把它當成詞元。",
        hint="把 [1, 3, 2] 過濾到剩兩個。3 在你的結果裡的哪個位置？",
    ),
}
RANK_AS_ID = {
    "en": Explained(
        "You found out which ranks stay, and let the tokens of those numbers stay.",
        "After sorting, place i stands for the token of rank i, and the mask that you made is in that order. It must go back to the order of the vocabulary before it is laid on the logits.",
        hint="Filter [1, 3, 2] so that one stays. Is it the 3? What did sort return beside the values?",
    ),
    "zh_tw": Explained(
        "你找出哪些名次要留下，卻留下了編號和名次相同的詞元。",
        "排序之後，位置 i 代表第 i 名的詞元，你做的遮罩也是那個順序。放到 logits 上之前，要先換回詞彙表的順序。",
        hint="把 [1, 3, 2] 過濾到只剩一個。留下的是 3 嗎？sort 除了值，還回傳了什麼？",
    ),
}
TRAINING = {
    "en": Explained(
        "The model is in training mode while it generates.",
        "Dropout then takes a part of every layer away, another one each time: even greedy texts change from run to run.",
        hint="Which call switches dropout off?",
    ),
    "zh_tw": Explained(
        "生成文字時，模型處在訓練模式。",
        "這時 dropout 會拿掉每一層的一部分，每次拿掉的都不同：連貪婪生成的文字，每次執行都不一樣。",
        hint="哪個呼叫會關掉 dropout？",
    ),
}
MODE_NOT_RESTORED = {
    "en": Explained(
        "You leave the model in evaluation mode.",
        "Texts are generated in the middle of training too, to see how it goes. The rest of it then runs without dropout, and nobody notices.",
        hint="What was the mode before your function was called? Who puts it back?",
    ),
    "zh_tw": Explained(
        "你把模型留在評估模式。",
        "訓練到一半也會生成文字，看看學得如何。之後的訓練就都沒有 dropout，而且沒有人會發現。",
        hint="呼叫你的函式之前是什麼模式？誰把它換回去？",
    ),
}
LEFT_IN_TRAINING = {
    "en": Explained(
        "You leave the model in training mode, whatever it was before.",
        "`model.train()` at the end is right only for a model that came in training mode. One that is there to be used was in evaluation mode, and drops entries from then on.",
        hint="What was the mode before your function was called? Who remembers it?",
    ),
    "zh_tw": Explained(
        "不論之前是什麼模式，你都把模型留在訓練模式。",
        "最後呼叫 `model.train()`，只有模型進來時就在訓練模式才對。拿來使用的模型原本在評估模式，之後就會開始丟棄元素。",
        hint="呼叫你的函式之前是什麼模式？誰記得它？",
    ),
}
NEW_TOKENS_ONLY = {
    "en": Explained(
        "You return the new tokens without the prompt.",
        "The result is the whole text, [B, T + max_new_tokens].",
        hint="What is the shape of your result for a prompt of 3 tokens and 2 new ones?",
    ),
    "zh_tw": Explained(
        "你只回傳新的詞元，沒有提示。",
        "結果是整段文字，[B, T + max_new_tokens]。",
        hint="提示有 3 個詞元、新增 2 個時，你的結果是什麼形狀？",
    ),
}
SAME_DTYPE = {
    "en": Explained(
        "You return tokens in the prompt's dtype.",
        "Token ids are int64, whatever the prompt was: it is what sample_next gives, and what the result must be even if no token is added.",
        hint="What is the dtype of your result for a prompt of int32?",
    ),
    "zh_tw": Explained(
        "你回傳的詞元沿用了提示的 dtype。",
        "不論提示是什麼型別，詞元編號都是 int64：sample_next 給的就是這個型別，即使沒有新增詞元，結果也要是。",
        hint="提示是 int32 時，你的結果是什麼 dtype？",
    ),
}
NO_TOKEN_ACCEPTED = {
    "en": Explained(
        "You accept a negative number of new tokens.",
        "A loop over range(-1) does nothing and says nothing. Whoever asks for fewer than no tokens has made a mistake, and should hear of it.",
        hint="What is checked before your loop?",
    ),
    "zh_tw": Explained(
        "你接受了負的新詞元數。",
        "對 range(-1) 的迴圈什麼都不做，也什麼都不說。要求比零個還少的人一定弄錯了，應該讓他知道。",
        hint="迴圈之前你檢查了什麼？",
    ),
}
RESEEDED = {
    "en": Explained(
        "You start the generator anew for every token.",
        "It then draws the same number each time: where the distribution is the same, so is the token. A generator is seeded once, by whoever makes it, and goes on by itself.",
        hint="Draw 20 tokens from equal logits. How many different ones come?",
    ),
    "zh_tw": Explained(
        "你每抽一個詞元就讓產生器從頭開始。",
        "這樣它每次抽到的數都一樣：分布相同時，詞元也相同。產生器由建立它的人設一次種子，之後自己會接下去。",
        hint="從相等的 logits 抽 20 個詞元。出現幾種？",
    ),
}


def _not_passed(name, zh):
    return (
        Explained(
            f"You do not hand the {name} on.",
            "It comes in with the call, and sample_next needs it: without it tokens are drawn from another distribution than the one that was asked for.",
            hint="Which of your arguments reach sample_next?",
        ),
        Explained(
            f"你沒有把{zh}傳下去。",
            "它隨呼叫傳進來，sample_next 需要它：沒有它，詞元就是從另一個分布抽出來的，不是要求的那個。",
            hint="你的哪些參數有傳到 sample_next？",
        ),
    )


# The setting, what it is where it is forgotten, and the words in both languages.
SETTINGS_IGNORED = [
    ("temperature", 1.0, *_not_passed("temperature", "溫度")),
    ("top_k", None, *_not_passed("top_k", " top_k ")),
    ("top_p", None, *_not_passed("top_p", " top_p ")),
]
SECOND_AXIS = {
    "en": Explained(
        "You work along the second axis, dim=1.",
        "With [B, V] that is the vocabulary, by chance. A single row has no second axis, and in [B, T, V] it is the positions that are compared with each other.",
        hint="Which axis is the vocabulary, counted from the end?",
    ),
    "zh_tw": Explained(
        "你沿著第二軸 dim=1 計算。",
        "形狀是 [B, V] 時，那剛好是詞彙表。只有一個橫列時沒有第二軸；形狀是 [B, T, V] 時，互相比較的變成各個位置。",
        hint="詞彙表是哪一軸？從後面數。",
    ),
}
