"""What a watch says in each language."""

from __future__ import annotations

from typing import NamedTuple


class Words(NamedTuple):
    """The words of one language."""

    keys: tuple[tuple[str, str], ...]
    checking: str
    checked: str
    nothing_yet: str
    finished_now: str
    all_finished: str
    was_finished: str
    progress: str
    reset: str
    reset_done: str
    reset_not: str
    no_files: str
    no_picture: str
    picture_later: str
    picture_rest: str
    checking_all: str
    checked_all: str
    more: str
    back: str
    back_from_picture: str
    goodbye: str


WORDS = {
    "en": Words(
        keys=(
            ("n", "next"),
            ("h", "hint"),
            ("l", "list"),
            ("c", "check all"),
            ("r", "reset"),
            ("d", "picture"),
            ("q", "quit"),
        ),
        checking="checking",
        checked="watching {folder}, checked at {time} in {seconds:.2f} s",
        nothing_yet="not checked yet",
        finished_now="This exercise is finished. Press n for the next one.",
        all_finished="All exercises are finished. `grader submit YOUR-ID` packs them.",
        was_finished="WAS FINISHED, FAILS NOW: {names}",
        progress="{done} of {count} finished",
        reset="Put the template's {names} in the place of yours in {file}? y: yes, any other key: no",
        reset_done="{name} is the template again. Your file as it was: {backup}",
        reset_not="Nothing was changed.",
        no_files="There is no {files} in {folder}.",
        no_picture="There is no picture of this exercise. There is one of: {names}",
        picture_later="The picture comes once this exercise is checked.",
        picture_rest="... and {count} lines more; `grader picture {name} --plot` shows all",
        checking_all="Checking all exercises, which may take a while.",
        checked_all="Checked all: {passed} of {count} pass.",
        more="... and {count} lines more; `grader check {name}` shows all",
        back="l: back",
        back_from_picture="d: back",
        goodbye="{done} of {count} finished; it is kept in {path}",
    ),
    "zh-TW": Words(
        keys=(
            ("n", "下一題"),
            ("h", "提示"),
            ("l", "列表"),
            ("c", "全部檢查"),
            ("r", "重來"),
            ("d", "圖"),
            ("q", "離開"),
        ),
        checking="檢查中",
        checked="正在看 {folder}，{time} 檢查過，花了 {seconds:.2f} 秒",  # noqa: RUF001  # Chinese punctuation
        nothing_yet="還沒檢查過",
        finished_now="這一題完成了。按 n 到下一題。",
        all_finished="所有題目都完成了。用 `grader submit 你的ID` 打包。",
        was_finished="曾經完成，現在失敗：{names}",  # noqa: RUF001  # likewise
        progress="完成 {done}／{count}",  # noqa: RUF001  # likewise
        reset="要用範本裡的 {names} 取代你在 {file} 裡寫的嗎？按 y 確定，按其他鍵取消",  # noqa: RUF001  # likewise
        reset_done="{name} 已恢復成範本。你原來的檔案在：{backup}",  # noqa: RUF001  # likewise
        reset_not="什麼都沒有改。",
        no_files="{folder} 裡沒有 {files}。",
        no_picture="這一題沒有圖。有圖的題目：{names}",  # noqa: RUF001  # likewise
        picture_later="檢查完這一題，圖就會出現。",  # noqa: RUF001  # likewise
        picture_rest="…還有 {count} 行；`grader picture {name} --plot` 會全部顯示",  # noqa: RUF001  # likewise
        checking_all="正在檢查所有題目，可能要一會兒。",  # noqa: RUF001  # likewise
        checked_all="全部檢查完了：{count} 題中 {passed} 題通過。",  # noqa: RUF001  # likewise
        more="…還有 {count} 行；`grader check {name}` 會全部顯示",  # noqa: RUF001  # likewise
        back="l：返回",  # noqa: RUF001  # likewise
        back_from_picture="d：返回",  # noqa: RUF001  # likewise
        goodbye="完成 {done}／{count}；記在 {path}",  # noqa: RUF001  # likewise
    ),
}
