"""What goes wrong in the exercise context.bigram_counts."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import numpy as np

from grader.testing import Explained, variant
from misconceptions.shared import (
    ASSERTS,
    CLIPPED_ID,
    FLATTENED,
    IN_PLACE,
    NEGATIVE_ID,
    WRAPPED,
    about_counts,
    ids,
    neighbours,
    tallied,
    tally,
)


def counted(ref, tokens, V):
    """The right counts."""
    return tally(neighbours(ids(ref, tokens, V)), V)


def by_counter(ref, tokens, V):
    """The right counts, in another style."""
    seen = Counter(pairwise(ids(ref, tokens, V)))
    return np.array([[seen[i, j] for j in range(V)] for i in range(V)], dtype=np.int64)


@about_counts(
    "context.bigram_counts/transposed",
    en=Explained(
        "Your table is transposed: the follower is in the row.",
        "Entry [i, j] is how often j follows i. Turned around it still sums to T - 1, but each row would say what comes "
        "before a token, and the model would run backwards.",
        hint="Count the text 0 1 by hand: which entry is 1?",
    ),
    zh_tw=Explained(
        "你的表轉置了：後面的詞元被放在橫列。",
        "[i, j] 是 j 接在 i 後面的次數。反過來總和仍是 T - 1，但每個橫列說的變成詞元前面是什麼，模型就倒著走了。",
        hint="用手數一數文字 0 1：哪一格是 1？",
    ),
)
def transposed(ref, tokens, V):
    return counted(ref, tokens, V).T


@variant("context.bigram_counts/transposed")
def _(ref, tokens, V):
    ids(ref, tokens, V)
    return tallied(tokens[1:], tokens[:-1], V)


@about_counts(
    "context.bigram_counts/repeats-counted-once",
    en=Explained(
        "A pair that comes twice counts only once.",
        "counts[before, after] += 1 with arrays of indices reads, adds and writes once for each different pair, however "
        "often it occurs.",
        hint="Count the text 0 1 0 1. What should entry [0, 1] be?",
    ),
    zh_tw=Explained(
        "出現兩次的一對，你只數了一次。",
        "用索引陣列寫 counts[before, after] += 1 時，每個不同的對只會讀一次、加一次、寫一次，不管它出現幾次。",
        hint="數一數文字 0 1 0 1：[0, 1] 應該是多少？",
    ),
)
def counted_once(ref, tokens, V):
    ids(ref, tokens, V)
    counts = np.zeros((V, V), dtype=np.int64)
    counts[tokens[:-1], tokens[1:]] += 1
    return counts


@variant("context.bigram_counts/repeats-counted-once")
def _(ref, tokens, V):
    return tally(set(neighbours(ids(ref, tokens, V))), V)


@about_counts(
    "context.bigram_counts/wraps-around",
    en=Explained(
        "You let the first token follow the last one.",
        "T tokens have T - 1 pairs, and you count T. Rolled, or indexed with t - 1 from t = 0 on, the text closes to a "
        "ring.",
        hint="Sum up your counts: is it one less than the number of tokens?",
    ),
    zh_tw=Explained(
        "你讓第一個詞元接在最後一個後面。",
        "T 個詞元有 T - 1 對，你卻數了 T 對。用 roll，或從 t = 0 就用 t - 1 取索引，文字會首尾相接成一個環。",
        hint="把你的次數全部加起來：是不是比詞元數少一？",
    ),
)
def ring(ref, tokens, V):
    ids(ref, tokens, V)
    return tallied(tokens, np.roll(tokens, -1), V)


@variant("context.bigram_counts/wraps-around")
def _(ref, tokens, V):
    text = ids(ref, tokens, V)
    return tally([(text[t - 1], text[t]) for t in range(len(text))], V)


@about_counts(
    "context.bigram_counts/pairs-do-not-overlap",
    en=Explained(
        "You cut the text into pairs that do not overlap.",
        "Each token but the first and the last is in two pairs: it follows one and is followed by another. Yours is in "
        "one, so about half of the pairs are missing.",
        hint="Write down all pairs of the text 0 1 2 3.",
    ),
    zh_tw=Explained(
        "你把文字切成了互不重疊的對。",
        "除了頭尾，每個詞元都屬於兩對：它接在一個後面，又被另一個接上。你的只屬於一對，所以少了大約一半。",
        hint="寫出文字 0 1 2 3 的所有對。",
    ),
)
def no_overlap(ref, tokens, V):
    ids(ref, tokens, V)
    pairs = len(tokens) // 2
    return tallied(tokens[0 : 2 * pairs : 2], tokens[1 : 2 * pairs : 2], V)


@variant("context.bigram_counts/pairs-do-not-overlap")
def _(ref, tokens, V):
    text = iter(ids(ref, tokens, V))
    return tally(zip(text, text, strict=False), V)


@about_counts(
    "context.bigram_counts/both-directions",
    en=Explained(
        "You count every pair in both directions.",
        "Your table is symmetric. `new york` does not make `york new` any more likely: order is what a bigram is about.",
        hint="Count the text 0 1 by hand: how many entries are not 0?",
    ),
    zh_tw=Explained(
        "每一對你都往兩個方向數。",
        "你的表是對稱的。看過「New York」，不會讓「York New」更可能出現：bigram 在意的正是順序。",
        hint="用手數一數文字 0 1：有幾格不是 0？",
    ),
)
def both_directions(ref, tokens, V):
    counts = counted(ref, tokens, V)
    return counts + counts.T


@variant("context.bigram_counts/both-directions")
def _(ref, tokens, V):
    pairs = neighbours(ids(ref, tokens, V))
    return tally([*pairs, *((j, i) for i, j in pairs)], V)


@about_counts(
    "context.bigram_counts/own-input",
    en=Explained(
        "You paired each token with itself.",
        "Without the shift by one, a token is its own follower: only the diagonal is filled, with how often each token "
        "occurs. Such a model predicts what it was just given.",
        hint="Which token should stand opposite the first one?",
    ),
    zh_tw=Explained(
        "你把每個詞元和它自己配成一對。",
        "沒有錯開一格，詞元後面接的就是自己：只有對角線有值，是每個詞元出現的次數。這種模型預測的是它剛拿到的東西。",
        hint="和第一個詞元配對的，應該是哪一個？",
    ),
)
def own_input(ref, tokens, V):
    return np.diag(np.bincount(np.array(ids(ref, tokens, V), dtype=np.int64), minlength=V)).astype(np.int64)


@variant("context.bigram_counts/own-input")
def _(ref, tokens, V):
    return tally([(token, token) for token in ids(ref, tokens, V)], V)


@about_counts(
    "context.bigram_counts/two-apart",
    en=Explained(
        "You paired tokens that stand two apart.",
        "A shift of 2 skips the direct follower. That is what comes after the next one, and there is one pair too few.",
        hint="Write down the pairs of the text 0 1 2.",
    ),
    zh_tw=Explained(
        "你配對的是相隔兩格的詞元。",
        "錯開 2 格會跳過緊接著的那一個，得到的是下下一個，而且少了一對。",
        hint="寫出文字 0 1 2 的所有對。",
    ),
)
def two_apart(ref, tokens, V):
    ids(ref, tokens, V)
    return tallied(tokens[:-2], tokens[2:], V)


@variant("context.bigram_counts/two-apart")
def _(ref, tokens, V):
    text = ids(ref, tokens, V)
    return tally([(text[t], text[t + 2]) for t in range(len(text) - 2)], V)


@about_counts(
    "context.bigram_counts/all-that-follow",
    en=Explained(
        "You count every later token, not just the next.",
        "Your counts say that j comes somewhere after i. A bigram looks exactly one token ahead: T - 1 pairs, not "
        "T (T - 1) / 2.",
        hint="Is there a loop inside a loop?",
    ),
    zh_tw=Explained(
        "後面的每個詞元你都數了，而不只是下一個。",
        "你的次數說的是 j 在 i 之後的某處出現。bigram 只往後看一個詞元：是 T - 1 對，不是 T (T - 1) / 2 對。",
        hint="是不是迴圈裡還有一個迴圈？",
    ),
)
def all_later(ref, tokens, V):
    return tally(combinations(ids(ref, tokens, V), 2), V)


@variant("context.bigram_counts/all-that-follow")
def _(ref, tokens, V):
    ids(ref, tokens, V)
    one_hot = np.eye(V, dtype=np.int64)[tokens.astype(np.int64)].reshape(-1, V)
    return (one_hot.cumsum(axis=0) - one_hot).T @ one_hot


@about_counts(
    "context.bigram_counts/last-pair-lost",
    en=Explained(
        "The last pair is missing.",
        "The last token is only ever a follower, so the loop over the first of each pair has T - 1 steps. One that ends at "
        "T - 2 stops too early.",
        hint="What are the first and the last t of your loop, and which pairs are they?",
    ),
    zh_tw=Explained(
        "少了最後一對。",
        "最後一個詞元只會是後面的那一個，所以走過每一對前面那個的迴圈有 T - 1 步。只走 T - 2 步就太早停了。",
        hint="你的迴圈裡，第一個和最後一個 t 是多少？各是哪一對？",
    ),
)
def last_lost(ref, tokens, V):
    return tally(neighbours(ids(ref, tokens, V))[:-1], V)


@variant("context.bigram_counts/last-pair-lost")
def _(ref, tokens, V):
    ids(ref, tokens, V)
    return tallied(tokens[:-2], tokens[1:-1], V)


@about_counts(
    "context.bigram_counts/first-pair-lost",
    en=Explained(
        "The first pair is missing.",
        "Positions count from 0, and the first pair is that of tokens 0 and 1.",
        hint="What are the first and the last t of your loop, and which pairs are they?",
    ),
    zh_tw=Explained(
        "少了第一對。",
        "位置從 0 數起，第一對是第 0 個和第 1 個詞元。",
        hint="你的迴圈裡，第一個和最後一個 t 是多少？各是哪一對？",
    ),
)
def first_lost(ref, tokens, V):
    return tally(neighbours(ids(ref, tokens, V))[1:], V)


@variant("context.bigram_counts/first-pair-lost")
def _(ref, tokens, V):
    ids(ref, tokens, V)
    return tallied(tokens[1:-1], tokens[2:], V)


@about_counts(
    "context.bigram_counts/itself-never-follows",
    en=Explained(
        "You leave out a token that follows itself.",
        "`no no` is a pair like any other, and its place is on the diagonal. Yours is empty.",
        hint="Look at the diagonal. Is there an `if` that skips equal tokens?",
    ),
    zh_tw=Explained(
        "詞元接在自己後面時，你就漏掉了。",
        "「不不」和其他的一樣是一對，它的位置在對角線上。你的對角線是空的。",
        hint="看看對角線。是不是有個 if 跳過了相同的詞元？",
    ),
)
def never_itself(ref, tokens, V):
    return tally([(i, j) for i, j in neighbours(ids(ref, tokens, V)) if i != j], V)


@variant("context.bigram_counts/itself-never-follows")
def _(ref, tokens, V):
    counts = by_counter(ref, tokens, V)
    np.fill_diagonal(counts, 0)
    return counts


@about_counts(
    "context.bigram_counts/starts-at-one",
    en=Explained(
        "Your counts start at 1.",
        "That is smoothing, and it belongs to the next exercise, where alpha says how much of it. Here a pair that never "
        "occurs has the count 0.",
        hint="Sum up your counts: is it one less than the number of tokens?",
    ),
    zh_tw=Explained(
        "你的次數從 1 開始。",
        "那是平滑，屬於下一題，由 alpha 決定加多少。這裡沒出現過的對，次數是 0。",
        hint="把你的次數全部加起來：是不是比詞元數少一？",
    ),
)
def from_one(ref, tokens, V):
    return counted(ref, tokens, V) + 1


@variant("context.bigram_counts/starts-at-one")
def _(ref, tokens, V):
    everything = [(i, j) for i in range(V) for j in range(V)]
    return tally([*neighbours(ids(ref, tokens, V)), *everything], V)


@about_counts(
    "context.bigram_counts/shares",
    en=Explained(
        "You returned shares, not counts.",
        "Once divided, nobody can tell one pair out of two from a hundred out of two hundred, and smoothing needs to know. "
        "Dividing is the next exercise.",
        hint="What does the whole table sum to?",
    ),
    zh_tw=Explained(
        "你回傳的是比例，不是次數。",
        "除完之後，就分不出是兩次中的一次，還是兩百次中的一百次，而平滑需要知道。除法是下一題的事。",
        hint="整張表加起來是多少？",
    ),
)
def as_shares(ref, tokens, V):
    counts = counted(ref, tokens, V)
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)


@variant("context.bigram_counts/shares")
def _(ref, tokens, V):
    rows = by_counter(ref, tokens, V).tolist()
    return np.array([[count / (sum(row) or 1) for count in row] for row in rows])


@about_counts(
    "context.bigram_counts/table-as-large-as-the-text-needs",
    en=Explained(
        "You made the table as large as the largest id of the text.",
        "The vocabulary is given and may hold more than one text uses. Two texts counted this way cannot be added.",
        hint="Where in your function does vocab_size appear?",
    ),
    zh_tw=Explained(
        "你的表只大到文字裡最大的編號。",
        "詞彙表是給定的，一段文字不見得全用到。這樣數出來的兩段文字，次數沒辦法相加。",
        hint="在你的函式裡，vocab_size 出現在哪裡？",
    ),
)
def as_the_text(ref, tokens, V):
    text = ids(ref, tokens, V)
    return tally(neighbours(text), max(text) + 1 if len(text) > 1 else V)


@variant("context.bigram_counts/table-as-large-as-the-text-needs")
def _(ref, tokens, V):
    counts = by_counter(ref, tokens, V)
    size = int(tokens.max()) + 1 if len(tokens) > 1 else V
    return counts[:size, :size]


@about_counts(
    "context.bigram_counts/ids-renumbered",
    en=Explained(
        "You numbered the tokens of the text anew.",
        "np.unique gives the ids that occur numbers from 0 on. As soon as one id is missing, all after it stand in the "
        "wrong row.",
        hint="Count a text that uses the ids 0 and 2 only. In which rows should the counts be?",
    ),
    zh_tw=Explained(
        "你把文字裡的詞元重新編號了。",
        "np.unique 會把出現過的編號從 0 起重編。只要缺了一個編號，後面的就全排到錯的橫列。",
        hint="數一段只用到編號 0 和 2 的文字。次數應該在哪幾個橫列？",
    ),
)
def renumbered(ref, tokens, V):
    ids(ref, tokens, V)
    _, text = np.unique(tokens, return_inverse=True)
    return tallied(text[:-1], text[1:], V)


@variant("context.bigram_counts/ids-renumbered")
def _(ref, tokens, V):
    text = ids(ref, tokens, V)
    order = sorted(set(text))
    return tally(neighbours([order.index(token) for token in text]), V)


@about_counts(
    "context.bigram_counts/short-text-refused",
    en=Explained(
        "You refuse a text without pairs.",
        "A text of one token, or none, has no pair: all its counts are 0. It is the perplexity that needs one.",
        hint="What should the counts of a single token be?",
    ),
    zh_tw=Explained(
        "沒有對的文字，你就拒絕了。",
        "只有一個或零個詞元的文字沒有對：次數全是 0。需要至少一對的是困惑度。",
        hint="只有一個詞元時，次數應該是什麼？",
    ),
)
def short_refused(ref, tokens, V):
    if len(tokens) < 2:
        raise ValueError("no pair to count")
    return counted(ref, tokens, V)


@variant("context.bigram_counts/short-text-refused")
def _(ref, tokens, V):
    counts = by_counter(ref, tokens, V)
    if not counts.any():
        raise ValueError("nothing was counted")
    return counts


@about_counts("context.bigram_counts/negative-id-accepted", **NEGATIVE_ID)
def negative_accepted(ref, tokens, V):
    ref.require_shapes("T", tokens)
    counts = np.zeros((V, V), dtype=np.int64)
    np.add.at(counts, (tokens[:-1], tokens[1:]), 1)
    return counts


@variant("context.bigram_counts/negative-id-accepted")
def _(ref, tokens, V):
    text = [range(V)[token] for token in tokens.reshape(len(tokens)).tolist()]
    return tally(pairwise(text), V)


@about_counts("context.bigram_counts/large-id-clipped", **CLIPPED_ID)
def large_clipped(ref, tokens, V):
    if (tokens < 0).any():
        raise ValueError("an id is negative")
    return counted(ref, np.minimum(tokens, V - 1), V)


@variant("context.bigram_counts/large-id-clipped")
def _(ref, tokens, V):
    if tokens.size and tokens.min() < 0:
        raise ValueError("an id is negative")
    return by_counter(ref, np.where(tokens > V - 1, V - 1, tokens), V)


@about_counts(
    "context.bigram_counts/strange-id-skipped",
    en=Explained(
        "You skip ids that are not in the vocabulary.",
        "Left out without a word, their neighbours lose a pair each, and nobody learns that text and vocabulary do not "
        "belong together.",
        hint="What does your function do with the id V?",
    ),
    zh_tw=Explained(
        "不在詞彙表裡的編號，你就跳過。",
        "默默略過之後，它兩旁的詞元各少一對，也沒有人知道文字和詞彙表根本對不上。",
        hint="編號是 V 時，你的函式會怎麼做？",
    ),
)
def strange_skipped(ref, tokens, V):
    ref.require_shapes("T", tokens)
    known = range(V)
    return tally([(i, j) for i, j in neighbours(tokens.tolist()) if i in known and j in known], V)


@variant("context.bigram_counts/strange-id-skipped")
def _(ref, tokens, V):
    ref.require_shapes("T", tokens)
    fits = (tokens >= 0) & (tokens < V)
    both = fits[:-1] & fits[1:]
    return tallied(tokens[:-1][both], tokens[1:][both], V)


@about_counts("context.bigram_counts/asserts", **ASSERTS)
def counts_asserts(ref, tokens, V):
    ref.require_shapes("T", tokens)
    assert ((tokens >= 0) & (tokens < V)).all(), "an id is out of range"
    return counted(ref, tokens, V)


@variant("context.bigram_counts/asserts")
def _(ref, tokens, V):
    ref.require_shapes("T", tokens)
    if not set(tokens.tolist()) <= set(range(V)):
        raise AssertionError
    return by_counter(ref, tokens, V)


@about_counts("context.bigram_counts/batch-flattened", **FLATTENED)
def flattened(ref, tokens, V):
    return counted(ref, tokens.reshape(-1), V)


@variant("context.bigram_counts/batch-flattened")
def _(ref, tokens, V):
    return by_counter(ref, np.ravel(tokens), V)


@about_counts(
    "context.bigram_counts/batch-by-sequence",
    en=Explained(
        "You accept a batch of texts and add up their counts.",
        "The pairs are right, but the exercise takes one text: whoever hands over a batch has most likely forgotten to "
        "pick one. Refuse it.",
        hint="What does your function do with tokens of shape (2, 21)? The given require_tokens can ask.",
    ),
    zh_tw=Explained(
        "你讓一批文字也通過了，還把次數加在一起。",
        "對是對的，但這題只收一段文字：給一個批次的人，多半是忘了挑出其中一段。請拒絕它。",
        hint="tokens 的形狀是 (2, 21) 時，你的函式會怎麼做？可以用現成的 require_tokens 檢查。",
    ),
)
def batch_added(ref, tokens, V):
    if tokens.ndim == 1:
        return counted(ref, tokens, V)
    return sum(counted(ref, text, V) for text in tokens)


@variant("context.bigram_counts/batch-by-sequence")
def _(ref, tokens, V):
    ids(ref, np.ravel(tokens), V)
    return tallied(tokens[..., :-1].ravel(), tokens[..., 1:].ravel(), V)


@about_counts(
    "context.bigram_counts/int32",
    en=Explained(
        "Your counts are int32.",
        "A long text may hold a pair more often than 2,147,483,647 times, and int32 then wraps around to a negative "
        "count. The result is int64.",
        hint="Print the dtype of what you return.",
    ),
    zh_tw=Explained(
        "你的次數是 int32。",
        "文字夠長時，某一對可能超過 2,147,483,647 次，int32 就會繞回成負的次數。結果應該是 int64。",
        hint="把回傳值的 dtype 印出來。",
    ),
)
def counts_int32(ref, tokens, V):
    return counted(ref, tokens, V).astype(np.int32)


@variant("context.bigram_counts/int32")
def _(ref, tokens, V):
    return np.array(by_counter(ref, tokens, V).tolist(), dtype="i4")


@about_counts(
    "context.bigram_counts/floats",
    en=Explained(
        "Your counts are floats.",
        "np.zeros gives floats unless told otherwise. A count is a whole number, and can be used to index and compare "
        "exactly.",
        hint="Print the dtype of what you return.",
    ),
    zh_tw=Explained(
        "你的次數是浮點數。",
        "np.zeros 若不另外指定，給的是浮點數。次數是整數，才能拿來取索引、做精確的比較。",
        hint="把回傳值的 dtype 印出來。",
    ),
)
def counts_floats(ref, tokens, V):
    counts = np.zeros((V, V))
    for i, j in neighbours(ids(ref, tokens, V)):
        counts[i, j] += 1
    return counts


@variant("context.bigram_counts/floats")
def _(ref, tokens, V):
    return 1.0 * by_counter(ref, tokens, V)


@about_counts("context.bigram_counts/small-ids-wrapped", **WRAPPED)
def ids_wrapped(ref, tokens, V):
    text = ids(ref, tokens, V)
    narrow = np.array(text, dtype=tokens.dtype)
    flat = (narrow[:-1] * tokens.dtype.type(V) + narrow[1:]).astype(np.int64) % (V * V)
    return np.bincount(flat, minlength=V * V).reshape(V, V).astype(np.int64)


@variant("context.bigram_counts/small-ids-wrapped")
def _(ref, tokens, V):
    bits, signed = 8 * tokens.dtype.itemsize, tokens.dtype.kind == "i"
    counts = np.zeros(V * V, dtype=np.int64)
    for i, j in neighbours(ids(ref, tokens, V)):
        flat = (i * V + j) % 2**bits
        counts[(flat - 2**bits if signed and flat >= 2 ** (bits - 1) else flat) % (V * V)] += 1
    return counts.reshape(V, V)


@about_counts("context.bigram_counts/changed-in-place", **IN_PLACE)
def counts_in_place(ref, tokens, V):
    counts = counted(ref, tokens, V)
    tokens[:-1] *= V
    return counts


@variant("context.bigram_counts/changed-in-place")
def _(ref, tokens, V):
    counts = by_counter(ref, tokens, V)
    for t in range(len(tokens) - 1):
        tokens[t] = (tokens[t].astype(np.int64) * V).astype(tokens.dtype)
    return counts


@about_counts(
    "context.bigram_counts/repeats-counted-once-as-floats",
    en=Explained(
        "A pair that comes twice counts only once.",
        "counts[before, after] += 1 with arrays of indices reads, adds and writes once for each different pair, however "
        "often it occurs. Besides, your counts are floats: np.zeros gives floats unless told otherwise.",
        hint="Count the text 0 1 0 1. What should entry [0, 1] be?",
    ),
    zh_tw=Explained(
        "出現兩次的一對，你只數了一次。",
        "用索引陣列寫 counts[before, after] += 1 時，每個不同的對只會讀一次、加一次、寫一次，不管它出現幾次。另外，你的次數是浮點數：np.zeros 若不另外指定，給的是浮點數。",
        hint="數一數文字 0 1 0 1：[0, 1] 應該是多少？",
    ),
)
def counted_once_as_floats(ref, tokens, V):
    ids(ref, tokens, V)
    counts = np.zeros((V, V))
    counts[tokens[:-1], tokens[1:]] += 1
    return counts


@variant("context.bigram_counts/repeats-counted-once-as-floats")
def _(ref, tokens, V):
    return 1.0 * tally(set(neighbours(ids(ref, tokens, V))), V)
