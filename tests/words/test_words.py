"""Each word of a student's commands is there in both languages, is used, and has the same places to fill in."""

from __future__ import annotations

import re
from importlib import import_module
from string import Formatter

import pytest

from grader.model.verdict import Status, Tier
from grader.words.said import Said
from grader.words.status import STATUS, TIER
from tests.conftest import ROOT
from tests.html.test_words import _ELSEWHERE

HOME = ROOT / "grader" / "words"
TOPICS = sorted(path.stem for path in HOME.glob("*.py") if path.stem not in ("__init__", "said"))


def said_in(topic: str) -> dict[str, Said]:
    """All texts of a file, those of its tables too."""
    found: dict[str, Said] = {}
    for name, value in vars(import_module(f"grader.words.{topic}")).items():
        if isinstance(value, Said):
            found[name] = value
        elif name.isupper():
            found |= {f"{name}.{key}": said for key, said in value.items()}
    return found


ALL = [(topic, name, said) for topic in TOPICS for name, said in said_in(topic).items()]


def places(text: str) -> set[tuple[str, str]]:
    return {(name, spec) for _, name, spec, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize(("topic", "name", "said"), ALL, ids=lambda each: each if isinstance(each, str) else "")
def test_both_languages_say_the_same_of_the_same_things(topic, name, said):
    assert said.en != said.zh_tw
    assert {name for name, _ in places(said.en)} == {name for name, _ in places(said.zh_tw)}
    assert not re.search(r"[\u4e00-\u9fff]", said.en)
    assert not _ELSEWHERE.search(said.zh_tw)
    # A Chinese sentence has Chinese punctuation; that of code in it stands between ASCII.
    assert not re.search(r"[\u4e00-\u9fff][,:;?!()]|[,:;?!()][\u4e00-\u9fff]", said.zh_tw)


@pytest.mark.parametrize("topic", TOPICS)
def test_every_text_is_used(topic):
    import_line = f"from grader.words import {topic} as words"
    users = [path.read_text("utf-8") for path in (ROOT / "grader").rglob("*.py")]
    whole = "\n".join(text for text in users if import_line in text or f"from grader.words.{topic} import" in text)
    # A table may be looked up by a function beside it.
    _, *own = re.split(r"^def ", (HOME / f"{topic}.py").read_text("utf-8"), flags=re.MULTILINE)
    whole += "\n".join(own).partition("\n\n\n")[0]
    names = {name.partition(".")[0] for name in said_in(topic)}
    assert [name for name in sorted(names) if not re.search(rf"\b{name}\b", whole)] == []


def test_every_status_and_tier_has_a_word():
    assert (set(STATUS), set(TIER)) == (set(Status), set(Tier))


def test_a_text_is_said_with_values_in_their_places_which_are_read_as_they_are():
    said = Said("{name} is {value:g}", "{name}：{value:g}")  # noqa: RUF001  # Chinese punctuation
    assert said("en", name="{x}", value=2.0) == "{x} is 2"
    assert said("zh-TW", name="a", value=0.5) == "a：0.5"  # noqa: RUF001  # likewise
    assert Said("{", "}")("en") == "{"
