"""What goes wrong in the exercise training.train where the run is measured and logged."""

from __future__ import annotations

import math
from functools import cache

import torch

from misconceptions.parts import costs
from misconceptions.runs import batches_of, looped, staged, twin
from misconceptions.train import declare


def redrawn(ref, data, config, generator):
    return lambda: batches_of(ref, data.val, config, config.eval_batches, generator)


def drawn_when_asked(ref, data, config, generator):
    def draw():
        n = config.eval_batches
        return [ref.get_batch(data.val, config.batch_size, config.block_size, generator) for _ in range(n)]

    return draw


def drawn_apart(ref, data, config, generator):
    return redrawn(ref, data, config, twin(generator))


def drawn_apart_again(ref, data, config, generator):
    own = torch.Generator()
    own.set_state(generator.get_state())
    return drawn_when_asked(ref, data, config, own)


def from_the_generator(ref, data, config, generator):
    batches = batches_of(ref, data.val, config, config.eval_batches, generator)
    return lambda: batches


def kept_from_the_generator(ref, data, config, generator):
    kept = tuple(drawn_when_asked(ref, data, config, generator)())
    return lambda: kept


def drawn_late(ref, data, config, generator):
    kept = []

    def draw():
        kept.extend([] if kept else from_the_generator(ref, data, config, generator)())
        return kept

    return draw


def drawn_late_again(ref, data, config, generator):
    @cache
    def draw():
        return from_the_generator(ref, data, config, generator)()

    return draw


def of_training_data(ref, data, config, generator):
    batches = batches_of(ref, data.train, config, config.eval_batches, twin(generator))
    return lambda: batches


def of_swapped_data(ref, data, config, generator):
    data.val = data.train
    return kept_from_the_generator(ref, data, config, twin(generator))


def only_one(ref, data, config, generator):
    batches = batches_of(ref, data.val, config, 1, twin(generator))
    return lambda: batches


def first_of_all(ref, data, config, generator):
    batches = batches_of(ref, data.val, config, config.eval_batches, twin(generator))[:1]
    return lambda: batches


def mean_of_exps(ref, model, row, rows, batches):
    each = [math.exp(ref.evaluate(model, [batch])) for batch in batches]
    return sum(each) / len(each)


def mean_of_perplexities(ref, model, row, rows, batches):
    return float(torch.tensor([ref.perplexity(ref.evaluate(model, [b]), 1) for b in batches]).double().mean())


def smoothed(ref, model, row, rows, batches):
    losses = [*(other["val_loss"] for other in rows), row["val_loss"]]
    return math.exp(sum(losses) / len(losses))


def of_the_geometric_mean(ref, model, row, rows, batches):
    product = math.exp(row["val_loss"])
    for other in rows:
        product *= math.exp(other["val_loss"])
    return product ** (1 / (len(rows) + 1))


def _evaluated(model, batches):
    training = model.training
    with torch.no_grad():
        model.eval()
        nll = [costs(model(x)[0], y) for x, y in batches]
        model.train(training)
    return torch.cat(nll).mean().item()


# --- What is measured on --------------------------------------------------------------------------------------------

declare(
    "validation-redrawn",
    (
        "You draw new validation batches at each logged step, from the generator of the training.",
        "How often you log then decides what is trained on, and two points of the curve are about different sequences.",
        "Train twice, once with log_every = 1. Are the training losses the same?",
    ),
    (
        "每次記錄時，你都從訓練用的產生器抽新的驗證批次。",
        "這樣記錄得多頻繁，就決定了拿什麼訓練；而且曲線上的兩點量的是不同的序列。",
        "訓練兩次，其中一次用 log_every = 1。訓練損失相同嗎？",
    ),
    looped(validation=redrawn),
    staged(validation=drawn_when_asked),
)
declare(
    "validation-redrawn-apart",
    (
        "You draw new validation batches at each logged step.",
        "The curve then goes up and down by chance. Drawn once, it shows what the training changed.",
        "With a rate of 0, is your validation loss the same at each logged step?",
    ),
    (
        "每次記錄時，你都抽新的驗證批次。",
        "曲線會隨機上下。只抽一次，看到的才是訓練帶來的改變。",
        "學習率是 0 時，每次記錄的驗證損失都一樣嗎？",
    ),
    looped(validation=drawn_apart),
    staged(validation=drawn_apart_again),
)
declare(
    "validation-from-the-training-generator",
    (
        "You draw the validation batches from the generator of the training.",
        "Drawn once, but from it: how many there are then shifts all batches of the training. A copy of the generator leaves it alone.",
        "Train twice, with eval_batches 1 and 4. Are the training losses the same?",
    ),
    (
        "你從訓練用的產生器抽驗證批次。",
        "雖然只抽一次，還是從它抽的：抽幾個，就讓所有訓練批次跟著移動。用產生器的副本就不會動到它。",
        "訓練兩次，eval_batches 用 1 和 4。訓練損失相同嗎？",
    ),
    looped(validation=from_the_generator),
    staged(validation=kept_from_the_generator),
)
declare(
    "validation-drawn-late",
    (
        "You draw the validation batches at the first logged step, from the generator of the training.",
        "Drawn once, but in between: from the second step on the training has other batches, and how many validation batches there are decides which. Draw them before the first step, from a copy of the generator.",
        "Train twice, with eval_batches 1 and 4. Are the losses of the second step the same?",
    ),
    (
        "你到第一次記錄時才抽驗證批次，而且是從訓練用的產生器抽的。",
        "雖然只抽一次，卻夾在中間：從第二步起，訓練用的就是別的批次，有幾個驗證批次會決定是哪些。要在第一步之前，從產生器的副本抽。",
        "訓練兩次，eval_batches 用 1 和 4。第二步的損失相同嗎？",
    ),
    looped(validation=drawn_late),
    staged(validation=drawn_late_again),
)
declare(
    "validation-on-training-data",
    (
        "Your validation loss is of the training data.",
        "It then falls on, even where the model only learns by heart.",
        "Which data do the validation batches come from?",
    ),
    (
        "你的驗證損失量的是訓練資料。",
        "即使模型只是死記，它還是會一直下降。",
        "驗證批次來自哪些資料？",
    ),
    looped(validation=of_training_data),
    staged(validation=of_swapped_data),
)
declare(
    "eval-batches-ignored",
    (
        "You measure on one batch only.",
        "The config says how many: a mean over few tokens goes up and down by chance.",
        "How many validation sequences does the model see with batch_size 2 and eval_batches 3?",
    ),
    (
        "你只在一個批次上量。",
        "設定裡寫了幾個：只平均少數詞元，數字會隨機上下。",
        "batch_size 2、eval_batches 3 時，模型看到幾個驗證序列？",
    ),
    looped(validation=only_one),
    staged(validation=first_of_all),
)
declare(
    "validation-before-the-update",
    (
        "You measure the validation loss before the update.",
        "The training loss is of before, for it comes with the step; the validation loss tells what the step has made of the model.",
        "Which weights does the last validation loss belong to?",
    ),
    (
        "你在更新之前量驗證損失。",
        "訓練損失是更新前的，因為它隨那一步而來；驗證損失要說明那一步讓模型變成怎樣。",
        "最後一個驗證損失屬於哪些權重？",
    ),
    looped(before=True),
    staged(before=True),
)

# --- What is written down -------------------------------------------------------------------------------------------

declare(
    "loss-after-the-update",
    (
        "You log the training loss after the update.",
        "It costs another pass, without dropout, and a model always looks better on what it has just learned.",
        "Is your first loss that of a model that knows nothing?",
    ),
    (
        "你記錄的是更新之後的訓練損失。",
        "這要多跑一次，而且沒有 dropout；模型在剛學過的東西上總是比較好看。",
        "你的第一個損失，是什麼都不懂的模型的損失嗎？",
    ),
    looped(loss=lambda ref, model, batches, losses, config: ref.evaluate(model, batches)),
    staged(loss=lambda ref, model, batches, *_: _evaluated(model, batches)),
)
declare(
    "perplexity-of-the-training-loss",
    (
        "Your perplexity is that of the training loss.",
        "It is asked for the validation loss: how hard unseen tokens are to guess.",
        "Is exp of val_loss what stands in your list?",
    ),
    (
        "你的困惑度是訓練損失的。",
        "要的是驗證損失的：沒看過的詞元有多難猜。",
        "你清單裡的數，是 val_loss 的指數嗎？",
    ),
    looped(perplexity=lambda ref, model, row, rows, batches: ref.perplexity(row["loss"], 1)),
    staged(perplexity=lambda ref, model, row, rows, batches: math.exp(row["loss"])),
)
declare(
    "perplexity-mean-of-exps",
    (
        "You average the perplexities of the batches.",
        "The mean of exponentials is larger than the exponential of the mean, and depends on how the data are cut into batches.",
        "Losses of 2 and 4: what is the perplexity, exp(3) or (exp(2) + exp(4)) / 2?",
    ),
    (
        "你把各批次的困惑度取平均。",
        "指數的平均大於平均的指數，而且會隨資料怎麼切成批次而變。",
        "損失是 2 和 4：困惑度是 exp(3)，還是 (exp(2) + exp(4)) / 2？",
    ),
    looped(perplexity=mean_of_exps),
    staged(perplexity=mean_of_perplexities),
)
declare(
    "perplexity-smoothed",
    (
        "Your perplexity is of the mean of all validation losses so far.",
        "Smoothing is for the eye, in a plot. Each number of the list belongs to the loss beside it.",
        "Is perplexity[i] the exponential of val_loss[i]?",
    ),
    (
        "你的困惑度用的是到目前為止驗證損失的平均。",
        "平滑是畫圖時給眼睛看的。清單裡每個數都屬於同一列的損失。",
        "perplexity[i] 是 val_loss[i] 的指數嗎？",
    ),
    looped(perplexity=smoothed),
    staged(perplexity=of_the_geometric_mean),
)
declare(
    "steps-counted-from-one",
    (
        "You number the steps from 1.",
        "The first step is step 0, as it is for the schedule.",
        "What is the first entry of history.step?",
    ),
    (
        "你的步數從 1 開始編。",
        "第一步是第 0 步，排程也這樣算。",
        "history.step 的第一個數是什麼？",
    ),
    looped(number=lambda step: step + 1),
    staged(number=lambda step: len(range(step + 1))),
)
declare(
    "last-step-not-logged",
    (
        "You do not log the last step.",
        "It is what the whole run was for. It is logged always, whether or not log_every divides it.",
        "With 6 steps and log_every 3, which steps are logged?",
    ),
    (
        "你沒有記錄最後一步。",
        "整個訓練就是為了它。不論能不能被 log_every 整除，都要記錄。",
        "走 6 步、log_every 是 3 時，記錄了哪幾步？",
    ),
    looped(logs=lambda step, config: int(not step % config.log_every)),
    staged(logs=lambda step, config: int(step in range(0, config.steps, config.log_every))),
)
declare(
    "logged-at-the-end-of-an-interval",
    (
        "You log at the end of each interval, not at its beginning.",
        "Steps 0, log_every, 2 log_every and so on are logged: the first of all shows where the run began.",
        "With 6 steps and log_every 3, is step 0 logged?",
    ),
    (
        "你在每段的結尾記錄，不是開頭。",
        "要記錄的是第 0、log_every、2 log_every 步，依此類推：第一個讓人看到從哪裡開始。",
        "走 6 步、log_every 是 3 時，有記錄第 0 步嗎？",
    ),
    looped(logs=lambda step, config: int((step + 1) % config.log_every == 0 or step + 1 == config.steps)),
    staged(
        logs=lambda step, config: int(
            step in {*range(config.log_every - 1, config.steps, config.log_every), config.steps - 1}
        )
    ),
)
