"""A Chromium of the machine, one for each module; where there is none, its tests are skipped by name."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_QUIET = (
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="module")
def browser():
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.skip("there is no Chromium on this machine")
    from playwright.sync_api import sync_playwright

    root = ["--no-sandbox"] if os.name == "posix" and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=[*_QUIET, *root])
        yield opened
        opened.close()


@dataclass
class Opened:
    """A page with all that it did."""

    page: object
    url: str
    said: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def did_nothing_else(self) -> bool:
        return self.said == [] and self.requests == [self.url]


@pytest.fixture
def open_page(browser) -> Iterator:
    contexts = []

    def opening(path: Path, *, width: int = 1000, theme: str = "light", **more) -> Opened:
        context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=theme, **more)
        contexts.append(context)
        opened = Opened(context.new_page(), path.as_uri())
        opened.page.on("console", lambda message: opened.said.append(f"{message.type}: {message.text}"))
        opened.page.on("pageerror", lambda error: opened.said.append(str(error)))
        opened.page.on("dialog", lambda dialog: (opened.said.append(dialog.message), dialog.dismiss()))
        opened.page.on("request", lambda request: opened.requests.append(request.url))
        opened.page.goto(opened.url)
        return opened

    yield opening
    for context in contexts:
        context.close()
