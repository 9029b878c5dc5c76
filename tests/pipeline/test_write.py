import errno
import json
import os
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from pydantic import BaseModel

from grader.model.errors import GraderError
from grader.model.manifest import Text
from grader.pipeline.write import as_json, write_atomically
from tests.escape.enemy import active

OLD, NEW = "old\n", "new: 注意\n"


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "out" / "ann" / "report.json"


@pytest.fixture
def before(path) -> Path:
    write_atomically(path, OLD)
    return path


def alone(path: Path) -> bool:
    return list(path.parent.iterdir()) == [path]


def test_a_file_and_its_folders_are_made(path):
    write_atomically(path, NEW)
    assert path.read_bytes() == NEW.encode()
    assert alone(path)


def test_a_file_is_replaced_whole(before):
    write_atomically(before, NEW)
    assert before.read_text("utf-8") == NEW
    assert alone(before)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600)])
def test_who_may_read_a_report_is_for_the_umask_to_say(path, umask, mode):
    previous = os.umask(umask)
    try:
        write_atomically(path, NEW)
    finally:
        os.umask(previous)
    assert stat.S_IMODE(path.stat().st_mode) == mode


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_disk_that_is_full_leaves_the_old_file_and_no_part_of_the_new(before, monkeypatch, call):
    def full(*args, **kwargs):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os if call == "fsync" else Path, call, full)
    with pytest.raises(GraderError, match="cannot be written: No space left") as caught:
        write_atomically(before, NEW)
    assert (caught.value.where, "disk full" in caught.value.hint) == (before, True)
    assert before.read_text() == OLD
    assert alone(before)


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, MemoryError])
def test_an_interruption_leaves_the_old_file_and_no_part_of_the_new(before, monkeypatch, interruption):
    def interrupt(descriptor):
        raise interruption

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(interruption):
        write_atomically(before, NEW)
    assert before.read_text() == OLD
    assert alone(before)


def test_text_that_is_none_leaves_the_old_file_and_no_part_of_the_new(before):
    with pytest.raises(UnicodeEncodeError):
        write_atomically(before, "\udce9" + "x" * 100_000)
    assert before.read_text() == OLD
    assert alone(before)


def test_a_folder_that_cannot_be_made_is_told_with_the_option(tmp_path):
    (tmp_path / "out").write_text("a file")
    with pytest.raises(GraderError, match="cannot be written") as caught:
        write_atomically(tmp_path / "out" / "report.json", NEW)
    assert "--out" in caught.value.hint


def test_a_reader_sees_one_whole_file_or_the_other(before):
    """A process writes two long texts in turn; whatever is read meanwhile is one of them."""
    texts = ["a" * 300_000, "b" * 300_000]
    script = f"""
        from pathlib import Path
        from grader.pipeline.write import write_atomically
        for number in range(60):
            write_atomically(Path({str(before)!r}), "ab"[number % 2] * 300_000)
    """
    writer = subprocess.Popen([sys.executable, "-c", textwrap.dedent(script)], cwd=Path(__file__).parents[2])
    seen = set()
    while writer.poll() is None:
        seen.add(before.read_text())
    assert writer.returncode == 0
    assert seen <= {OLD, *texts}
    assert alone(before)


def test_a_report_as_text_keeps_languages_and_ends_in_a_line():
    assert as_json(Text(en="Toy", zh_tw="玩具")) == '{\n  "en": "Toy",\n  "zh-TW": "玩具"\n}\n'


def test_a_report_that_is_shown_acts_on_no_terminal_and_reads_back_as_it_was():
    text = "\x1b[2J\x9b31m\u202e\u200b\u2028\x7f\U000e0041\r\n\t \u6ce8\u610f\u3000\U0001f600"
    written = as_json(Text(en=text, zh_tw="玩具"))
    assert active(written, but="\n") == []
    assert "\u6ce8\u610f\u3000\U0001f600" in written
    assert Text.model_validate_json(written).en == text


def test_a_name_that_is_not_utf_8_can_be_written_and_read():
    """The names of files come as the system gives them: a byte that is no text is half a pair."""
    written = as_json(Text.model_construct(en="a\udcffb", zh_tw="玩具"))
    assert Text.model_validate_json(written.encode()).en == "a\ufffdb"


def test_a_report_is_laid_out_as_json_itself_lays_it_out():
    text = Text(en='a "word" \\ \t\n', zh_tw="注意力、橫列")
    assert as_json(text) == json.dumps(text.model_dump(mode="json", by_alias=True), indent=2, ensure_ascii=False) + "\n"


def test_half_of_a_pair_is_written_as_a_mark_of_its_own():
    class Said(BaseModel):
        text: str

    assert json.loads(as_json(Said(text="a\ud800b"))) == {"text": "a\ufffdb"}
