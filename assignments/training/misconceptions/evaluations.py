"""Two ways to write an evaluation, each of which can be made wrong in one thing."""

from __future__ import annotations

import torch

from misconceptions.parts import costs, kept, refuse, total


def evaluation(model):
    """Switch dropout off, as it should be done."""
    model.eval()


def each_its_own(model, modes):
    """Give each module its mode of before, as it should be done."""
    for module, mode in modes.items():
        module.training = mode


def nothing(*_):
    """Do nothing."""


def mean_of_all(parts):
    """The mean of the costs of all kept tokens: a list of [N] -> a number."""
    every = torch.cat(parts) if parts else torch.zeros(0)
    refuse(not len(every))
    return every.mean().item()


def gathered(
    *,
    begin=evaluation,
    restore=each_its_own,
    come_what_may=True,
    quiet=torch.no_grad,
    seen=list,
    of_batch=costs,
    result=mean_of_all,
):
    """An evaluation that keeps the cost of each token, and takes the mean at the end."""

    def function(ref, model, batches):
        modes = {module: module.training for module in model.modules()}
        begin(model)
        try:
            with quiet():
                parts = [of_batch(model(x)[0], y).detach() for x, y in seen(batches)]
            value = result(parts)
        except Exception:
            if come_what_may:
                restore(model, modes)
            raise
        restore(model, modes)
        return value

    return function


def counted(
    *,
    begin=evaluation,
    restore=each_its_own,
    come_what_may=True,
    quiet=torch.inference_mode,
    cost=total,
    count=lambda x, y: kept(y),
    stop=None,
    end=lambda nll, n: nll / n,
    refuses=True,
):
    """An evaluation that adds up costs and counts tokens as it goes."""

    def function(ref, model, batches):
        before = [(module, module.training) for module in model.modules()]
        finished = False
        nll, n = 0.0, 0
        begin(model)
        try:
            for number, (x, y) in enumerate(batches):
                if number == stop:
                    break
                with quiet():
                    nll += cost(model(x)[0], y).item()
                n += count(x, y)
            refuse(refuses and n == 0)
            finished = True
        finally:
            if finished or come_what_may:
                restore(model, dict(before))
        return float(end(nll, n)) if n else 0.0

    return function
