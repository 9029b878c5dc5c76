"""The page of pairs: what is alike is marked, and a person judges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.pages.fill import fill, templates_of
from grader.similar.fingerprints import Source, Stretches
from grader.similar.pairs import Pair

_PAGES = templates_of("grader.similar")


def as_page(same: Sequence[Sequence[Source]], pairs: Sequence[Pair], left_out: int, least: float) -> str:
    """Return the page. It asks for nothing beside itself, and holds no script."""
    style = "".join(_PAGES.get_template(name).render() for name in ("plain.css", "similar.css"))
    told = [(pair, *(list(marked(*side)) for side in _sides(pair))) for pair in pairs]
    page = _PAGES.get_template("similar.html.j2")
    return fill(page, style, same=same, pairs=told, left_out=left_out, least=least)


def _sides(pair: Pair) -> tuple[tuple[str, Stretches], tuple[str, Stretches]]:
    one, other = pair.likeness.places
    return (pair.one.text, one), (pair.other.text, other)


def marked(text: str, stretches: Stretches) -> Iterator[tuple[str, bool]]:
    """Yield a text in pieces, each with whether it is marked; together they are the text."""
    at = 0
    for begin, end in sorted(stretches):
        if at < begin:
            yield text[at:begin], False
        if max(at, begin) < end:
            yield text[max(at, begin) : end], True
        at = max(at, end)
    if at < len(text):
        yield text[at:], False
