"""Fill in the template of a page, in which every text is only text, with a policy that lets nothing in and nothing out."""

from __future__ import annotations

import base64
from hashlib import sha256

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from grader.escape.page import html


def templates_of(*packages: str) -> Environment:
    """Return the templates of some packages, and those that all pages share."""
    return Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in (*packages, "grader.pages")]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_inert,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def fill(template: Template, style: str, *, script: str = "", **names: object) -> str:
    """Return a page.

    Args:
        template: Prints `policy` in its head before all else, `style`, and `script` where it has one.
        style: Its style sheet.
        script: Its script; a page without one may run none.
        names: What the template tells of.
    """
    return template.render(
        policy=_policy(style, script),
        style=Markup(style),  # noqa: S704  # a file of ours
        script=Markup(script),  # noqa: S704  # likewise
        **names,
    )


def _policy(style: str, script: str) -> str:
    allowed = _hash(script) if script else "'none'"
    return (
        f"default-src 'none'; style-src {_hash(style)}; script-src {allowed}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(content: str) -> str:
    return f"'sha256-{base64.b64encode(sha256(content.encode()).digest()).decode()}'"


def _inert(value: object) -> Markup:
    """What a template prints: its own tags as they are, and everything else as text that turns nothing around and hides nothing."""
    return value if isinstance(value, Markup) else Markup(html(str(value)))  # noqa: S704  # `html` leaves no tag in it
