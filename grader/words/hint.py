"""What `grader hint` says."""

from __future__ import annotations

from grader.words.said import Said

HINT = Said("{label} (hint {number} of {count}): {text}", "{label}（提示 {number}／{count}）：{text}")
LAST = Said(
    "that was the last one; the handout has an example to redo by hand", "提示到此為止；講義裡有可以動手重算的例子"
)
FAILING = Said(
    "look first at what did not hold when you last checked: {name}",
    "先看上次檢查時未通過的測試：{name}",
)
NOT_CHECKED = Said(
    "`grader check {exercise}` first: then this tells which test to look at",
    "先執行 `grader check {exercise}`：之後這裡會告訴你該看哪一個測試",
)
