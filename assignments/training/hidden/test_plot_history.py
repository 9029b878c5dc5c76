"""training.plot_history: what is drawn where, and what it is called; the wording is everyone's own."""

import math

import numpy as np

from grader.testing import assert_close, assert_equal, core, edge, exercise

pytestmark = exercise("training.plot_history")


def history(submission, rng, n):
    """Draw a run that was logged n times, at steps that are not evenly spaced."""
    step = [0, *sorted((1 + rng.permutation(900)[: n - 1]).tolist())] if n else []
    val_loss = rng.uniform(1, 4, size=n).tolist()
    return submission.History(
        step=step,
        loss=rng.uniform(1, 4, size=n).tolist(),
        val_loss=val_loss,
        perplexity=[math.exp(loss) for loss in val_loss],
        learning_rate=rng.uniform(0, 0.1, size=n).tolist(),
    )


def panels(submission, given):
    found = submission.drawn(submission.plot_history(given))
    assert len(found) == 2, f"the figure has {len(found)} panels, and not 2"
    return found


def require_line(panel, name, x, y):
    lines = panel["lines"] if name is None else [line for line in panel["lines"] if line["name"] == name]
    assert len(lines) == 1, (
        f"there should be one line{f' that the legend calls {name}' if name else ''}, not {len(lines)}"
    )
    assert_close(
        np.array(lines[0]["x"]), np.array(x, float), what=f"where the line of the {name or 'perplexity'} has its points"
    )
    assert_close(
        np.array(lines[0]["y"]),
        np.array(y, float),
        what=f"the {name + ' loss' if name else 'perplexity'} that is drawn",
    )


@core
def test_the_losses_are_on_one_panel_and_the_perplexity_on_another(submission, rng):
    given = history(submission, rng, 5)
    losses, perplexity = panels(submission, given)
    assert_equal(len(losses["lines"]), 2, what="the number of lines on the first panel")
    drawn = sorted(line["y"] for line in losses["lines"])
    for got, expected in zip(drawn, sorted([given.loss, given.val_loss]), strict=True):
        assert_close(np.array(got), np.array(expected), what="a loss that is drawn")
    require_line(perplexity, None, given.step, given.perplexity)
    for line in losses["lines"]:
        assert_close(np.array(line["x"]), np.array(given.step, float), what="where a line has its points")


@edge
def test_the_legend_tells_training_from_validation(submission, rng):
    given = history(submission, rng, 5)
    losses, _ = panels(submission, given)
    assert losses["legend"], "the first panel has two lines and no legend"
    require_line(losses, "training", given.step, given.loss)
    require_line(losses, "validation", given.step, given.val_loss)


@edge
def test_the_panels_have_titles(submission, rng):
    for panel, which in zip(panels(submission, history(submission, rng, 3)), ("first", "second"), strict=True):
        assert panel["titled"], f"the {which} panel has no title"


@edge
def test_the_axes_name_what_they_show_and_in_which_unit(submission, rng):
    found = panels(submission, history(submission, rng, 3))
    for panel, quantity, unit in zip(found, ("loss", "perplexity"), ("nat", "token"), strict=True):
        assert_equal(panel["x"], "step", what="what a horizontal axis is labelled with")
        assert_equal(panel["y"], quantity, what="what a vertical axis names")
        assert_equal(panel["unit"], unit, what=f"the unit of the {quantity}, a word on the vertical axis")


@edge
def test_a_run_of_which_nothing_was_logged_gives_a_figure_too(submission, rng):
    given = history(submission, rng, 0)
    losses, perplexity = panels(submission, given)
    require_line(losses, "training", [], [])
    require_line(perplexity, None, [], [])


@edge
def test_the_history_stays_as_it_was(submission, rng):
    given = history(submission, rng, 4)
    before = {name: list(getattr(given, name)) for name in ("step", "loss", "val_loss", "perplexity", "learning_rate")}
    function = submission.plot_history
    function(given)
    for name, values in before.items():
        assert_equal(getattr(function.arguments_after[0][0], name, None), values, what=f"history.{name} afterwards")
