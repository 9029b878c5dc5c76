"""What decides the score of `from_preset`: the sizes, then what may be set and what must be said."""

import pytest
import torch

from grader.testing import assert_close, assert_keys, assert_record, assert_rejects, core, edge, exercise

pytestmark = exercise("gpt2.from_preset")

EITHER = ("ValueError", "RuntimeError")
USUAL = {"dropout": 0.0, "bias": True}
SMALL = {
    "femto": {"n_layer": 1, "n_head": 1, "d_model": 2},
    "pico": {"n_layer": 3, "n_head": 3, "d_model": 6},
    "nano": {"n_layer": 3, "n_head": 3, "d_model": 48},
}
# As published, with the number of parameters.
GPT2 = {
    "gpt2": (12, 12, 768, 124_439_808),
    "gpt2-medium": (24, 16, 1024, 354_823_168),
    "gpt2-large": (36, 20, 1280, 774_030_080),
    "gpt2-xl": (48, 25, 1600, 1_557_611_200),
}


def assert_config(got, expected, name):
    fields = assert_record(got, "GPTConfig", what=f"the .config of {name}")
    for field, value in expected.items():
        found = getattr(fields, field)
        assert found == value, f"{name} has {field} = {found}, expected {value}"


@core
@pytest.mark.parametrize("name", SMALL)
def test_a_small_size_takes_its_vocabulary_and_its_length(submission, rng, name):
    given = {"vocab_size": int(rng.integers(5, 40)), "block_size": int(rng.integers(41, 60))}
    assert_config(submission.from_preset(name, **given)["config"], SMALL[name] | given | USUAL, name)


@core
@pytest.mark.parametrize("name", GPT2)
def test_a_size_of_gpt2_has_the_published_number_of_parameters(submission, name):
    n_layer, n_head, d_model, parameters = GPT2[name]
    found = assert_keys(submission.on_meta(name), "config", "parameters", what=f"{name} on the meta device")
    sizes = {"n_layer": n_layer, "n_head": n_head, "d_model": d_model, "vocab_size": 50257, "block_size": 1024}
    assert_config(found["config"], sizes | USUAL, name)
    assert found["parameters"] == parameters, f"{name} has {found['parameters']} parameters, expected {parameters}"


@edge
def test_every_field_can_be_set(submission):
    given = {"vocab_size": 7, "block_size": 5, "n_layer": 2, "n_head": 5, "d_model": 10, "dropout": 0.25, "bias": False}
    for name in ("pico", "gpt2"):
        assert_config(submission.on_meta(name, **given)["config"], given, f"{name} with other numbers")


@edge
def test_what_was_set_once_is_not_set_the_next_time(submission):
    submission.from_preset("pico", vocab_size=7, block_size=5, n_layer=1)
    found = submission.from_preset("pico", vocab_size=11, block_size=5)["config"]
    assert_config(found, SMALL["pico"] | {"vocab_size": 11, "block_size": 5}, "pico, after one with a single layer,")


@edge
def test_each_model_is_a_new_one(submission, rng):
    one, other = (submission.from_preset("femto", vocab_size=7, block_size=5) for _ in range(2))
    first, second = (torch.from_numpy(rng.standard_normal((5, 2))).float() for _ in range(2))
    for model, new in ((one, first), (other, second)):
        model.load_state_dict({"transformer.wpe.weight": new}, strict=False)
    assert_close(
        one["transformer"]["wpe"]["weight"], first, what="wpe of the first model, after the second one's was set anew"
    )


@edge
@pytest.mark.parametrize("name", ["femto", "nano"])
def test_a_small_size_without_its_vocabulary_or_its_length_is_refused(submission, name):
    for given in ({}, {"vocab_size": 5}, {"block_size": 5}):
        assert_rejects(submission.from_preset, name, error=EITHER, **given)


@edge
def test_a_size_that_nobody_knows_is_refused(submission):
    for name in ("gpt3", "gpt2-small", ""):
        assert_rejects(submission.from_preset, name, vocab_size=5, block_size=5, error=EITHER)


@edge
def test_a_field_that_the_configuration_does_not_have_is_refused(submission):
    assert_rejects(
        submission.from_preset, "femto", vocab_size=5, block_size=5, n_embd=4, error=("TypeError", "ValueError")
    )
