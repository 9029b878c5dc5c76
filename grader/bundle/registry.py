"""Every service that a bundle can be made for."""

from __future__ import annotations

from grader.bundle.base import Service
from grader.bundle.services.autolab import Autolab
from grader.bundle.services.docker import Docker
from grader.bundle.services.github import GitHub
from grader.bundle.services.gradescope import Gradescope
from grader.bundle.services.prairielearn import PrairieLearn

SERVICES: dict[str, Service] = {
    "gradescope": Gradescope(),
    "autolab": Autolab(),
    "prairielearn": PrairieLearn(),
    "github": GitHub(),
    "docker": Docker(),
}
