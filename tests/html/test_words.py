"""Each word of the pages is there in both languages, is used, and has the same places to fill in."""

from __future__ import annotations

import re
from importlib.resources import files
from string import Formatter

import pytest

from grader.html.words import CLASS, PAGE, SIGN, STUDENT
from grader.model.verdict import Status
from grader.words.status import STATUS

TABLES = {"page": PAGE, "student": STUDENT, "class": CLASS}
ALL = [(table, name, said) for table, words in TABLES.items() for name, said in words.items()]
_HOUSE = files("grader.html")
# Words of the mainland, where Taiwan has its own.
_ELSEWHERE = re.compile(
    "信息|程序員|軟件|默認|文件夾|鏈接|搜索|腳本|數據|視頻|屏幕|菜單|打印|質量|矩阵|权重|測試用例|概率|行數"
)


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize(("table", "name", "said"), ALL, ids=lambda each: each if isinstance(each, str) else "")
def test_both_languages_say_the_same_of_the_same_things(table, name, said):
    assert said.en != said.zh_tw
    assert places(said.en) == places(said.zh_tw)
    assert said.en.isascii() or set(re.findall(r"[^\x00-\x7f]", said.en)) <= set("Σ✗")
    assert not _ELSEWHERE.search(said.zh_tw)


def test_every_status_has_a_word_and_a_sign():
    assert set(STATUS) == set(SIGN) == set(Status)
    assert not any(_ELSEWHERE.search(said.zh_tw) for said in STATUS.values())
    told_apart = {(SIGN[status], STATUS[status].en) for status in Status}
    assert len(told_apart) == len(Status)


def test_every_word_is_used():
    texts = [each.read_text("utf-8") for each in (_HOUSE / "templates").iterdir()]
    texts += [
        each.read_text("utf-8") for each in _HOUSE.iterdir() if each.name.endswith(".py") and each.name != "words.py"
    ]
    whole = "\n".join(texts)
    looked_up = {"visible", "hidden", "core", "edge", "question", "yours", "right"}  # by what the report says
    unused = [name for _, name, _ in ALL if not re.search(rf"(words|page)\.{name}\b|\"{name}\"", whole)]
    assert set(unused) <= looked_up
