"""What goes wrong in the exercise training.train: rates, optimizer, data and modes. What is logged is in `train_log.py`.

Two ways to write a run are in `runs.py`; a mistake is one of them with one thing wrong.
"""

from __future__ import annotations

import copy
import math

import torch

from grader.testing import Explained, misconception, variant
from misconceptions.runs import batches_of, looped, nothing, rate_of, staged, twin


def declare(slug, en, zh_tw, first, second):
    """Declare a mistake that is written in two ways."""
    misconception(f"training.train/{slug}", name="train", en=Explained(*en), zh_tw=Explained(*zh_tw))(first)
    variant(f"training.train/{slug}")(second)


def first_only(optimizer, lr):
    optimizer.param_groups[0]["lr"] = lr


def under_another_name(optimizer, lr):
    for group in optimizer.param_groups:
        group["learning_rate"] = lr


def by_adamw(**changes):
    """The optimizer with other numbers than those of the config."""

    def optimizer(ref, model, config):
        numbers = {"lr": config.max_lr, "betas": config.betas, "eps": config.eps, "weight_decay": config.weight_decay}
        return ref.AdamW(ref.parameter_groups(model, config.weight_decay), **(numbers | changes))

    return optimizer


def one_group(ref, model, config):
    return ref.AdamW(model.parameters(), config.max_lr, config.betas, config.eps, config.weight_decay)


def all_decay(ref, model, config):
    groups = ref.parameter_groups(model, config.weight_decay)
    for group in groups:
        group["weight_decay"] = config.weight_decay
    return ref.AdamW(groups, config.max_lr, config.betas, config.eps)


def once_for_all():
    """Draw the batches of the first step, and give them to all."""

    def train(ref, *arguments):
        drawn = []

        def batches(ref, data, config, generator):
            drawn.extend([] if drawn else batches_of(ref, data.train, config, config.accumulate, generator))
            return drawn

        return looped(batches=batches)(ref, *arguments)

    return train


def begun_anew():
    """Bring the generator back before each step to where the run began."""

    def train(ref, model, train_data, val_data, config, generator):
        begin = generator.get_state()

        def batches(ref, data, config, generator):
            return batches_of(ref, data.train, config, config.accumulate, generator.set_state(begin))

        return staged(batches=batches)(ref, model, train_data, val_data, config, generator)

    return train


def one_repeated(ref, data, config, generator):
    return batches_of(ref, data.train, config, 1, generator) * config.accumulate


def one_cut_out_again(ref, data, config, generator):
    again = generator.get_state()
    drawn = []
    for _ in range(config.accumulate):
        generator.set_state(again)
        drawn += batches_of(ref, data.train, config, 1, generator)
    return drawn


def both_together(data):
    data.train = torch.cat([data.train, data.val])


def both_stacked(data):
    data.train = torch.hstack((data.train, data.val))


def of_a_copy(ref, model, *arguments):
    same = copy.copy(model)
    vars(same).update(copy.deepcopy(vars(model)))
    return staged()(ref, same, *arguments)


# --- The rate -------------------------------------------------------------------------------------------------------

declare(
    "rate-not-applied",
    (
        "You compute the learning rate and do not give it to the optimizer.",
        "The optimizer moves by the `lr` of its groups. What only stands in the history has no effect.",
        "Print `optimizer.param_groups[0]['lr']` before each step.",
    ),
    (
        "你算了學習率，卻沒有交給最佳化器。",
        "最佳化器移動時看的是各組的 `lr`。只寫在紀錄裡的沒有作用。",
        "每一步之前，印出 `optimizer.param_groups[0]['lr']`。",
    ),
    looped(apply=nothing),
    staged(apply=under_another_name),
)
declare(
    "rate-of-the-first-group-only",
    (
        "You set the rate of the first group only.",
        "Matrices and vectors are in different groups: biases and gains go on with the rate of the beginning.",
        "How many groups does the optimizer have? How many rates do you set?",
    ),
    (
        "你只設定了第一組的學習率。",
        "矩陣和向量在不同的組：偏值和增益會一直用開頭的學習率。",
        "最佳化器有幾組？你設定了幾個學習率？",
    ),
    looped(apply=first_only),
    staged(apply=lambda optimizer, lr: [group.update(lr=lr) for group in optimizer.param_groups[:1]]),
)
declare(
    "rate-of-the-next-step",
    (
        "You use the rate of the next step.",
        "Steps are counted from 0, and the schedule adds its own 1 in the warm-up.",
        "Which step does your first call of learning_rate ask for?",
    ),
    (
        "你用的是下一步的學習率。",
        "步數從 0 算起，暖身時排程自己會加 1。",
        "你第一次呼叫 learning_rate，問的是第幾步？",
    ),
    looped(rate=lambda ref, step, config: rate_of(ref, step, config, later=1)),
    staged(rate=lambda ref, step, config: rate_of(ref, -~step, config)),
)

# --- The optimizer --------------------------------------------------------------------------------------------------

declare(
    "everything-decays",
    (
        "You let all parameters decay.",
        "Biases and gains of norms do not: a gain is meant to be near 1, not near 0. parameter_groups tells them apart.",
        "What do you hand to AdamW?",
    ),
    (
        "你讓所有參數都衰減。",
        "偏值和正規化的增益不衰減：增益該接近 1，不是接近 0。parameter_groups 會把它們分開。",
        "你交給 AdamW 的是什麼？",
    ),
    looped(optimizer=one_group),
    staged(optimizer=all_decay),
)
declare(
    "numbers-of-adamw-not-passed",
    (
        "You leave AdamW its own betas and eps.",
        "Those of the config are for this run: transformers forget faster than AdamW does by itself.",
        "Which numbers of the config reach the optimizer?",
    ),
    (
        "你讓 AdamW 用自己的 betas 和 eps。",
        "這次訓練要用設定裡的：transformer 的遺忘率比 AdamW 的預設快。",
        "設定裡的哪些數有傳到最佳化器？",
    ),
    looped(optimizer=by_adamw(betas=(0.9, 0.999), eps=1e-8)),
    staged(optimizer=lambda ref, model, c: ref.AdamW(ref.parameter_groups(model, c.weight_decay), c.max_lr)),
)
declare(
    "optimizer-made-anew",
    (
        "You make a new optimizer for each step.",
        "It forgets its means each time: every step is then a first step, along the signs of the gradient.",
        "Does the line that makes the optimizer stand inside the loop?",
    ),
    (
        "你每一步都建立新的最佳化器。",
        "它每次都忘掉累積的平均：每一步都成了第一步，只看梯度的正負號。",
        "建立最佳化器的敘述寫在迴圈裡面嗎？",
    ),
    looped(anew=True),
    staged(anew=True),
)
declare(
    "never-clipped",
    (
        "Your run never clips.",
        "max_norm comes with the config and belongs into train_step.",
        "Which number do you hand to train_step as max_norm?",
    ),
    (
        "你的訓練從來不裁剪。",
        "max_norm 在設定裡，要傳給 train_step。",
        "你交給 train_step 的 max_norm 是多少？",
    ),
    looped(norm=lambda config: math.inf),
    staged(norm=lambda config: 1e30),
)

# --- Batches --------------------------------------------------------------------------------------------------------

declare(
    "one-batch-for-all-steps",
    (
        "Every step has the same batches.",
        "The model learns those few sequences by heart. Draw new ones in each step, and do not start the generator anew.",
        "Print the first token of each step's first sequence.",
    ),
    (
        "每一步用的都是同樣的批次。",
        "模型只會把那幾個序列背起來。每一步都要抽新的，產生器也不要從頭開始。",
        "印出每一步第一個序列的第一個詞元。",
    ),
    once_for_all(),
    begun_anew(),
)
declare(
    "one-micro-batch-repeated",
    (
        "All micro-batches of a step are the same.",
        "Accumulated, they are no better than one. Each is drawn by itself.",
        "Are the micro-batches of one step equal?",
    ),
    (
        "同一步裡的小批次都一樣。",
        "累積起來和一個沒有差別。每個都要各自抽。",
        "一步之中的小批次相等嗎？",
    ),
    looped(batches=one_repeated),
    staged(batches=one_cut_out_again),
)
declare(
    "accumulate-ignored",
    (
        "You make each step from one micro-batch.",
        "The config says how many a step is made from.",
        "How many sequences does the model see per step with batch_size 3 and accumulate 2?",
    ),
    (
        "你每一步只用一個小批次。",
        "設定裡寫了每一步要用幾個。",
        "batch_size 3、accumulate 2 時，模型每一步看到幾個序列？",
    ),
    looped(batches=lambda ref, data, config, generator: batches_of(ref, data.train, config, 1, generator)),
    staged(batches=lambda ref, data, c, g: [ref.get_batch(data.train, c.batch_size, c.block_size, g)]),
)
declare(
    "chance-from-elsewhere",
    (
        "Your batches come from torch's own generator.",
        "A run that shall repeat draws from the generator that it is given. torch's own is for dropout, and anybody may have used it.",
        "Run twice with generators of the same seed. Are the losses the same?",
    ),
    (
        "你的批次來自 torch 自己的產生器。",
        "要能重現的訓練，就得從給定的產生器抽。torch 自己的是給 dropout 用的，誰都可能動過它。",
        "用同樣種子的產生器訓練兩次。損失相同嗎？",
    ),
    looped(generator=lambda _: torch.default_generator),
    staged(generator=lambda _: torch.random.default_generator),
)
declare(
    "generator-stands-still",
    (
        "The generator that you are given stands still.",
        "You draw the training batches from a copy. The copy is for the validation batches: the generator itself has to go on, for a second run with it would meet the same sequences again, and a checkpoint would save where it stood.",
        "Call train twice with one generator. Does the second run see other batches?",
    ),
    (
        "給你的產生器停在原地。",
        "你從副本抽訓練批次。副本是給驗證批次用的：產生器本身要往前走，否則接著再訓練一次，遇到的又是同樣的序列，檢查點存下的也是原來的位置。",
        "用同一個產生器呼叫 train 兩次。第二次看到的批次不同嗎？",
    ),
    looped(generator=copy.deepcopy),
    staged(generator=twin),
)
declare(
    "trained-on-validation-data",
    (
        "You train on the validation data too.",
        "What was learned by heart says nothing about what was understood: the validation loss then looks better than it is.",
        "Which tokens can a training batch hold?",
    ),
    (
        "你也用驗證資料訓練。",
        "背起來的東西，說明不了懂了多少：驗證損失看起來會比實際好。",
        "訓練批次裡可能出現哪些詞元？",
    ),
    looped(data=both_together),
    staged(data=both_stacked),
)

# --- Modes and steps ------------------------------------------------------------------------------------------------

declare(
    "mode-not-set",
    (
        "You do not switch the model to training mode.",
        "It may come in evaluation mode, from a checkpoint or a text: dropout is then off all the way.",
        "Call model.eval() and train. When is dropout on?",
    ),
    (
        "你沒有把模型切到訓練模式。",
        "它進來時可能在評估模式，例如剛生成過文字：那麼從頭到尾都沒有 dropout。",
        "先呼叫 model.eval() 再訓練。dropout 什麼時候是開的？",
    ),
    looped(begin=nothing),
    staged(begin=nothing),
)
declare(
    "left-in-evaluation-mode",
    (
        "You leave the model in evaluation mode.",
        "Training goes on later, and whoever calls this function finds the model in training mode afterwards.",
        "What is model.training when your function returns?",
    ),
    (
        "你把模型留在評估模式。",
        "之後還會接著訓練；這個函式結束時，模型要在訓練模式。",
        "你的函式回傳時，model.training 是什麼？",
    ),
    looped(end=lambda model: model.eval()),
    staged(end=lambda model: model.train(mode=False)),
)
declare(
    "a-copy-is-trained",
    (
        "You train a copy of the model.",
        "The history is right, and the model of whoever called you has learned nothing.",
        "Compare the weights before and after the call.",
    ),
    (
        "你訓練的是模型的副本。",
        "紀錄是對的，但呼叫你的人手上的模型什麼都沒學到。",
        "比較呼叫前後的權重。",
    ),
    lambda ref, model, *arguments: looped()(ref, copy.deepcopy(model), *arguments),
    of_a_copy,
)
