"""What goes wrong in the exercise generation.sample_next."""

from __future__ import annotations

from functools import partial

import torch

from grader.testing import Explained, misconception, variant
from misconceptions.shared import drawn, refuse

about = partial(misconception, name="sample_next")


def probabilities(ref, logits, temperature, top_k, top_p):
    """What each row is drawn from, [B, V]."""
    refuse(logits.ndim != 2)
    scores = ref.temperature_probs(logits, temperature).log()
    if top_k is not None:
        scores = ref.top_k_filter(scores, top_k)
    if top_p is not None:
        scores = ref.top_p_filter(scores, top_p)
    return scores.softmax(dim=-1)


def pruned(ref, logits, temperature, top_k, top_p):
    """The same in another way: logits are divided, filtered probabilities made to sum to 1 again."""
    refuse(logits.ndim != 2 or not temperature >= 0)
    cold = ref.temperature_probs(logits, 0).log()
    scores = cold if temperature == 0 else logits / temperature
    for keep, number in ((ref.top_k_filter, top_k), (ref.top_p_filter, top_p)):
        scores = scores if number is None else keep(scores, number)
    weights = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return weights / weights.sum(dim=-1, keepdim=True)


@about(
    "generation.sample_next/always-greedy",
    en=Explained(
        "You always take the likeliest token.",
        "To sample is to draw: a token of probability 0.3 comes three times in ten. The largest alone is what temperature 0 asks for.",
        hint="Call it a hundred times with one generator. Does more than one token come?",
    ),
    zh_tw=Explained(
        "你每次都選機率最大的詞元。",
        "抽樣是真的要抽：機率 0.3 的詞元，十次會出現三次。只選最大的，是溫度 0 的事。",
        hint="用同一個產生器呼叫一百次。出現的詞元不只一個嗎？",
    ),
)
def always_greedy(ref, logits, *, temperature, top_k, top_p, generator):
    return probabilities(ref, logits, temperature, top_k, top_p).argmax(dim=-1)


@variant("generation.sample_next/always-greedy")
def _(ref, logits, *, temperature, top_k, top_p, generator):
    pruned(ref, logits, temperature, top_k, top_p)
    return (logits == logits.amax(dim=-1, keepdim=True)).int().argmax(dim=-1)


@about(
    "generation.sample_next/temperature-ignored",
    en=Explained(
        "You draw as if the temperature were 1.",
        "Whatever temperature is asked for, the probabilities are those of the logits as they are.",
        hint="Where does the temperature enter your distribution?",
    ),
    zh_tw=Explained(
        "你抽樣時一律當成溫度 1。",
        "不論要求什麼溫度，你用的都是原本 logits 的機率。",
        hint="溫度在哪裡進入你的分布？",
    ),
)
def temperature_ignored(ref, logits, *, temperature, top_k, top_p, generator):
    refuse(not temperature >= 0)
    return drawn(probabilities(ref, logits, 1.0 if temperature else 0.0, top_k, top_p), generator)


@variant("generation.sample_next/temperature-ignored")
def _(ref, logits, *, temperature, top_k, top_p, generator):
    refuse(temperature < 0)
    return drawn(pruned(ref, logits, min(1, 1e9 * temperature), top_k, top_p), generator)


@about(
    "generation.sample_next/top-k-ignored",
    en=Explained(
        "You do not use top_k.",
        "Tokens that top-k takes out are still drawn.",
        hint="With top_k = 1, which tokens can come?",
    ),
    zh_tw=Explained("你沒有用到 top_k。", "top-k 去掉的詞元還是會被抽到。", hint="top_k = 1 時，可能抽到哪些詞元？"),
)
def top_k_ignored(ref, logits, *, temperature, top_k, top_p, generator):
    refuse(top_k is not None and top_k < 1)
    return drawn(probabilities(ref, logits, temperature, None, top_p), generator)


@variant("generation.sample_next/top-k-ignored")
def _(ref, logits, *, temperature, top_k, top_p, generator):
    probs = pruned(ref, logits, temperature, top_k, top_p)
    return drawn(probs if top_k is None else pruned(ref, logits, temperature, logits.shape[-1], top_p), generator)


@about(
    "generation.sample_next/top-p-ignored",
    en=Explained(
        "You do not use top_p.",
        "Tokens outside the nucleus are still drawn.",
        hint="With top_p = 0.01, which tokens can come?",
    ),
    zh_tw=Explained("你沒有用到 top_p。", "核以外的詞元還是會被抽到。", hint="top_p = 0.01 時，可能抽到哪些詞元？"),
)
def top_p_ignored(ref, logits, *, temperature, top_k, top_p, generator):
    refuse(top_p is not None and not 0 < top_p <= 1)
    return drawn(probabilities(ref, logits, temperature, top_k, None), generator)


@variant("generation.sample_next/top-p-ignored")
def _(ref, logits, *, temperature, top_k, top_p, generator):
    probs = pruned(ref, logits, temperature, top_k, top_p)
    return drawn(probs if top_p is None else pruned(ref, logits, temperature, top_k, 1.0), generator)


@about(
    "generation.sample_next/top-p-before-top-k",
    en=Explained(
        "You filter by top-p before top-k.",
        "Top-p counts the probability of what is left. After top-k the tokens that stay have more each, and fewer are enough; the other way round more of them stay.",
        hint="For probabilities 0.4, 0.3, 0.2, 0.1, k = 3 and p = 0.75: how many stay in either order?",
    ),
    zh_tw=Explained(
        "你先做 top-p，再做 top-k。",
        "top-p 算的是剩下的機率。先做 top-k，留下的每個詞元機率變大，較少的就夠了；反過來做，留下的就比較多。",
        hint="機率 0.4、0.3、0.2、0.1，k = 3，p = 0.75：兩種順序各留下幾個？",
    ),
)
def top_p_first(ref, logits, *, temperature, top_k, top_p, generator):
    refuse(logits.ndim != 2)
    scores = ref.temperature_probs(logits, temperature).log()
    if top_p is not None:
        scores = ref.top_p_filter(scores, top_p)
    if top_k is not None:
        scores = ref.top_k_filter(scores, top_k)
    return drawn(scores.softmax(dim=-1), generator)


@variant("generation.sample_next/top-p-before-top-k")
def _(ref, logits, *, temperature, top_k, top_p, generator):
    probs = pruned(ref, logits, temperature, None, top_p)
    if top_k is not None:
        probs = ref.top_k_filter(probs, top_k).clamp(min=0)
    return drawn(probs / probs.sum(dim=-1, keepdim=True), generator)


@about(
    "generation.sample_next/temperature-last",
    en=Explained(
        "You filter first and divide by the temperature afterwards.",
        "Which tokens are in the nucleus depends on the temperature: a high one flattens the distribution, and more tokens are needed to reach p.",
        hint="On which logits does top_p_filter work in your code, those before or those after the division?",
    ),
    zh_tw=Explained(
        "你先過濾，之後才除以溫度。",
        "哪些詞元在核裡，要看溫度：溫度高，分布變平，要更多詞元才到得了 p。",
        hint="在你的程式裡，top_p_filter 處理的是除之前還是除之後的 logits？",
    ),
)
def temperature_last(ref, logits, *, temperature, top_k, top_p, generator):
    refuse(logits.ndim != 2)
    if top_k is not None:
        logits = ref.top_k_filter(logits, top_k)
    if top_p is not None:
        logits = ref.top_p_filter(logits, top_p)
    return drawn(ref.temperature_probs(logits, temperature), generator)


@variant("generation.sample_next/temperature-last")
def _(ref, logits, *, temperature, top_k, top_p, generator):
    scores = pruned(ref, logits, 1.0, top_k, top_p).log()
    return drawn(pruned(ref, scores, temperature, None, None), generator)


@about(
    "generation.sample_next/softmax-twice",
    en=Explained(
        "You take the softmax of probabilities.",
        "temperature_probs gives probabilities already. Taken for logits they are all but equal, and so rare tokens come far too often. Their logarithms are logits again.",
        hint="What goes into each softmax on the way to your draw?",
    ),
    zh_tw=Explained(
        "你對機率又做了一次 softmax。",
        "temperature_probs 給的已經是機率。把它當成 logits，大家就幾乎一樣大，罕見的詞元會太常出現。取對數之後才又是 logits。",
        hint="一路到抽樣為止，每次 softmax 的輸入各是什麼？",
    ),
)
def softmax_twice(ref, logits, *, temperature, top_k, top_p, generator):
    refuse(logits.ndim != 2)
    scores = ref.temperature_probs(logits, temperature)
    if temperature == 0:
        return drawn(scores, generator)
    if top_k is not None:
        scores = ref.top_k_filter(scores, top_k)
    if top_p is not None:
        scores = ref.top_p_filter(scores, top_p)
    return drawn(scores.softmax(dim=-1), generator)


@variant("generation.sample_next/softmax-twice")
def _(ref, logits, *, temperature, top_k, top_p, generator):
    probs = pruned(ref, logits, temperature, None, None)
    return drawn(probs if temperature == 0 else pruned(ref, probs, 1.0, top_k, top_p), generator)
