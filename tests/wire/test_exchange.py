from __future__ import annotations

import threading
from contextlib import contextmanager

import numpy as np
import pytest

from grader.wire.channel import Channel
from grader.wire.errors import ChannelClosed, Unsendable, WireError
from grader.wire.exchange import MAX_LENT, Lending, exchange
from grader.wire.messages import (
    Call,
    CallBack,
    CallBackResult,
    Failed,
    Failure,
    Get,
    Import,
    Imported,
    Loaded,
    Release,
    Returned,
    Vjp,
)
from grader.wire.values import Handle, Lent


def quiet():
    """Make no objection."""


class TooMuchError(Exception):
    """The watch has had enough."""


@pytest.fixture
def judge(sockets):
    lending = Lending()
    channel = Channel(sockets[0], reduce=lending.reduce, revive=lending.revive)

    def ask(request, **options):
        try:
            return exchange(channel, request, lending, quiet, **options)
        except (WireError, TooMuchError):
            channel.close()
            raise

    return ask


@pytest.fixture
def worker(sockets):
    """Run what a worker does in a thread, and raise in the test what it raised."""

    @contextmanager
    def run(behaviour):
        raised = []

        def body():
            try:
                behaviour(Channel(sockets[1]))
            except BaseException as error:  # noqa: BLE001 (raised again below)
                raised.append(error)

        thread = threading.Thread(target=body)
        thread.start()
        yield
        thread.join()
        if raised:
            raise raised[0]

    return run


def answers(*replies):
    """Return a worker that takes one message before each reply."""

    def behaviour(channel):
        for reply in replies:
            channel.receive()
            channel.send(reply)

    return behaviour


@pytest.mark.parametrize(
    ("request_", "reply"),
    [
        (Import("a"), Imported()),
        (Import("a"), Failed(Failure("import", ["SyntaxError"], ""))),
        (Call("a.b"), Returned(5)),
        (Call("a.b"), Failed(Failure("call", ["ValueError"], ""))),
        (Vjp("f", (), {}, 1, ["w"], [1.0]), Returned([5, [1]])),
        (Get("v", 1), Returned(5)),
        (Release(1), Returned()),
    ],
)
def test_the_answer_that_belongs_to_a_request_is_returned(judge, worker, request_, reply):
    with worker(answers(reply)):
        assert judge(request_) == reply


@pytest.mark.parametrize(
    ("request_", "reply"),
    [
        (Import("a"), Returned(5)),
        (Import("a"), Loaded([])),
        (Call("a.b"), Imported()),
        (Call("a.b"), Call("a.b")),
        (Call("a.b"), CallBackResult(5)),
    ],
)
def test_another_answer_is_refused(judge, worker, request_, reply):
    with worker(answers(reply)), pytest.raises(WireError, match=f"{reply.kind} is no answer to {request_.kind}"):
        judge(request_)


def test_an_answer_before_the_request_is_refused(judge, worker):
    with worker(lambda channel: channel.send(Returned(1))):
        pass
    with pytest.raises(WireError, match="follows the answer"):
        judge(Call("a.b"))


def test_a_second_answer_is_refused(judge, worker):
    sent = threading.Event()

    def twice(channel):
        channel.receive()
        channel.send(Returned(1))
        channel.send(Returned(2))
        sent.set()

    def both():
        judge(Call("a.b"))
        sent.wait(5)
        judge(Call("a.b"))

    with worker(twice), pytest.raises(WireError, match="follows the answer"):
        both()


def test_a_worker_that_dies_is_a_closed_channel(judge, worker):
    with worker(lambda channel: channel.close()), pytest.raises(ChannelClosed):
        judge(Call("a.b"))


def test_a_function_is_called_back_with_arguments_and_comes_back_itself(judge, worker):
    def double(x, *, plus=0):
        return [2 * x + plus]

    def behaviour(channel):
        function = channel.receive().args[0]
        channel.send(CallBack(function.id, (5,), {"plus": 1}))
        result = channel.receive()
        channel.send(Returned(result.value, (function,)))

    with worker(behaviour):
        answer = judge(Call("a.b", (double,)))
    assert answer.value == [11]
    assert answer.args == (double,)


def test_what_a_function_raises_is_told_to_the_worker(judge, worker):
    def behaviour(channel):
        channel.receive()
        channel.send(CallBack(0))
        error = channel.receive().error
        channel.send(Returned([error.types, error.message]))

    class OddError(ValueError):
        pass

    def raising():
        raise OddError("no \ud800" + "x" * 5000)

    with worker(behaviour):
        types, message = judge(Call("a.b", (raising,))).value
    assert types == ["OddError", "ValueError", "Exception", "BaseException"]
    assert message.startswith("no \ufffdxxx")
    assert len(message) == 2000


def test_what_is_no_exception_ends_the_exchange(judge, worker):
    def interrupted():
        raise KeyboardInterrupt

    def behaviour(channel):
        channel.receive()
        channel.send(CallBack(0))

    with worker(behaviour), pytest.raises(KeyboardInterrupt):
        judge(Call("a.b", (interrupted,)))


@pytest.mark.parametrize("number", [1, 10**6])
def test_calling_a_function_that_was_not_lent_is_refused(judge, worker, number):
    def behaviour(channel):
        channel.receive()
        channel.send(CallBack(number))

    with worker(behaviour), pytest.raises(WireError, match=f"no function has number {number}"):
        judge(Call("a.b", (quiet,)))


def test_calling_back_goes_on_until_the_watch_gives_up(judge, worker):
    calls = []

    @contextmanager
    def watch():
        if len(calls) == 20:
            raise TooMuchError
        yield

    def behaviour(channel):
        channel.receive()
        while True:
            channel.send(CallBack(0))
            try:
                channel.receive()
            except ChannelClosed:
                return

    with worker(behaviour), pytest.raises(TooMuchError):
        judge(Call("a.b", (lambda: calls.append(1),)), watch=watch)
    assert len(calls) == 20


def test_a_result_that_does_not_travel_is_told_to_the_worker_as_an_error(judge, worker):
    def behaviour(channel):
        channel.receive()
        channel.send(CallBack(0))
        error = channel.receive().error
        channel.send(Returned([error.types[0], error.message]))

    with worker(behaviour):
        types, message = judge(Call("a.b", (lambda: np.broadcast_to(0.0, (2**20, 2**20)),))).value
    assert (types, message) == ("Oversized", "8388608 MiB of arrays (the limit is 256 MiB) cannot be sent")


def test_a_function_may_ask_the_same_worker(judge, worker):
    def behaviour(channel):
        channel.receive()
        channel.send(CallBack(0))
        assert channel.receive() == Call("a.inner", (1,))
        channel.send(Returned(2))
        channel.send(Returned(channel.receive().value * 10))

    with worker(behaviour):
        assert judge(Call("a.outer", (lambda: judge(Call("a.inner", (1,))).value,))).value == 20


def test_a_worker_that_breaks_the_rules_inside_a_function_ends_the_exchange(judge, worker):
    def behaviour(channel):
        channel.receive()
        channel.send(CallBack(0))
        channel.receive()
        channel.send(Imported())

    with worker(behaviour), pytest.raises(WireError, match="imported is no answer to call"):
        judge(Call("a.outer", (lambda: judge(Call("a.inner")),)))


def test_one_function_is_lent_once():
    lending = Lending()
    assert lending.reduce(quiet) == lending.reduce(quiet) == Lent(0)
    assert lending.reduce(print) == Lent(1)
    assert lending.revive(Lent(1)) is print
    assert lending.revive(Handle(1, "A")) == Handle(1, "A")


@pytest.mark.parametrize("value", [float, ValueError, object(), {1}])
def test_what_is_no_function_is_not_lent(value):
    with pytest.raises(Unsendable, match=f"a value of type {type(value).__name__}"):
        Lending().reduce(value)


def test_functions_are_not_lent_without_end():
    lending = Lending()
    kept = [(lambda: None) for _ in range(MAX_LENT)]
    for function in kept:
        lending.reduce(function)
    with pytest.raises(Unsendable, match="more than"):
        lending.reduce(lambda: None)
    assert lending.reduce(kept[7]) == Lent(7)
