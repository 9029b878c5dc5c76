"""Numbers that a run of this corpus cannot have, and perplexities that are none."""

from __future__ import annotations

import math
import zlib
from itertools import accumulate

from grader.testing import wrong_run
from misconceptions.shared import METRICS, RECORD, each_row, with_json, with_rows

_V = 94
_FLOOR = math.log(math.e + _V - 1) - 1


@wrong_run("homework11.metrics/steps-from-1", says="steps are counted from 0")
def steps_from_1(files):
    return each_row(files, step=lambda row: row["step"] + 1)


@wrong_run("homework11.metrics/stopped-early", says="the run was not ended")
def stopped_early(files):
    return with_rows(files, lambda rows: rows[:-2])


@wrong_run("homework11.metrics/rows-missing", says="should begin with the steps 0 to 4")
def rows_missing(files):
    return with_rows(files, lambda rows: [rows[0], *rows[5:]])


@wrong_run("homework11.metrics/two-runs-in-one-file", says="do not ascend")
def two_runs_in_one_file(files):
    return with_rows(files, lambda rows: rows + rows)


@wrong_run("homework11.metrics/nothing-learned", says="did not fall")
def nothing_learned(files):
    return each_row(files, val_loss=lambda _: math.log(_V))


@wrong_run("homework11.metrics/frequencies-alone", says="counting characters, without any context")
def frequencies_alone(files):
    return each_row(files, val_loss=lambda row: max(row["val_loss"], 3.3))


@wrong_run("homework11.metrics/double-softmax", says="softmax of a softmax")
def double_softmax(files):
    return each_row(files, val_loss=lambda row: max(row["val_loss"], _FLOOR + 0.05) + 0.01 * (row["step"] == 0))


@wrong_run("homework11.metrics/no-shift", says="not shifted by one")
def no_shift(files):
    return each_row(files, val_loss=lambda row: row["val_loss"] * math.exp(-row["step"] / 50))


@wrong_run("homework11.metrics/another-corpus", says="this run read another text")
def another_corpus(files):
    return with_json(files, RECORD, lambda run: run | {"corpus": run["corpus"] | {"sha256": "0" * 64}})


@wrong_run("homework11.metrics/wide-weights", says="weights that know nothing yet give ln V")
def wide_weights(files):
    return each_row(files, loss=lambda row: row["loss"] + 30 * (row["step"] == 0))


@wrong_run("homework11.metrics/rate-never-set", says="it was not set from the schedule")
def rate_never_set(files):
    return each_row(files, learning_rate=lambda _: 1e-3)


@wrong_run("homework11.metrics/other-columns", says="the columns should be")
def other_columns(files):
    return files | {METRICS: files[METRICS].replace(b"val_loss", b"validation")}


@wrong_run("homework11.metrics/not-a-number", says="is no finite number")
def not_a_number(files):
    return each_row(files, val_loss=lambda row: math.nan if row["step"] > 100 else row["val_loss"])


@wrong_run("homework11.perplexity/base-two", says="2 to the power of the validation loss")
def base_two(files):
    return each_row(files, perplexity=lambda row: 2 ** row["val_loss"])


@wrong_run("homework11.perplexity/of-the-training-loss", says="exp of the training loss")
def of_the_training_loss(files):
    return each_row(files, perplexity=lambda row: math.exp(row["loss"]))


@wrong_run("homework11.perplexity/the-loss-itself", says="the validation loss itself")
def the_loss_itself(files):
    return each_row(files, perplexity=lambda row: row["val_loss"])


@wrong_run("homework11.perplexity/of-the-running-mean", says="exp of the mean of all validation losses so far")
def of_the_running_mean(files):
    def smoothed(rows):
        sums = accumulate(row["val_loss"] for row in rows)
        return [
            row | {"perplexity": math.exp(total / n)} for n, (row, total) in enumerate(zip(rows, sums, strict=True), 1)
        ]

    return with_rows(files, smoothed)


@wrong_run("homework11.perplexity/square-root", says="is not exp(val_loss)")
def square_root(files):
    return each_row(files, perplexity=lambda row: math.sqrt(row["val_loss"]))


@wrong_run("homework11.plot/blank", says="is blank")
def blank(files):
    return files | {"run/loss.png": _png(640, 480)}


@wrong_run("homework11.plot/a-thumbnail", says="too small to read")
def a_thumbnail(files):
    return files | {"run/loss.png": _png(64, 48)}


@wrong_run("homework11.plot/a-poster", says="too large to look at")
def a_poster(files):
    return files | {"run/loss.png": _png(20_000, 300)}


@wrong_run("homework11.plot/cut-short", says="is cut short")
def cut_short(files):
    return files | {"run/loss.png": files["run/loss.png"][:5000]}


@wrong_run("homework11.plot/another-format", says="is no PNG")
def another_format(files):
    return files | {"run/loss.png": b"\xff\xd8\xff\xe0\0\x10JFIF" + files["run/loss.png"]}


def _png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")

    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\0\0\0\0"
    data = zlib.compress((b"\0" + b"\xff" * width) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
