from __future__ import annotations

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


def test_every_panel_has_a_title_labels_with_units_and_where_it_needs_one_a_legend(finished):
    panels = draw.figure(metrics.read(finished.folder / "metrics.csv"), {"bigram": 3.5}).axes
    assert [(each.get_title(), each.get_xlabel(), each.get_ylabel()) for each in panels] == [
        ("Loss", "step", "loss (nats per token)"),
        ("Perplexity", "step", "perplexity (tokens)"),
        ("Learning rate", "step", "learning rate"),
    ]
    legends = [[text.get_text() for text in each.get_legend().get_texts()] for each in panels if each.get_legend()]
    assert legends == [["training", "validation"], ["validation", "bigram, 3.5"]]


def test_the_picture_is_not_blank(finished):
    from matplotlib.image import imread

    picture = imread(finished.folder / "loss.png")
    height, width, _ = picture.shape
    assert (width, height) == (1560, 480)
    for panel in (picture[:, : width // 3], picture[:, width // 3 : 2 * width // 3], picture[:, 2 * width // 3 :]):
        dark = (panel[..., :3].min(axis=-1) < 0.7).mean()
        assert 0.005 < dark < 0.3


def test_a_run_that_diverged_is_drawn_too(tmp_path):
    rows = [metrics.Row(0, 3.0, 3.1, math.exp(3.1), 0.1), metrics.Row(1, math.nan, math.inf, math.inf, 0.1)]
    draw.save(rows, {"bigram": 3.5}, tmp_path / "loss.png")
    assert (tmp_path / "loss.png").stat().st_size > 1000
