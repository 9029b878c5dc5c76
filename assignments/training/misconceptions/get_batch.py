"""What goes wrong in the exercise training.get_batch: which tokens, and of what kind."""

from __future__ import annotations

import torch

from grader.testing import Explained
from misconceptions.shared import about, refuse

mistaken = about("training.get_batch", "get_batch")


def checked(data, batch_size, block_size):
    """Refuse what the reference refuses, and return the number of starts."""
    refuse(data.ndim != 1 or batch_size < 1 or block_size < 1 or len(data) <= block_size)
    return len(data) - block_size


def gathered(cut, *, starts=None):
    """A batch by one gathering: `cut(window, tokens)` makes x and y of what is drawn, [B, T + 1]."""

    def function(ref, data, batch_size, block_size, generator):
        n = checked(data, batch_size, block_size)
        begin = (drawn if starts is None else starts)(n, batch_size, generator)
        return cut(data[begin[:, None] + torch.arange(block_size + 1)].long())

    return function


def sliced(row, *, starts=None):
    """A batch row by row: `row(data, i, T)` makes a row of x and one of y."""

    def function(ref, data, batch_size, block_size, generator):
        n = checked(data, batch_size, block_size)
        begin = (drawn if starts is None else starts)(n, batch_size, generator).tolist()
        x, y = zip(*(row(data.long(), i, block_size) for i in begin), strict=True)
        return torch.stack(x), torch.stack(y)

    return function


def drawn(n, batch_size, generator):
    return torch.randint(n, (batch_size,), generator=generator)


def halves(window):
    return window[:, :-1], window[:, 1:]


def right_row(data, i, T):
    return data[i : i + T], data[i + 1 : i + T + 1]


mistaken(
    "not-shifted",
    gathered(lambda w: (w[:, :-1], w[:, :-1].clone())),
    sliced(lambda data, i, T: (data[i : i + T], data[i : i + T])),
    en=Explained(
        "Your targets are the inputs themselves.",
        "A model that sees a token and is asked for that same token only has to copy it: the loss falls to 0 and nothing is learnt. The target of a position is the token after it.",
        hint="For the data 10, 11, 12, 13 and a row of x that is 10, 11, what should y be?",
    ),
    zh_tw=Explained(
        "你的目標就是輸入本身。",
        "模型看到一個詞元，又被要求預測同一個詞元，只要照抄就好：損失降到 0，卻什麼也沒學到。一個位置的目標是它的下一個詞元。",
        hint="資料是 10、11、12、13，x 的一個橫列是 10、11 時，y 應該是什麼？",
    ),
)
mistaken(
    "shifted-back",
    gathered(lambda w: (w[:, 1:], w[:, :-1])),
    sliced(lambda data, i, T: right_row(data, i, T)[::-1]),
    en=Explained(
        "x and y have changed places.",
        "The targets lie one token before the inputs, so the model is asked for what it has already read. The window without its last token is x, without its first it is y.",
        hint="Which of the two do you return first?",
    ),
    zh_tw=Explained(
        "x 和 y 對調了。",
        "目標比輸入早一個詞元，等於要模型說出它已經讀過的東西。整段去掉最後一個詞元是 x，去掉第一個是 y。",
        hint="兩者之中你先回傳哪一個？",
    ),
)
mistaken(
    "target-wraps",
    gathered(lambda w: (w[:, :-1], w[:, :-1].roll(-1, dims=1))),
    sliced(lambda data, i, T: (data[i : i + T], torch.cat([data[i + 1 : i + T], data[i : i + 1]]))),
    en=Explained(
        "The last target of a row is its own first token.",
        "`roll` brings what falls off one end back at the other. The last target is the token after the row, so a window has one token more than a row.",
        hint="How many tokens of the data do you need for a row of T inputs and its targets?",
    ),
    zh_tw=Explained(
        "一個橫列的最後一個目標，是它自己的第一個詞元。",
        "`roll` 會把從一端掉出去的放回另一端。最後一個目標是這個橫列之後的詞元，所以要取的詞元比一個橫列多一個。",
        hint="T 個輸入加上它們的目標，需要資料裡的幾個詞元？",
    ),
)
mistaken(
    "transposed",
    gathered(lambda w: (w[:, :-1].T, w[:, 1:].T)),
    lambda ref, data, batch_size, block_size, generator: tuple(
        each.permute(1, 0) for each in sliced(right_row)(ref, data, batch_size, block_size, generator)
    ),
    en=Explained(
        "Your batch is [T, B].",
        "The sequences lie in the columns, and a model that reads rows sees one position of all of them. A batch is [B, T]: a row is a sequence.",
        hint="Along which axis do you stack the sequences?",
    ),
    zh_tw=Explained(
        "你的批次是 [T, B]。",
        "序列排在直行裡，而模型讀的是橫列，看到的是所有序列的同一個位置。批次是 [B, T]：一個橫列是一個序列。",
        hint="你沿著哪一軸把序列疊起來？",
    ),
)


def _as_they_are(ref, data, batch_size, block_size, generator):
    n = checked(data, batch_size, block_size)
    window = data[drawn(n, batch_size, generator)[:, None] + torch.arange(block_size + 1)]
    return window[:, :-1], window[:, 1:]


mistaken(
    "dtype-of-the-data",
    _as_they_are,
    lambda ref, data, batch_size, block_size, generator: tuple(
        each.to(data.dtype) for each in sliced(right_row)(ref, data, batch_size, block_size, generator)
    ),
    en=Explained(
        "Your ids have the dtype of the data.",
        "Tokens are stored in few bits, to save room. An embedding and a loss take int64, and refuse or misread the others.",
        hint="What is the dtype of x when data is int32?",
    ),
    zh_tw=Explained(
        "你的編號沿用了資料的 dtype。",
        "詞元常用較少的位元儲存，以節省空間。嵌入和損失要的是 int64，遇到別的會拒絕或讀錯。",
        hint="data 是 int32 時，x 的 dtype 是什麼？",
    ),
)
mistaken(
    "narrow-ids",
    gathered(lambda w: halves(w.to(torch.int16).long())),
    sliced(lambda data, i, T: tuple((each + 2**15) % 2**16 - 2**15 for each in right_row(data, i, T))),
    en=Explained(
        "Large ids do not survive: they pass through int16.",
        "int16 ends at 32767, and GPT-2's ids go up to 50256, which comes out as -15280. 16 bits are enough only without a sign.",
        hint="Which conversions does an id go through? Try the id 50256.",
    ),
    zh_tw=Explained(
        "大的編號沒有保留下來：它們經過了 int16。",
        "int16 只到 32767，而 GPT-2 的編號到 50256，會變成 -15280。16 個位元要沒有正負號才夠。",
        hint="一個編號經過哪些轉換？拿 50256 試試。",
    ),
)


def _unchecked_size(ref, data, batch_size, block_size, generator):
    refuse(data.ndim != 1 or len(data) <= block_size)
    starts = drawn(len(data) - block_size, batch_size, generator)
    return halves(data[starts[:, None] + torch.arange(block_size + 1)].long())


def _unchecked_size_too(ref, data, batch_size, block_size, generator):
    refuse(data.ndim != 1 or len(data) <= block_size)
    windows = data.long().unfold(0, block_size + 1, 1)
    return halves(windows[drawn(len(windows), batch_size, generator)])


mistaken(
    "empty-accepted",
    _unchecked_size,
    _unchecked_size_too,
    en=Explained(
        "You make batches without a row or without a token.",
        "Nothing comes of a batch of size 0 but a loss of nothing, much later. A size below 1 is a mistake, and should be said where it is made.",
        hint="What is checked before you draw?",
    ),
    zh_tw=Explained(
        "你會做出沒有橫列或沒有詞元的批次。",
        "大小為 0 的批次只會在很後面得到一個「沒有東西的損失」。小於 1 的大小是錯誤，應該在發生的地方說出來。",
        hint="抽樣之前你檢查了什麼？",
    ),
)


def _cropped(ref, data, batch_size, block_size, generator):
    refuse(data.ndim != 1 or batch_size < 1 or block_size < 1)
    starts = drawn(max(1, len(data) - block_size), batch_size, generator)
    rows = [data.long()[i : i + block_size + 1] for i in starts.tolist()]
    return torch.stack([r[:-1] for r in rows]), torch.stack([r[1:] for r in rows])


def _cropped_too(ref, data, batch_size, block_size, generator):
    refuse(data.ndim != 1 or batch_size < 1 or block_size < 1)
    T = min(block_size, max(len(data) - 1, 0))
    starts = drawn(max(1, len(data) - block_size), batch_size, generator)
    window = data[: len(data)].long().unfold(0, min(T + 1, len(data)), 1)[starts]
    return window[:, :-1], window[:, 1:]


mistaken(
    "shorter-rows",
    _cropped,
    _cropped_too,
    en=Explained(
        "From data that are too short you make shorter rows.",
        "A slice that reaches beyond the end is cut off without a word. The model is then trained on sequences of another length than was asked for.",
        hint="How many tokens must the data have at least, for T inputs and T targets?",
    ),
    zh_tw=Explained(
        "資料太短時，你做出較短的橫列。",
        "切片超過結尾時會默默截斷。模型於是用另一種長度的序列訓練，和要求的不同。",
        hint="要有 T 個輸入和 T 個目標，資料至少要有幾個詞元？",
    ),
)


def _any_axes(ref, data, batch_size, block_size, generator):
    refuse(batch_size < 1 or block_size < 1 or len(data) <= block_size)
    starts = drawn(len(data) - block_size, batch_size, generator)
    return halves(data[starts[:, None] + torch.arange(block_size + 1)].long())


def _any_axes_too(ref, data, batch_size, block_size, generator):
    refuse(batch_size < 1 or block_size < 1 or len(data) <= block_size)
    starts = drawn(len(data) - block_size, batch_size, generator).tolist()
    rows = [data[i : i + block_size + 1].long() for i in starts]
    return torch.stack([r[:-1] for r in rows]), torch.stack([r[1:] for r in rows])


mistaken(
    "any-axes",
    _any_axes,
    _any_axes_too,
    en=Explained(
        "You accept data of two axes.",
        "A stream of tokens has one axis. Of two axes you take whole rows for tokens, and x gets an axis more than a model expects.",
        hint="The given require_shapes can ask. What is the shape of your x for data [12, 2]?",
    ),
    zh_tw=Explained(
        "你接受了兩個軸的資料。",
        "一串詞元只有一個軸。有兩個軸時，你把整個橫列當成詞元，x 就比模型預期的多一個軸。",
        hint="可以用現成的 require_shapes 檢查。資料是 [12, 2] 時，你的 x 是什麼形狀？",
    ),
)
