"""What goes wrong in the exercise training.get_batch: where the rows begin."""

from __future__ import annotations

import torch

from grader.testing import Explained
from misconceptions.get_batch import checked, gathered, halves, right_row, sliced
from misconceptions.shared import about

mistaken = about("training.get_batch", "get_batch")


def begun(starts):
    """Both ways to make the batch, with the same wrong starts: `starts(n, batch_size, generator)`."""
    return gathered(halves, starts=starts), sliced(right_row, starts=starts)


mistaken(
    "last-start-missing",
    *begun(lambda n, B, g: torch.randint(max(n - 1, 1), (B,), generator=g)),
    en=Explained(
        "The last start is never drawn.",
        "The last token of the data is then no target of any row. N tokens hold N - T windows of T + 1 tokens; `randint` leaves its upper end out by itself, and need not be told again.",
        hint="Draw many rows of 3 from 7 tokens. At which four places should they begin?",
    ),
    zh_tw=Explained(
        "最後一個起點永遠抽不到。",
        "這樣資料的最後一個詞元就不會是任何橫列的目標。N 個詞元裡有 N - T 段長度 T + 1 的視窗；`randint` 本來就不含上限，不必再減一次。",
        hint="從 7 個詞元抽很多長度 3 的橫列。它們應該從哪四個位置開始？",
    ),
)


def _too_far(ref, data, batch_size, block_size, generator):
    n = checked(data, batch_size, block_size)
    starts = torch.randint(n + 1, (batch_size,), generator=generator)
    if starts.max() == n:
        raise IndexError("the target of the last token is not in the data")
    return halves(data[starts[:, None] + torch.arange(block_size + 1)].long())


def _too_far_too(ref, data, batch_size, block_size, generator):
    n = checked(data, batch_size, block_size)
    starts = torch.randint(0, n + 1, (batch_size,), generator=generator).tolist()
    rows = [(data[i : i + block_size].long(), [data[i + 1 + t] for t in range(block_size)]) for i in starts]
    return torch.stack([x for x, _ in rows]), torch.stack([torch.stack(y).long() for _, y in rows])


mistaken(
    "start-too-far",
    _too_far,
    _too_far_too,
    en=Explained(
        "A row can begin where its last target is beyond the data.",
        "That happens seldom in long data, and then a run of hours stops with an index out of range. The last start is the one whose last target is the last token.",
        hint="For 7 tokens and rows of 3: where does the last row begin that has all its targets?",
    ),
    zh_tw=Explained(
        "橫列可能從太後面開始，最後一個目標超出資料。",
        "資料很長時很少發生，一發生，跑了好幾個小時的訓練就因為索引超出範圍而停掉。最後一個起點，是最後一個目標恰好是最後一個詞元的那個。",
        hint="7 個詞元、橫列長 3：目標齊全的橫列，最晚從哪裡開始？",
    ),
)
mistaken(
    "ends-half-as-likely",
    *begun(lambda n, B, g: (torch.rand(B, generator=g, dtype=torch.float64) * (n - 1)).round().long()),
    en=Explained(
        "The first and the last start come half as often as the others.",
        "Rounding a number between 0 and n - 1 gives the two ends only half an interval. `randint` draws whole numbers, all equally often; else take a number below n and drop its digits.",
        hint="Which numbers between 0 and 3 are rounded to 0, and which to 1?",
    ),
    zh_tw=Explained(
        "第一個和最後一個起點出現的次數只有其他的一半。",
        "把 0 到 n - 1 之間的數四捨五入，兩端只分到半個區間。`randint` 抽的就是整數，每個機會相同；不然就取小於 n 的數再捨去小數。",
        hint="0 到 3 之間哪些數會四捨五入成 0？哪些成 1？",
    ),
)
mistaken(
    "neighbours",
    *begun(lambda n, B, g: (torch.randint(n, (1,), generator=g) + torch.arange(B)) % n),
    en=Explained(
        "Only the first start is drawn; the other rows follow it.",
        "Rows that overlap or lie side by side say nearly the same, and a step learns from one place of the data. Each row is drawn by itself.",
        hint="If you know where the first row of a batch begins, can you tell where the second does?",
    ),
    zh_tw=Explained(
        "只有第一個起點是抽出來的，其他橫列都跟著它。",
        "重疊或相鄰的橫列內容幾乎一樣，一步就只從資料的一處學習。每個橫列要各自抽。",
        hint="知道批次第一個橫列從哪裡開始，你就能說出第二個從哪裡開始嗎？",
    ),
)
mistaken(
    "in-order",
    *begun(lambda n, B, g: torch.arange(B) % n),
    en=Explained(
        "Nothing is drawn: rows come in the order of the data.",
        "Every batch begins at the start of the data, and the rest is never seen. Starts are drawn from the generator.",
        hint="Make two batches in a row. Do they differ?",
    ),
    zh_tw=Explained(
        "什麼都沒抽：橫列照資料的順序來。",
        "每個批次都從資料開頭開始，後面的永遠看不到。起點要從產生器抽出。",
        hint="連做兩個批次。它們不同嗎？",
    ),
)


def _blocks(n, T, B, g):
    return torch.randint((n - 1) // T + 1, (B,), generator=g) * T


def _aligned(ref, data, batch_size, block_size, generator):
    n = checked(data, batch_size, block_size)
    starts = _blocks(n, block_size, batch_size, generator)
    return halves(data[starts[:, None] + torch.arange(block_size + 1)].long())


def _aligned_too(ref, data, batch_size, block_size, generator):
    n = checked(data, batch_size, block_size)
    blocks = range(0, n, block_size)
    chosen = [blocks[i] for i in torch.randint(len(blocks), (batch_size,), generator=generator).tolist()]
    x, y = zip(*(right_row(data.long(), i, block_size) for i in chosen), strict=True)
    return torch.stack(x), torch.stack(y)


mistaken(
    "aligned",
    _aligned,
    _aligned_too,
    en=Explained(
        "Rows begin only at multiples of T.",
        "The data are cut into blocks once and for all, so a token is always seen at the same position, with the same context. Every place where a whole window fits is a start.",
        hint="Can a row begin at the second token of the data?",
    ),
    zh_tw=Explained(
        "橫列只從 T 的倍數開始。",
        "資料被一次切成固定的區塊，一個詞元就永遠出現在同一個位置、同樣的上下文。只要放得下一整段視窗，就是一個起點。",
        hint="橫列可以從資料的第二個詞元開始嗎？",
    ),
)


def _without_replacement(n, B, g):
    if n < B:
        raise ValueError("more rows than starts")
    return torch.randperm(n, generator=g)[:B]


mistaken(
    "each-start-once",
    *begun(_without_replacement),
    en=Explained(
        "A batch can have no more rows than there are starts.",
        "`randperm` gives each start once. Rows are drawn independently: in one batch a start may come twice, and a batch may be of any size.",
        hint="Ask for 10 rows of 3 tokens, from data of 5 tokens.",
    ),
    zh_tw=Explained(
        "批次的橫列數不能超過起點的個數。",
        "`randperm` 讓每個起點只出現一次。橫列是各自獨立抽的：同一批裡起點可以重複，批次也可以任意大。",
        hint="從 5 個詞元的資料要 10 個長度 3 的橫列試試。",
    ),
)
mistaken(
    "global-generator",
    *begun(lambda n, B, g: torch.randint(n, (B,))),
    en=Explained(
        "You draw from torch's own generator.",
        "Whatever else draws from it, dropout for one, then changes the batches, and a run cannot be repeated from its seed. Draw from the generator that comes in.",
        hint="Which argument of `randint` says where the numbers come from?",
    ),
    zh_tw=Explained(
        "你從 torch 自己的產生器抽。",
        "這樣別的東西（例如 dropout）也從它抽時，批次就跟著變，訓練無法用種子重現。要從傳進來的產生器抽。",
        hint="`randint` 的哪個引數說明數字從哪裡來？",
    ),
)


def _seeded_anew(n, B, g):
    return torch.randint(n, (B,), generator=torch.Generator().manual_seed(g.initial_seed()))


mistaken(
    "reseeded",
    *begun(_seeded_anew),
    en=Explained(
        "Every batch is the same.",
        "You draw from a generator that is made anew from the seed each time. The one that comes in goes on by itself: each draw moves it, and the next batch is another one.",
        hint="Make two batches in a row from one generator, and print both.",
    ),
    zh_tw=Explained(
        "每個批次都一樣。",
        "你每次都用種子重新建立產生器。傳進來的產生器自己會往前走：每抽一次它就前進，下一個批次就不同。",
        hint="用同一個產生器連做兩個批次，都印出來。",
    ),
)
