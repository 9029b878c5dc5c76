"""What is made of a trained model: the picture, the samples, and the words in the end."""

from __future__ import annotations

from typing import Any

import torch

from hw11 import draw, metrics, record, samples
from hw11.errors import HomeworkError
from hw11.loop import Run
from hw11.prepare import Prepared
from hw11.say import result, say


def rehearse(made: Prepared, run: Run) -> None:
    """Make every sample with one token of a fresh model: what cannot be sampled is told before the training."""
    state = torch.get_rng_state()
    _grid(made, run, max_new_tokens=1)
    torch.set_rng_state(state)


def finish(made: Prepared, run: Run) -> None:
    """Write the last numbers, the picture and the samples, and print how it went.

    Raises:
        HomeworkError: A file cannot be written.
    """
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
    samples.save(made.folder, _grid(made, run, made.record["samples"]["max_new_tokens"]))
    result(
        f"validation perplexity {last.perplexity:.2f} after {last.step + 1} steps; "
        f"counting pairs of tokens reaches {counted['bigram_perplexity']:.2f}, single tokens {counted['unigram_perplexity']:.2f}"
    )
    result(f"written to {made.folder.path}: {', '.join(sorted(path.name for path in made.folder.path.iterdir()))}")


def _grid(made: Prepared, run: Run, max_new_tokens: int) -> list[dict[str, Any]]:
    """Return all samples, from a copy of the model that is computed in the plain way, however it is trained."""
    plain, wanted = record.model(made.record, run.code), made.record["samples"]
    plain.load_state_dict(run.model.state_dict())
    grid: list[dict[str, Any]] = run.code.generation.prompt_grid(
        plain, made.tokenizer, wanted["prompts"], wanted["temperatures"], max_new_tokens, wanted["seed"]
    )
    return grid
