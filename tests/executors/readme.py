"""What the README says of clusters, to be run as it stands there."""

from __future__ import annotations

import re
import shlex

from tests.docs.readme import README


def section() -> str:
    """The section on more than one machine."""
    return README.read_text("utf-8").partition("\n## More than one machine\n")[2].partition("\n## ")[0]


def blocks(language: str) -> list[str]:
    """Its blocks of a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```", section(), flags=re.MULTILINE | re.DOTALL)


def command(name: str) -> list[str]:
    """The words after `dask NAME` in its first block of commands."""
    (line,) = re.findall(rf"^dask {name} (.*) &$", blocks("bash")[0], flags=re.MULTILINE)
    return shlex.split(line)


def local_cluster() -> str:
    """The program that starts a LocalCluster."""
    return next(block for block in blocks("python") if "LocalCluster" in block)


def certificates() -> str:
    """The commands that make certificates and name them to Dask."""
    return next(block for block in blocks("bash") if "openssl" in block)
