from __future__ import annotations

import pytest

from grader.model.errors import CourseError
from grader.model.verdict import Status
from grader.sandbox.base import Level
from grader.selftest.corpus import find_corpus, harmless, load_attack, load_corpus
from tests.selftest.conftest import EXPECT, TARGET


def test_an_attack_is_read_with_its_words_and_its_verdict_at_each_level(attack) -> None:
    read = attack(expect=EXPECT + "[at.none]\nscore = 0\nstatus = 'crashed'\n")
    assert (read.name, read.told) == ("reads", "Reads what it may not.")
    assert read.expected.verdict(Level.FULL) == (Status.PARTIAL, 40)
    assert read.expected.verdict(Level.NONE) == (Status.CRASHED, 0)
    assert [read.happens(level) for level in Level] == [False, False, True, True]


def test_a_score_of_nothing_at_one_level_is_not_taken_for_no_score(attack) -> None:
    assert attack(expect=EXPECT + "[at.weak]\nscore = 0\n").expected.verdict(Level.WEAK) == (Status.PARTIAL, 0)


WRONG = {
    "a typo of a key": (EXPECT.replace("harmless", "harmles"), "did you mean `harmless`"),
    "a typo of a level": (EXPECT.replace("container", "contaner"), "did you mean `container`"),
    "a typo of a level that differs": (EXPECT + "[at.ful]\nscore = 1\n", "did you mean `full`"),
    "a level in neither": (EXPECT.replace('weak = "it is read"\n', ""), "`weak` is in neither"),
    "a level in both": (EXPECT.replace("[happens]", '[happens]\nfull = "x"'), "`full` is in held and happens"),
    "no words for a level": (EXPECT.replace('"Landlock"', '""'), "held.container"),
    "an unknown probe": (EXPECT.replace('"secret"', '"secrecy"'), "probe"),
    "an unknown class": (EXPECT.replace('"secrets"', '"other"'), "about"),
    "an unknown status": (EXPECT.replace('"partial"', '"okay"'), "status"),
    "no title": (EXPECT.replace('title = "reads"\n', ""), "`title` is missing"),
    "no TOML": ("about =", "not valid TOML"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_an_expectation_that_does_not_hold_together_is_refused_with_file_and_place(write_attack, wrong: str) -> None:
    text, said = WRONG[wrong]
    with pytest.raises(CourseError) as refused:
        load_attack(write_attack(expect=text))
    assert said in refused.value.message
    assert refused.value.where is not None
    assert "grader schema" not in refused.value.hint


def test_an_attack_without_words_or_submission_or_with_two_is_refused(write_attack) -> None:
    for name, files in {
        "a": {"target_py": "print(1)\n"},
        "b": {"other_py": TARGET},
        "c": {"target_py": TARGET, "make_py": TARGET},
        "Not_A_Name": {"target_py": TARGET},
        "neighbour": {"target_py": TARGET},
    }.items():
        with pytest.raises(CourseError):
            load_attack(write_attack(name, **files))


def test_a_placeholder_that_nobody_fills_is_refused_with_a_suggestion(write_attack) -> None:
    with pytest.raises(CourseError, match="crouse") as refused:
        load_attack(write_attack(target_py=TARGET + "open('{{crouse}}')\n"))
    assert "'course'" in refused.value.hint


def test_a_submission_that_is_no_python_has_its_words_all_the_same(write_attack) -> None:
    assert load_attack(write_attack(target_py='"""Told."""\n\ndef broken(:\n')).told == "Told."


def test_a_builder_makes_its_submission_in_the_folder_and_nowhere_else(attack, tmp_path) -> None:
    inside = attack(
        "inside",
        make_py='"""Told."""\ndef make(folder, base):\n    (folder / "x").write_text(base)\n    return folder / "x"\n',
    )
    outside = attack("outside", make_py='"""Told."""\ndef make(folder, base):\n    return folder.parent\n')
    none = attack("none", make_py='"""Told."""\n')
    assert inside.build(tmp_path, "base").read_text() == "base"
    for wrong in (outside, none):
        with pytest.raises(CourseError):
            wrong.build(tmp_path, "base")


def test_a_corpus_is_read_by_name_and_those_that_do_no_harm_are_told_apart(write_attack) -> None:
    write_attack("b")
    write_attack("a", expect=EXPECT.replace("harmless = true", "harmless = false"))
    read = load_corpus(write_attack("c").parent)
    assert [each.name for each in read] == ["a", "b", "c"]
    assert [each.name for each in harmless(read)] == ["b", "c"]


def test_this_grader_finds_its_own_attacks() -> None:
    assert any(find_corpus().glob("*/expect.toml"))
