"""A generator goes on from where a function on the other side left it."""

import numpy as np
import pytest

from grader.wire.drawn import generators_in, go_on
from grader.wire.exchange import Lending
from grader.wire.messages import CallBack, CallBackResult
from grader.wire.schema import from_frame, to_frame

torch = pytest.importorskip("torch")


def numpy_s(seed=1):
    return np.random.default_rng(seed)


def torch_s(seed=1):
    return torch.Generator().manual_seed(seed)


def test_generators_are_found_wherever_they_stand():
    a, b, c = numpy_s(), torch_s(), numpy_s(2)
    assert generators_in((a, [1, {"x": b}]), {"g": c, "y": "text"}) == [a, b, c]


@pytest.mark.parametrize("made", [numpy_s, torch_s])
def test_a_generator_that_was_drawn_from_there_has_moved_here(made):
    ours, theirs = made(), made()
    [theirs.random() if made is numpy_s else torch.rand(3, generator=theirs)]
    go_on([ours], [theirs])
    drawn = [g.random() if made is numpy_s else torch.rand(1, generator=g).item() for g in (ours, theirs)]
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize(
    ("ours", "theirs"), [([], [numpy_s()]), ([torch_s()], [numpy_s()]), ([numpy_s()], [torch_s()])]
)
def test_what_does_not_fit_is_refused(ours, theirs):
    with pytest.raises(ValueError, match=r"shorter|longer|kind"):
        go_on(ours, theirs)


def test_what_a_lent_function_drew_crosses_back():
    lending = Lending()
    number = lending.reduce(lambda rng, *, generator: float(rng.random()) + torch.rand(2, generator=generator).sum())
    ours = CallBack(number.id, (numpy_s(),), {"generator": torch_s()})
    answer = from_frame(to_frame(lending.answer(from_frame(to_frame(ours)))))
    assert isinstance(answer, CallBackResult)
    go_on(generators_in(ours.args, ours.kwargs), answer.generators)
    there = numpy_s(), torch_s()
    there[0].random(), torch.rand(2, generator=there[1])
    assert ours.args[0].random() == there[0].random()
    assert torch.equal(torch.rand(3, generator=ours.kwargs["generator"]), torch.rand(3, generator=there[1]))
