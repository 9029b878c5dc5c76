"""Every message comes back as it was, and none is accepted that is not to the letter."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.wire.errors import WireError
from grader.wire.frames import Caps, Frame, write
from grader.wire.messages import (
    MAX_FLAGS,
    MAX_MESSAGE,
    MAX_SPOTS,
    Bounds,
    Call,
    CallBack,
    CallBackResult,
    Failed,
    Failure,
    Flag,
    Get,
    Import,
    Imported,
    Load,
    Loaded,
    Release,
    Returned,
    Set,
    Spot,
    Vjp,
)
from grader.wire.schema import from_frame, to_frame

FAILURE = Failure(
    "call", ["ValueError", "Exception"], "no é", "attention.py", 3, [Spot("attention.py", 9), Spot("attention.py", 3)]
)
MESSAGES = [
    Load(
        {"a.py": b"x = 1\r\n", "b.py": b""},
        ["a", "b", "c"],
        ["numpy"],
        ["numpy.linalg.svd"],
        Bounds(64, 1024, 64, 128, 0),
        ["a.Config"],
    ),
    Loaded([]),
    Loaded([Flag("a.py", 3, "gc"), Flag("a.py", 4, "eval")]),
    Import("attention"),
    Imported(),
    Call("attention.softmax"),
    Call("attention.softmax", (1, [2], "x"), {"axis": 0}, None),
    Call("forward", (), {}, 7),
    Vjp("forward", (1,), {"x": 2}, 7, [0, "c_attn.weight"], [3]),
    Get("weight", 0),
    Set("training", value=True, on=3),
    Release(4),
    Returned(),
    Returned({"S": [1]}, (1, 2), {"axis": 3}),
    Returned(1.5, None, None),
    Failed(FAILURE),
    Failed(Failure("import", [], "")),
    CallBack(0, (1,), {"a": None}),
    CallBackResult(5),
    CallBackResult(error=FAILURE),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.kind)
def test_a_message_comes_back_as_it_was(message, understand):
    data = b"".join(bytes(piece) for piece in write(to_frame(message), Caps()))
    assert from_frame(understand(data)) == message


def _tree(kind, **fields):
    return {"tuple": [kind, *fields.values()]}


def _list(*items):
    return {"list": list(items)}


def _dict(**fields):
    return {"dict": [part for pair in fields.items() for part in pair]}


NOTHING = {"tuple": []}
BOUNDS = {"reply_mb": 64, "memory_mb": 1024, "processes": 64, "open_files": 128, "file_mb": 16}


def _load(**changed):
    names = {"modules": _list(), "allowed": _list(), "forbidden": _list()}
    return _tree("load", **{"files": _dict()} | names | {"bounds": _dict(**BOUNDS), "given": _list()} | changed)


GOOD_ERROR = {"phase": "call", "types": _list("ValueError"), "message": "m", "file": None, "line": None, "way": _list()}


def _failed(**changed):
    return _tree("failed", error=_dict(**GOOD_ERROR | changed))


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.kind)
def test_every_field_of_a_message_crosses(message):
    assert list(vars(message)) == list(vars(from_frame(to_frame(message))))


def test_the_hand_made_load_is_right_before_it_is_made_wrong():
    assert from_frame(Frame(_load(), [])) == Load({}, [], [], [], Bounds(64, 1024, 64, 128, 16))


def test_the_hand_made_failure_is_right_before_it_is_made_wrong():
    assert from_frame(Frame(_failed(), [])) == Failed(Failure("call", ["ValueError"], "m"))


@pytest.mark.parametrize(
    "tree",
    [
        None,
        "returned",
        _list(),
        {"tuple": []},
        {"tuple": [["imported"]]},
        {"tuple": ["exec"]},
        {"tuple": [None]},
        {"tuple": ["imported", None]},
        {"tuple": ["imported", _list()]},
        _list("imported"),
        _tree("imported", more=1),
        _tree("returned"),
        _tree("returned", value=1, args=NOTHING),
        _tree("returned", value=1, args=_list(), kwargs=_dict()),
        _tree("returned", value=1, args=NOTHING, kwargs=_list()),
        _tree("returned", value=1, args=NOTHING, kwargs={"dict": [1, 2]}),
        _tree("returned", value=1, args=NOTHING, kwargs=_dict(), more=1),
        _tree("returned", value=1, args=NOTHING, kwargs=_dict(**{f"k{i}": 0 for i in range(256)})),
        _tree("call", target=5, args=NOTHING, kwargs=_dict(), on=None),
        _tree("call", target="a" * 201, args=NOTHING, kwargs=_dict(), on=None),
        _tree("call", target="a.b", args=NOTHING, kwargs=_dict(), on=-1),
        _tree("call", target="a.b", args=NOTHING, kwargs=_dict(), on=True),
        _tree("call", target="a.b", args=NOTHING, kwargs=_dict(), on=1.0),
        _tree("callback", id=None, args=NOTHING, kwargs=_dict()),
        _tree("callback", id=2**40, args=NOTHING, kwargs=_dict()),
        _tree("callback_result", value=1, error="ValueError", generators=_list()),
        _tree("failed", error=None),
        _tree("failed", error=_dict()),
        _failed(phase="judge"),
        _failed(phase=None),
        _failed(phase=_list("call")),
        _failed(types="ValueError"),
        _failed(types=_list(1)),
        _failed(types=_list(*["A"] * 33)),
        _failed(types=_list("A" * 201)),
        _failed(message=None),
        _failed(message="m" * (MAX_MESSAGE + 1)),
        _failed(file=3),
        _failed(line="3"),
        _failed(line=-1),
        _failed(line=True),
        _failed(line=3.0),
        _failed(more=1),
        _failed(way=None),
        _failed(way=_list("attention.py:3")),
        _failed(way=_list(_dict(file="attention.py", line=None))),
        _failed(way=_list(*[_dict(file="a", line=1)] * (MAX_SPOTS + 1))),
        _tree("loaded", flags=None),
        _tree("loaded", flags=_list(1)),
        _tree("loaded", flags=_list(_dict(file="a", line=1))),
        _tree("loaded", flags=_list(_dict(file="a", line=None, name="b"))),
        _tree("loaded", flags=_list(*[_dict(file="a", line=1, name="b")] * (MAX_FLAGS + 1))),
        _load(files=_dict(a="text")),
        _load(given="a.Config"),
        _load(bounds=None),
        _load(bounds=_dict(**BOUNDS | {"more": 1})),
        _load(bounds=_dict(**BOUNDS | {"memory_mb": -1})),
        _load(bounds=_dict(**BOUNDS | {"memory_mb": "1"})),
        _tree("release", on=None),
    ],
    ids=lambda tree: json.dumps(tree)[:60],
)
def test_a_message_that_is_not_to_the_letter_is_refused(tree):
    with pytest.raises(WireError):
        from_frame(Frame(tree, []))


def test_the_refusal_names_message_and_field():
    with pytest.raises(WireError, match="failed: error line must be a number from 0 to"):
        from_frame(Frame(_failed(line=-5), []))


@given(st.text())
def test_any_error_message_that_fits_comes_back_printable(text):
    text = text[:MAX_MESSAGE]
    (again,) = [from_frame(to_frame(Failed(Failure("call", [], text))))]
    assert again.error.message == text
