"""What goes wrong in the exercise training.plot_history."""

from __future__ import annotations

from matplotlib.figure import Figure

from grader.testing import Explained, misconception, variant


def declare(slug, en, zh_tw, first, second, **words):
    """Declare a mistake that is written in two ways."""
    mistake = f"training.plot_history/{slug}"
    misconception(mistake, name="plot_history", en=Explained(*en), zh_tw=Explained(*zh_tw), **words)(first)
    variant(mistake)(second)


def panel_by_panel(
    *,
    x=lambda history: history.step,
    curves=(("training", "loss"), ("validation", "val_loss")),
    perplexity=lambda history: history.perplexity,
    titles=("Loss", "Perplexity"),
    xlabel="step",
    ylabels=("loss (nats per token)", "perplexity (tokens)"),
    legend=True,
    panels=2,
):
    """Draw one panel after the other."""

    def draw(ref, history):
        figure = Figure()
        axes = [figure.add_subplot(1, panels, i + 1) for i in range(panels)]
        for label, name in curves:
            axes[0].plot(x(history), getattr(history, name), label=label)
        axes[-1].plot(x(history), perplexity(history), label="validation perplexity")
        for each, title, ylabel in zip(axes, titles, ylabels, strict=False):
            each.set_title(title)
            each.set_xlabel(xlabel)
            each.set_ylabel(ylabel)
        if legend:
            axes[0].legend()
        return figure

    return draw


def from_a_table(change):
    """Draw what a table says, after `change(table, history)`: panels of title, labels and curves of name, x, y."""

    def draw(ref, history):
        table = [
            {
                "title": "How the loss fell",
                "xlabel": "optimizer step",
                "ylabel": "cross-entropy loss [nats]",
                "curves": [["train", history.step, history.loss], ["val", history.step, history.val_loss]],
            },
            {
                "title": "How perplexity fell",
                "xlabel": "optimizer step",
                "ylabel": "perplexity [tokens]",
                "curves": [["", history.step, history.perplexity]],
            },
        ]
        table = change(table, history) or table
        figure = Figure()
        for axes, panel in zip(figure.subplots(len(table), 1, squeeze=False).flat, table, strict=True):
            for _, xs, ys in panel["curves"]:
                axes.plot(xs, ys)
            axes.set(title=panel["title"], xlabel=panel["xlabel"], ylabel=panel["ylabel"])
            if any(name for name, _, __ in panel["curves"]):
                axes.legend([name for name, _, __ in panel["curves"]])
        return figure

    return draw


def with_curves(panel, curves):
    """Give one panel other curves."""

    def change(table, history):
        table[panel]["curves"] = curves(history)

    return change


def put(panel, key, text):
    def change(table, _):
        for each in table if panel is None else [table[panel]]:
            each[key] = text

    return change


def by_row(table, history):
    rows = list(range(len(history.step)))
    for panel in table:
        panel["curves"] = [[name, rows, ys] for name, _, ys in panel["curves"]]


def names_swapped(table, _):
    names = [curve[0] for curve in table[0]["curves"]]
    for curve, name in zip(table[0]["curves"], reversed(names), strict=True):
        curve[0] = name


def no_names(table, _):
    for curve in table[0]["curves"]:
        curve[0] = ""


def all_in_one(table, _):
    table[0]["curves"] += [["perplexity", *table[1]["curves"][0][1:]]]
    del table[1]


def one_panel(ref, history):
    figure = Figure()
    axes = figure.subplots()
    for values in (history.loss, history.val_loss, history.perplexity):
        axes.plot(history.step, values)
    axes.set(title="Training", xlabel="step", ylabel="loss (nats per token)")
    axes.legend(["training", "validation", "perplexity"])
    return figure


def _after(figure, _):
    return figure


declare(
    "curves-swapped",
    (
        "Your legend calls the training loss validation, and the other way round.",
        "Whoever reads it sees the wrong one rise when the model begins to learn by heart.",
        "Which list belongs to which name in the legend?",
    ),
    (
        "你的圖例把訓練損失叫做驗證，驗證叫做訓練。",
        "模型開始死記時，看圖的人會以為上升的是另一條。",
        "圖例的每個名稱對應哪個清單？",
    ),
    panel_by_panel(curves=(("validation", "loss"), ("training", "val_loss"))),
    from_a_table(names_swapped),
)
declare(
    "training-loss-only",
    (
        "You draw one loss only.",
        "The training loss alone always falls. What the model has understood shows in the validation loss beside it.",
        "How many curves does the first panel have?",
    ),
    (
        "你只畫了一條損失。",
        "訓練損失總是會降。模型懂了多少，要看旁邊的驗證損失。",
        "第一張圖有幾條曲線？",
    ),
    panel_by_panel(curves=(("training", "loss"),)),
    from_a_table(with_curves(0, lambda h: [["train", h.step, h.loss]])),
)
declare(
    "loss-as-perplexity",
    (
        "You draw the validation loss where the perplexity belongs.",
        "The history has a list for it. Its numbers are exponentials of the loss, and begin near V.",
        "Where does the curve on the second panel begin?",
    ),
    (
        "該畫困惑度的地方，你畫了驗證損失。",
        "紀錄裡有它的清單。它的數值是損失的指數，從接近 V 的地方開始。",
        "第二張圖的曲線從多少開始？",
    ),
    panel_by_panel(perplexity=lambda history: history.val_loss),
    from_a_table(with_curves(1, lambda h: [["", h.step, h.val_loss]])),
)
declare(
    "by-row-number",
    (
        "You draw over the row number, not over the step.",
        "The last logged step is often nearer to the one before than all others: the curve is then bent where nothing is.",
        "What stands at the right end of the horizontal axis: the number of rows, or the last step?",
    ),
    (
        "你的橫軸是第幾筆，不是步數。",
        "最後記錄的那步，離前一步常比其他的近：曲線就會在沒事的地方彎掉。",
        "橫軸的右端是筆數，還是最後的步數？",
    ),
    panel_by_panel(x=lambda history: range(len(history.step))),
    from_a_table(by_row),
)
declare(
    "all-on-one-panel",
    (
        "You draw everything on one panel.",
        "Nats and tokens are different units: next to a perplexity of hundreds the losses lie flat on the ground.",
        "How many panels does your figure have?",
    ),
    (
        "你把全部畫在同一張圖上。",
        "nat 和詞元是不同的單位：困惑度好幾百時，損失就平貼在底部。",
        "你的圖有幾個子圖？",
    ),
    one_panel,
    from_a_table(all_in_one),
)
declare(
    "no-legend",
    (
        "Two curves, and no legend.",
        "Nobody can tell training from validation. A label alone does not show: the legend has to be asked for.",
        "Which call draws the legend?",
    ),
    (
        "有兩條曲線，卻沒有圖例。",
        "沒有人分得出訓練和驗證。只有標籤不會顯示：圖例要另外呼叫。",
        "哪個呼叫會畫出圖例？",
    ),
    panel_by_panel(legend=False),
    from_a_table(no_names),
)
declare(
    "no-title",
    (
        "The panels have no titles.",
        "A figure travels without the text around it. A title says what it shows.",
        "What stands above each panel?",
    ),
    (
        "子圖沒有標題。",
        "圖會離開旁邊的文字單獨流傳。標題說明畫的是什麼。",
        "每個子圖上方寫了什麼？",
    ),
    panel_by_panel(titles=("", "")),
    from_a_table(put(None, "title", "")),
)
declare(
    "horizontal-axis-unlabelled",
    (
        "The horizontal axes have no labels.",
        "Steps, epochs, tokens, hours: all of them are drawn along this axis somewhere.",
        "What stands below each panel?",
    ),
    (
        "橫軸沒有標籤。",
        "步數、輪數、詞元數、小時：都有人拿來當橫軸。",
        "每個子圖下方寫了什麼？",
    ),
    panel_by_panel(xlabel=""),
    from_a_table(put(None, "xlabel", "")),
)
declare(
    "units-missing",
    (
        "The vertical axes do not say their units.",
        "A loss of 1.4 can be nats or bits, per token or per letter. The unit belongs to the number.",
        "In what is your loss measured?",
    ),
    (
        "縱軸沒有寫單位。",
        "損失 1.4 可能是 nat 或位元，每個詞元或每個字母。單位是數值的一部分。",
        "你的損失用什麼單位？",
    ),
    panel_by_panel(ylabels=("loss", "perplexity")),
    from_a_table(lambda table, _: [table[0] | {"ylabel": "Loss"}, table[1] | {"ylabel": "Perplexity"}]),
)
declare(
    "history-changed",
    (
        "You change the history that you draw.",
        "It belongs to the caller, who may log it, or draw it once more.",
        "Print history.loss before and after the call.",
    ),
    (
        "你改動了要畫的紀錄。",
        "它屬於呼叫你的人，之後可能還要存起來，或再畫一次。",
        "在呼叫前後各印一次 history.loss。",
    ),
    lambda ref, history: _after(panel_by_panel()(ref, history), history.loss.clear()),
    lambda ref, history: _after(from_a_table(lambda *_: None)(ref, history), history.loss.__delitem__(slice(None))),
)
