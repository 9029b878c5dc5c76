"""What judge and worker say to each other.

    judge                         worker
    Load                          Loaded
    Import                        Imported
    Call, Vjp, Get, Set, Release  Returned
    Replace                       Returned
    CallBackResult                CallBack, while a call is running

`Failed` may stand in the place of any answer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

MAX_MESSAGE = 2000
MAX_TYPES = 32
MAX_SPOTS = 6
MAX_FLAGS = 200


@dataclass(frozen=True)
class Flag:
    """A line that a person should look at: it names something the assignment forbids, or a way around the rules.

    Attributes:
        file: The file of the submission.
        line: Counted from 1.
        name: What is named there, as in "numpy.linalg.svd".
    """

    file: str
    line: int
    name: str


@dataclass(frozen=True)
class Spot:
    """A line of the submission.

    Attributes:
        file: The file.
        line: Counted from 1.
    """

    file: str
    line: int


@dataclass(frozen=True)
class Failure:
    """What was raised on the other side.

    Attributes:
        phase: "import" while a module of the submission was imported, else "call".
        types: Names of the classes of the error, most derived first: its own, then those in its MRO that are builtin,
            NumPy's, or `Blocked`.
        message: The error's own words, at most `MAX_MESSAGE` characters.
        file: The submission's file it was raised in, where one is known.
        line: The innermost line in that file, counted from 1.
        way: The submission's own lines on the way there, the outermost first, each once: the last `MAX_SPOTS` of them.
    """

    phase: str
    types: list[str]
    message: str
    file: str | None = None
    line: int | None = None
    way: list[Spot] = field(default_factory=list)


@dataclass(frozen=True)
class Bounds:
    """What one worker may use, as it tells it to a submission that ran into it.

    Something else holds a worker to each of them: these are for words alone, but for `reply_mb`, by which an honest
    worker refuses what the judge would not accept.

    Attributes:
        reply_mb: MiB of arrays in one message to the judge.
        memory_mb: MiB of memory.
        processes: Threads and processes.
        open_files: Open file descriptors.
        file_mb: MiB of the largest file.
    """

    reply_mb: int
    memory_mb: int
    processes: int
    open_files: int
    file_mb: int


@dataclass(frozen=True)
class Load:
    """The submission. The first message a worker gets, and the only one of its kind.

    Attributes:
        files: From name ("attention.py") to content.
        modules: Every module of the assignment, whether handed in or not.
        allowed: The packages that a submission may import beside the standard library.
        forbidden: Dotted names that raise `Blocked` when they are called.
        bounds: What the worker may use.
        given: Dotted names of dataclasses whose objects cross by value, as records.
    """

    kind: ClassVar[str] = "load"
    files: dict[str, bytes]
    modules: list[str]
    allowed: list[str]
    forbidden: list[str]
    bounds: Bounds
    given: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Loaded:
    """The answer to `Load`. No line of the submission has been run yet."""

    kind: ClassVar[str] = "loaded"
    flags: list[Flag]


@dataclass(frozen=True)
class Import:
    """Import one module of the submission."""

    kind: ClassVar[str] = "import"
    module: str


@dataclass(frozen=True)
class Imported:
    """The answer to `Import`."""

    kind: ClassVar[str] = "imported"


@dataclass(frozen=True)
class Call:
    """Call a function, a class or a method.

    Attributes:
        target: "attention.softmax"; with `on`, the name of a method.
        args: Positional arguments.
        kwargs: Keyword arguments.
        on: The id of the handle whose method is meant.
    """

    kind: ClassVar[str] = "call"
    target: str
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    on: int | None = None


@dataclass(frozen=True)
class Vjp:
    """Make a call, and return beside its value the product of cotangents with its Jacobian: the one gradient that crosses.

    Attributes:
        target: As in `Call`, and so are `args`, `kwargs` and `on`.
        wrt: What to differentiate by: positions of arguments that are tensors, or of the object `on` dotted names of its tensors.
        cotangents: A tensor for each floating one that the call returns, in order.
    """

    kind: ClassVar[str] = "vjp"
    target: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    on: int | None
    wrt: list[int | str]
    cotangents: list[Any]


@dataclass(frozen=True)
class Get:
    """Read "module.name", or with `on` an attribute of a handle."""

    kind: ClassVar[str] = "get"
    target: str
    on: int | None = None


@dataclass(frozen=True)
class Set:
    """Write "module.name", or with `on` an attribute of a handle."""

    kind: ClassVar[str] = "set"
    target: str
    value: Any
    on: int | None = None


@dataclass(frozen=True)
class Replace:
    """Put another function in the place of "module.name", wherever the submission's modules have it, under any name.

    Attributes:
        target: The function that is replaced; it need not be there.
        value: What takes its place.
    """

    kind: ClassVar[str] = "replace"
    target: str
    value: Any


@dataclass(frozen=True)
class Release:
    """Forget a handle."""

    kind: ClassVar[str] = "release"
    on: int


@dataclass(frozen=True)
class Returned:
    """What came of `Call`, `Vjp`, `Get`, `Set`, `Replace` or `Release`, and a call's arguments as they are after it.

    Attributes:
        value: What was returned.
        args: The arguments; None where these and `kwargs` are what they were when they came.
        kwargs: The keyword arguments; None likewise.
    """

    kind: ClassVar[str] = "returned"
    value: Any = None
    args: tuple[Any, ...] | None = ()
    kwargs: dict[str, Any] | None = field(default_factory=dict)


@dataclass(frozen=True)
class Failed:
    """Something was raised."""

    kind: ClassVar[str] = "failed"
    error: Failure


@dataclass(frozen=True)
class CallBack:
    """The submission calls a function that was lent to it. `id` is that of the `Lent`."""

    kind: ClassVar[str] = "callback"
    id: int
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class CallBackResult:
    """What came of a `CallBack`: a value, or where the function raised, the error; and the generators among its arguments, as they are now."""

    kind: ClassVar[str] = "callback_result"
    value: Any = None
    error: Failure | None = None
    generators: list[Any] = field(default_factory=list)


Request: TypeAlias = Load | Import | Call | Vjp | Get | Set | Replace | Release
Answer: TypeAlias = Loaded | Imported | Returned | Failed
Message: TypeAlias = Request | Answer | CallBack | CallBackResult
