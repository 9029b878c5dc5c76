"""The groups of a model with parameters of every kind. A parameter is known by its values."""

import torch

from grader.testing import assert_close, core, edge, exercise

pytestmark = exercise("training.parameter_groups")


# So few numbers that a kit knows all of them, the decays among them.
SHAPES = {
    "kernel": (2, 1, 1),
    "bias_table": (2, 2),
    "temperature": (),
    "wte.weight": (3, 1),
    "wpe.weight": (2, 1),
    "h.0.weight": (1,),
    "h.0.bias": (1,),
    "h.1.weight": (2, 1),
    "h.1.bias": (2,),
}


def made(submission):
    """A model and what its parameters are, by name: each full of one number, its own. The head's is the embedding's."""
    state = {name: torch.full(shape, float(i)) for i, (name, shape) in enumerate(SHAPES.items())}
    return submission.Kinds(state), state


def decays(submission, weight_decay=0.3):
    """For each parameter the weight decays of all places where it stands in the groups."""
    model, state = made(submission)
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


@core
def test_matrices_and_embeddings_decay(submission):
    for weight_decay in (0.3, 0.7):
        assert_decays(decays(submission, weight_decay), ("wte.weight", "wpe.weight", "h.1.weight"), weight_decay)


@core
def test_biases_and_the_gains_of_norms_do_not(submission):
    assert_decays(decays(submission), ("h.0.weight", "h.0.bias", "h.1.bias"), 0.0)


@core
def test_no_parameter_is_left_out(submission):
    missing = [name for name, places in decays(submission).items() if not places]
    assert not missing, f"no group holds {', '.join(missing)}, so that no optimizer would move it"


@edge
def test_no_parameter_stands_twice(submission):
    twice = [name for name, places in decays(submission).items() if len(places) > 1]
    assert not twice, f"{', '.join(twice)} stands more than once, so that it would move twice in a step"


@edge
def test_what_counts_is_the_number_of_dimensions_not_the_name(submission):
    found = decays(submission)
    assert_decays(found, ("kernel", "bias_table"), 0.3)
    assert_decays(found, ("temperature",), 0.0)
