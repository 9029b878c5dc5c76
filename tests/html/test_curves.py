"""Curves of a table that was handed in; whatever else lies there under its name draws nothing and stops nothing."""

from __future__ import annotations

import base64

import pytest

from grader.html.curves import HEIGHT, TOP, WIDTH, figures
from grader.model.report import SubmittedFile


def drawn(content: str | bytes, name: str = "run/metrics.csv"):
    raw = content.encode() if isinstance(content, str) else content
    return figures([SubmittedFile(name=name, sha256="0", content=base64.b64encode(raw).decode())])


def table(*rows: str, head: str = "step,loss,val_loss,perplexity") -> str:
    return "\n".join([head, *rows]) + "\n"


def places(points: str) -> list[tuple[float, float]]:
    return [tuple(map(float, point.split(","))) for point in points.split()]


def test_losses_share_a_figure_and_every_other_column_has_its_own():
    found = drawn(table("0,4,4.5,90", "1,3,3.5,33"))
    assert [figure.names for figure in found] == ["loss, val_loss", "perplexity"]


def test_a_curve_falls_where_its_numbers_do_and_stays_in_its_drawing():
    [figure] = drawn(table("0,4", "1,2", "2,1", head="step,loss"))
    [curve] = figure.curves
    (x0, y0), (x1, y1), (x2, y2) = places(curve.points)
    assert 0 < x0 < x1 < x2 < WIDTH
    assert 0 < y0 < y1 < y2 < HEIGHT
    assert (curve.first, curve.last, curve.lowest) == ("4", "1", "1")


def test_a_long_run_is_thinned_and_keeps_its_spikes():
    rows = [f"{i},{99 if i == 5001 else 1}" for i in range(10_000)]
    [figure] = drawn(table(*rows, head="step,loss"))
    points = places(figure.curves[0].points)
    assert len(points) <= 600
    assert min(y for _, y in points) == TOP


def test_the_axes_have_round_numbers():
    [figure] = drawn(table("0,2.085", "499,4.657", head="step,loss"))
    assert [tick.text for tick in figure.up] == ["2.5", "3", "3.5", "4", "4.5"]
    assert [tick.text for tick in figure.across] == ["0", "100", "200", "300", "400"]


@pytest.mark.parametrize(
    "numbers", [("1", "1"), ("1e308", "-1e308"), ("5e-324", "0"), ("1e17", "1.0000000000000002e17")]
)
def test_numbers_at_the_ends_of_what_a_float_holds_are_drawn(numbers):
    [figure] = drawn(table(*(f"{i},{x}" for i, x in enumerate(numbers)), head="step,loss"))
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in places(figure.curves[0].points))
    assert figure.up


@pytest.mark.parametrize(
    "content",
    [
        "",
        "step,loss\n",
        table("0,1", head="step,loss"),
        table("0,1", "1,nan", head="step,loss"),
        table("0,1", "1,inf", head="step,loss"),
        table("0,1", "1", head="step,loss"),
        table("0,1", "1,<script>", head="step,loss"),
        table("0,1,2", "1,2,3", head="step,loss,loss"),
        table("0,1", "1,2", head=f"step,{'l' * 41}"),
        table("0,1", "1,2", head="epoch,loss"),
        table("0" + ",1" * 9, "1" + ",1" * 9, head="step," + ",".join("abcdefghi")),
        'step,"lo\nss',
        b"step,loss\n0,\xff\n1,2\n",
        b"\x00" * 100,
        "step,loss\n0," + "9" * 200_000,
    ],
)
def test_what_is_no_table_of_numbers_draws_nothing(content):
    assert drawn(content) == []


def test_a_file_of_another_kind_is_not_looked_at():
    assert drawn(table("0,4,4.5,90", "1,3,3.5,33"), "run/samples.md") == []
