"""The words of the pages, in both languages. What a page tells of (titles, explanations) comes with the report."""

from __future__ import annotations

from collections.abc import Mapping

from grader.model.verdict import Status
from grader.words.said import Said

# ruff: noqa: RUF001  # the punctuation of Chinese text

# A shape for each, so that no meaning hangs on a colour.
SIGN: Mapping[Status, str] = {
    Status.PASSED: "✓",
    Status.PARTIAL: "◐",
    Status.FAILED: "✗",
    Status.NOT_IMPLEMENTED: "○",
    Status.BLOCKED: "⊘",
    Status.CRASHED: "✗",
    Status.MEMORY: "✗",
    Status.TIMEOUT: "✗",
    Status.IMPORT_ERROR: "✗",
    Status.GRADER_ERROR: "!",
}

PAGE: Mapping[str, Said] = {
    "language": Said("Language", "語言"),
    "skip": Said("Skip to the content", "跳到主要內容"),
    "made_by": Said("Graded by grader {version}.", "由 grader {version} 評分。"),
    "points": Said("points", "分"),
    "exercise": Said("Exercise", "練習"),
    "exercises": Said("Exercises", "練習"),
    "status": Said("Status", "狀態"),
    "score": Said("Score", "分數"),
    "count": Said("Count", "次數"),
    "no_score": Said("no score", "沒有分數"),
}

STUDENT: Mapping[str, Said] = {
    "report": Said("Report", "評分報告"),
    "glance": Said("At a glance", "總覽"),
    "handed_in": Said("What was handed in", "繳交的內容"),
    "ours": Said(
        "The grader failed here. This is not your fault, and it cost you no points: there is no score yet.",
        "這裡是評分系統出錯，不是你的問題，也沒有扣你的分數：目前還沒有分數。",
    ),
    "unimported": Said("A file cannot be imported", "有檔案無法匯入"),
    "carried": Said(
        "Graded with right answers in the place of {needs}, so that one mistake costs once.",
        "評分時以正確答案代替 {needs}，所以同一個錯誤只扣一次分。",
    ),
    "mistake": Said("The idea to look at", "該檢查的觀念"),
    "hint": Said("Hint", "提示"),
    "answers": Said("It explains your answers to {questions}.", "它說明了你在 {questions} 的答案。"),
    "saw": Said("What the visible tests saw", "公開測試看到的"),
    "saw_alone": Said("What the visible tests saw without that help", "沒有代入正確答案時，公開測試看到的"),
    "more": Said("{n} more visible tests saw something too", "另有 {n} 個公開測試也看到問題"),
    "tests": Said("Tests that held", "通過的測試"),
    "visible": Said("visible", "公開"),
    "hidden": Said("hidden", "隱藏"),
    "core": Said("core", "核心"),
    "edge": Said("edge", "邊界"),
    "question": Said("question", "題目"),
    "held": Said("{held} of {total}", "{held}／{total}"),
    "raised": Said("Raised in hidden tests", "隱藏測試中拋出的例外"),
    "place": Said("{file}, line {line}", "{file}，第 {line} 行"),
    "blank": Said("Wrong or blank", "答錯或未作答"),
    "heat": Said("Your matrix beside the right one: {what}", "你的矩陣與正確的矩陣：{what}"),
    "yours": Said("Yours", "你的"),
    "right": Said("Right", "正確的"),
    "rows": Said("Row", "橫列"),
    "columns": Said("Column", "直行"),
    "sum": Said("Sum", "總和"),
    "key": Said(
        "The stronger the colour, the larger the number. A dashed frame marks an entry that is not the right one. Σ is the sum of a row or a column, and ✗ marks a row whose sum is not the right one.",
        "顏色越明顯，數字越大。虛線框標出不正確的元素。Σ 是橫列或直行的總和，✗ 標出總和不正確的橫列。",
    ),
    "numbers": Said("The numbers as tables", "以表格顯示數字"),
    "curves": Said("Curves of the run", "訓練曲線"),
    "curve": Said("{name} by step, from {file}", "{file} 中的 {name}，依步數繪製"),
    "first_last": Said("first {first}, last {last}, lowest {lowest}", "起始 {first}、最後 {last}、最低 {lowest}"),
    "counts": Said("Counts {score} of {points}.", "計入 {score}／{points} 分。"),
    "total": Said("In all, {score} of {points} points count.", "合計計入 {score}／{points} 分。"),
    "released": Said("Released to students.", "已對學生公布。"),
    "withheld": Said("Not released to students yet.", "尚未對學生公布。"),
    "decided": Said(
        "{author} decided: {what} is worth {score}. Reason: {reason}",
        "{author} 決定：{what} 給 {score} 分。理由：{reason}",
    ),
    "by_a_person": Said("decided by a person", "人工決定"),
    "withdrew": Said(
        "{author} let the grader's score of {what} stand again. Reason: {reason}",
        "{author} 恢復 {what} 的自動評分。理由：{reason}",
    ),
    "comment": Said("{author} on {what}: {comment}", "{author} 對 {what} 的意見：{comment}"),
    "all_of_it": Said("the whole assignment", "整份作業"),
    "excused": Said("Excused: it does not count.", "已豁免，不計分。"),
    "missing": Said("Nothing was handed in.", "沒有繳交。"),
    "attempts": Said("{n} attempts.", "共繳交 {n} 次。"),
    "earned": Said("Earned {earned}.", "原得 {earned} 分。"),
    "late": Said("Days late: {days}.", "遲交 {days} 天。"),
    "bank": Said("Days of these that the bank paid for: {bank}.", "其中由寬限天數抵用：{bank} 天。"),
    "too_late": Said("Too late to be taken.", "逾期過久，不予採計。"),
    "dropped": Said("One of the lowest, which does not count.", "屬於最低分，不列入計算。"),
    "on_top": Said("Its points are on top.", "屬於額外加分。"),
}

CLASS: Mapping[str, Said] = {
    "class": Said("Class", "全班"),
    "graded": Said("graded", "已評分"),
    "mean": Said("mean", "平均"),
    "median": Said("median", "中位數"),
    "full": Said("full marks", "滿分"),
    "faults": Said("faults of ours", "系統錯誤"),
    "interrupted": Said("The run was stopped before all were graded.", "這次評分在全部完成之前就停止了。"),
    "ours": Said("Faults of ours: no score until they are mended", "評分系統的錯誤：排除之前沒有分數"),
    "distribution": Said("How the scores are spread", "分數分布"),
    "distribution_of": Said("Submissions by the share of the points that they earned", "依得分比例統計的繳交份數"),
    "distribution_counted": Said(
        "Students by the share of the points that count, after lateness and decisions",
        "依計入分數的比例統計的學生人數（已計入遲交與人工決定）",
    ),
    "share": Said("Share of the points", "得分比例"),
    "submissions": Said("Submissions", "繳交"),
    "hardest": Said("Exercises, the hardest first", "練習，由難到易"),
    "passed": Said("Passed", "通過"),
    "why_not": Said("Why not", "未通過的原因"),
    "mistakes": Said("Misconceptions by count", "迷思概念統計"),
    "mistake": Said("Misconception", "迷思概念"),
    "who": Said("Students", "學生"),
    "and_more": Said("and {n} more: filter the table", "另有 {n} 位：請篩選表格"),
    "filter": Said("Show in the table", "在表格中顯示"),
    "no_mistakes": Said("No misconception was named.", "沒有指出任何迷思概念。"),
    "slowest": Said("The slowest", "最耗時的"),
    "seconds": Said("Seconds", "秒數"),
    "slowest_part": Said("Its slowest part", "其中最慢的部分"),
    "flags": Said("For a person to look at", "需要人工查看"),
    "not_graded": Said("Not graded in this run", "這次沒有評分"),
    "left_out": Said("Left out: no submission as it lies there", "略過：以目前的放置方式不算繳交"),
    "everybody": Said("All submissions", "所有繳交"),
    "submission": Said("Submission", "繳交"),
    "counts": Said("Counts", "計入"),
    "late": Said("Days late", "遲交天數"),
    "no_script": Said(
        "Without scripts this list can be read, but not sorted or filtered.",
        "未啟用指令碼時，可以閱讀這份清單，但無法排序或篩選。",
    ),
    "search": Said("Search", "搜尋"),
    "any": Said("any", "全部"),
    "reset": Said("Show all", "全部顯示"),
    "showing": Said("{n} of {total} submissions", "顯示 {n}／{total} 份"),
    "how_to_sort": Said(
        "The buttons in the first row sort. Inside the table, the arrow keys scroll.",
        "按第一列的按鈕可排序；在表格內可用方向鍵捲動。",
    ),
    "none": Said("Nothing fits the filters.", "沒有符合篩選條件的項目。"),
}
