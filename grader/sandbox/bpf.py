"""The compiler from the table of calls to the program that the kernel runs before every system call."""

from __future__ import annotations

import errno
import struct
from typing import NamedTuple

from grader.sandbox.calls import ABSENT, ALLOWED, IN_THE_BOX, Call, OneOf, Within, Zero

# Where `struct seccomp_data` keeps what a program may look at.
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16

# Opcodes of classic BPF: load a word, compare it, mask it, end.
_LOAD, _EQUAL, _AT_LEAST, _MASK, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06

_ALLOW = 0x7FFF0000
_ERROR = 0x00050000
_REFUSE = _ERROR | errno.EPERM
_PRETEND_ABSENT = _ERROR | errno.ENOSYS

# On x86-64 numbers from here on are calls of another ABI, with arguments of another width.
_X32 = 0x40000000


class Architecture(NamedTuple):
    """A processor's name in the table, and what the kernel's audit calls it."""

    name: str
    audit: int


ARCHITECTURES = {
    "x86_64": Architecture("x86_64", 0xC000003E),
    "aarch64": Architecture("aarch64", 0xC00000B7),
    "arm64": Architecture("aarch64", 0xC00000B7),
}


class _Instruction(NamedTuple):
    code: int
    operand: int
    if_true: int = 0
    if_false: int = 0

    def packed(self) -> bytes:
        return struct.pack("=HBBI", self.code, self.if_true, self.if_false, self.operand)


def compiled(architecture: Architecture, *, box: bool) -> bytes:
    """Return the filter for an architecture, as an array of `struct sock_filter`.

    Args:
        architecture: The processor.
        box: Whether workers have a folder of their own to write to.
    """
    program = [
        _Instruction(_LOAD, _ARCHITECTURE),
        _Instruction(_EQUAL, architecture.audit, 1, 0),
        _Instruction(_RETURN, _REFUSE),
        _Instruction(_LOAD, _NUMBER),
        _Instruction(_AT_LEAST, _X32, 0, 1),
        _Instruction(_RETURN, _REFUSE),
    ]
    for call in (*ALLOWED, *(IN_THE_BOX if box else ())):
        program += _block(call, architecture, _ALLOW)
    for call in ABSENT:
        program += _block(call, architecture, _PRETEND_ABSENT)
    program.append(_Instruction(_RETURN, _REFUSE))
    return b"".join(instruction.packed() for instruction in program)


def _block(call: Call, architecture: Architecture, verdict: int) -> list[_Instruction]:
    """Return what decides one call and is skipped for every other."""
    number = getattr(call, architecture.name)
    if number is None:
        return []
    body = _checked(call.checks, verdict)
    return [_Instruction(_EQUAL, number, 0, len(body)), *body]


def _checked(checks: tuple[OneOf | Within | Zero, ...], verdict: int) -> list[_Instruction]:
    if not checks:
        return [_Instruction(_RETURN, verdict)]
    body: list[_Instruction] = []
    for check in checks:
        body += _check(check)
    return [*body, _Instruction(_RETURN, verdict)]


def _check(check: OneOf | Within | Zero) -> list[_Instruction]:
    """Return instructions that end in refusal or fall through."""
    low = _ARGUMENTS + 8 * check.argument
    refuse = _Instruction(_RETURN, _REFUSE)
    if isinstance(check, OneOf):
        count = len(check.values)
        tests = [_Instruction(_EQUAL, value, count - place, 0) for place, value in enumerate(check.values)]
        return [_Instruction(_LOAD, low), *tests, refuse]
    if isinstance(check, Zero):
        tests = [_Instruction(_LOAD, low), _Instruction(_EQUAL, 0, 0, 2), _Instruction(_LOAD, low + 4)]
        return [*tests, _Instruction(_EQUAL, 0, 1, 0), refuse]
    beyond = 0xFFFFFFFF & ~check.allowed
    within = [_Instruction(_LOAD, low), _Instruction(_MASK, beyond), _Instruction(_EQUAL, 0, 0, 3)]
    required = [
        _Instruction(_LOAD, low),
        _Instruction(_MASK, check.required),
        _Instruction(_EQUAL, check.required, 1, 0),
    ]
    return [*within, *required, refuse]
