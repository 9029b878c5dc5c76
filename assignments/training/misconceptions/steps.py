"""Two ways to write a training step, each of which can be made wrong in one thing."""

from __future__ import annotations

from misconceptions.parts import all_kept, clip, costs, kept, total


def nothing(*_):
    """Do nothing."""


def zero(_, optimizer):
    """Clear the gradients, as it should be done."""
    optimizer.zero_grad()


def norm_of_all(model, max_norm):
    """Clip as it should be done."""
    clip(list(model.parameters()), max_norm)


def by_the_optimizer(_, optimizer):
    """Let the optimizer move, as it should."""
    optimizer.step()


def backward_each(
    *,
    lists=True,
    refuses=all_kept,
    seen=list,
    begin=nothing,
    before=zero,
    between=nothing,
    loss=None,
    weigh=None,
    running=False,
    between_after=False,
    step_each=False,
    after=nothing,
    clip=norm_of_all,  # what it is called everywhere
    move=by_the_optimizer,
    end=nothing,
    after_the_step=False,
):
    """A step that goes backward through each micro-batch in turn."""

    def function(ref, model, batches, optimizer, max_norm):
        if lists:
            batches = list(batches)
        counted = refuses(batches) if lists else all_kept(batches)
        begin(model)
        before(model, optimizer)
        parts = []
        for i, (x, y) in enumerate(seen(batches) if lists else batches, start=1):
            between(model, optimizer)
            part = costs(model(x)[0], y).sum() if loss is None else loss(model(x)[0], y)
            if running:
                part = part / max(kept(y), 1) / i
            else:
                part = part / counted if weigh is None else weigh(part, y, batches)
            part.backward()
            parts.append(part.item())
            if between_after:
                clip(model, max_norm)
            if step_each:
                clip(model, max_norm)
                optimizer.step()
                optimizer.zero_grad()
        after(model, optimizer)
        if not step_each:
            clip(model, max_norm)
            move(model, optimizer)
        end(model, optimizer)
        if after_the_step:
            return sum(costs(model(x)[0], y).sum().item() for x, y in batches) / counted
        return float(sum(parts))

    return function


def backward_once(
    *,
    lists=True,
    refuses=all_kept,
    begin=nothing,
    before=zero,
    loss=total,
    parts=list,
    learned=list,
    divide=None,
    fold=False,
    clip=norm_of_all,  # as above
    move=by_the_optimizer,
    end=nothing,
    after_the_step=False,
):
    """A step that adds up the losses of all micro-batches and goes backward once."""

    def function(ref, model, batches, optimizer, max_norm):
        batches = [*batches] if lists else batches
        n = refuses(batches)
        n = sum(kept(y) for _, y in batches) if n is None else n
        begin(model)
        before(model, optimizer)
        divisor = max(n, 1) if divide is None else divide(batches)
        losses = parts([loss(model(x)[0], y) / divisor for x, y in batches])
        if fold:
            for each in losses:
                each.backward()
                clip(model, max_norm)
        elif losses:
            sum(learned(losses)).backward()
        clip(model, max_norm)
        move(model, optimizer)
        end(model, optimizer)
        if after_the_step:
            return sum(total(model(x)[0], y).item() for x, y in batches) / n
        return float(sum(losses))

    return function
