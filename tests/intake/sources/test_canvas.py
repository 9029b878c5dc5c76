"""Canvas: whose a file is, which of several is the last, and which is late."""

from tests.intake.sources.downloads import A, B


def test_the_mark_of_a_late_one_is_read_and_the_number_of_its_student(lay, collected):
    found = collected(lay({"lovelaceada_LATE_7_1_attention.py": A, "li_bo_8_2_attention.py": B}, "zip")).by_id
    assert found["lovelaceada_7"].origin.late
    assert found["lovelaceada_7"].origin.who[0]["canvas_id"] == ("7",)
    assert not found["li_bo_8"].origin.late
    assert found["li_bo_8"].files == {"attention.py": B}


def test_of_a_file_that_was_handed_in_again_the_last_is_taken_and_the_one_before_named(lay, collected):
    files = {"x_7_10_attention-2.py": A, "x_7_9_attention.py": B}
    found = collected(lay(files, "zip")).by_id["x_7"]
    assert found.files == {"attention.py": A}
    assert found.origin.earlier == ("x_7_9_attention.py",)
    assert found.ignored == ("x_7_9_attention.py (earlier)",)


def test_anonymous_ones_are_told_apart_and_are_of_nobody_known(lay, collected):
    files = {"anon_aB3x_9_attention.py": A, "LATE_anon_Zz9_10_attention.py": B, "anon_Q_text.html": b""}
    found = collected(lay(files, "zip")).by_id
    assert {name: (each.files.get("attention.py"), each.origin.late) for name, each in found.items()} == {
        "anon_aB3x": (A, False),
        "anon_Zz9": (B, True),
        "anon_Q": (None, False),
    }
    assert all(each.origin.who == () for each in found.values())


def test_what_was_typed_in_alone_is_a_submission_without_its_file(lay, collected):
    found = collected(lay({"a_7_text.html": b"my code", "b_8_1_attention.py": A}, "zip")).by_id["a_7"]
    assert found.ignored == ("a_7_text.html",)
    assert "attention.py is missing" in found.problems[0].message


def test_a_notebook_of_a_download_is_read_as_the_module(lay, collected):
    cell = b'{"cell_type": "code", "metadata": {}, "source": "x = 1", "outputs": [], "execution_count": null}'
    notebook = b'{"nbformat": 4, "nbformat_minor": 2, "metadata": {}, "cells": [' + cell + b"]}"
    found = collected(lay({"a_7_1_attention-1.ipynb": notebook}, "zip")).by_id["a_7"]
    assert b"x = 1" in found.files["attention.py"]


def test_a_class_of_thousands_is_read_in_seconds(lay, collected):
    found = collected(lay({f"s{n}_{n}_{n}_attention.py": b"%d" % n for n in range(2000)}, "zip"))
    assert len(found.submissions) == 2000
    assert found.by_id["s77_77"].files == {"attention.py": b"77"}
