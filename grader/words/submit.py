"""What `grader submit` says."""

from __future__ import annotations

from grader.words.said import Said

AS = Said("to be graded as {student}", "將以「{student}」的身分評分")
GRADED = Said(
    "{assignment}: {count} exercises would be graded, {written} of them written",
    "{assignment}：會評 {count} 題，其中 {written} 題已作答",
)
DIGEST = Said("digest {digest}", "雜湊 {digest}")
BARE = Said("not written yet: {names}", "尚未作答：{names}")
MISSING = Said("not there: {names}", "缺少：{names}")
NOT_BEGUN = Said("not begun: {names}", "尚未開始：{names}")
RECEIPT = Said("receipt: {path}", "收據：{path}")
FAILED = Said("failed when last checked: {names}", "上次檢查時未通過：{names}")
UNCHECKED = Said("not checked as it is now: {names}", "目前的版本還沒檢查過：{names}")
BETWEEN = Said("; ", "；")
AND_MORE = Said(" and {count} more", "，還有 {count} 題")
