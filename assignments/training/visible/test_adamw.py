"""AdamW: the two steps of the handout, then torch's own steps."""

import torch

from grader.testing import assert_close, core, edge, exercise

pytestmark = exercise("training.adamw")

SHAPES = ((2, 2), (3,))


def one(x):
    return torch.tensor([x]).double()


def drawn(rng, *shape, scale=1.0):
    return torch.from_numpy(scale * rng.standard_normal(shape))


def values_of(rng):
    return [drawn(rng, *shape, scale=20.0) for shape in SHAPES]


def grads_of(rng, steps=4):
    """The gradients of each parameter at all steps."""
    return [drawn(rng, steps, *shape) for shape in SHAPES]


def expected(values, grads, rates=None, missing=(), **numbers):
    """torch's own trajectory."""
    params = [torch.nn.Parameter(v.clone()) for v in values]
    optimizer = torch.optim.AdamW(params, foreach=False, **numbers)
    found = []
    for i in range(len(grads[0])):
        for p, g in zip(params, grads, strict=True):
            p.grad = None if i in missing and p is params[0] else g[i]
        optimizer.param_groups[0]["lr"] = rates[i] if rates else numbers["lr"]
        optimizer.step()
        found.append([p.detach().clone() for p in params])
    return [torch.stack(each) for each in zip(*found, strict=True)]


def assert_same(got, wanted, what):
    for mine, right in zip(got, wanted, strict=True):
        assert_close(mine, right, rtol=0, atol=1e-5, what=f"{what} after each step")


def assert_steps(submission, values, grads, what, rates=None, missing=(), **numbers):
    weights = submission.Weights(values)
    got = submission.trajectory(submission.AdamW(weights, **numbers), [weights], [grads], rates, missing)
    assert_same(got, expected(values, grads, rates, missing, **numbers), what)


def numbers(**more):
    return {"lr": 1e-3, "betas": (0.8, 0.95), "eps": 1e-8, "weight_decay": 0.0, **more}


@core
def test_the_worked_example(submission):
    weights = submission.Weights([one(1.0)])
    optimizer = submission.AdamW(weights, lr=0.1, betas=(0.5, 0.5), eps=1e-8, weight_decay=0.0)
    got = submission.trajectory(optimizer, [weights], [[torch.tensor([[2.0], [-2.0]]).double()]])
    assert_same(got, [torch.tensor([[0.9], [0.9 + 0.1 / 3]]).double()], "the parameter")


@core
def test_all_steps_are_those_of_adam(submission, rng):
    assert_steps(submission, values_of(rng), grads_of(rng), "the parameters", **numbers(lr=0.01))


@core
def test_the_decay_is_of_the_parameter_and_not_of_the_gradient(submission, rng):
    assert_steps(submission, values_of(rng), grads_of(rng), "parameters that decay", **numbers(weight_decay=0.5))


@edge
def test_a_parameter_without_a_gradient_stays_and_does_not_decay(submission, rng):
    values, grads = values_of(rng), grads_of(rng)
    assert_steps(submission, values, grads, "parameters without some gradients", missing=(0, 2), **numbers(lr=0.01))
    what = "parameters that decay, without some gradients"
    assert_steps(submission, values, grads, what, missing=(0, 2), **numbers(weight_decay=0.4))


@edge
def test_every_group_has_numbers_of_its_own(submission, rng):
    more = [{"weight_decay": 0.5}, {"lr": 4e-3}, {"lr": 5e-3, "betas": (0.5, 0.6)}]
    values, grads = drawn(rng, 3, scale=20.0), drawn(rng, 4, 3)
    weights = [submission.Weights([values]) for _ in more]
    optimizer = submission.AdamW(submission.Groups(weights, more), **numbers())
    got = submission.trajectory(optimizer, weights, [[grads]] * 3)
    for mine, own in zip(got, more, strict=True):
        right = expected([values], [grads], **numbers() | own)
        assert_same([mine], right, f"the parameters of the group with {own}")


@edge
def test_a_schedule_is_followed(submission, rng):
    rates = [1e-3, 4e-3, 2e-3, 0.0]
    assert_steps(submission, values_of(rng), grads_of(rng), "parameters under a schedule", rates, **numbers())


@edge
def test_a_gradient_of_zero_moves_nothing(submission):
    weights = submission.Weights([one(3.0)], [one(0.0)])
    submission.AdamW(weights, **numbers()).step()
    assert_close(weights.values()[0], one(3.0), what="a parameter whose gradient is 0")


@edge
def test_the_gradients_stay_as_they_were(submission):
    weights = submission.Weights([one(3.0)], [one(2.0)])
    submission.AdamW(weights, **numbers(weight_decay=0.1)).step()
    [got] = weights.grads()
    assert got is not None, "the gradient is gone after a step"
    assert_close(got, one(2.0), what="the gradient after a step")


@edge
def test_another_optimizer_can_go_on_from_what_is_saved(submission, rng):
    values, grads = values_of(rng), grads_of(rng)
    weights = submission.Weights(values)
    more = numbers(lr=0.01)
    first, second = (submission.AdamW(weights, **more) for _ in range(2))
    before = submission.trajectory(first, [weights], [[g[:2] for g in grads]])
    submission.handed_over(first, second)
    after = submission.trajectory(second, [weights], [[g[2:] for g in grads]])
    got = [torch.cat(parts) for parts in zip(before, after, strict=True)]
    assert_same(got, expected(values, grads, **more), "the parameters, with another optimizer from step 3 on,")


@edge
def test_float32_stays_float32(submission):
    weights = submission.Weights([torch.ones(3)], [torch.ones(3)])
    submission.AdamW(weights, **numbers()).step()
    [got] = weights.values()
    assert got.dtype == torch.float32, f"a float32 parameter has become {got.dtype}"
    assert not torch.equal(got, torch.ones(3)), "a float32 parameter does not move"
