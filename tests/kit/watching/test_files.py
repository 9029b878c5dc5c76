from __future__ import annotations

import threading
import time

import pytest

from grader.kit.watching.files import WATCHERS, watch


@pytest.mark.parametrize("name", WATCHERS)
@pytest.mark.parametrize("how", ["written", "replaced", "in a folder"])
def test_a_save_is_told_however_an_editor_saves(tmp_path, name: str, how: str) -> None:
    if name == "system":
        pytest.importorskip("watchfiles")
    (tmp_path / "run").mkdir()
    file = tmp_path / ("run/metrics.csv" if how == "in a folder" else "attention.py")
    file.write_text("1")
    changed, stop = threading.Event(), threading.Event()
    thread = threading.Thread(target=WATCHERS[name], args=(tmp_path, changed.set, stop), daemon=True)
    thread.start()
    try:
        until = time.monotonic() + 30
        number = 0
        while not changed.is_set() and time.monotonic() < until:  # it may not have begun to look
            number += 1
            if how == "replaced":
                (tmp_path / "draft").write_text(str(number) * 2)
                (tmp_path / "draft").replace(file)
            else:
                file.write_text("1" * number)
            changed.wait(0.5)
        assert changed.is_set()
    finally:
        stop.set()
        thread.join(20)
    assert not thread.is_alive()


def test_where_the_system_does_not_tell_the_folder_is_looked_at(tmp_path) -> None:
    stop, seen = threading.Event(), []

    def refuses(*_: object) -> None:
        seen.append("refused")
        raise OSError("no more watches")

    def looks(_folder, changed, stop) -> None:
        changed()
        stop.set()

    watch(tmp_path, lambda: seen.append("changed"), stop, {"system": refuses, "looking": looks})
    assert seen == ["refused", "changed"]
