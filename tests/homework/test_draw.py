from __future__ import annotations

import itertools
import math

import pytest
from hw11 import draw, metrics

pytest.importorskip("matplotlib")


def test_the_lines_are_the_rows_of_the_file(finished):
    rows = metrics.read(finished.folder / "metrics.csv")
    losses, perplexities, rates = draw.figure(rows, {"bigram": 3.5}).axes
    lines = {line.get_label(): line.get_xydata().tolist() for line in losses.lines}
    assert lines == {
        "training": [[row.step, row.loss] for row in rows],
        "validation": [[row.step, row.val_loss] for row in rows],
    }
    curve, level = perplexities.lines
    assert curve.get_xydata().tolist() == [[row.step, row.perplexity] for row in rows]
    assert set(level.get_ydata()) == {3.5}
    assert [line.get_xydata().tolist() for line in rates.lines] == [[[row.step, row.learning_rate] for row in rows]]


def test_every_panel_has_a_title_labels_with_units_and_the_names_of_its_lines(finished):
    panels = draw.figure(metrics.read(finished.folder / "metrics.csv"), {"bigram": 3.5}).axes
    assert [(each.get_title(), each.get_xlabel(), each.get_ylabel()) for each in panels] == [
        ("Loss", "step", "loss (nats per token)"),
        ("Perplexity", "step", "perplexity (tokens)"),
        ("Learning rate", "step", "learning rate"),
    ]
    names = [[text.get_text() for text in each.texts] for each in panels]
    assert names == [["training", "validation"], ["validation", "bigram, 3.5"], []]


def rows(training, validation):
    """A run of which these are the losses."""
    both = zip(training, validation, strict=True)
    return [metrics.Row(step, loss, val, math.exp(val), 0.1) for step, (loss, val) in enumerate(both)]


def test_curves_are_told_apart_without_colour():
    losses, *_ = draw.figure(rows([3.0, 2.0], [3.1, 2.1]), {}).axes
    looks = [(line.get_linestyle(), line.get_marker()) for line in losses.lines]
    assert len({line for line, _ in looks}) == len({mark for _, mark in looks}) == 2
    assert "None" not in {mark for _, mark in looks}
    assert [text.get_color() for text in losses.texts] == [line.get_color() for line in losses.lines]


def test_a_long_run_has_no_more_marks_than_can_be_seen():
    fall = [3.0 / (1 + step) for step in range(1000)]
    losses, *_ = draw.figure(rows(fall, fall), {}).axes
    assert all(10 <= 1000 // line.get_markevery() <= 50 for line in losses.lines)


@pytest.mark.parametrize(
    ("training", "validation"),
    [
        ([3.0, 2.5, 2.0], [3.0, 2.5, 2.0]),
        ([3.0, 2.0, 1.0], [3.0, 2.0, 1.001]),
        ([3.0, 2.0, 1.001], [3.0, 2.0, 1.0]),
        ([2.0], [2.0]),
        ([1.0, 2.0, math.nan], [1.0, 2.0, math.inf]),
    ],
)
def test_names_lie_on_their_panel_and_not_on_each_other(training, validation):
    drawing = draw.figure(rows(training, validation), {"bigram": 3.5})
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    renderer = FigureCanvasAgg(drawing).get_renderer()
    drawing.draw(renderer)
    for panel in drawing.axes:
        boxes = [text.get_window_extent(renderer) for text in panel.texts]
        frame = panel.get_window_extent(renderer)
        assert all(frame.x0 <= box.x0 and box.x1 <= frame.x1 for box in boxes)
        assert all(frame.y0 <= box.y0 and box.y1 <= frame.y1 for box in boxes)
        assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))


def test_the_picture_is_not_blank(finished):
    from matplotlib.image import imread

    picture = imread(finished.folder / "loss.png")
    height, width, _ = picture.shape
    assert (width, height) == (1560, 480)
    for panel in (picture[:, : width // 3], picture[:, width // 3 : 2 * width // 3], picture[:, 2 * width // 3 :]):
        dark = (panel[..., :3].min(axis=-1) < 0.7).mean()
        assert 0.005 < dark < 0.3


def test_a_run_that_diverged_is_drawn_too(tmp_path):
    draw.save(rows([3.0, math.nan], [3.1, math.inf]), {"bigram": 3.5}, tmp_path / "loss.png")
    assert (tmp_path / "loss.png").stat().st_size > 1000
