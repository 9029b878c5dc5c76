"""training.parameter_groups: which parameters decay, each in one group and once. A parameter is known by its values."""

import numpy as np
import torch

from grader.testing import assert_close, core, edge, exercise

pytestmark = exercise("training.parameter_groups")

V, T, D = 7, 5, 3
SHAPES = {
    "kernel": (2, 3, D),
    "bias_table": (T, T),
    "temperature": (),
    "wte.weight": (V, D),
    "wpe.weight": (T, D),
    "h.0.weight": (D,),
    "h.0.bias": (D,),
    "h.1.weight": (2 * D, D),
    "h.1.bias": (2 * D,),
}
MATRICES = ("wte.weight", "wpe.weight", "h.1.weight")
VECTORS = ("h.0.weight", "h.0.bias", "h.1.bias")


def made(submission, rng):
    """A model and what its parameters are, by name; the head's is the embedding's."""
    state = {name: torch.from_numpy(np.asarray(rng.standard_normal(shape))).float() for name, shape in SHAPES.items()}
    return submission.Kinds(state), state


def decays(submission, model, state, weight_decay):
    """For each parameter the weight decays of all places where it stands in the groups."""
    groups = submission.parameter_groups(model, weight_decay)
    assert isinstance(groups, list | tuple), "the groups should be a list"
    found = {name: [] for name in state}
    for group in groups:
        assert isinstance(group, dict), "each group should be a dict"
        assert {"params", "weight_decay"} <= group.keys(), "each group should have `params` and `weight_decay`"
        for tensor in group["params"]:
            name = next((name for name, value in state.items() if same(tensor, value)), None)
            assert name, "a group holds something that is no parameter of the model"
            found[name].append(group["weight_decay"])
    return found


def same(tensor, value):
    return isinstance(tensor, torch.Tensor) and tensor.shape == value.shape and torch.equal(tensor, value)


def assert_decays(found, names, expected):
    for name in names:
        for each in found[name]:
            assert_close(each, expected, what=f"the weight decay of {name}")


def drawn(rng):
    return float(rng.uniform(0.1, 0.9))


@core
def test_matrices_and_embeddings_decay(submission, rng):
    weight_decay = drawn(rng)
    model, state = made(submission, rng)
    assert_decays(decays(submission, model, state, weight_decay), MATRICES, weight_decay)


@core
def test_biases_and_the_gains_of_norms_do_not(submission, rng):
    model, state = made(submission, rng)
    assert_decays(decays(submission, model, state, drawn(rng)), VECTORS, 0.0)


@core
def test_no_parameter_is_left_out(submission, rng):
    model, state = made(submission, rng)
    missing = [name for name, places in decays(submission, model, state, drawn(rng)).items() if not places]
    assert not missing, f"no group holds {', '.join(missing)}, so that no optimizer would move it"


@edge
def test_no_parameter_stands_twice(submission, rng):
    model, state = made(submission, rng)
    twice = [name for name, places in decays(submission, model, state, drawn(rng)).items() if len(places) > 1]
    assert not twice, f"{', '.join(twice)} stands more than once, so that it would move twice in a step"


@edge
def test_what_counts_is_the_number_of_dimensions_not_the_name(submission, rng):
    weight_decay = drawn(rng)
    model, state = made(submission, rng)
    found = decays(submission, model, state, weight_decay)
    assert_decays(found, ("kernel", "bias_table"), weight_decay)
    assert_decays(found, ("temperature",), 0.0)
