"""The curves of a run that was logged at the steps 0, 10, 20 and 24. The wording is your own; some words have to be there."""

import math

import numpy as np

from grader.testing import assert_close, assert_equal, assert_unchanged, core, edge, exercise

pytestmark = exercise("training.plot_history")

STEP, LOSS, VAL_LOSS = [0, 10, 20, 24], [3.5, 2.5, 1.5, 1.0], [3.2, 2.6, 2.0, 1.8]


def history(submission, n=4):
    return submission.History(
        step=STEP[:n],
        loss=LOSS[:n],
        val_loss=VAL_LOSS[:n],
        perplexity=[math.exp(loss) for loss in VAL_LOSS[:n]],
        learning_rate=[0.1, 0.3, 0.2, 0.1][:n],
    )


def panels(submission, n=4):
    found = submission.drawn(submission.plot_history(history(submission, n)))
    assert len(found) == 2, f"the figure has {len(found)} panels, and not 2"
    return found


@core
def test_the_losses_are_on_one_panel_and_the_perplexity_on_another(submission):
    losses, perplexity = panels(submission)
    for panel, expected in ((losses, [VAL_LOSS, LOSS]), (perplexity, [[math.exp(loss) for loss in VAL_LOSS]])):
        drawn = sorted(line["y"] for line in panel["lines"])
        assert_equal(len(drawn), len(expected), what="the number of lines on a panel")
        for got, right in zip(drawn, expected, strict=True):
            assert_close(np.array(got), np.array(right), what="a line that is drawn")
        for line in panel["lines"]:
            assert_close(np.array(line["x"]), np.array(STEP, float), what="where a line has its points")


@edge
def test_what_is_drawn_has_titles_labels_with_units_and_a_legend(submission):
    losses, perplexity = panels(submission)
    for panel, y, unit in ((losses, "loss", "nat"), (perplexity, "perplexity", "token")):
        assert panel["titled"], f"the panel of the {y} has no title"
        assert_equal(panel["x"], "step", what="what a horizontal axis is labelled with")
        assert_equal(panel["y"], y, what="what a vertical axis names")
        assert_equal(panel["unit"], unit, what=f"the unit of the {y}, a word on the vertical axis")
    assert losses["legend"], "the first panel has two lines and no legend"
    named = {line["name"]: line["y"] for line in losses["lines"]}
    assert_equal(sorted(named), ["training", "validation"], what="what the legend calls the lines")
    assert_close(np.array(named["training"]), np.array(LOSS), what="the line of the training loss")
    assert_close(np.array(named["validation"]), np.array(VAL_LOSS), what="the line of the validation loss")


@edge
def test_the_history_stays_as_it_was(submission):
    assert_unchanged(submission.plot_history, history(submission, 4))


@edge
def test_a_run_of_which_nothing_was_logged_gives_a_figure_too(submission):
    for panel in panels(submission, 0):
        for line in panel["lines"]:
            assert_equal(line["y"], [], what="a line without points")
