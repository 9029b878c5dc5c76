from __future__ import annotations

from tests.export.golden import FOLDER, documents


def test_every_format_writes_what_was_looked_at(tmp_path):
    made = dict(documents(tmp_path))
    kept = {path.name: path.read_bytes().decode() for path in FOLDER.iterdir()}
    assert made == kept, "if this is as it should be: python -m tests.export.golden --write"
