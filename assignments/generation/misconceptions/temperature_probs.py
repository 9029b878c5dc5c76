"""What goes wrong in the exercise generation.temperature_probs."""

from __future__ import annotations

from functools import partial

from grader.testing import Explained, misconception, variant
from misconceptions.shared import one_hot, powers, refuse

about = partial(misconception, name="temperature_probs")


def checked(rule, at_zero=one_hot):
    """A function that refuses what the reference refuses, and is right at 0; elsewhere `rule(logits, T)`."""

    def function(ref, logits, temperature):
        refuse(not temperature >= 0)
        return at_zero(logits) if temperature == 0 else rule(logits, temperature)

    return function


multiplied = about(
    "generation.temperature_probs/multiplied",
    en=Explained(
        "You multiply the logits by the temperature.",
        "A low temperature must make the likely tokens likelier: differences between logits grow when they are divided by a number below 1. Yours shrink.",
        hint="At temperature 0.5, is the largest of your probabilities larger than at 1?",
    ),
    zh_tw=Explained(
        "你把 logits 乘上了溫度。",
        "溫度低，應該讓機率大的詞元更大：logits 除以小於 1 的數，差距才會變大。你的差距反而變小了。",
        hint="溫度 0.5 時，你最大的機率比溫度 1 時大嗎？",
    ),
)(checked(lambda logits, T: (logits * T).softmax(dim=-1)))
variant("generation.temperature_probs/multiplied")(checked(powers))

about(
    "generation.temperature_probs/twice",
    en=Explained(
        "You divide by the temperature twice.",
        "Somewhere the logits were divided already: once before and once inside the softmax makes temperature 0.5 what 0.25 should be. At 1 nothing shows.",
        hint="Search your code for the temperature. How often does it stand under a fraction line?",
    ),
    zh_tw=Explained(
        "你除了兩次溫度。",
        "logits 在某處已經除過一次：softmax 之前一次、裡面又一次，溫度 0.5 就變成應該是 0.25 的樣子。溫度是 1 時看不出來。",
        hint="在你的程式裡找溫度。它在分母出現了幾次？",
    ),
)(checked(lambda logits, T: (logits / T / T).softmax(dim=-1)))
variant("generation.temperature_probs/twice")(checked(lambda logits, T: powers(logits, T**-2)))

about(
    "generation.temperature_probs/without-effect",
    en=Explained(
        "The temperature has no effect.",
        "Probabilities that are divided by a number and made to sum to 1 again are the ones you had. The division belongs before the softmax, where exp makes a factor of every difference.",
        hint="Which of the two comes first in your code, the softmax or the division?",
    ),
    zh_tw=Explained(
        "溫度沒有作用。",
        "機率除以一個數，再讓總和回到 1，就還是原來的機率。除法要放在 softmax 之前，讓 exp 把每個差距變成倍數。",
        hint="在你的程式裡，softmax 和除法哪個先做？",
    ),
)(checked(lambda logits, _: logits.softmax(dim=-1)))


@variant("generation.temperature_probs/without-effect")
@checked
def _(logits, T):
    scaled = powers(logits) / T
    return scaled / scaled.sum(dim=-1, keepdim=True)


about(
    "generation.temperature_probs/not-a-distribution",
    en=Explained(
        "You divide the probabilities by the temperature, and they no longer sum to 1.",
        "A distribution has the sum 1 at any temperature. The logits are what is divided; the softmax comes after it and takes care of the sum.",
        hint="Add up your probabilities at temperature 2.",
    ),
    zh_tw=Explained(
        "你拿機率去除以溫度，總和就不再是 1。",
        "不論溫度是多少，分布的總和都是 1。該除的是 logits；後面的 softmax 會讓總和變成 1。",
        hint="把溫度 2 時的機率加起來。",
    ),
)(checked(lambda logits, T: logits.softmax(dim=-1) / T))
variant("generation.temperature_probs/not-a-distribution")(checked(lambda logits, T: powers(logits).div(T)))

about(
    "generation.temperature_probs/softmax-twice",
    en=Explained(
        "You take the softmax of probabilities.",
        "You made probabilities, divided them by the temperature, and took them for logits. They lie between 0 and 1, so the second softmax makes them almost equal.",
        hint="How many times is softmax called on the way from the logits to your result?",
    ),
    zh_tw=Explained(
        "你對機率又做了一次 softmax。",
        "你先算出機率，除以溫度，再把它當成 logits。它們都在 0 和 1 之間，第二次 softmax 就把它們變得幾乎一樣大。",
        hint="從 logits 到你的結果，一共呼叫了幾次 softmax？",
    ),
)(checked(lambda logits, T: (logits.softmax(dim=-1) / T).softmax(dim=-1)))
variant("generation.temperature_probs/softmax-twice")(checked(lambda logits, T: powers(powers(logits), 1 / T)))
