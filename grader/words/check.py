"""What `grader check` says of an exercise; `grader watch` and `grader picture` say the same."""

from __future__ import annotations

from grader.words.said import Said

TESTS = Said("{held} of {count} visible tests", "公開測試通過 {held}／{count}")
CORE = Said(
    "core: {held} of {count} held, would earn {earned:g} of {worth:g} points{note}",
    "核心：通過 {held}／{count}，可得 {earned:g}／{worth:g} 分{note}",
)
EDGE = Said(
    "edge: {held} of {count} held, would earn {earned:g} of {worth:g} points{note}",
    "邊界：通過 {held}／{count}，可得 {earned:g}／{worth:g} 分{note}",
)
ALL_MUST_HOLD = Said(" (all must hold)", "（須全部通過）")
ONCE_CORE_HOLDS = Said(" (once core holds)", "（核心全部通過後才計分）")
COMPARED = Said(
    "{compared} of {count} answers were compared with the right ones. Of the other {rest} only the form was looked at: they are graded once you have handed in.",
    "{count} 個答案中，有 {compared} 個和正確答案比對過。其餘 {rest} 個只檢查了格式，繳交之後才會評分。",
)
COMPLETE = Said("complete", "已完成")
GRADED_LATER = Said(
    "{compared} compared, {rest} graded when you hand in", "比對了 {compared} 個，其餘 {rest} 個在繳交後評分"
)
NOT_BEGUN = Said("not begun", "尚未開始")
BLANK = Said("{names}: still blank", "{names}：尚未作答")
HINT = Said("hint: ", "提示：")
LOOK = Said("look at: {name} ({file}, line {line})", "看這裡：{name}（{file}，第 {line} 行）")
MISTAKE_IN = Said("{where}: ", "{where}：")
TEST = Said("{name}{more}: ", "{name}{more}：")
MORE_OF_TEST = Said(" ({more})", "（{more}）")
CASES = Said("{count} cases", "{count} 個案例")
MORE_TESTS = Said("and {count} more tests with the same error", "另有 {count} 個測試也是同樣的錯誤")
ONE_MORE_TEST = Said("and 1 more test with the same error", "另有 1 個測試也是同樣的錯誤")
BETWEEN = Said(", ", "，")
MORE = Said(
    "and {count} more failed tests: `grader check -v` shows them",
    "另有 {count} 個測試未通過：`grader check -v` 會全部顯示",
)
ONE_MORE = Said("and 1 more failed test: `grader check -v` shows it", "另有 1 個測試未通過：`grader check -v` 會顯示")
MEND_FIRST = Said(
    "it needs {name}, which does not pass: mend that first", "它需要 {name}，而那一題還沒通過：請先修好那一題"
)
PRINTED = Said("your code printed:", "你的程式印出：")
MORE_LINES = Said("... and {count} more lines", "…還有 {count} 行")
ONE_MORE_LINE = Said("... and 1 more line", "…還有 1 行")
WAS_FINISHED = Said("this exercise was finished, and fails now", "這一題曾經完成，現在卻未通過")
