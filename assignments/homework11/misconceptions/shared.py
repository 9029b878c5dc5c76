"""Artifacts read, changed and written again."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import torch

Files = dict[str, bytes]
METRICS, RECORD, SAMPLES, CHECKPOINT = "run/metrics.csv", "run/run.json", "run/samples.json", "run/checkpoint.pt"


def with_rows(files: Files, change: Callable[[list[dict[str, float]]], list[dict[str, float]]]) -> Files:
    """Change the rows of metrics.csv."""
    rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(files[METRICS].decode().splitlines())]
    changed = change(rows)
    lines = [",".join(rows[0]), *(",".join(map(repr, row.values())) for row in changed)]
    return files | {METRICS: ("\n".join(lines) + "\n").encode()}


def each_row(files: Files, **columns: Callable[[dict[str, float]], float]) -> Files:
    """Compute columns of metrics.csv anew, row by row."""
    return with_rows(files, lambda rows: [row | {name: f(row) for name, f in columns.items()} for row in rows])


def with_json(files: Files, name: str, change: Callable[[Any], Any]) -> Files:
    """Change what a JSON file holds."""
    return files | {name: json.dumps(change(json.loads(files[name]))).encode()}


def with_state(files: Files, change: Callable[[dict[str, Any]], object]) -> Files:
    """Change what checkpoint.pt holds."""
    stream = io.BytesIO()
    torch.save(change(torch.load(io.BytesIO(files[CHECKPOINT]), weights_only=True)), stream)
    return files | {CHECKPOINT: stream.getvalue()}
