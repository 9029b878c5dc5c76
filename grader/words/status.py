"""What became of a test or an exercise, in words for people."""

from __future__ import annotations

from collections.abc import Mapping

from grader.model.verdict import Status, Tier
from grader.words.said import Said

STATUS: Mapping[Status, Said] = {
    Status.PASSED: Said("passed", "通過"),
    Status.PARTIAL: Said("partly passed", "部分通過"),
    Status.FAILED: Said("failed", "未通過"),
    Status.NOT_IMPLEMENTED: Said("not implemented", "尚未實作"),
    Status.BLOCKED: Said("blocked", "被擋下"),
    Status.CRASHED: Said("crashed", "異常終止"),
    Status.MEMORY: Said("out of memory", "記憶體超過上限"),
    Status.TIMEOUT: Said("out of time", "執行逾時"),
    Status.IMPORT_ERROR: Said("cannot be imported", "無法匯入"),
    Status.GRADER_ERROR: Said("a fault of the grader", "評分系統的錯誤"),
}
TIER: Mapping[Tier, Said] = {
    Tier.CORE: Said("core", "核心"),
    Tier.EDGE: Said("edge", "邊界"),
    Tier.QUESTION: Said("question", "題目"),
}
