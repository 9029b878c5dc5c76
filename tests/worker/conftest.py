"""A worker in a thread of this process, and what a judge asks of it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from grader.wire.channel import Channel
from grader.wire.errors import WireError
from grader.wire.exchange import Lending, exchange
from grader.wire.frames import Caps
from grader.wire.messages import Answer, Bounds, Call, Failed, Failure, Import, Load, Request, Returned
from grader.worker.main import serve

BOUNDS = Bounds(reply_mb=256, memory_mb=512, processes=32, open_files=96, file_mb=8)


class Judge:
    """Asks a worker, and gives up after a minute."""

    def __init__(self, sock: socket.socket, caps: Caps) -> None:
        self.lending = Lending()
        self.channel = Channel(sock, caps, reduce=self.lending.reduce, revive=self.lending.revive)

    def ask(self, request: Request) -> Answer:
        return exchange(self.channel, request, self.lending, lambda: None)

    def load(
        self,
        *,
        modules: tuple[str, ...] = (),
        allowed: tuple[str, ...] = ("numpy",),
        forbidden: tuple[str, ...] = (),
        bounds: Bounds = BOUNDS,
        given: tuple[str, ...] = (),
        **texts: str | bytes,
    ) -> Answer:
        """Load files given as `name=text`, and import none of them."""
        files = {f"{name}.py": text if isinstance(text, bytes) else text.encode() for name, text in texts.items()}
        return self.ask(Load(files, [*modules, *texts], list(allowed), list(forbidden), bounds, list(given)))

    def returned(self, target: str, *args: object, on: int | None = None, **kwargs: object) -> Any:
        """Call, and return the value."""
        answer = self.ask(Call(target, args, kwargs, on))
        assert isinstance(answer, Returned), answer
        return answer.value

    def failure(self, target: str, *args: object, on: int | None = None, **kwargs: object) -> Failure:
        """Call, and return what was raised."""
        answer = self.ask(Call(target, args, kwargs, on))
        assert isinstance(answer, Failed), answer
        return answer.error

    def import_failure(self, module: str) -> Failure:
        answer = self.ask(Import(module))
        assert isinstance(answer, Failed), answer
        assert answer.error.phase == "import"
        return answer.error


@pytest.fixture
def start() -> Iterator[Callable[..., Judge]]:
    """Start workers with `start(caps)`; each must end by itself once its judge is gone."""
    running: list[tuple[Judge, threading.Thread]] = []
    raised: list[BaseException] = []

    def body(sock: socket.socket, caps: Caps) -> None:
        try:
            serve(sock, caps)
        except WireError as error:
            raised.append(error)

    def begin(caps: Caps = Caps()) -> Judge:  # noqa: B008 (frozen)
        ours, theirs = socket.socketpair()
        ours.settimeout(60)
        thread = threading.Thread(target=body, args=(theirs, caps))
        thread.start()
        judge = Judge(ours, caps)
        judge.raised = raised  # type: ignore[attr-defined]
        running.append((judge, thread))
        return judge

    yield begin
    for judge, thread in running:
        judge.channel.close()
        thread.join(10)
        assert not thread.is_alive(), "the worker did not end with its judge"


@pytest.fixture
def judge(start: Callable[..., Judge]) -> Judge:
    return start()


@pytest.fixture
def submission(judge: Judge) -> Callable[[str], Judge]:
    """Load one file, `student.py`, that imports without error."""

    def load(text: str | bytes, **options: Any) -> Judge:
        judge.load(student=text, **options)
        return judge

    return load
