from __future__ import annotations

from pathlib import Path

import pytest

from grader.gradebook.book import FILE_NAME
from grader.gradebook.place import at_run, check_run, file_of, opened, policy_for
from grader.gradebook.policy.model import Policy
from grader.model.errors import UsageError
from tests.gradebook.toy import Filled


def test_the_folder_of_reports_stands_for_the_gradebook_in_it(tmp_path: Path) -> None:
    assert file_of(tmp_path) == tmp_path / FILE_NAME
    assert file_of(tmp_path / "other.db") == tmp_path / "other.db"
    with pytest.raises(UsageError, match="there is no gradebook"):
        opened(tmp_path)


def test_a_run_is_named_after_an_at(tmp_path: Path) -> None:
    assert at_run("scores@3") == (Path("scores"), 3)
    assert at_run("scores") == (Path("scores"), None)
    assert at_run("a@b") == (Path("a@b"), None)
    (tmp_path / "odd@3").mkdir()
    assert at_run(str(tmp_path / "odd@3")) == (tmp_path / "odd@3", None)


@pytest.mark.parametrize("run", [0, 2])
def test_a_run_that_never_was_is_told(filled: Filled, run: int) -> None:
    check_run(filled.book, None)
    check_run(filled.book, 1)
    with pytest.raises(UsageError, match=f"there is no run {run}"):
        check_run(filled.book, run)


def test_the_policy_lies_beside_the_gradebook_or_where_it_is_said_to(tmp_path: Path) -> None:
    assert policy_for(tmp_path / FILE_NAME, None) == Policy()
    (tmp_path / "policy.toml").write_text("bank_days = 2")
    assert policy_for(tmp_path / FILE_NAME, None).bank_days == 2
    (tmp_path / "other.toml").write_text("bank_days = 3")
    assert policy_for(tmp_path / FILE_NAME, tmp_path / "other.toml").bank_days == 3
    with pytest.raises(UsageError, match="there is no such policy"):
        policy_for(tmp_path / FILE_NAME, tmp_path / "lost.toml")
