"""training.learning_rate: each piece of the curve, and the steps where one piece meets the next."""

from grader.testing import assert_close, assert_rejects, core, edge, exercise

pytestmark = exercise("training.learning_rate")


def drawn(rng):
    """Numbers of a run, all different: the rates and where the pieces end."""
    warmup = int(rng.integers(3, 7))
    return {
        "max_lr": float(rng.uniform(0.5, 1)),
        "min_lr": float(rng.uniform(0.05, 0.2)),
        "warmup": warmup,
        "total": warmup + int(rng.integers(5, 12)) * 2 + 1,
    }


def assert_rates(submission, reference, steps, **numbers):
    got = [submission.learning_rate(step, **numbers) for step in steps]
    for step, rate in zip(steps, got, strict=True):
        expected = reference.learning_rate(step, **numbers)
        assert_close(
            rate, expected, what=f"the rate of step {step}, warmup {numbers['warmup']}, total {numbers['total']}"
        )


@core
def test_the_warmup_begins_above_zero_and_ends_at_the_maximum(submission, reference, rng):
    numbers = drawn(rng)
    assert_rates(submission, reference, (0, 1, numbers["warmup"] - 1), **numbers)


@core
def test_half_a_cosine_falls_from_the_maximum_to_the_minimum(submission, reference, rng):
    numbers = drawn(rng)
    warmup, total = numbers["warmup"], numbers["total"]
    assert_rates(submission, reference, (warmup, warmup + 1, (warmup + total) // 2, total - 1), **numbers)


@core
def test_from_the_end_on_the_rate_is_the_minimum(submission, reference, rng):
    numbers = drawn(rng)
    total = numbers["total"]
    assert_rates(submission, reference, (total, total + 1, 2 * total, 100 * total), **numbers)


@edge
def test_without_a_warmup_the_first_rate_is_the_maximum(submission, reference, rng):
    assert_rates(submission, reference, (0,), **drawn(rng) | {"warmup": 0})


@edge
def test_without_room_for_a_cosine_the_minimum_follows_the_warmup(submission, reference, rng):
    numbers = drawn(rng)
    warmup = numbers["warmup"]
    for total in (warmup, warmup - 1, 0):
        assert_rates(submission, reference, (warmup - 1, warmup, warmup + 1), **numbers | {"total": total})


@edge
def test_negative_steps_are_refused(submission, rng):
    for wrong in ("step", "warmup", "total"):
        numbers = {"step": 2} | drawn(rng) | {wrong: -1}
        step = numbers.pop("step")
        assert_rejects(submission.learning_rate, step, **numbers)
