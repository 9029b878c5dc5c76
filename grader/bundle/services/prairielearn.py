"""PrairieLearn: a question whose `tests/` only the grader is given, and an image that holds no secret."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass

from grader.bundle.item import PROGRAM, Item, under
from grader.bundle.parts import Parts
from grader.bundle.render import rendered

_LONGEST = 600  # seconds; more is not to be had
_ARCHIVE = "submission.zip"
_QUESTIONS = uuid.uuid5(uuid.NAMESPACE_URL, "grader/bundle/prairielearn")


@dataclass(frozen=True)
class PrairieLearn:
    """A container for each submission, without network."""

    title: str = "PrairieLearn"

    def items(self, parts: Parts) -> Iterator[Item]:
        """Yield the question and the folder that its image is built from."""
        name = "-".join(parts.ids)
        image = f"rowwise-grader:{parts.words['VERSION']}-{name}"
        words = parts.words | {"IMAGE": image} | _asked(parts)
        run = rendered("prairielearn/run.sh", words, mode=PROGRAM)
        question = [
            Item("info.json", _info(parts, image)),
            rendered("prairielearn/question.html", words),
            rendered("prairielearn/server.txt", words, "server.py"),
            *under("tests", [run, *parts.course("prairielearn")]),
        ]
        yield from under(f"questions/{name}", question)
        yield from under("image", [rendered("prairielearn/Dockerfile", words), *parts.engine])
        yield rendered("prairielearn/README.md", words)


def _asked(parts: Parts) -> dict[str, str]:
    """What the form takes: the files, or where some lie in folders, which a form has not, an archive of them."""
    files = list(dict.fromkeys(file for each in parts.assignments for file in each.manifest.taken))
    listed = ", ".join(files)
    if any("/" in file for file in files):
        return {"UPLOADS": _ARCHIVE, "ASKED": f"{_ARCHIVE} with {listed}"}
    return {"UPLOADS": ",".join(files), "ASKED": listed}


def _info(parts: Parts, image: str) -> bytes:
    """What PrairieLearn knows of the question. The same assignments keep their id, and so their students' submissions."""
    titles = [each.manifest.title.en for each in parts.assignments]
    info = {
        "uuid": str(uuid.uuid5(_QUESTIONS, " ".join(sorted(parts.ids)))),
        "title": "; ".join(titles),
        "topic": "Programming",
        "tags": parts.ids,
        "type": "v3",
        "gradingMethod": "External",
        "externalGradingOptions": {
            "enabled": True,
            "image": image,
            "entrypoint": "/grade/tests/run.sh",
            "timeout": _LONGEST,
            "enableNetworking": False,
        },
    }
    return (json.dumps(info, indent=2, ensure_ascii=False) + "\n").encode()
