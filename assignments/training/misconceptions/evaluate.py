"""What goes wrong in the exercise training.evaluate.

Two ways to write it are in `evaluations.py`; a mistake is one of them with one thing wrong.
"""

from __future__ import annotations

import math
from contextlib import nullcontext

import torch

from grader.testing import Explained, misconception, variant
from misconceptions.evaluations import counted, each_its_own, gathered, mean_of_all, nothing
from misconceptions.parts import costs, kept, mean, refuse, total


def declare(slug, en, zh_tw, first, second):
    """Declare a mistake that is written in two ways."""
    declared = misconception(f"training.evaluate/{slug}", name="evaluate", en=Explained(*en), zh_tw=Explained(*zh_tw))
    declared(first)
    variant(f"training.evaluate/{slug}")(second)


def _freeze(model):
    for parameter in model.parameters():
        parameter.requires_grad_(requires_grad=False)


def _after_backward(logits, y):
    part = costs(logits, y)
    (part.sum() / max(len(part), 1)).backward()
    return part


def _backward_of_a_mean(logits, y):
    part = total(logits, y)
    (part / max(kept(y), 1)).backward()
    return part


def _mean_of(means, parts):
    refuse(not parts)
    return sum(means) / len(means)


def _mean_unless_zero(parts):
    refuse(not parts)
    return torch.cat(parts).mean().item()


def _padded(logits, y):
    padded = torch.zeros(y.shape, dtype=logits.dtype)
    padded[y != -1] = costs(logits, y)
    return padded.flatten()


def _nan_or_nothing(parts):
    refuse(not sum(map(len, parts)))
    return math.nan


def _counted_first(model, batches):
    n = sum(kept(y) for _, y in batches)
    refuse(n == 0)
    return _sum(model, batches) / n


def _masks_first(model, batches):
    n = sum([(y >= 0).sum().item() for _, y in batches])
    refuse(not n)
    return gathered(result=lambda parts: sum(part.sum().item() for part in parts) / n)(None, model, batches)


def _sum(model, batches):
    return counted(end=lambda nll, _: nll, refuses=False)(None, model, batches)


# --- Modes ----------------------------------------------------------------------------------------------------------

declare(
    "training-mode",
    (
        "You leave dropout on.",
        "The loss is then that of a model with holes in it, another one each time; two evaluations of the same weights differ.",
        "Evaluate twice. Are the numbers the same?",
    ),
    (
        "你沒有關掉 dropout。",
        "這樣算的是缺了一部分的模型，每次缺的都不同；同樣的權重評估兩次，結果會不一樣。",
        "評估兩次。數字相同嗎？",
    ),
    gathered(begin=nothing),
    counted(begin=nothing),
)
declare(
    "left-in-evaluation",
    (
        "You leave the model in evaluation mode.",
        "A model is evaluated in the middle of training. The rest of it then runs without dropout, and nobody notices.",
        "What was the mode before? Who puts it back?",
    ),
    (
        "你把模型留在評估模式。",
        "評估會發生在訓練途中。之後的訓練就都沒有 dropout，而且沒有人會發現。",
        "之前是什麼模式？誰把它換回去？",
    ),
    gathered(restore=nothing),
    counted(restore=nothing),
)
declare(
    "always-training-afterwards",
    (
        "You put the model in training mode afterwards, whatever it was in.",
        "Who evaluates a finished model twice in a row finds dropout on before generating a text with it.",
        "Call model.eval(), then your function. What is model.training?",
    ),
    (
        "不論原本是什麼模式，你事後都切到訓練模式。",
        "把訓練完的模型評估過後拿去生成文字，dropout 卻是開著的。",
        "先呼叫 model.eval()，再呼叫你的函式。model.training 是什麼？",
    ),
    gathered(restore=lambda model, _: model.train()),
    counted(restore=lambda model, _: model.train(mode=True)),
)
declare(
    "one-mode-for-all",
    (
        "You remember the mode of the model, and not of its parts.",
        "`model.train(before)` sets every module to it. A part that was frozen in evaluation mode is then in training mode.",
        "How many modules does your model have, and how many modes did you remember?",
    ),
    (
        "你記住了模型的模式，沒有記住各部分的。",
        "`model.train(before)` 會把每個模組都設成一樣。原本固定在評估模式的部分，就變成訓練模式了。",
        "你的模型有幾個模組？你記住了幾個模式？",
    ),
    gathered(restore=lambda model, modes: model.train(modes[model])),
    counted(restore=lambda model, modes: (model.train if modes[model] else model.eval)()),
)
declare(
    "mode-lost-when-it-fails",
    (
        "When something raises, the model stays in evaluation mode.",
        "Whoever catches the error and goes on, trains on without dropout. What is put back has to be put back come what may.",
        "Which statement runs its last part whether or not there was an exception?",
    ),
    (
        "中途引發例外時，模型就停在評估模式。",
        "接住例外繼續訓練的人，之後都沒有 dropout。不論發生什麼，都要換回去。",
        "哪種敘述不論有沒有例外，都會執行最後一段？",
    ),
    gathered(come_what_may=False),
    counted(come_what_may=False),
)

# --- Gradients and chance -------------------------------------------------------------------------------------------

declare(
    "with-a-graph",
    (
        "You call the model with gradients on.",
        "Everything that a backward pass would need is kept, for a backward pass that never comes: memory for nothing.",
        "Does the loss that you compute require a gradient?",
    ),
    (
        "你在開著梯度的情況下呼叫模型。",
        "反向傳播需要的東西全都留著，卻永遠不會反向傳播：白白占用記憶體。",
        "你算出的損失 requires_grad 嗎？",
    ),
    gathered(quiet=nullcontext),
    counted(quiet=nullcontext),
)
declare(
    "gradients-off-for-good",
    (
        "You switch gradients off and never on again.",
        "The next training step then fails, or learns nothing. What is switched off for a while belongs in a `with`.",
        "After your function, do the logits of the model require a gradient?",
    ),
    (
        "你關掉了梯度，之後沒有再打開。",
        "下一個訓練步驟就會失敗，或什麼都學不到。只關一段時間的東西要寫在 `with` 裡。",
        "你的函式結束後，模型的 logits 還 requires_grad 嗎？",
    ),
    gathered(begin=lambda model: model.eval().requires_grad_(requires_grad=False)),
    counted(restore=lambda model, modes: (each_its_own(model, modes), _freeze(model))),
)
declare(
    "goes-backward",
    (
        "You go backward from the validation loss.",
        "Its gradients are added to those of the training step that is in progress: the model learns from what it should be tested on.",
        "What is in `.grad` before your function, and after?",
    ),
    (
        "你從驗證損失做了反向傳播。",
        "它的梯度會加到進行中的訓練步驟裡：模型就在拿來測驗它的資料上學習。",
        "呼叫你的函式前後，`.grad` 裡各是什麼？",
    ),
    gathered(quiet=nullcontext, of_batch=_after_backward),
    counted(quiet=nullcontext, cost=_backward_of_a_mean),
)
declare(
    "reseeds-torch",
    (
        "You seed torch's own generator.",
        "In evaluation mode nothing is drawn, so nothing needs a seed. But the training afterwards has the same dropout again after every evaluation.",
        "What does torch.rand give after two evaluations?",
    ),
    (
        "你替 torch 自己的產生器設了種子。",
        "評估模式不抽任何東西，不需要種子。可是之後的訓練，每次評估完都會重複同樣的 dropout。",
        "評估兩次，之後的 torch.rand 各給出什麼？",
    ),
    gathered(begin=lambda model: (model.eval(), torch.manual_seed(0))),
    counted(begin=lambda model: torch.random.manual_seed(0) and model.eval()),
)

# --- The mean -------------------------------------------------------------------------------------------------------

declare(
    "mean-of-means",
    (
        "You average the means of the batches.",
        "The last batch is often short, and its tokens then weigh more than all others. Each kept token should weigh the same.",
        "One batch has 1 kept token, another 9. What share does the first one have in your mean?",
    ),
    (
        "你把各批次的平均再取平均。",
        "最後一個批次常常比較短，它的詞元分量就比其他的重。每個有效詞元的分量應該相同。",
        "一個批次有 1 個有效詞元，另一個有 9 個。在你的平均裡，第一個占多少？",
    ),
    gathered(result=lambda parts: _mean_of([part.mean().item() if len(part) else 0.0 for part in parts], parts)),
    counted(cost=mean, count=lambda x, y: 1, end=lambda nll, n: nll / n, refuses=True),
)
declare(
    "weighed-by-sequences",
    (
        "You weigh each batch by its number of sequences.",
        "Sequences are of different lengths, and of some tokens no target is kept. What counts is the number of kept tokens.",
        "Which number do you multiply a batch's mean by?",
    ),
    (
        "你用序列的數量來加權每個批次。",
        "序列長短不一，有些詞元的目標也不算數。要數的是有效詞元。",
        "你把一個批次的平均乘上哪個數？",
    ),
    gathered(of_batch=lambda logits, y: mean(logits, y).expand(len(y)), result=_mean_unless_zero),
    counted(cost=lambda logits, y: mean(logits, y) * y.shape[0], count=lambda x, y: x.shape[0]),
)
declare(
    "ignored-counted",
    (
        "You divide by all targets, also by those that are ignored.",
        "A target of -1 is none. Counted, it makes the loss smaller, the more so the more padding there is.",
        "How many targets of [3, -1, -1, 2] count?",
    ),
    (
        "你除以所有目標的數量，把忽略的也算進去。",
        "-1 的目標等於沒有。算進去，損失就會變小，填充越多就越小。",
        "[3, -1, -1, 2] 裡有幾個目標算數？",
    ),
    gathered(of_batch=_padded, result=_mean_unless_zero),
    counted(count=lambda x, y: y.numel() if kept(y) else y.numel() * bool(x.numel())),
)
declare(
    "perplexity",
    (
        "You return the perplexity.",
        "evaluate gives the loss, in nats per token. The perplexity is its exponential, taken once, at the end.",
        "What do you return for a model that knows nothing, with V = 5: 5, or ln 5?",
    ),
    (
        "你回傳的是困惑度。",
        "evaluate 給的是損失，單位是每個詞元幾 nat。困惑度是它的指數，最後才取一次。",
        "V = 5、什麼都不懂的模型，你回傳 5 還是 ln 5？",
    ),
    gathered(result=lambda parts: math.exp(mean_of_all(parts))),
    counted(end=lambda nll, n: math.e ** (nll / n)),
)
declare(
    "last-batch-only",
    (
        "You return the loss of the last batch.",
        "The number is overwritten in each round. All batches belong to the mean.",
        "Does your result change when the first batch does?",
    ),
    (
        "你回傳的是最後一個批次的損失。",
        "每一輪都把那個數蓋掉了。所有批次都屬於這個平均。",
        "第一個批次改變時，你的結果會跟著變嗎？",
    ),
    gathered(result=lambda parts: mean_of_all(parts[-1:])),
    lambda ref, model, batches: counted()(ref, model, list(batches)[-1:]),
)

# --- Where there is nothing -----------------------------------------------------------------------------------------

declare(
    "nothing-is-zero",
    (
        "Where there is no target you return 0.",
        "0 is the loss of a model that is always right. There is no mean of nothing, and whoever asks for it should hear of it.",
        "What do you return for an empty list, and where every target is -1?",
    ),
    (
        "沒有目標時，你回傳 0。",
        "0 是永遠答對的模型的損失。空的沒有平均，問的人應該知道。",
        "清單是空的，或目標全是 -1 時，你回傳什麼？",
    ),
    gathered(result=lambda parts: mean_of_all(parts) if sum(map(len, parts)) else 0.0),
    counted(refuses=False),
)
declare(
    "nan-from-an-empty-batch",
    (
        "A batch without a target makes everything NaN.",
        "The mean of nothing is 0/0, and NaN times 0 is NaN. Add up sums, and divide once by what is kept altogether.",
        "What is your loss of a batch in which every target is -1?",
    ),
    (
        "沒有目標的批次讓一切變成 NaN。",
        "空的平均是 0/0，而 NaN 乘 0 還是 NaN。把總和加起來，最後只除一次，除以全部的有效詞元數。",
        "一個批次的目標全是 -1 時，你的損失是多少？",
    ),
    gathered(result=lambda parts: mean_of_all(parts) if all(map(len, parts)) else _nan_or_nothing(parts)),
    counted(cost=lambda logits, y: costs(logits, y).mean() * kept(y)),
)
declare(
    "batches-used-up",
    (
        "You go through the batches twice.",
        "Batches may come one by one from a generator: after the first round there are none left.",
        "How many loops over `batches` are there? What does the second see when they come from `iter(...)`?",
    ),
    (
        "你走訪了批次兩次。",
        "批次可能由生成器一個個產生：走完第一次就沒有了。",
        "對 `batches` 有幾個迴圈？批次來自 `iter(...)` 時，第二個迴圈看到什麼？",
    ),
    lambda ref, model, batches: _counted_first(model, batches),
    lambda ref, model, batches: _masks_first(model, batches),
)
