"""Memory of a process in huge pages, where the kernel can."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="huge pages are asked of Linux here")

MAPS = b"""\
55a0-55b0 rw-p 00000000 00:00 0                          [heap]
55b0-55c0 r--p 00000000 00:00 0
7f00-7f10 rw-p 00000000 00:00 0
7f10-7f20 rw-s 00000000 00:00 0
7f20-7f30 rw-p 00000000 fe:00 1234                       /usr/lib/a name with blanks.so
7f30-7f40 rw-p 00000000 00:00 0                          [stack]
"""
# A process of its own: what it gathers, and whether its forks still copy what they write to.
GATHER = """
import mmap, os
from grader.worker import pages

memory = mmap.mmap(-1, 32 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory.madvise(mmap.MADV_NOHUGEPAGE)
for page in range(0, 32 << 20, 4096):
    memory[page] = page // 4096 % 251
memory.madvise(mmap.MADV_HUGEPAGE)
pages.gather(pages.spans(open("/proc/self/maps", "rb").read()))
huge = sum(int(line.split()[1]) for line in open("/proc/self/smaps") if line.startswith("AnonHugePages"))
if not os.fork():
    memory[4096] = 255
    os._exit(0)
os.wait()
print(huge, all(memory[page] == page // 4096 % 251 for page in range(0, 32 << 20, 4096)))
"""


def test_memory_of_its_own_is_what_belongs_to_no_file_and_to_nobody_else():
    from grader.worker import pages

    assert pages.spans(MAPS) == [(0x55A0, 0x55B0), (0x7F00, 0x7F10)]


def test_what_is_gathered_holds_what_it_held_and_forks_write_to_copies():
    root = Path(__file__).parents[2]
    ran = subprocess.run(
        [sys.executable, "-c", GATHER],
        capture_output=True,
        text=True,
        check=True,
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    huge, kept = ran.stdout.split()
    assert kept == "True"
    if not int(huge):
        pytest.skip("this kernel has no huge pages to give")
    assert int(huge) > 10 << 10


def test_memory_that_is_not_there_is_passed_over():
    from grader.worker import pages

    pages.gather([(1 << 21, 1 << 22)])
