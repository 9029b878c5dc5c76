from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.bundle.student import main


def tell(service: str, data: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["student", service, str(tmp_path / "data")])
    main()


def test_of_a_group_it_is_the_first_whoever_handed_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    users = [{"email": "zoe@b.edu"}, {"email": "ada@b.edu"}]
    tell("gradescope", {"users": users}, tmp_path, monkeypatch)
    tell("gradescope", {"users": users[::-1]}, tmp_path, monkeypatch)
    assert capsys.readouterr().out == "ada@b.edu\n" * 2


@pytest.mark.parametrize("data", ["no JSON", [], {}, {"users": []}, {"users": [{"name": "Ada"}]}, {"users": None}])
def test_where_nobody_is_named_that_is_said(data: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match="does not say who handed in"):
        tell("gradescope", data, tmp_path, monkeypatch)
