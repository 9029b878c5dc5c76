"""What `grader status` says: how far a student is."""

from __future__ import annotations

from collections.abc import Mapping

from grader.words.said import Said

STANDING: Mapping[str, Said] = {
    "finished": Said("finished", "完成"),
    "was finished": Said("was finished", "曾經完成"),
    "begun": Said("begun", "進行中"),
    "not Python": Said("not Python", "不是 Python"),
    "to do": Said("to do", "尚未開始"),
}
HINTS_SEEN = Said("hints seen: {count}", "看過的提示：{count}")
CHANGED = Said("changed since it was checked", "檢查之後有修改過")
POINTS = Said("{points:g} points", "{points:g} 分")
SUM = Said(
    "{done} of {count} finished, {earned:g} of {points:g} points' worth",
    "完成 {done}／{count}，相當於 {earned:g}／{points:g} 分",
)
