"""Runs pytest as an ordinary user, for whom root made the interpreter, the packages and the repository reachable.

Run by root as `python as_ordinary_user.py FOLDER SITE REPOSITORY ARGUMENT...`; all three may lie where others cannot go.
"""

import os
import sys
from pathlib import Path

USER = 65534
_REPOSITORY = Path(__file__).parents[2]
sys.path.insert(0, str(_REPOSITORY))

from grader.worker import kernel  # noqa: E402 - found through the line above


def _show(source: str, target: Path) -> str:
    target.mkdir()
    kernel.attach_tree(kernel.copy_tree(source), str(target))
    return str(target)


def main(folder: Path, site: str, repository: str, arguments: list[str]) -> None:
    kernel.unshare(kernel.CLONE_NEWNS)
    kernel.mount("", "/", kernel.MS_REC | kernel.MS_PRIVATE)
    private = folder / "private"
    private.mkdir(mode=0o700)
    os.chown(private, USER, USER)
    python = _show(sys.base_prefix, private / "python")
    path = [_show(repository, folder / "repository"), _show(site, folder / "site")]
    (folder / "home").mkdir()
    os.chown(folder / "home", USER, USER)
    os.chdir(folder / "repository")
    os.setgroups([])
    os.setresgid(USER, USER, USER)
    os.setresuid(USER, USER, USER)
    executable = f"{python}/bin/python{sys.version_info[0]}.{sys.version_info[1]}"
    boot = f"import sys; sys.path[:0] = {path!r}; import pytest; sys.exit(pytest.main(sys.argv[1:]))"
    home = str(folder / "home")
    environment = {"HOME": home, "TMPDIR": home, "PYTHONDONTWRITEBYTECODE": "1", "LD_LIBRARY_PATH": f"{python}/lib"}
    os.execve(executable, [executable, "-P", "-s", "-c", boot, *arguments], environment)  # noqa: S606 - of our own making


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:])
