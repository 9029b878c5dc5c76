"""What every result of a run is decided by, beside the submission: the first half of a result's key."""

from __future__ import annotations

import functools
import hmac
import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, packages_distributions, version

from grader import __version__
from grader.model.manifest import Manifest
from grader.pipeline.engine import judging_digest
from grader.pipeline.settings import Graded, Settings

Parts = Mapping[str, object]


@dataclass(frozen=True)
class Ground:
    """What is the same for a class, and a digest over it."""

    digest: str
    parts: Parts


def ground(graded: Graded, settings: Settings) -> Ground:
    """Return what decides the results of one assignment of a run.

    The version of the kernel is no part of it: the level says what held, and a machine that was brought up to date keeps its results.

    Args:
        graded: The assignment.
        settings: The run.
    """
    manifest = graded.assignment.manifest
    parts: dict[str, object] = {
        "assignment": manifest.id,
        "suite": graded.evidence_digest,
        "exercises": [each.id for each in manifest.exercises if each.id in settings.only],
        "grader": __version__,
        "engine": judging_digest(),
        "environment": environment(manifest),
        "key": fingerprint(settings.key),
        "level": settings.backend,
    }
    return Ground(sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest(), parts)


def fingerprint(key: bytes) -> str:
    """Return what tells two course keys apart, and gives neither away: a key is 32 random bytes."""
    return hmac.digest(key, b"rowwise: the fingerprint of a course key", "sha256").hex()[:32]


def environment(manifest: Manifest) -> dict[str, str]:
    """Return the versions of all that a judge and its workers run on."""
    packages = sorted({name.partition(".")[0] for name in manifest.allowed_imports} | {"numpy", "pytest"})
    return {"python": platform.python_version(), "platform": f"{platform.system()} {platform.machine()}"} | {
        name: _version(name) for name in packages
    }


@functools.cache
def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        # Called otherwise than what it is installed as, or not there.
        homes = sorted(set(packages_distributions().get(package, [])))
        return " ".join(f"{home} {version(home)}" for home in homes) or "none"
