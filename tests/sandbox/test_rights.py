"""Level `full` for root that has fewer rights than root: as in containers and user namespaces."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.sandbox.full import FullBackend

pytestmark = pytest.mark.skipif(FullBackend().unavailable() is not None, reason=str(FullBackend().unavailable()))

_OPEN = """
from grader.sandbox.base import Profile
from grader.model.manifest import Limits
from grader.sandbox.full import FullBackend
from grader.sandbox.identity import rights
with FullBackend().open(Profile(("numpy",), Limits())) as sandbox:
    print(sandbox.isolation.level, *rights())
"""


@pytest.mark.parametrize(
    ("command", "needs_root", "expected"),
    [
        (["setpriv", "--bounding-set", "-sys_admin"], True, "full True False"),
        (["setpriv", "--bounding-set", "-setuid,-setgid,-sys_admin"], True, "full False False"),
        (["unshare", "--user", "--map-root-user"], False, "full True True"),
        (["unshare", "--user", "--map-root-user", "--mount"], False, "full True True"),
    ],
    ids=["no CAP_SYS_ADMIN", "no CAP_SETUID", "root of a user namespace", "root of a user and mount namespace"],
)
def test_root_with_fewer_rights_has_the_same_level(command: list[str], needs_root: bool, expected: str) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    if needs_root and os.geteuid() != 0:
        pytest.skip("only root can give up root's rights")
    source = f"import sys; sys.path[:] = {[str(Path(__file__).parents[2]), *sys.path]!r}\n{_OPEN}"
    done = subprocess.run([*command, sys.executable, "-c", source], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == expected, done.stderr


@pytest.mark.skipif(shutil.which("unshare") is None, reason="unshare is not installed")
def test_where_user_namespaces_are_used_up_the_setting_is_named() -> None:
    command = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$0" -c "$1"'
    source = f"import sys; sys.path[:] = {[str(Path(__file__).parents[2]), *sys.path]!r}\n"
    source += "from grader.sandbox.full import FullBackend; print(FullBackend().unavailable())"
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "sh", "-c", command, sys.executable, source],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip().endswith("sudo sysctl -w user.max_user_namespaces=15000")
