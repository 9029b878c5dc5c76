"""The curve of the handout: four steps up, eight steps down, then the floor."""

from grader.testing import assert_close, assert_rejects, core, edge, exercise

pytestmark = exercise("training.learning_rate")

CURVE = {"max_lr": 1.0, "min_lr": 0.2, "warmup": 4, "total": 12}


def assert_rates(submission, rates, **changes):
    for step, rate in rates.items():
        got = submission.learning_rate(step, **CURVE | changes)
        assert_close(got, rate, atol=1e-6, what=f"the rate of step {step}")


@core
def test_the_warmup_begins_above_zero_and_ends_at_the_maximum(submission):
    assert_rates(submission, {0: 0.25, 1: 0.5, 2: 0.75, 3: 1.0})


@core
def test_half_a_cosine_falls_from_the_maximum_to_the_minimum(submission):
    assert_rates(submission, {4: 1.0, 10: 0.3171573, 6: 0.8828427, 8: 0.6, 11: 0.2304482})


@core
def test_from_the_end_on_the_rate_is_the_minimum(submission):
    assert_rates(submission, {12: 0.2, 13: 0.2, 20: 0.2, 999: 0.2})


@edge
def test_without_a_warmup_the_first_rate_is_the_maximum(submission):
    assert_rates(submission, {0: 1.0, 6: 0.6, 12: 0.2}, warmup=0)


@edge
def test_without_room_for_a_cosine_the_minimum_follows_the_warmup(submission):
    for total in (4, 3, 0):
        assert_rates(submission, {3: 1.0, 4: 0.2, 5: 0.2}, total=total)
    assert_rates(submission, {0: 0.2}, warmup=0, total=0)


@edge
def test_negative_steps_are_refused(submission):
    assert_rejects(submission.learning_rate, -1, **CURVE)
    for wrong in ("warmup", "total"):
        assert_rejects(submission.learning_rate, 0, **CURVE | {wrong: -1})
