"""What `grader watch` says."""

from __future__ import annotations

from collections.abc import Mapping

from grader.words.said import Said

KEYS: Mapping[str, Said] = {
    "n": Said("next", "下一題"),
    "h": Said("hint", "提示"),
    "l": Said("list", "列表"),
    "c": Said("check all", "全部檢查"),
    "r": Said("reset", "還原"),
    "d": Said("picture", "圖"),
    "q": Said("quit", "離開"),
}
CHECKING = Said("checking", "檢查中")
CHECKED = Said(
    "watching {folder}, checked at {time} in {seconds:.2f} s",
    "監看 {folder} 中，{time} 檢查完畢，耗時 {seconds:.2f} 秒",
)
NOTHING_YET = Said("not checked yet", "尚未檢查")
FINISHED_NOW = Said("This exercise is finished. Press n for the next one.", "這一題完成了。按 n 到下一題。")
ALL_FINISHED = Said(
    "All exercises are finished. `grader submit YOUR-ID` packs them.",
    "所有題目都完成了。用 `grader submit 你的學號` 打包。",
)
WAS_FINISHED = Said("WAS FINISHED, FAILS NOW: {names}", "曾經完成，現在未通過：{names}")
TITLE = Said("{exercise}  {title}  ({done} of {count} finished)", "{exercise}  {title}（完成 {done}／{count}）")
RESET = Said(
    "Put the template's {names} in the place of yours in {file}? y: yes, any other key: no",
    "要把 {file} 裡的 {names} 還原成範本嗎？按 y 確定，按其他鍵取消",
)
RESET_DONE = Said(
    "{name} is the template again. Your file as it was: {backup}", "{name} 已還原成範本。你原來的檔案在：{backup}"
)
RESET_NOT = Said("Nothing was changed.", "沒有任何變更。")
NO_FILES = Said("There is no {files} in {folder}.", "{folder} 裡沒有 {files}。")
NO_PICTURE = Said("There is no picture of this exercise. There is one of: {names}", "這一題沒有圖。有圖的題目：{names}")
PICTURE_LATER = Said("The picture comes once this exercise is checked.", "檢查完這一題，圖就會出現。")
PICTURE_REST = Said(
    "... and {count} lines more; `grader picture {name} --plot` shows all",
    "…還有 {count} 行；`grader picture {name} --plot` 會全部顯示",
)
CHECKING_ALL = Said("Checking all exercises, which may take a while.", "正在檢查所有題目，可能需要一點時間。")
CHECKED_ALL = Said("Checked all: {passed} of {count} pass.", "全部檢查完畢：通過 {passed}／{count} 題。")
REST = Said(
    "... and {count} lines more; `grader check {name}` shows all", "…還有 {count} 行；`grader check {name}` 會全部顯示"
)
BACK = Said("l: back", "l：返回")
BACK_FROM_PICTURE = Said("d: back", "d：返回")
GOODBYE = Said("{done} of {count} finished; it is kept in {path}", "完成 {done}／{count}；進度記在 {path}")
