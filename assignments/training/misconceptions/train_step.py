"""What goes wrong in the exercise training.train_step.

Two ways to write the step are in `steps.py`; a mistake is one of them with one thing wrong.
"""

from __future__ import annotations

from functools import partial

import torch

from grader.testing import Explained, misconception, variant
from misconceptions.parts import all_kept, clip, costs, kept, mean, refuse, total
from misconceptions.steps import backward_each, backward_once

about = partial(misconception, name="train_step")
another = variant


def declare(slug, en, zh_tw, first, second):
    """Declare a mistake that is written in two ways."""
    about(f"training.train_step/{slug}", en=Explained(*en), zh_tw=Explained(*zh_tw))(first)
    another(f"training.train_step/{slug}")(second)


def _step_by_step(ref, model, batches, optimizer, max_norm):
    batches, loss = list(batches), 0.0
    n = all_kept(batches)
    for x, y in batches:
        optimizer.zero_grad()
        part = total(model(x)[0], y) / n
        part.backward()
        clip(list(model.parameters()), max_norm)
        optimizer.step()
        loss += float(part)
    return loss


@torch.no_grad()
def _descend(model, optimizer):
    for p in model.parameters():
        p.sub_(optimizer.param_groups[0]["lr"] * p.grad)


def _descend_without_grad(model, optimizer):
    for p in model.parameters():
        p.data = torch.sub(p.data, p.grad, alpha=optimizer.defaults["lr"])


# --- Gradients that should be gone, or should not -------------------------------------------------------------------

declare(
    "zero-grad-missing",
    (
        "You never clear the gradients.",
        "`backward` adds to what is there. Without clearing, each step goes along the sum of all gradients since the beginning.",
        "Make two steps with the same batch. What is in `.grad` before the second backward?",
    ),
    (
        "你從來沒有清掉梯度。",
        "`backward` 會把梯度加到原有的值上。不清掉，每一步走的就是從開頭累積到現在的梯度總和。",
        "用同一個批次走兩步。第二次 backward 之前，`.grad` 裡有什麼？",
    ),
    backward_each(before=lambda *_: None),
    backward_once(before=lambda *_: None),
)
declare(
    "zero-grad-per-micro-batch",
    (
        "You clear the gradients before each micro-batch.",
        "Accumulation lives from what `backward` adds up. Cleared in between, only the last micro-batch is left.",
        "How often per step does your clearing run? How often should it?",
    ),
    (
        "你在每個小批次之前都清掉梯度。",
        "累積靠的就是 `backward` 的相加。中間清掉，就只剩最後一個小批次。",
        "在一步之中，你清了幾次？應該清幾次？",
    ),
    backward_each(between=lambda model, _: model.zero_grad()),
    backward_once(learned=lambda losses: losses[-1:]),
)
declare(
    "zero-grad-after-backward",
    (
        "You clear the gradients between backward and the step.",
        "The optimizer then finds nothing: the model does not move, or only as far as momentum and decay carry it.",
        "What is in `.grad` when `optimizer.step()` is called?",
    ),
    (
        "你在 backward 和更新之間清掉了梯度。",
        "最佳化器就什麼都看不到：模型不會動，或只隨動量和衰減移動。",
        "呼叫 `optimizer.step()` 時，`.grad` 裡是什麼？",
    ),
    backward_each(after=lambda model, *_: [p.grad.zero_() for p in model.parameters()]),
    backward_once(clip=lambda model, _: [p.grad.mul_(0) for p in model.parameters()]),
)
declare(
    "zero-grad-at-the-end-only",
    (
        "You clear the gradients after the step only.",
        "Whatever was in them when your function was called goes into the first step: an evaluation with gradients, a step that broke off. Clear them before you begin.",
        "Leave a gradient in a parameter, then call your function. Does the step know of it?",
    ),
    (
        "你只在更新之後清掉梯度。",
        "函式被呼叫時梯度裡有什麼，就會混進第一步：可能來自帶梯度的評估，也可能來自中斷的一步。開始之前就要清。",
        "先在某個參數裡留下梯度，再呼叫你的函式。這一步受影響嗎？",
    ),
    backward_each(before=lambda *_: None, end=lambda _, optimizer: optimizer.zero_grad()),
    backward_once(before=lambda *_: None, end=lambda model, _: [setattr(p, "grad", None) for p in model.parameters()]),
)

# --- What the parts are divided by ----------------------------------------------------------------------------------

declare(
    "sum-of-means",
    (
        "You add up the means of the micro-batches.",
        "With k micro-batches the gradient is about k times too large: the rate and the clipping then mean something else for each k.",
        "Cut a batch into two. Do the loss and the step stay the same?",
    ),
    (
        "你把各個小批次的平均加起來了。",
        "有 k 個小批次，梯度就大約大了 k 倍：k 不同，學習率和裁剪的意義也跟著不同。",
        "把一個批次切成兩個。損失和那一步還一樣嗎？",
    ),
    backward_each(weigh=lambda part, y, batches: part / max(kept(y), 1)),
    backward_once(loss=mean, divide=lambda batches: 1),
)
declare(
    "mean-of-means",
    (
        "You average the means of the micro-batches.",
        "A token in a short micro-batch then weighs more than one in a long one. What should weigh the same is each kept token.",
        "One micro-batch has 1 kept token, another 9. What share does the first one have in your loss?",
    ),
    (
        "你把各個小批次的平均再取平均。",
        "短的小批次裡的詞元，分量就比長的重。該有相同分量的是每個有效詞元。",
        "一個小批次有 1 個有效詞元，另一個有 9 個。在你的損失裡，第一個占多少？",
    ),
    backward_each(weigh=lambda part, y, batches: part / max(kept(y), 1) / len(batches)),
    backward_once(loss=mean, divide=len),
)
declare(
    "divided-by-a-running-count",
    (
        "You divide each micro-batch by how many there were so far.",
        "The first is divided by 1, the second by 2, and so on: the later ones count less. All are divided by the same number.",
        "By what is the first part divided, and by what the last?",
    ),
    (
        "你用到目前為止的小批次數來除每個小批次。",
        "第一個除以 1，第二個除以 2，依此類推：越後面分量越小。全部都要除以同一個數。",
        "第一個部分除以多少？最後一個呢？",
    ),
    backward_each(running=True),
    backward_once(
        loss=mean, parts=lambda losses: [each / i for i, each in enumerate(losses, start=1)], divide=lambda _: 1
    ),
)
declare(
    "ignored-counted",
    (
        "You divide by all targets, also by those that are ignored.",
        "A target of -1 is none. Counted, it makes loss and gradient smaller, the more so the more padding there is.",
        "How many targets of [3, -1, -1, 2] count?",
    ),
    (
        "你除以所有目標的數量，把忽略的也算進去。",
        "-1 的目標等於沒有。算進去，損失和梯度就會變小，填充越多就越小。",
        "[3, -1, -1, 2] 裡有幾個目標算數？",
    ),
    backward_each(weigh=lambda part, y, batches: part / sum(y.numel() for _, y in batches)),
    backward_once(divide=lambda batches: sum(len(y.flatten()) for _, y in batches)),
)
declare(
    "ignored-target-is-a-token",
    (
        "You learn from targets of -1 too.",
        "As an index -1 is the last token of the vocabulary. The model is taught to say it wherever there is nothing to say.",
        "Which logit does your loss look at where the target is -1?",
    ),
    (
        "目標是 -1 時你也在學。",
        "當索引用，-1 是詞彙表的最後一個詞元。模型被教成在沒有目標的地方也說它。",
        "目標是 -1 時，你的損失看的是哪個 logit？",
    ),
    backward_each(
        loss=lambda logits, y: -logits.log_softmax(dim=-1).gather(-1, (y % logits.shape[-1])[..., None]).sum(),
        weigh=lambda part, y, batches: part / sum(y.numel() for _, y in batches),
        refuses=lambda batches: refuse(sum(kept(y) for _, y in batches) == 0),
    ),
    backward_once(
        loss=lambda logits, y: total(logits, torch.where(y == -1, logits.shape[-1] - 1, y)),
        divide=lambda batches: sum(y.numel() for _, y in batches),
    ),
)
declare(
    "nan-from-an-empty-micro-batch",
    (
        "A micro-batch without a target makes everything NaN.",
        "The mean of nothing is 0/0, and NaN times a weight of 0 is NaN. Add up sums, and divide once by what is kept altogether.",
        "What is your loss of a micro-batch in which every target is -1?",
    ),
    (
        "沒有目標的小批次讓一切變成 NaN。",
        "空的平均是 0/0，而 NaN 乘上權重 0 還是 NaN。把總和加起來，最後只除一次，除以全部的有效詞元數。",
        "一個小批次的目標全是 -1 時，你的損失是多少？",
    ),
    backward_each(
        loss=lambda logits, y: costs(logits, y).mean(),
        weigh=lambda part, y, batches: part * (kept(y) / all_kept(batches)),
    ),
    backward_once(loss=lambda logits, y: total(logits, y) / kept(y) * kept(y)),
)

# --- Steps and losses -----------------------------------------------------------------------------------------------

declare(
    "step-for-each-micro-batch",
    (
        "You make a step for each micro-batch.",
        "The second gradient is then of another model than the first. Micro-batches stand for one batch that is too large for the memory: one step.",
        "How often does `optimizer.step()` run for three micro-batches?",
    ),
    (
        "你對每個小批次都走一步。",
        "這樣第二個梯度來自另一個模型。小批次代表一個放不進記憶體的大批次：只走一步。",
        "三個小批次時，`optimizer.step()` 執行幾次？",
    ),
    backward_each(step_each=True),
    _step_by_step,
)
declare(
    "last-micro-batch-lost",
    (
        "The last micro-batch is lost.",
        "All that were given belong to the step, however many there are and however small the last one is.",
        "Make a step from one micro-batch alone. Does anything move?",
    ),
    (
        "最後一個小批次不見了。",
        "給進來的全部都屬於這一步，不論有幾個、最後一個有多小。",
        "只用一個小批次走一步。有東西動嗎？",
    ),
    backward_each(seen=lambda batches: batches[:-1]),
    backward_once(parts=lambda losses: losses[: len(losses) - 1]),
)
declare(
    "hand-made-step",
    (
        "You move the parameters yourself.",
        "How far and where to is for the optimizer, which keeps momentum and rates of its own. A step by hand is plain gradient descent, whatever optimizer was given.",
        "Which line uses the optimizer?",
    ),
    (
        "你自己移動了參數。",
        "走多遠、往哪走是最佳化器的事，它有自己的動量和學習率。自己動手，不論給的是哪個最佳化器，都成了單純的梯度下降。",
        "哪個敘述用到了最佳化器？",
    ),
    backward_each(move=_descend),
    backward_once(move=_descend_without_grad),
)
declare(
    "loss-after-the-step",
    (
        "You return the loss after the step.",
        "It costs another pass through the model, and it is not the loss whose gradient was followed.",
        "When is the number that you return computed?",
    ),
    (
        "你回傳的是更新之後的損失。",
        "那要再跑一次模型，而且不是這一步所依據的損失。",
        "你回傳的數是什麼時候算的？",
    ),
    backward_each(after_the_step=True),
    backward_once(after_the_step=True),
)

# --- Around the step ------------------------------------------------------------------------------------------------

declare(
    "switched-to-training",
    (
        "You switch the model to training mode.",
        "The mode is the caller's: whoever trains without dropout on purpose, gets it after all, and finds it on afterwards.",
        "Call model.eval(), make a step, and look at model.training.",
    ),
    (
        "你把模型切到訓練模式。",
        "模式由呼叫的人決定：有人刻意不用 dropout，結果還是用了，之後也一直開著。",
        "先呼叫 model.eval()，走一步，再看 model.training。",
    ),
    backward_each(begin=lambda model: model.train()),
    backward_once(begin=lambda model: model.train(mode=True)),
)
declare(
    "switched-to-evaluation",
    (
        "You switch the model to evaluation mode.",
        "A step is learned with dropout on. In evaluation mode the model learns without what should keep it from learning by heart.",
        "Where in your function does the mode change?",
    ),
    (
        "你把模型切到評估模式。",
        "訓練的一步要開著 dropout。在評估模式下學習，就少了防止死記的機制。",
        "你的函式在哪裡改了模式？",
    ),
    backward_each(begin=lambda model: model.eval()),
    backward_once(begin=lambda model: model.train(mode=False)),
)
declare(
    "nothing-accepted",
    (
        "Where there is no target you return a number all the same.",
        "There is no mean of nothing. Whoever hands in batches without a target has made a mistake and should hear of it.",
        "What do you return for an empty list, and where every target is -1?",
    ),
    (
        "沒有目標時你還是回傳了一個數。",
        "空的沒有平均。給了沒有目標的批次，一定是哪裡弄錯了，應該讓他知道。",
        "清單是空的，或目標全是 -1 時，你回傳什麼？",
    ),
    backward_each(
        refuses=lambda _: None, weigh=lambda part, y, batches: part / max(1, sum(kept(y) for _, y in batches))
    ),
    backward_once(refuses=lambda _: None),
)
declare(
    "batches-used-up",
    (
        "You go through the batches twice.",
        "Batches may come one by one from a generator: after the first round there are none left. Make a list of them first.",
        "How many loops over `batches` are there? What does the second see when they come from `iter(...)`?",
    ),
    (
        "你走訪了批次兩次。",
        "批次可能由生成器一個個產生：走完第一次就沒有了。先把它們存成串列。",
        "對 `batches` 有幾個迴圈？批次來自 `iter(...)` 時，第二個迴圈看到什麼？",
    ),
    backward_each(lists=False),
    backward_once(lists=False),
)
