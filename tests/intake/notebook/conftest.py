"""Notebooks in one line."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

Notebook = Callable[..., bytes]


@pytest.fixture(scope="session")
def notebook() -> Notebook:
    """Return a function that makes a notebook of the texts of its code cells; a pair is a text and what the cell's metadata says."""

    def make(*cells: str | tuple[str, dict], minor: int = 5, **metadata: object) -> bytes:
        pairs = [cell if isinstance(cell, tuple) else (cell, {}) for cell in cells]
        made = [
            {"cell_type": "code", "id": f"c{n}", "metadata": about, "source": text.splitlines(keepends=True)}
            | {"execution_count": None, "outputs": []}
            for n, (text, about) in enumerate(pairs)
        ]
        return json.dumps({"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": minor}).encode()

    return make
