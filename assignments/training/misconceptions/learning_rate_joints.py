"""What goes wrong in the exercise training.learning_rate: where one piece of the curve meets the next."""

from __future__ import annotations

from grader.testing import Explained
from misconceptions.learning_rate import cosine, falling, mistaken, pieces, right_ramp
from misconceptions.shared import refuse


def _rising_again(ref, step, *, max_lr, min_lr, warmup, total):
    def over(s, w, n):
        return n <= w

    return pieces(over=over)(ref, step, max_lr=max_lr, min_lr=min_lr, warmup=warmup, total=total)


def _rising_again_too(ref, step, *, max_lr, min_lr, warmup, total):
    refuse(min(step, warmup, total) < 0)
    if step < warmup:
        return max_lr / warmup * (step + 1)
    if total <= warmup:
        return min_lr
    s = falling((step - warmup) / (total - warmup))
    return min_lr * (1 - s) + max_lr * s


mistaken(
    "rises-again",
    _rising_again,
    _rising_again_too,
    en=Explained(
        "After the last step the rate rises again.",
        "A cosine goes on: half a period down, half a period up. From step total on the rate stays at the minimum.",
        hint="What is your rate at 2 * total?",
    ),
    zh_tw=Explained(
        "最後一步之後，學習率又升上去了。",
        "餘弦會一直走下去：半個週期往下，半個週期往上。從第 total 步起，學習率就停在最小值。",
        hint="在 2 * total，你的學習率是多少？",
    ),
)


mistaken(
    "warmup-one-too-long",
    pieces(warm=lambda step, warmup: step <= warmup and warmup > 0),
    lambda ref, step, *, max_lr, min_lr, warmup, total: (
        max_lr * (warmup + 1) / warmup
        if step == warmup > 0 and total >= 0
        else pieces()(ref, step, max_lr=max_lr, min_lr=min_lr, warmup=warmup, total=total)
    ),
    en=Explained(
        "The warm-up lasts one step too long.",
        "Steps 0 to warmup - 1 are `warmup` steps. One more goes beyond the maximum.",
        hint="Is it `<` or `<=`? What is your rate at step warmup?",
    ),
    zh_tw=Explained(
        "暖身多了一步。",
        "第 0 步到第 warmup - 1 步就是 `warmup` 步。再多一步就超過最大值了。",
        hint="是 `<` 還是 `<=`？在第 warmup 步，你的學習率是多少？",
    ),
)


mistaken(
    "ends-a-step-early",
    pieces(over=lambda step, warmup, total: step >= total - 1),
    lambda ref, step, *, max_lr, min_lr, warmup, total: (
        min_lr
        if step == total - 1 and warmup <= step
        else pieces()(ref, step, max_lr=max_lr, min_lr=min_lr, warmup=warmup, total=total)
    ),
    en=Explained(
        "The minimum begins one step early.",
        "The cosine runs up to step total - 1; the first step at the minimum is step total.",
        hint="What is your rate at step total - 1?",
    ),
    zh_tw=Explained(
        "最小值早了一步開始。",
        "餘弦走到第 total - 1 步；第一個到達最小值的是第 total 步。",
        hint="在第 total - 1 步，你的學習率是多少？",
    ),
)


def _shorter(ref, step, *, max_lr, min_lr, warmup, total):
    def over(s, w, n):
        return s >= n - 1

    def curve(_, high, low):
        return cosine((step - warmup) / (total - 1 - warmup), high, low)

    return pieces(over=over, curve=curve)(ref, step, max_lr=max_lr, min_lr=min_lr, warmup=warmup, total=total)


mistaken(
    "minimum-at-the-last-step",
    _shorter,
    lambda ref, step, *, max_lr, min_lr, warmup, total: pieces()(
        ref, step, max_lr=max_lr, min_lr=min_lr, warmup=warmup, total=max(total - 1, 0) if total > 0 else total
    ),
    en=Explained(
        "Your cosine ends at the last step, one before total.",
        "Here progress is (step - warmup) / (total - warmup), which is 1 at step total. Yours is over total - 1 - warmup, so that every rate of the curve is a little too low.",
        hint="By what do you divide?",
    ),
    zh_tw=Explained(
        "你的餘弦在最後一步就走完了，比 total 早一步。",
        "這裡的進度是 (step - warmup) / (total - warmup)，在第 total 步是 1。你除以 total - 1 - warmup，曲線上的每個學習率都偏低一點。",
        hint="你除以什麼？",
    ),
)


mistaken(
    "off-at-the-end",
    pieces(floor=lambda high, low: 0.0),
    lambda ref, step, *, max_lr, min_lr, warmup, total: (
        0.0
        if min(step, warmup, total) >= 0 and step >= max(warmup, total)
        else pieces()(ref, step, max_lr=max_lr, min_lr=min_lr, warmup=warmup, total=total)
    ),
    en=Explained(
        "After the last step your rate is 0.",
        "From step total on it is min_lr: a run that is prolonged goes on learning, slowly.",
        hint="What do you return when step >= total?",
    ),
    zh_tw=Explained(
        "最後一步之後，你的學習率是 0。",
        "從第 total 步起是 min_lr：延長的訓練還會繼續慢慢學。",
        hint="step >= total 時你回傳什麼？",
    ),
)


def _no_room(ref, step, *, max_lr, min_lr, warmup, total):
    refuse(min(step, warmup, total) < 0)
    if step < warmup:
        return right_ramp(step, max_lr, min_lr, warmup)
    return cosine(min((step - warmup) / (total - warmup), 1.0), max_lr, min_lr)


def _no_room_too(ref, step, *, max_lr, min_lr, warmup, total):
    refuse(step < 0 or warmup < 0 or total < 0)
    if step < warmup:
        return (1 + step) * max_lr / warmup
    progress = (step - warmup) / (total - warmup)
    s = falling(progress) if progress < 1 else 0.0
    return min_lr + s * (max_lr - min_lr)


mistaken(
    "no-room-for-a-cosine",
    _no_room,
    _no_room_too,
    en=Explained(
        "Where the run is no longer than the warm-up you divide by 0, or by less.",
        "There is no room for a cosine then, and the minimum follows the warm-up. Ask whether the run has ended before you compute the progress.",
        hint="What is total - warmup for a warm-up of 4 steps and 4 steps in all?",
    ),
    zh_tw=Explained(
        "總步數不比暖身長時，你除以了 0，或除以負數。",
        "這時放不下餘弦，暖身之後就是最小值。先問訓練是不是已經結束，再算進度。",
        hint="暖身 4 步、總共 4 步時，total - warmup 是多少？",
    ),
)


def _divides_always(ref, step, *, max_lr, min_lr, warmup, total):
    ramp = max_lr * (step + 1) / warmup
    rest = pieces()(ref, max(step, warmup), max_lr=max_lr, min_lr=min_lr, warmup=warmup, total=total)
    refuse(step < 0)
    return ramp if step < warmup else rest


def _divides_always_too(ref, step, *, max_lr, min_lr, warmup, total):
    refuse(min(step, warmup, total) < 0)
    share = (step + 1) / warmup
    if share <= 1:
        return share * max_lr
    return pieces()(ref, step, max_lr=max_lr, min_lr=min_lr, warmup=warmup, total=total)


mistaken(
    "warmup-of-zero",
    _divides_always,
    _divides_always_too,
    en=Explained(
        "Without a warm-up you divide by 0.",
        "A warm-up of 0 steps is none: the cosine begins at step 0. Ask whether step is in the warm-up before you divide by its length.",
        hint="What is (step + 1) / warmup when warmup is 0?",
    ),
    zh_tw=Explained(
        "沒有暖身時，你除以了 0。",
        "暖身 0 步就是沒有暖身：餘弦從第 0 步開始。先問 step 是不是在暖身裡，再除以它的長度。",
        hint="warmup 是 0 時，(step + 1) / warmup 是多少？",
    ),
)


def _unchecked(ref, step, *, max_lr, min_lr, warmup, total):
    if step < warmup:
        return right_ramp(step, max_lr, min_lr, warmup)
    if step >= total:
        return min_lr
    return cosine((step - warmup) / (total - warmup), max_lr, min_lr)


def _unchecked_too(ref, step, *, max_lr, min_lr, warmup, total):
    if warmup > step:
        return max_lr / warmup * (1 + step)
    s = falling((step - warmup) / (total - warmup)) if step < total else 0.0
    return s * max_lr + (1 - s) * min_lr


mistaken(
    "negative-steps-accepted",
    _unchecked,
    _unchecked_too,
    en=Explained(
        "You give a rate for negative steps.",
        "Steps are counted from 0, and a number below is a mistake of the caller. Your formula answers all the same, with a rate of 0 or less.",
        hint="What is your rate at step -1? It should be a ValueError.",
    ),
    zh_tw=Explained(
        "步數是負的，你也給出學習率。",
        "步數從 0 數起，小於 0 表示呼叫的人弄錯了。你的公式照樣回答，學習率是 0 或更小。",
        hint="step 是 -1 時你的學習率是多少？應該引發 ValueError。",
    ),
)
