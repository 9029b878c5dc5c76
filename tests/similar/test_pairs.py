from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from grader.similar.fingerprints import Source
from grader.similar.page import as_page, marked
from grader.similar.pairs import alike, same
from tests.conftest import ROOT

TEMPLATE = (ROOT / "student_template" / "context.py").read_text("utf-8")
OWN = """
def total(rows):
    result = 0.0
    for number, row in enumerate(rows):
        if number % 3 == 1:
            result += sum(row) / (1 + len(row))
        else:
            result -= max(row) * min(row)
    return result ** 0.5 if result > 0 else -result
"""
ELSE = """
def total(rows):
    return sum(map(len, filter(None, [*rows, (), ""]))) // 7


class Keeper:
    def __init__(self, size):
        self.size, self.kept = size, {}

    def keep(self, key, value):
        while len(self.kept) >= self.size:
            del self.kept[next(iter(self.kept))]
        self.kept[key] = value
        return self
"""


def source(owner: str, text: str, name: str = "context.py") -> Source:
    return Source(owner, name, text)


def found(*sources: Source, given: tuple[Source, ...] = (), earlier: tuple[Source, ...] = ()) -> list[tuple[str, str]]:
    return [(pair.one.owner, pair.other.owner) for pair in alike(sources, given, earlier, 0.5)]


def renamed(text: str) -> str:
    changed = text.replace("rows", "table").replace("result", "answer").replace("number", "k")
    return changed.replace("\n    for", "\n    # go through all of them\n\n    for")


def test_a_copy_with_other_names_spaces_and_comments_is_found():
    class_of = (source("ada", TEMPLATE + OWN), source("bo", TEMPLATE + renamed(OWN)), source("cy", TEMPLATE + ELSE))
    assert found(*class_of, given=(source("", TEMPLATE),)) == [("ada", "bo")]
    assert [[each.owner for each in group] for group in same(class_of)] == [["ada", "bo"]]


def test_what_everybody_was_given_does_not_make_two_alike():
    assert found(source("ada", TEMPLATE), source("bo", TEMPLATE), given=(source("", TEMPLATE),)) == []


def test_what_many_share_does_not_make_two_alike():
    assert found(*(source(f"s{each}", OWN) for each in range(9))) == []
    assert len(found(*(source(f"s{each}", OWN) for each in range(3)))) == 3


def test_files_of_different_names_are_not_compared():
    assert found(source("ada", OWN), source("bo", OWN, "masking.py")) == []


def test_an_earlier_term_is_compared_with_the_class_and_not_with_itself():
    earlier = (source("earlier: cy", OWN), source("earlier: di", OWN))
    assert found(source("ada", OWN), earlier=earlier) == [("ada", "earlier: cy"), ("ada", "earlier: di")]


def test_the_more_alike_come_first_and_each_part_is_told_of_each_file():
    half = source("cy", OWN + ELSE)
    pairs = alike((source("ada", OWN), source("bo", renamed(OWN)), half), (), (), 0.1)
    assert [(pair.one.owner, pair.other.owner) for pair in pairs][-1] != ("ada", "bo")
    [first] = [pair for pair in pairs if {pair.one.owner, pair.other.owner} == {"ada", "cy"}]
    assert first.likeness.parts[0] > 0.9
    assert first.likeness.parts[1] < 0.6


def test_what_is_alike_is_marked_and_what_is_not_is_not():
    [pair] = alike((source("ada", OWN), source("bo", ELSE + OWN)), (), (), 0.5)
    left, right = ("".join(text for text, on in marked(side.text, places) if on) for side, places in _sides(pair))
    assert "max(row) * min(row)" in left
    assert "max(row) * min(row)" in right
    assert "Keeper" not in right


def _sides(pair):
    return zip((pair.one, pair.other), pair.likeness.places, strict=True)


@given(st.text(max_size=20), st.lists(st.tuples(st.integers(0, 25), st.integers(0, 25)).map(sorted), max_size=4))
def test_the_pieces_of_a_marked_text_are_the_text(text, stretches):
    assert "".join(piece for piece, _ in marked(text, stretches)) == text


def test_a_hostile_source_is_only_text_on_the_page(tmp_path: Path):
    text = f"X = '</pre><script>alert(1)</script>'\n{OWN}"
    pairs = alike((source("<b>ada", text), source("bo", text)), (), (), 0.5)
    page = as_page([], pairs, 0, 0.5)
    assert "<script" not in page
    assert "<b>" not in page
    assert "not a verdict" in page
