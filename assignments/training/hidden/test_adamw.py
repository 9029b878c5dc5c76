"""training.adamw: the same steps as torch's own, at eps 1e-8.

Where in a step the decay comes, and where eps, is left open: the steps are small enough for the difference not to show.
All but the first test compare the answer with its own steps elsewhere, so that one mistake costs once.
"""

import torch

from grader.testing import assert_close, core, edge, exercise

pytestmark = exercise("training.adamw")

STEPS, SHAPES = 5, ((3, 2), (5,))


def drawn(rng, *shape, scale=1.0):
    return torch.from_numpy(scale * rng.standard_normal(shape))


def values_of(rng, shapes=SHAPES):
    # Large, so that what decay takes away shows beside what a step adds.
    return [drawn(rng, *shape, scale=20.0) for shape in shapes]


def grads_of(rng, steps=STEPS, shapes=SHAPES):
    """The gradients of each parameter at all steps, of another size at each."""
    sizes = 10.0 ** torch.from_numpy(rng.uniform(-1, 1, size=steps))
    return [drawn(rng, *shape, steps).mul(sizes).movedim(-1, 0).contiguous() for shape in shapes]


def expected(values, grads, **numbers):
    """torch's own trajectory."""
    params = [torch.nn.Parameter(v.clone()) for v in values]
    optimizer = torch.optim.AdamW(params, foreach=False, **numbers)
    found = []
    for i in range(len(grads[0])):
        for p, g in zip(params, grads, strict=True):
            p.grad = g[i]
        optimizer.step()
        found.append([p.detach().clone() for p in params])
    return [torch.stack(each) for each in zip(*found, strict=True)]


def steps_of(submission, values, grads, rates=None, missing=(), **numbers):
    """The submission's trajectory."""
    weights = submission.Weights(values)
    return submission.trajectory(submission.AdamW(weights, **numbers), [weights], [grads], rates, missing)


def moves_of(trajectory, values):
    """What each step added, where nothing decayed."""
    return [torch.diff(steps, dim=0, prepend=v[None]) for steps, v in zip(trajectory, values, strict=True)]


def followed(values, moves, factor=1.0):
    """The trajectory of these moves, where each step first leaves a share of what there is."""
    found = []
    for value, each in zip(values, moves, strict=True):
        steps = [value]
        for move in each:
            steps.append(factor * steps[-1] + move)
        found.append(torch.stack(steps[1:]))
    return found


def assert_same(got, wanted, what):
    for mine, right in zip(got, wanted, strict=True):
        assert_close(mine, right, rtol=0, atol=1e-5, what=f"{what} after each step")


def numbers(rng, **more):
    betas = (float(rng.uniform(0.7, 0.9)), float(rng.uniform(0.93, 0.98)))
    return {"lr": float(rng.uniform(0.8e-3, 1.2e-3)), "betas": betas, "eps": 1e-8, "weight_decay": 0.0, **more}


@core
def test_all_steps_are_those_of_adam(submission, rng):
    values, grads, more = values_of(rng), grads_of(rng), numbers(rng, lr=0.01)
    assert_same(steps_of(submission, values, grads, **more), expected(values, grads, **more), "the parameters")


@core
def test_the_decay_is_of_the_parameter_and_not_of_the_gradient(submission, rng):
    """Whatever a step adds without decay, it adds with it too, and takes a share of the parameter away."""
    values, grads, more = values_of(rng), grads_of(rng), numbers(rng)
    decay = float(rng.uniform(0.3, 0.5))
    moves = moves_of(steps_of(submission, values, grads, **more), values)
    got = steps_of(submission, values, grads, **more | {"weight_decay": decay})
    assert_same(got, followed(values, moves, 1 - more["lr"] * decay), f"parameters that decay by {decay:.3f}")


@edge
def test_a_parameter_without_a_gradient_stays_and_does_not_decay(submission, rng):
    """It moves as if the steps at which it had none had not been."""
    values, grads, more = values_of(rng, SHAPES[:1]), grads_of(rng, shapes=SHAPES[:1]), numbers(rng, lr=0.01)
    [with_all] = steps_of(submission, values, [g[[1, 4]] for g in grads], **more)
    right = torch.stack([values[0], with_all[0], with_all[0], with_all[0], with_all[1]])
    got = steps_of(submission, values, grads, missing=(0, 2, 3), **more)
    assert_same(got, [right], "a parameter that has a gradient at steps 2 and 5 only")
    never = steps_of(submission, values, grads, missing=tuple(range(STEPS)), **more | {"weight_decay": 0.4})
    assert_same(never, [values[0].expand(STEPS, *SHAPES[0])], "a parameter that never has a gradient")


@edge
def test_every_group_has_numbers_of_its_own(submission, rng):
    own = [{"weight_decay": 0.5}, {"lr": 4e-3}, {"lr": 5e-3, "betas": (0.5, 0.6)}]
    shapes = ((2, 3), (4,), (3,))
    values, grads, more = values_of(rng, shapes), grads_of(rng, shapes=shapes), numbers(rng)
    weights = [submission.Weights([v]) for v in values]
    optimizer = submission.AdamW(submission.Groups(weights, own), **more)
    got = submission.trajectory(optimizer, weights, [[g] for g in grads])
    for v, g, mine, numbers_of_group in zip(values, grads, got, own, strict=True):
        alone = steps_of(submission, [v], [g], **more | numbers_of_group)
        assert_same([mine], alone, f"the parameters of the group with {numbers_of_group}")


@edge
def test_a_schedule_is_followed(submission, rng):
    values, grads, more = values_of(rng), grads_of(rng), numbers(rng)
    rates = [float(rate) for rate in rng.uniform(2e-3, 9e-3, size=STEPS)]
    moves = moves_of(steps_of(submission, values, grads, **more), values)
    share = torch.tensor(rates).double() / more["lr"]
    right = followed(values, [(share * each.movedim(0, -1)).movedim(-1, 0) for each in moves])
    assert_same(steps_of(submission, values, grads, rates, **more), right, "parameters under a schedule")


@edge
def test_a_gradient_of_zero_moves_nothing_and_one_as_small_as_eps_not_far(submission, rng):
    values, grads, more = values_of(rng, SHAPES[:1]), torch.zeros(2, *SHAPES[0]).double(), numbers(rng)
    right = [values[0].expand(2, *SHAPES[0])]
    assert_same(steps_of(submission, values, [grads], **more), right, "a parameter whose gradient is 0")
    [moves] = moves_of(steps_of(submission, values, [grads + more["eps"]], **more), values)
    farthest = moves.abs().max().item()
    assert farthest <= 2 * more["lr"], (
        f"a gradient of eps moved a parameter by {farthest:.3g}, with rate {more['lr']:.3g}"
    )


@edge
def test_the_gradients_stay_as_they_were(submission, rng):
    grads = [g[0] for g in grads_of(rng, 1)]
    weights = submission.Weights(values_of(rng), grads)
    submission.AdamW(weights, **numbers(rng, weight_decay=0.1)).step()
    for got, before in zip(weights.grads(), grads, strict=True):
        assert got is not None, "the gradients are gone after a step"
        assert_close(got, before, what="the gradients after a step")


@edge
def test_another_optimizer_can_go_on_from_what_is_saved(submission, rng):
    values, grads, more = values_of(rng), grads_of(rng), numbers(rng, lr=0.01)
    weights = submission.Weights(values)
    first, second = submission.AdamW(weights, **more), submission.AdamW(weights, **more)
    before = submission.trajectory(first, [weights], [[g[:2] for g in grads]])
    submission.handed_over(first, second)
    after = submission.trajectory(second, [weights], [[g[2:] for g in grads]])
    got = [torch.cat(parts) for parts in zip(before, after, strict=True)]
    alone = steps_of(submission, values, grads, **more)
    assert_same(got, alone, "the parameters, with another optimizer from step 3 on,")


@edge
def test_float32_stays_float32(submission, rng):
    values, grads = [v.float() for v in values_of(rng)], [g[0].float() for g in grads_of(rng, 1)]
    weights = submission.Weights(values, grads)
    submission.AdamW(weights, **numbers(rng)).step()
    for got, before in zip(weights.values(), values, strict=True):
        assert got.dtype == torch.float32, f"a float32 parameter has become {got.dtype}"
        assert not torch.equal(got, before), "a float32 parameter does not move"
