"""Two ways to write a training run, each of which can be made wrong in one thing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import torch


def batches_of(ref, data, config, n, generator):
    """Draw so many batches."""
    return [ref.get_batch(data, config.batch_size, config.block_size, generator) for _ in range(n)]


def twin(generator):
    """Return a generator that will draw the same."""
    return torch.Generator().set_state(generator.get_state())


def nothing(*_):
    """Do nothing."""


def draw_once(ref, data, config, generator):
    """The validation batches, from a twin of the generator: they are the same at every step."""
    batches = batches_of(ref, data.val, config, config.eval_batches, twin(generator))
    return lambda: batches


def set_all(optimizer, lr):
    """Set the rate of all groups."""
    for group in optimizer.param_groups:
        group["lr"] = lr


def rate_of(ref, step, config, *, later=0, **changes):
    """The rate of a step."""
    how = {"max_lr": config.max_lr, "min_lr": config.min_lr, "warmup": config.warmup, "total": config.steps} | changes
    return ref.learning_rate(step + later, **how)


def adamw(ref, model, config):
    """The optimizer as it should be."""
    groups = ref.parameter_groups(model, config.weight_decay)
    return ref.AdamW(groups, config.max_lr, config.betas, config.eps, config.weight_decay)


def times_logged(step, config):
    """How often a step is logged: every so many, and the last."""
    return int(step % config.log_every == 0 or step + 1 == config.steps)


@dataclass(frozen=True)
class How:
    """What a run does; each part can be another one."""

    begin: Any = lambda model: model.train()
    data: Any = nothing
    validation: Any = draw_once
    optimizer: Any = adamw
    anew: bool = False
    rate: Any = rate_of
    apply: Any = set_all
    generator: Any = lambda generator: generator
    batches: Any = lambda ref, data, config, generator: batches_of(
        ref, data.train, config, config.accumulate, generator
    )
    norm: Any = lambda config: config.max_norm
    logs: Any = times_logged
    number: Any = lambda step: step
    measure: Any = lambda ref, model, batches: ref.evaluate(model, batches)
    before: bool = False
    loss: Any = lambda ref, model, batches, losses, config: losses[-1]
    perplexity: Any = lambda ref, model, row, rows, batches: ref.perplexity(row["val_loss"], 1)
    end: Any = nothing


FIELDS = ("step", "loss", "val_loss", "perplexity", "learning_rate")


def looped(**wrong):
    """A run written as one loop that fills a history."""
    how = replace(How(), **wrong)

    def train(ref, model, train_data, val_data, config, generator):
        data = SimpleNamespace(train=train_data, val=val_data)
        how.data(data)
        validation = how.validation(ref, data, config, generator)
        own = how.generator(generator)
        optimizer, history, losses, rows = how.optimizer(ref, model, config), ref.History(), [], []
        model = how.begin(model) or model
        for step in range(config.steps):
            lr = how.rate(ref, step, config)
            optimizer = how.optimizer(ref, model, config) if how.anew else optimizer
            how.apply(optimizer, lr)
            batches = how.batches(ref, data, config, own)
            logged = how.logs(step, config)
            val_loss = how.measure(ref, model, validation()) if logged and how.before else None
            losses.append(ref.train_step(model, batches, optimizer, how.norm(config)))
            for _ in range(logged):
                val_batches = validation()
                row = {"step": how.number(step), "loss": how.loss(ref, model, batches, losses, config)}
                row["val_loss"] = how.measure(ref, model, val_batches) if val_loss is None else val_loss
                row |= {"perplexity": how.perplexity(ref, model, row, rows, val_batches), "learning_rate": lr}
                rows.append(row)
                for name in FIELDS:
                    getattr(history, name).append(row[name])
        how.end(model)
        return history

    return train


def staged(**wrong):
    """A run written as rows that come one by one, of which the history is made at the end."""
    how = replace(How(), **wrong)

    def train(ref, model, train_data, val_data, config, generator):
        data = SimpleNamespace(train=train_data, val=val_data)
        how.data(data)
        measured_on = how.validation(ref, data, config, generator)
        rows: list[dict[str, Any]] = []
        rows.extend(_rows(how, ref, model, data, config, how.generator(generator), measured_on, rows))
        return ref.History(**{name: [row[name] for row in rows] for name in FIELDS})

    return train


def _rows(how, ref, model, data, config, generator, measured_on, rows):
    model = how.begin(model) or model
    optimizer = how.optimizer(ref, model, config)
    losses, step = [], 0
    while step < config.steps:
        if how.anew and step:
            optimizer = how.optimizer(ref, model, config)
        lr, batches = how.rate(ref, step, config), how.batches(ref, data, config, generator)
        how.apply(optimizer, lr)
        times = how.logs(step, config)
        early = [how.measure(ref, model, measured_on()) for _ in range(times if how.before else 0)]
        losses += [ref.train_step(model, iter(batches), optimizer, how.norm(config))]
        while times:
            loss, val_batches = how.loss(ref, model, batches, losses, config), measured_on()
            val_loss = early[0] if early else how.measure(ref, model, val_batches)
            row = {"step": how.number(step), "val_loss": val_loss, "learning_rate": lr}
            row["loss"] = loss
            yield row | {"perplexity": how.perplexity(ref, model, row, rows, val_batches)}
            times -= 1
        step += 1
    how.end(model)
