from __future__ import annotations

from itertools import pairwise

from grader.html.spread import HEIGHT, WIDTH, bars


def test_each_share_is_counted_in_its_tenth():
    found = bars([0.0, 0.099, 0.1, 0.7, 0.69, 0.999, 1.0, 1.05])
    assert [bar.count for bar in found] == [2, 1, 0, 0, 0, 0, 1, 1, 0, 1, 2]
    assert [bar.label for bar in (found[0], found[9], found[10])] == ["0–9", "90–99", "100"]  # noqa: RUF001  # dashes


def test_a_quotient_that_comes_out_a_little_low_stays_in_its_tenth():
    assert [bar.count for bar in bars([0.3 / 0.5 - 1e-16])][6] == 1


def test_bars_stand_side_by_side_inside_the_drawing_and_the_highest_is_full():
    found = bars([0.5, 0.5, 0.95])
    assert all(min(bar.x, bar.y) > 0 for bar in found)
    assert all(bar.x + bar.width < WIDTH and bar.y + bar.height < HEIGHT for bar in found)
    assert all(left.x + left.width < right.x for left, right in pairwise(found))
    assert found[5].height == 2 * found[9].height


def test_a_class_without_a_score_has_bars_of_no_height():
    assert all(bar.height == 0 for bar in bars([]))
