"""What goes wrong in the exercise generation.top_p_filter."""

from __future__ import annotations

import math
from functools import partial
from itertools import accumulate

import torch

from grader.testing import Explained, misconception, variant
from misconceptions.shared import RANK_AS_ID, SORTED_OUT, by_row, hidden, powers, ranked, refuse

about = partial(misconception, name="top_p_filter")


def checked(rule):
    """A function that refuses what the reference refuses; otherwise `rule(logits, p)`."""

    def function(ref, logits, p):
        refuse(not 0 < p <= 1)
        return logits.clone() if p == 1 else rule(logits, p)

    return function


def masked(keep, fill=-math.inf, weigh=powers, *, descending=True):
    """A function that sorts, keeps `keep(probs, sums, p)` of the ranks, and puts the mask back in order."""

    @checked
    def function(logits, p):
        order = logits.argsort(dim=-1, descending=descending, stable=True)
        probs = weigh(logits).gather(-1, order)
        kept = torch.zeros_like(logits, dtype=torch.bool).scatter(-1, order, keep(probs, probs.cumsum(dim=-1), p))
        return logits.masked_fill(~kept, fill)

    return function


def listed(count, fill=-math.inf):
    """The same in plain Python: of each row the `count(probs, p)` most probable tokens stay."""

    def rule(row, p):
        order = ranked(row)
        return hidden(row, order[: count(softmax([row[token] for token in order]), p)], fill)

    return checked(lambda logits, p: by_row(logits, lambda row: rule(row, p)))


def softmax(row):
    total = math.fsum(map(math.exp, row))
    return [math.exp(x) / total for x in row]


def before(probs):
    """What the tokens before each one have together."""
    return [0.0, *accumulate(probs)][: len(probs)]


def nucleus(probs, p):
    """How many stay."""
    return sum(sum_before < p for sum_before in before(probs))


def first(probs):
    """True for the most probable token of each row."""
    return torch.arange(probs.shape[-1]).expand(probs.shape) == 0


CROSSING = {
    "en": Explained(
        "You drop the token with which the sum reaches p.",
        "The nucleus must have a probability of at least p. The token that crosses the line belongs to it: what decides is the sum before a token, not the sum with it.",
        hint="For probabilities 0.4, 0.3, 0.2, 0.1 and p = 0.8: how much have the tokens that you keep?",
    ),
    "zh_tw": Explained(
        "總和到達 p 的那個詞元，你去掉了。",
        "核的機率至少要有 p，跨過門檻的那個詞元也屬於它：決定去留的是詞元之前的總和，不是加上它之後的。",
        hint="機率 0.4、0.3、0.2、0.1，p = 0.8：你留下的詞元加起來有多少？",
    ),
}
about("generation.top_p_filter/drops-crossing", **CROSSING)(masked(lambda probs, sums, p: (sums <= p) | first(probs)))
variant("generation.top_p_filter/drops-crossing")(
    listed(lambda probs, p: max(1, sum(total <= p for total in accumulate(probs))))
)

about(
    "generation.top_p_filter/empty",
    en=Explained(
        "A small p leaves you with no token.",
        "You keep a token while the sum with it is at most p. So the one that crosses the line is dropped, and if that is the very first, nothing is left to draw from.",
        hint="What stays of 0.4, 0.3, 0.2, 0.1 with p = 0.3?",
    ),
    zh_tw=Explained(
        "p 很小時，你一個詞元都沒留下。",
        "你在加上詞元之後的總和不超過 p 時才留下它。這樣跨過門檻的那個會被去掉；如果它就是第一個，就沒有東西可抽了。",
        hint="0.4、0.3、0.2、0.1，p = 0.3，會留下什麼？",
    ),
)(masked(lambda _, sums, p: sums <= p))
variant("generation.top_p_filter/empty")(listed(lambda probs, p: sum(total <= p for total in accumulate(probs))))

about(
    "generation.top_p_filter/one-too-many",
    en=Explained(
        "You keep one token too many.",
        "The mask was moved by one place twice, or moved although it already looked at the sum before a token. The last that stays is the one with which the sum reaches p.",
        hint="For probabilities 0.4, 0.3, 0.2, 0.1 and p = 0.5: which token is the last that you keep?",
    ),
    zh_tw=Explained(
        "你多留了一個詞元。",
        "遮罩移了兩次，或者本來看的就是詞元之前的總和，卻又移了一次。最後留下的，應該是讓總和到達 p 的那一個。",
        hint="機率 0.4、0.3、0.2、0.1，p = 0.5：你最後留下的是哪個詞元？",
    ),
)(masked(lambda probs, sums, p: first(probs) | ((sums - probs).roll(1, -1) < p)))
variant("generation.top_p_filter/one-too-many")(listed(lambda probs, p: nucleus(probs, p) + 1))


@about("generation.top_p_filter/rank-as-id", **RANK_AS_ID)
@checked
def not_unsorted(logits, p):
    probs = powers(logits).sort(dim=-1, descending=True).values
    return logits.masked_fill(probs.cumsum(dim=-1) - probs >= p, -math.inf)


variant("generation.top_p_filter/rank-as-id")(
    checked(
        lambda logits, p: by_row(logits, lambda row: hidden(row, range(nucleus(softmax(sorted(row, reverse=True)), p))))
    )
)


@about("generation.top_p_filter/sorted-out", **SORTED_OUT)
@checked
def sorted_out(logits, p):
    ordered = logits.sort(dim=-1, descending=True).values
    probs = powers(ordered)
    return ordered.masked_fill(probs.cumsum(dim=-1) - probs >= p, -math.inf)


@variant("generation.top_p_filter/sorted-out")
@checked
def _(logits, p):
    def rule(row):
        row = sorted(row, reverse=True)
        return hidden(row, range(nucleus(softmax(row), p)))

    return by_row(logits, rule)


about(
    "generation.top_p_filter/least-probable-first",
    en=Explained(
        "You count from the least probable token up.",
        "Sorting begins with the smallest unless it is told otherwise. The nucleus begins with the most probable token.",
        hint="Does the argmax stay in your result, whatever p is?",
    ),
    zh_tw=Explained(
        "你從機率最小的詞元開始往上算。",
        "沒有特別指定時，排序從最小的開始。核要從機率最大的詞元開始。",
        hint="不論 p 是多少，argmax 都留在你的結果裡嗎？",
    ),
)(masked(lambda probs, sums, p: sums - probs < p, descending=False))


@variant("generation.top_p_filter/least-probable-first")
@checked
def _(logits, p):
    def rule(row):
        order = sorted(range(len(row)), key=lambda token: row[token])
        return hidden(row, order[: nucleus(softmax([row[token] for token in order]), p)])

    return by_row(logits, rule)


about(
    "generation.top_p_filter/own-probability",
    en=Explained(
        "You keep tokens whose own probability is large.",
        "p is what the tokens that stay have together, not what each must have. Sort them, and add up.",
        hint="Where do you add up probabilities?",
    ),
    zh_tw=Explained(
        "你留下的是本身機率夠大的詞元。",
        "p 是留下的詞元合起來的機率，不是每個詞元各自要有的。先排序，再累加。",
        hint="你在哪裡把機率加起來？",
    ),
)(masked(lambda probs, _, p: probs >= p))
variant("generation.top_p_filter/own-probability")(
    checked(lambda logits, p: torch.where(logits.softmax(dim=-1) < p, -math.inf, logits))
)

about(
    "generation.top_p_filter/sums-of-logits",
    en=Explained(
        "You add up logits.",
        "What is compared with p is a probability. Logits may be negative, sum to anything, and can all be shifted without a change: the softmax comes first.",
        hint="What is the last of your cumulative sums? What should it be?",
    ),
    zh_tw=Explained(
        "你累加的是 logits。",
        "和 p 比較的是機率。logits 可以是負的，總和可以是任何數，全部加上同一個數也不影響機率：要先做 softmax。",
        hint="你的累加和最後一個是多少？應該是多少？",
    ),
)(masked(lambda probs, sums, p: sums - probs < p, weigh=lambda logits: logits))


@variant("generation.top_p_filter/sums-of-logits")
@checked
def _(logits, p):
    def rule(row):
        order = ranked(row)
        sums = before([row[token] for token in order])
        return hidden(row, [token for token, total in zip(order, sums, strict=True) if total < p])

    return by_row(logits, rule)


about(
    "generation.top_p_filter/not-normalised",
    en=Explained(
        "You add up exponentials that do not sum to 1.",
        "Only after they are divided by their sum are they probabilities, which p can be compared with. Without that it matters how large the logits happen to be.",
        hint="Add 1 to all logits. Does the same stay?",
    ),
    zh_tw=Explained(
        "你累加的指數總和不是 1。",
        "除以總和之後才是機率，才能和 p 比較。不除的話，結果會受 logits 剛好多大影響。",
        hint="把所有 logits 加 1。留下的一樣嗎？",
    ),
)(masked(lambda probs, sums, p: sums - probs < p, weigh=torch.exp))


@variant("generation.top_p_filter/not-normalised")
@checked
def _(logits, p):
    def rule(row):
        order = ranked(row)
        return hidden(row, order[: nucleus([math.exp(row[token]) for token in order], p)])

    return by_row(logits, rule)


about(
    "generation.top_p_filter/complement",
    en=Explained(
        "You keep the tokens of probability 1 - p.",
        "p is what stays, not what goes: p = 0.9 leaves almost everything, p = 0.1 almost nothing.",
        hint="Does more stay with p = 0.9 than with p = 0.5?",
    ),
    zh_tw=Explained(
        "你留下的是機率 1 - p 的部分。",
        "p 是留下的，不是去掉的：p = 0.9 幾乎全部留下，p = 0.1 幾乎都去掉。",
        hint="p = 0.9 時留下的，比 p = 0.5 時多嗎？",
    ),
)(masked(lambda probs, sums, p: sums - probs < 1 - p))
variant("generation.top_p_filter/complement")(listed(lambda probs, p: nucleus(probs, 1 - p)))
