"""The processes below a grader: servers, each with keepers and their judges, and zygotes with their workers."""

from __future__ import annotations

from pathlib import Path

from tests.faults.processes import Process, alive, arguments, children, children_by_thread


def servers(grader: int) -> list[Process]:
    """The servers of a grader, one for each slot at work."""
    below = [found for each in children_by_thread(grader).values() for child in each if (found := alive(child))]
    return [each for each in below if _is_ours(each)]


def judges(server: int) -> list[Process]:
    """The judges at work below a server: each is a copy of its keeper, which is a copy of the server."""
    return [judge for keeper in keepers(server) for judge in children(keeper.pid) if _name(judge) == "judge"]


def keepers(server: int) -> list[Process]:
    """The keepers of a server."""
    return [each for each in children(server) if _name(each) == "judge-keeper"]


def ways_in(server: int) -> list[Process]:
    """The processes that stand at the way into a sandbox: of the zygotes, those nearest to the server."""
    return [each for each in children(server) if not _is_ours(each) and _name(each) != "judge-keeper"]


def below(server: int, depth: int) -> list[Process]:
    """The processes so many levels below a server's ways in."""
    level = ways_in(server)
    for _ in range(depth):
        level = [child for each in level for child in children(each.pid)]
    return level


def _name(process: Process) -> str:
    try:
        return Path(f"/proc/{process.pid}/comm").read_text("utf-8").strip()
    except OSError:
        return ""


def _is_ours(process: Process) -> bool:
    return b"grader.judge.warm" in arguments(process.pid)
