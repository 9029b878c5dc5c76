"""What is made of a trained model: the picture, the samples, and the words in the end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from hw11 import draw, metrics, record, samples
from hw11.corpus import BUILTIN
from hw11.errors import HomeworkError
from hw11.loop import Run
from hw11.prepare import Prepared
from hw11.say import result, say

# What a person reads beside the run; it lies beside the programs.
ANSWERS = "answers.md"


def rehearse(made: Prepared, run: Run) -> None:
    """Make every sample with one token, and one of a text longer than the context: what cannot be sampled is told before the training."""
    state, prompts = torch.get_rng_state(), made.record["samples"]["prompts"]
    _grid(made, run, [*prompts, prompts[0] * (made.record["training"]["block_size"] + 1)], max_new_tokens=1)
    torch.set_rng_state(state)


def remind(made: Prepared, code: Path) -> None:
    """Say what is still to be written by hand; of the built-in corpus nothing is handed in."""
    if made.record["corpus"]["name"] != BUILTIN and not _written(code / ANSWERS):
        say(f"still to write in your own words, beside your programs: {ANSWERS}")


def _written(path: Path) -> bool:
    return path.is_file() and bool(path.read_bytes().strip())


def finish(made: Prepared, run: Run, again: str) -> None:
    """Write the last numbers, the picture and the samples, and print how it went.

    Args:
        made: What the run began with.
        run: The run, all of whose steps are made.
        again: The command that goes on with it, which writes these files anew.

    Raises:
        HomeworkError: A file cannot be written.
    """
    try:
        _write(made, run)
    except Exception:  # whatever it is, the training is not lost
        say(
            f"the trained model is kept in {made.folder.path}: mend what is told below, then write what is missing with"
        )
        say(f"    {again}")
        raise


def _write(made: Prepared, run: Run) -> None:
    rows, counted = metrics.read(made.folder.metrics), made.record["baselines"]
    last = rows[-1]
    made.record["final"] = {name: getattr(last, name) for name in ("step", "loss", "val_loss", "perplexity")}
    record.save(made.folder, made.record)
    try:
        draw.save(rows, draw.baselines(counted), made.folder.picture)
    except HomeworkError as error:  # all else is written; `plot` draws it later
        say(str(error))
    wanted = made.record["samples"]
    say(f"writing {len(wanted['prompts']) * len(wanted['temperatures'])} samples of {wanted['max_new_tokens']} tokens")
    samples.save(made.folder, _grid(made, run, wanted["prompts"], wanted["max_new_tokens"]))
    result(
        f"validation perplexity {last.perplexity:.2f} after {last.step + 1} steps; "
        f"counting pairs of tokens reaches {counted['bigram_perplexity']:.2f}, single tokens {counted['unigram_perplexity']:.2f}"
    )
    result(f"written to {made.folder.path}: {', '.join(sorted(path.name for path in made.folder.path.iterdir()))}")


def _grid(made: Prepared, run: Run, prompts: Sequence[str], max_new_tokens: int) -> list[dict[str, Any]]:
    """Return samples of prompts at all temperatures, from a copy of the model that is computed in the plain way, however it is trained."""
    plain, wanted = record.model(made.record, run.code), made.record["samples"]
    plain.load_state_dict(run.model.state_dict())
    grid: list[dict[str, Any]] = run.code.generation.prompt_grid(
        plain, made.tokenizer, prompts, wanted["temperatures"], max_new_tokens, wanted["seed"]
    )
    return grid
