"""The filter the kernel gets decides as the table says, by an interpreter of the kernel's little language."""

from __future__ import annotations

import errno
import re
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.sandbox.bpf import ARCHITECTURES, Architecture, compiled
from grader.sandbox.calls import ABSENT, ALLOWED, IN_THE_BOX, Call, OneOf, Within

ALLOW = 0x7FFF0000
REFUSE = 0x00050000 | errno.EPERM
PRETEND_ABSENT = 0x00050000 | errno.ENOSYS
X86, ARM = ARCHITECTURES["x86_64"], ARCHITECTURES["aarch64"]

architectures = pytest.mark.parametrize("architecture", [X86, ARM], ids=lambda a: a.name)


def run(program: bytes, audit: int, number: int, arguments: tuple[int, ...]) -> int:
    data = struct.pack("=IIQ6Q", number & 0xFFFFFFFF, audit, 0, *arguments)
    instructions = list(struct.iter_unpack("=HBBI", program))
    place, word = 0, 0
    while True:
        code, if_true, if_false, operand = instructions[place]
        place += 1
        if code == 0x20:
            word = struct.unpack_from("=I", data, operand)[0]
        elif code == 0x54:
            word &= operand
        elif code == 0x15:
            place += if_true if word == operand else if_false
        elif code == 0x35:
            place += if_true if word >= operand else if_false
        elif code == 0x06:
            return operand
        else:
            raise AssertionError(hex(code))


EVERY = (*ALLOWED, *IN_THE_BOX)


def expected(architecture: Architecture, number: int, arguments: tuple[int, ...], *, box: bool = True) -> int:
    for call in ABSENT:
        if getattr(call, architecture.name) == number:
            return PRETEND_ABSENT
    for call in EVERY if box else ALLOWED:
        if getattr(call, architecture.name) == number:
            return ALLOW if all(_holds(check, arguments) for check in call.checks) else REFUSE
    return REFUSE


def _holds(check: object, arguments: tuple[int, ...]) -> bool:
    value = arguments[check.argument]
    low = value & 0xFFFFFFFF
    if isinstance(check, OneOf):
        return low in check.values
    if isinstance(check, Within):
        return low & ~check.allowed == 0 and low & check.required == check.required
    return value == 0


def _telling(call: Call) -> st.SearchStrategy[tuple[int, ...]]:
    """Arguments near the border of what a call's checks allow."""
    values = [0, 1, 2, 0xFFFFFFFF, 1 << 32, (1 << 64) - 1]
    for check in call.checks:
        values += list(check.values) if isinstance(check, OneOf) else []
        values += [check.allowed, check.required, check.allowed | 1 << 28] if isinstance(check, Within) else []
    values += [value | 1 << 32 for value in values]
    return st.tuples(*[st.sampled_from(values) | st.integers(0, (1 << 64) - 1)] * 6)


@architectures
@given(st.integers(0, 0xFFFFFFFF) | st.integers(0, 512), st.tuples(*[st.integers(0, (1 << 64) - 1)] * 6), st.booleans())
def test_any_call_is_decided_as_the_table_says(
    architecture: Architecture, number: int, arguments: tuple[int, ...], box: bool
) -> None:
    program = compiled(architecture, box=box)
    assert run(program, architecture.audit, number, arguments) == expected(architecture, number, arguments, box=box)


@architectures
@given(st.data())
def test_a_checked_call_is_decided_by_its_arguments(architecture: Architecture, data: st.DataObject) -> None:
    call = data.draw(st.sampled_from([call for call in ALLOWED if call.checks]))
    arguments = data.draw(_telling(call))
    number = getattr(call, architecture.name)
    assert run(compiled(architecture, box=True), architecture.audit, number, arguments) == expected(
        architecture, number, arguments
    )


@architectures
def test_every_call_of_the_table_can_be_allowed(architecture: Architecture) -> None:
    program = compiled(architecture, box=True)
    for call in EVERY:
        number = getattr(call, architecture.name)
        if number is not None and not call.checks:
            assert run(program, architecture.audit, number, (0,) * 6) == ALLOW


@architectures
def test_calls_of_another_architecture_or_width_are_refused(architecture: Architecture) -> None:
    program = compiled(architecture, box=True)
    for audit in (0x40000003, X86.audit if architecture is ARM else ARM.audit, 0):
        assert run(program, audit, 1, (0,) * 6) == REFUSE
    assert run(program, architecture.audit, 0x40000000 | 1, (0,) * 6) == REFUSE
    assert run(program, architecture.audit, -1, (0,) * 6) == REFUSE


@pytest.mark.parametrize(
    "name",
    [
        "fork",
        "vfork",
        "execve",
        "socket",
        "connect",
        "ptrace",
        "mount",
        "unshare",
        "setns",
        "bpf",
        "sendmsg",
        "setuid",
        "io_uring_setup",
        "process_vm_readv",
        "pidfd_getfd",
        "memfd_create",
        "keyctl",
        "open_by_handle_at",
        "chroot",
    ],
)
def test_what_breaks_out_of_sandboxes_is_not_in_the_table(name: str) -> None:
    assert name not in {call.name for call in EVERY}


def test_every_call_has_a_reason_a_number_and_one_line() -> None:
    names = [call.name for call in (*EVERY, *ABSENT)]
    assert len(names) == len(set(names))
    for architecture in ("x86_64", "aarch64"):
        numbers = [getattr(call, architecture) for call in (*EVERY, *ABSENT)]
        known = [number for number in numbers if number is not None]
        assert len(known) == len(set(known))
    assert all(call.reason and call.x86_64 is not None for call in EVERY)


def test_the_program_fits_the_kernel() -> None:
    for architecture in (X86, ARM):
        assert len(compiled(architecture, box=True)) % 8 == 0
        assert len(compiled(architecture, box=True)) // 8 < 4096


@pytest.mark.parametrize(
    ("header", "pattern", "architecture"),
    [
        ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", r"#define __NR_(\w+) (\d+)", "x86_64"),
        ("/usr/include/asm-generic/unistd.h", r"#define __NR(?:3264)?_(\w+) (\d+)", "aarch64"),
    ],
)
def test_the_numbers_are_those_of_the_kernels_headers(header: str, pattern: str, architecture: str) -> None:
    if not Path(header).exists():
        pytest.skip(f"{header} is not installed")
    numbers = {name: int(number) for name, number in re.findall(pattern, Path(header).read_text())}
    numbers.setdefault("newfstatat", numbers.get("fstatat", -1))
    for call in (*EVERY, *ABSENT):
        number = getattr(call, architecture)
        assert number == numbers.get(call.name), call.name
