"""Which installed packages a zygote finds where no mounts hide the others."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location


class Shown:
    """Finds some packages by where they lie, and no other; see `importlib.abc.MetaPathFinder`.

    Args:
        places: From import name to a folder or a file.
    """

    def __init__(self, places: Mapping[str, str]) -> None:
        self.places = dict(places)

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:  # noqa: ARG002  # the import system's signature
        """Return how to import a package."""
        place = self.places.get(fullname)
        if place is None:
            return None
        if os.path.isdir(place):  # noqa: PTH112  # names may stand for descriptors, which a Path would not keep apart
            return spec_from_file_location(fullname, f"{place}/__init__.py", submodule_search_locations=[place])
        return spec_from_file_location(fullname, place)
