"""`train`: from a corpus to RUN/."""

from __future__ import annotations

import argparse

import torch

from hw11 import metrics, prepare, record
from hw11.again import again
from hw11.checkpoint import restore, save
from hw11.device import find
from hw11.errors import HomeworkError
from hw11.folder import RunFolder
from hw11.graded import warn
from hw11.interrupt import Interrupt
from hw11.loop import Run
from hw11.modules import Code, load
from hw11.prepare import Prepared
from hw11.progress import Pace, progress
from hw11.results import finish, rehearse, remind
from hw11.say import say
from hw11.speed import WAYS
from hw11.team import Team, gather

INTERRUPTED = 130


def train(arguments: argparse.Namespace) -> int:
    """Train a model, new or from its last checkpoint, and write all that RUN/ holds.

    Returns:
        0, or 130 where it was interrupted.

    Raises:
        HomeworkError: Something that the user can mend.
    """
    code = load(arguments.code)
    if not arguments.resume:
        RunFolder(arguments.out).require_free(again(arguments, arguments.out))
    made = prepare.resumed(arguments, code) if arguments.resume else prepare.fresh(arguments, code)
    device = find(made.record["options"]["device"])
    team = gather(device, made.record["seed"])
    run = _run(made, code, device, team)
    start = _resume(made, run) if arguments.resume else _begin(made, run)
    done = _work(made, run, start, arguments)
    if done and team.rank == 0:
        finish(made, run, again(arguments, made.folder.path))
        remind(made, arguments.code)
    team.close()
    return 0 if done else INTERRUPTED


def _run(made: Prepared, code: Code, device: torch.device, team: Team) -> Run:
    made.record["options"].setdefault("world_size", team.size)
    if made.record["options"]["world_size"] != team.size:
        raise HomeworkError(
            f"this run has {made.record['options']['world_size']} processes, and here are {team.size}",
            hint="start as many, with torchrun --nproc-per-node",
        )
    model = made.model.to(device)
    options = made.record["options"]
    for name, use in WAYS.items():
        if options.get(name) or (name == "bf16" and options["dtype"] == "bfloat16"):
            use(model, code)
    train_data, val_data = (part.to(device) for part in made.data)
    config = record.train_config(made.record["training"], code)
    try:
        return Run(code, model, config, train_data, val_data, made.record["seed"], team)
    except ValueError as error:  # an optimizer refuses its numbers
        raise HomeworkError(str(error), hint="`train --help` tells what each number is") from error


def _begin(made: Prepared, run: Run) -> int:
    """Write what can be written before the first step, so that what cannot be is told now and not after an hour."""
    if run.team.rank == 0:
        warn(made.record)
        rehearse(made, run)
        made.folder.create()
        made.tokenizer.save(made.folder.tokenizer)
        metrics.start(made.folder.metrics)
        record.save(made.folder, made.record)
        save(made.folder.checkpoint, run, made=0)
    return 0


def _resume(made: Prepared, run: Run) -> int:
    start = restore(made.folder.checkpoint, run)
    if run.team.rank == 0:
        rehearse(made, run)
        metrics.start(made.folder.metrics, [row for row in metrics.read(made.folder.metrics) if row.step < start])
    say(f"going on after {start} of {run.config.steps} steps")
    return start


def _work(made: Prepared, run: Run, start: int, arguments: argparse.Namespace) -> bool:
    """Make the steps; return whether all of them are made."""
    writes, pace = run.team.rank == 0, Pace(start, run.config.steps, run.tokens_per_step)
    with Interrupt() as interrupt, progress(pace, speaks=writes) as shown:
        for step in run.steps(start, interrupt.asked):
            shown.step(step)
            made_now = step.number + 1
            last = made_now == run.config.steps
            if writes and step.row is not None:
                metrics.append(made.folder.metrics, step.row)
            if writes and (last or step.stop or made_now % arguments.checkpoint_every == 0):
                save(made.folder.checkpoint, run, made_now)
            if last or step.stop:
                _note(made, pace, made_now, writes=writes)
            if step.stop and not last:
                say(f"stopped after {made_now} of {run.config.steps} steps; go on with")
                say(f"    {again(arguments, made.folder.path)}")
                return False
    return True


def _note(made: Prepared, pace: Pace, steps: int, *, writes: bool) -> None:
    made.record["seconds"] += pace.seconds
    made.record["tokens_per_second"] = pace.tokens_per_second(steps)
    if writes:
        record.save(made.folder, made.record)
