"""What the mistakes share: the parts that they get right, and mistakes in how a model is treated."""

from __future__ import annotations

from contextlib import contextmanager

from grader.testing import Explained, misconception, variant


def refuse(wrong, why="out of range"):
    """Raise what the reference raises, where something is wrong."""
    if wrong:
        raise ValueError(why)


@contextmanager
def evaluating(model):
    """Without dropout, and afterwards each module in the mode of before."""
    before = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        yield
    finally:
        for module, mode in before:
            module.training = mode


def still(look):
    """A function that looks into the model in evaluation mode."""

    def function(ref, model, *args):
        with evaluating(model):
            return look(model, *args)

    return function


# --- A model that is not what it was --------------------------------------------------------------------------------


def training(look):
    """Whatever the mode is."""
    return lambda _, model, *args: look(model, *args)


def left_evaluating(look):
    """In evaluation mode for good."""
    return lambda _, model, *args: look(model.eval(), *args)


def one_mode_for_all(look):
    """Afterwards all modules in the mode of the whole."""

    def function(_, model, *args):
        mode = model.training
        model.eval()
        try:
            return look(model, *args)
        finally:
            model.train(mode)

    return function


def without_finally(look):
    """In the mode of before only where all goes well."""

    def function(_, model, *args):
        modes = {module: module.training for module in model.modules()}
        found = look(model.eval(), *args)
        for module, mode in modes.items():
            module.training = mode
        return found

    return function


_TREATMENTS = [
    (
        "training",
        training,
        Explained(
            "You look into the model in whatever mode it is.",
            "In training mode dropout takes a part of every layer away, another one each time: what you measure is the model with holes in it, and does not come out the same twice.",
            hint="Which call switches dropout off?",
        ),
        Explained(
            "你沒有管模型處在什麼模式，就直接往裡面看。",
            "訓練模式下，dropout 會拿掉每一層的一部分，每次拿掉的都不同：你量到的是千瘡百孔的模型，再量一次結果也不一樣。",
            hint="哪個呼叫會關掉 dropout？",
        ),
    ),
    (
        "left-in-evaluation",
        left_evaluating,
        Explained(
            "You leave the model in evaluation mode.",
            "Models are looked into in the middle of training too. The rest of it then runs without dropout, and nobody notices.",
            hint="What was the mode before your function was called? Who puts it back?",
        ),
        Explained(
            "你把模型留在評估模式。",
            "訓練到一半也會想看看模型裡面。之後的訓練就都沒有 dropout，而且沒有人會發現。",
            hint="呼叫你的函式之前是什麼模式？誰把它換回去？",
        ),
    ),
    (
        "one-mode-for-all",
        one_mode_for_all,
        Explained(
            "You put all modules back into the mode of the whole model.",
            "Each module has a mode of its own: a part that somebody keeps in evaluation mode, frozen layers for instance, is in training mode after your call.",
            hint="model.train() also sets the mode of every part. How many modes are there to remember?",
        ),
        Explained(
            "你把所有模組都換回整個模型的模式。",
            "每個模組都有自己的模式：有人刻意讓某一部分處在評估模式，例如凍結的層，呼叫你的函式之後卻變成訓練模式了。",
            hint="model.train() 會連同每一部分一起設定。要記住的模式有幾個？",
        ),
    ),
    (
        "mode-lost-where-it-raises",
        without_finally,
        Explained(
            "Where the model raises, its mode stays changed.",
            "The lines that put the mode back are never reached then. Whoever catches the error goes on with another model than before.",
            hint="Which statement of Python runs its block whether or not something was raised?",
        ),
        Explained(
            "模型引發例外時，模式就回不來了。",
            "這時換回模式的那幾行不會執行到。接住例外的人，之後用的模型已經和之前不同。",
            hint="Python 的哪個陳述，不論有沒有例外都會執行它的區塊？",
        ),
    ),
]


def about_the_model(exercise, hooked, other):
    """Declare what an exercise may do to a model, for two right ways to look into one, written in two styles."""
    for slug, treat, en, zh_tw in _TREATMENTS:
        name = f"{exercise}/{slug}"
        misconception(name, name=exercise.partition(".")[2], en=en, zh_tw=zh_tw)(treat(hooked))
        variant(name)(treat(other))


# --- Words for mistakes of several exercises ------------------------------------------------------------------------

BATCH_ACCEPTED = {
    "en": Explained(
        "You accept a batch, and look at its first sequence only.",
        "The exercise is about one sequence, [T]. Of several, all but one would be dropped without a word.",
        hint="What should become of tokens [2, T]? The given require_shapes can ask.",
    ),
    "zh_tw": Explained(
        "你接受了一個批次，卻只看第一個序列。",
        "這一題處理的是一個序列，[T]。給了好幾個時，其他的就默默被丟掉了。",
        hint="詞元的形狀是 [2, T] 時該怎麼辦？可以用現成的 require_shapes 檢查。",
    ),
}
RESHAPED_IN_PLACE = {
    "en": Explained(
        "You give the caller's tokens another shape.",
        "The sequence belongs to the caller, and after your call it has an axis more. Operations that end in an underscore change what they are given.",
        hint="Print the shape of idx before and after the call.",
    ),
    "zh_tw": Explained(
        "你改了別人給你的詞元的形狀。",
        "序列屬於呼叫你的人，呼叫之後卻多了一軸。名稱以底線結尾的運算會改動收到的東西。",
        hint="在呼叫前後各印一次 idx 的形狀。",
    ),
}
WIDENED = {
    "en": Explained(
        "You return another dtype than you were given.",
        "What is computed from float32 stays float32: one float64 tensor makes everything that it meets float64, and twice as large.",
        hint="Call it with float32, and print the dtype after each line.",
    ),
    "zh_tw": Explained(
        "你回傳的 dtype 和收到的不同。",
        "從 float32 算出來的要維持 float32：一個 float64 張量會把碰到的東西都變成 float64，大小也變成兩倍。",
        hint="用 float32 呼叫，逐行印出 dtype。",
    ),
}
SQUEEZED = {
    "en": Explained(
        "You drop axes of length 1.",
        "squeeze without an axis takes away every axis of length 1: also that of a single head, layer or token, which the caller counts on.",
        hint="What is the shape of your result for a single token? Which axis did you mean to drop?",
    ),
    "zh_tw": Explained(
        "你把長度是 1 的軸都去掉了。",
        "squeeze 不指定軸，就會拿掉所有長度是 1 的軸：只有一個頭、一層或一個詞元時，那個軸也不見了，呼叫你的人卻需要它。",
        hint="只有一個詞元時，你的結果是什麼形狀？你本來想去掉哪一軸？",
    ),
}
