from __future__ import annotations

from click.testing import CliRunner

from grader.cli.review import command
from tests.review.made import graded, submitted
from tests.review.test_collect import fill


def run(*args):
    return CliRunner().invoke(command, [str(arg) for arg in args], catch_exceptions=False)


def test_a_review_goes_out_and_comes_back(tmp_path):
    graded(tmp_path / "scores", submitted("ada"))
    out = tmp_path / "review"
    ran = run("collect", tmp_path / "scores", "--out", out)
    assert ran.stdout.split() == [(out / "review.html").as_posix(), (out / "review.toml").as_posix()]
    fill(out, ('idea = ""', "idea = 3"), ('words = ""', "words = 2"))
    ran = run("apply", out / "review.toml", tmp_path / "scores", "--author", "eva")
    assert ran.stdout == "1 noted, 0 known before, 0 open\n"


def test_what_changed_is_said_on_stderr(tmp_path):
    graded(tmp_path / "scores", submitted("ada"))
    run("collect", tmp_path / "scores", "--out", tmp_path)
    fill(tmp_path, ('comment = ""', 'comment = "Good."'))
    graded(tmp_path / "scores", submitted("ada", "Otherwise."))
    ran = run("collect", tmp_path / "scores", "--out", tmp_path)
    assert ran.stderr.startswith("note: ada toy answers.md: the text has changed")
