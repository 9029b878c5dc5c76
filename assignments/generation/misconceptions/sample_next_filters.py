"""Probabilities where the filters of the exercise generation.sample_next take logits."""

from __future__ import annotations

from grader.testing import Explained, misconception, variant
from misconceptions.sample_next import pruned
from misconceptions.shared import drawn, powers, refuse

TWICE = {
    "en": Explained(
        "You take the softmax of probabilities.",
        "temperature_probs gives probabilities already. Taken for logits they are all but equal, and so rare tokens come far too often, at temperature 0 too. Their logarithms are logits again.",
        hint="What goes into each softmax on the way to your draw?",
    ),
    "zh_tw": Explained(
        "你對機率又做了一次 softmax。",
        "temperature_probs 給的已經是機率。把它當成 logits，大家就幾乎一樣大，罕見的詞元會太常出現，溫度 0 時也一樣。取對數之後才又是 logits。",
        hint="一路到抽樣為止，每次 softmax 的輸入各是什麼？",
    ),
}
FILTERED = {
    "en": Explained(
        "You put probabilities through the filters, which take logits.",
        "A filter leaves -inf where a token goes, and that is no probability to draw with; top_p_filter takes the softmax of what it gets, so that it counts another distribution than yours. The logarithms of probabilities are logits again.",
        hint="What does top_k_filter leave in the place of a token that goes? What would a softmax make of it?",
    ),
    "zh_tw": Explained(
        "你把機率交給過濾器，但它要的是 logits。",
        "過濾器在去掉的地方留下 -inf，那不是能拿來抽樣的機率；top_p_filter 會對收到的東西做 softmax，它算的就是另一個分布。機率取對數之後才又是 logits。",
        hint="top_k_filter 在去掉的地方留下什麼？softmax 會把它變成什麼？",
    ),
}


def filtered(ref, scores, top_k, top_p):
    for keep, number in ((ref.top_k_filter, top_k), (ref.top_p_filter, top_p)):
        scores = scores if number is None else keep(scores, number)
    return scores


def probabilities_filtered(then):
    """`then(probs, whether a filter was asked for)` is what is drawn from, after the filters took probabilities."""

    def function(ref, logits, *, temperature, top_k, top_p, generator):
        refuse(logits.ndim != 2)
        probs = filtered(ref, ref.temperature_probs(logits, temperature), top_k, top_p)
        return drawn(then(probs, top_k is not None or top_p is not None), generator)

    return function


def otherwise(then):
    """The same in another style."""

    def function(ref, logits, *, temperature, top_k, top_p, generator):
        probs = pruned(ref, logits, temperature, None, None)
        if top_k is not None:
            probs = ref.top_k_filter(probs, top_k)
        if top_p is not None:
            probs = ref.top_p_filter(probs, top_p)
        return drawn(then(probs, (top_k, top_p) != (None, None)), generator)

    return function


MISTAKES = [
    ("softmax-twice-at-zero-too", TWICE, lambda p, _: p.softmax(dim=-1), lambda p, _: powers(p)),
    (
        "softmax-of-filtered-probabilities",
        TWICE,
        lambda p, any_filter: p.softmax(dim=-1) if any_filter else p,
        lambda p, any_filter: powers(p) if any_filter else p,
    ),
    ("probabilities-filtered", FILTERED, lambda p, _: p, lambda p, _: p * 1.0),
    ("top-p-of-probabilities", FILTERED, lambda p, _: p.clamp(min=0), lambda p, _: p.masked_fill(p < 0, 0.0)),
]
for slug, words, then, other in MISTAKES:
    misconception(f"generation.sample_next/{slug}", name="sample_next", **words)(probabilities_filtered(then))
    variant(f"generation.sample_next/{slug}")(otherwise(other))
