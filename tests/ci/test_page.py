from __future__ import annotations

from pathlib import Path

import pytest

from grader.ci.page import append
from grader.model.errors import GraderError


def test_what_stands_on_the_page_stays(tmp_path: Path) -> None:
    append(tmp_path / "page", "first")
    append(tmp_path / "page", "第二")
    assert (tmp_path / "page").read_text("utf-8") == "first\n第二\n"


def test_a_page_that_cannot_be_written_is_our_fault(tmp_path: Path) -> None:
    with pytest.raises(GraderError, match="cannot be written"):
        append(tmp_path / "nowhere" / "page", "text")
