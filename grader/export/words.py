"""The words of ours that a student reads in an export, in both languages of the course."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from grader.model.verdict import Status
from grader.words.status import STATUS

Language = Literal["en", "zh-TW"]


@dataclass(frozen=True)
class Words:
    """Phrases with gaps for numbers and names."""

    fault: str
    excused: str
    score: str
    none: str
    exercise: str
    result: str
    hint: str
    look: str
    visible: str
    hidden: str
    raised: str
    more: str
    carried: str
    late: str
    too_late: str
    earned: str
    counts: str
    comment: str
    cut: str
    statuses: Mapping[Status, str]


WORDS: Mapping[Language, Words] = {
    "en": Words(
        fault="There is no score yet: the grader failed here. This is not your fault, and your instructor has been told.",
        excused="This is not asked of you.",
        score="Score",
        none="no score",
        exercise="exercise",
        result="result",
        hint="hint: {}",
        look="look at: {name} ({file}, line {line})",
        visible="{held} of {all} visible tests passed",
        hidden="{held} of {all} hidden tests passed",
        raised="{error} in {file}, line {line}",
        more="and {} more",
        carried="Graded with right answers in the place of {}.",
        late="days late: {}",
        too_late="Handed in too late to count.",
        earned="earned {}",
        counts="What counts after lateness and decisions",
        comment="Your instructor says: {}",
        cut="There was more than fits here.",
        statuses={status: status.value for status in Status},
    ),
    "zh-TW": Words(
        fault="目前還沒有分數：評分系統在這裡出錯。這不是你的錯，授課教師已經收到通知。",  # noqa: RUF001  # Chinese punctuation
        excused="你不必做這份作業。",
        score="分數",
        none="沒有分數",
        exercise="練習",
        result="結果",
        hint="提示：{}",  # noqa: RUF001  # likewise
        look="看這裡：{name}（{file}，第 {line} 行）",  # noqa: RUF001  # likewise
        visible="公開測試通過 {held} / {all} 項",
        hidden="隱藏測試通過 {held} / {all} 項",
        raised="{error}（{file}，第 {line} 行）",  # noqa: RUF001  # likewise
        more="還有 {} 項",
        carried="評分時以正確答案代替：{}。",  # noqa: RUF001  # likewise
        late="遲交 {} 天",
        too_late="太晚繳交，不列入計分。",  # noqa: RUF001  # likewise
        earned="原得 {} 分",
        counts="計入遲交與人工裁定後的分數",
        comment="授課教師的話：{}",  # noqa: RUF001  # likewise
        cut="內容過長，其餘省略。",  # noqa: RUF001  # likewise
        statuses={status: said.zh_tw for status, said in STATUS.items()},
    ),
}
