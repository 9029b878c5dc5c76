from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gradebook.toy import Filled


@pytest.fixture
def filled(tmp_path: Path) -> Iterator[Filled]:
    made = Filled(tmp_path / "gradebook.db")
    with made.book:
        yield made
