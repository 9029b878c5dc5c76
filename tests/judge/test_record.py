import numpy as np

from grader.judge.record import Request


def test_a_callee_s_arguments_are_its_own():
    x = np.zeros(2)
    request = Request("f", (x, [x]), {"W": {"b": x}})
    args, kwargs = request.copy_arguments()
    for copied in (args[0], args[1][0], kwargs["W"]["b"]):
        copied.fill(1)
    assert x.tolist() == [0, 0]


def test_an_array_that_is_given_twice_arrives_as_two_as_it_does_over_the_wire():
    x = np.zeros(2)
    args, kwargs = Request("attention", (x, x), {"V": x, "mask": x}).copy_arguments()
    args[0][0] = 1
    assert [each[0] for each in (*args, *kwargs.values())] == [1, 0, 0, 0]
