from __future__ import annotations

from pathlib import Path

from grader.selftest.leavings import cleared


def test_files_links_and_folders_that_carry_a_word_are_named_and_gone(tmp_path: Path) -> None:
    (tmp_path / "a-word-1").write_text("")
    (tmp_path / "word").mkdir()
    (tmp_path / "word" / "inner").write_text("")
    (tmp_path / "other").mkdir()
    (tmp_path / "link-word").symlink_to(tmp_path / "other")
    found = cleared(["word", "absent"], [tmp_path, tmp_path / "no such folder"])
    assert sorted(found["word"]) == [str(tmp_path / name) for name in ("a-word-1", "link-word", "word")]
    assert found["absent"] == []
    assert [path.name for path in tmp_path.iterdir()] == ["other"]
