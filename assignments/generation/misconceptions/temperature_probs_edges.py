"""Temperature 0, axes, dtypes and gradients of the exercise generation.temperature_probs."""

from __future__ import annotations

import torch

from grader.testing import Explained, variant
from misconceptions.shared import DETACHED, IN_PLACE, SECOND_AXIS, WHOLE_BATCH, WIDENED, by_row, one_hot, powers, refuse
from misconceptions.temperature_probs import about, checked

about(
    "generation.temperature_probs/zero-divides",
    en=Explained(
        "You divide by a temperature of 0.",
        "What comes out is infinite, and infinite minus infinite is NaN. The limit is known, though: the lower the temperature, the more of the probability is on the largest logit. At 0 all of it is.",
        hint="What do you get for temperatures of 0.1, 0.01, 0.001? What should come at 0?",
    ),
    zh_tw=Explained(
        "你用 0 當除數。",
        "除出來是無限大，無限大減無限大是 NaN。不過極限是知道的：溫度越低，最大的 logit 分到的機率越多；到 0 時全部都是它的。",
        hint="溫度 0.1、0.01、0.001 時得到什麼？到 0 時應該是什麼？",
    ),
)(checked(lambda logits, T: (logits / T).softmax(dim=-1), at_zero=lambda logits: (logits / 0.0).softmax(dim=-1)))
variant("generation.temperature_probs/zero-divides")(
    checked(lambda logits, T: powers(logits, 1 / T), at_zero=lambda logits: torch.full_like(logits, torch.nan))
)

about(
    "generation.temperature_probs/zero-shared",
    en=Explained(
        "At temperature 0 you share the probability among equal logits.",
        "Greedy means one token, the same one in every run: of several that are largest the first has it all. That a tiny temperature in the place of 0 does the same shows only where no two are equal.",
        hint="What are your probabilities of [2, 2, 1] at temperature 0?",
    ),
    zh_tw=Explained(
        "溫度 0 時，你讓相等的 logits 平分機率。",
        "貪婪是指選一個詞元，每次都一樣：幾個並列最大時，全部給第一個。用一個很小的溫度代替 0，只有在沒有兩個相等時才會得到同樣的結果。",
        hint="溫度 0 時，你對 [2, 2, 1] 給出什麼機率？",
    ),
)(
    checked(
        lambda logits, T: (logits / T).softmax(dim=-1),
        at_zero=lambda logits: ((logits - logits.amax(-1, True)) / 1e-9).softmax(-1),
    )
)


def shared_at_zero(logits):
    largest = (logits == logits.amax(dim=-1, keepdim=True)).to(logits.dtype)
    return largest / largest.sum(dim=-1, keepdim=True)


variant("generation.temperature_probs/zero-shared")(
    checked(lambda logits, T: powers(logits, 1 / T), at_zero=shared_at_zero)
)


def last_at_zero(logits):
    return one_hot(logits.flip(-1)).flip(-1)


about(
    "generation.temperature_probs/zero-last",
    en=Explained(
        "At temperature 0 you take the last of the largest logits.",
        "Of several that are equal the first counts. `>=` in a loop and sorting from small to large end at the last one.",
        hint="What are your probabilities of [2, 2, 1] at temperature 0?",
    ),
    zh_tw=Explained(
        "溫度 0 時，你選了最後一個最大的 logit。",
        "幾個相等時，以第一個為準。迴圈裡用 `>=`，或由小到大排序，都會停在最後一個。",
        hint="溫度 0 時，你對 [2, 2, 1] 給出什麼機率？",
    ),
)(checked(lambda logits, T: (logits / T).softmax(dim=-1), at_zero=last_at_zero))


@variant("generation.temperature_probs/zero-last")
def _(ref, logits, temperature):
    refuse(not temperature >= 0)
    if temperature > 0:
        return powers(logits, 1 / temperature)

    def rule(row):
        best = 0
        for token, x in enumerate(row):
            best = token if x >= row[best] else best
        return [float(token == best) for token in range(len(row))]

    return by_row(logits, rule)


@about(
    "generation.temperature_probs/zero-refused",
    en=Explained(
        "You refuse a temperature of 0.",
        "It has a meaning, and it is the most common setting of all: greedy, always the likeliest token. Only below 0 there is none.",
        hint="Is it `<` or `<=` in your check?",
    ),
    zh_tw=Explained(
        "你拒絕了溫度 0。",
        "它有意義，而且是最常用的設定：貪婪，永遠選機率最大的詞元。小於 0 才沒有意義。",
        hint="你檢查的是 `<` 還是 `<=`？",
    ),
)
def zero_refused(ref, logits, temperature):
    refuse(temperature <= 0)
    return (logits / temperature).softmax(dim=-1)


@variant("generation.temperature_probs/zero-refused")
def _(ref, logits, temperature):
    if not temperature > 0:
        raise ValueError("a positive temperature is needed")
    return powers(logits, 1 / temperature)


@about(
    "generation.temperature_probs/unstable",
    en=Explained(
        "Your exponentials overflow.",
        "exp of a few hundred is more than the dtype can hold, and inf / inf is NaN. Subtract the largest logit first: it changes no probability, and no exponential is then more than 1.",
        hint="Add 5000 to all logits. The probabilities should be as before.",
    ),
    zh_tw=Explained(
        "你的指數溢位了。",
        "幾百的 exp 就超過 dtype 能表示的範圍，而 inf / inf 是 NaN。先減掉最大的 logit：機率不變，指數也不會大於 1。",
        hint="把所有 logits 加上 5000。機率應該和原來一樣。",
    ),
)
@checked
def unstable(logits, T):
    weights = torch.exp(logits / T)
    return weights / weights.sum(dim=-1, keepdim=True)


@variant("generation.temperature_probs/unstable")
@checked
def _(logits, T):
    total = torch.exp(logits / T).sum(dim=-1, keepdim=True)
    return torch.exp(logits / T).where(total.isfinite(), torch.nan) / total


def together(logits, T):
    return (logits / T).reshape(-1).softmax(dim=0).reshape(logits.shape)


about("generation.temperature_probs/whole-batch", **WHOLE_BATCH)(checked(together))


@variant("generation.temperature_probs/whole-batch")
@checked
def _(logits, T):
    weights = torch.exp((logits - logits.max()) / T)
    return weights / weights.sum()


about(
    "generation.temperature_probs/columns",
    en=Explained(
        "Your softmax runs along the first axis.",
        "It compares the rows of a batch with each other. The tokens of the vocabulary are on the last axis, and it is they that compete.",
        hint="Which of your sums are 1, those of the rows or those of the columns?",
    ),
    zh_tw=Explained(
        "你的 softmax 沿著第一軸。",
        "它拿批次裡的各個橫列互相比較。詞彙表的詞元在最後一軸，互相競爭的是它們。",
        hint="總和是 1 的是你的橫列，還是直行？",
    ),
)(checked(lambda logits, T: (logits / T).softmax(dim=0)))


@variant("generation.temperature_probs/columns")
@checked
def _(logits, T):
    weights = torch.exp((logits - logits.amax(dim=0)) / T)
    return weights / weights.sum(dim=0)


@about(
    "generation.temperature_probs/negative-accepted",
    en=Explained(
        "You accept a negative temperature.",
        "It turns the distribution upside down: the least likely token becomes the likeliest. Nobody means that, so it must be refused.",
        hint="What is checked before you divide?",
    ),
    zh_tw=Explained(
        "你接受了負的溫度。",
        "它會把分布上下顛倒：最不可能的詞元變成最可能的。沒有人會要這個，所以要拒絕。",
        hint="除之前你檢查了什麼？",
    ),
)
def negative_accepted(ref, logits, temperature):
    return one_hot(logits) if temperature == 0 else (logits / temperature).softmax(dim=-1)


@variant("generation.temperature_probs/negative-accepted")
def _(ref, logits, temperature):
    if temperature == 0:
        return one_hot(logits)
    return (logits / temperature).log_softmax(dim=-1).exp()


about("generation.temperature_probs/widened", **WIDENED)(
    checked(lambda logits, T: (logits.double() / T).softmax(dim=-1), at_zero=lambda logits: one_hot(logits.double()))
)
variant("generation.temperature_probs/widened")(
    checked(lambda logits, T: powers(logits.double(), 1 / T), at_zero=lambda logits: one_hot(logits).double())
)

about("generation.temperature_probs/no-gradient", **DETACHED)(
    checked(lambda logits, T: (logits.detach() / T).softmax(dim=-1))
)
variant("generation.temperature_probs/no-gradient")(
    checked(lambda logits, T: torch.tensor(powers(logits.detach(), 1 / T).tolist(), dtype=logits.dtype))
)


@about("generation.temperature_probs/in-place", **IN_PLACE)
@checked
def in_place(logits, T):
    with torch.no_grad():
        logits -= logits.amax(dim=-1, keepdim=True)
    return (logits / T).softmax(dim=-1)


@variant("generation.temperature_probs/in-place")
@checked
def _(logits, T):
    with torch.no_grad():
        logits.copy_(logits - logits.amax(dim=-1, keepdim=True))
    return powers(logits, 1 / T)


about("generation.temperature_probs/second-axis", **SECOND_AXIS)(
    checked(lambda logits, T: (logits / T - (logits / T).amax(dim=1, keepdim=True)).softmax(dim=1))
)


@variant("generation.temperature_probs/second-axis")
@checked
def _(logits, T):
    weights = torch.exp((logits - logits.amax(dim=1, keepdim=True)) / T)
    return weights / weights.sum(dim=1, keepdim=True)
