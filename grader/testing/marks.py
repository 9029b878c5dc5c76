"""The marks that tie a test to its exercise and say how it counts."""

from __future__ import annotations

import pytest

core = pytest.mark.core
edge = pytest.mark.edge
question = pytest.mark.question
exercise = pytest.mark.exercise
