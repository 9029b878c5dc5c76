"""What `grader picture` says."""

from __future__ import annotations

from grader.words.said import Said

YOURS = Said("Yours", "你的")
RIGHT = Said("Right", "正確的")
ROWS_SUM = Said("Each row should sum to 1.", "每個橫列的總和應為 1。")
NOTHING_TO_ATTEND_TO = Said(
    "Each row should sum to 1, and where nothing may be seen to 0 ({rows}).",
    "每個橫列的總和應為 1；沒有任何位置可看的（{rows}）應為 0。",
)
ROWS_DO = Said("Your rows do.", "你的橫列都符合。")
ROWS_DO_NOT = Said("Not so in yours: {rows}.", "你的不符合：{rows}。")
COLUMNS_DO = Said(" It is your columns that sum to 1.", "總和為 1 的是你的直行。")
ALL_RIGHT = Said("Every entry is right.", "每個元素都正確。")
WRONG = Said("{count} of {of} entries are not right.", "{of} 個元素中有 {count} 個不正確。")
SHAPE = Said("Yours has the shape {yours}, the right one {right}.", "你的形狀是 {yours}，正確的是 {right}。")
KEY = Said(
    "The darker, the further from 0. Dashed frame: not the right entry. Σ: the sum of a row or column. ✗: not the right sum.",
    "顏色越深，離 0 越遠。虛線框：不正確的元素。Σ：橫列或直行的總和。✗：不正確的總和。",
)
KEY_OF_BLOCKS = Said(
    "{shades}: ever further from 0. *: not the right entry. {sum}: the sum of a row or column. {bad}: not the right sum.",
    "{shades}：越右邊離 0 越遠。*：不正確的元素。{sum}：橫列或直行的總和。{bad}：不正確的總和。",
)
COLUMN_SUMS = Said("{side}: the columns sum to {sums}", "{side}，各直行的總和：{sums}")
ENTRY = Said("[{row}, {column}]: yours {yours}, right {right}", "[{row}, {column}]：你的 {yours}，正確的 {right}")
ROW = Said("row {row}", "橫列 {row}")
BETWEEN = Said(", ", "、")
HEARD_ROW = Said("row {row}: {numbers}; sum {sum}", "橫列 {row}：{numbers}；總和 {sum}")
HEARD_COLUMNS = Said("sums of the columns: {numbers}", "各直行的總和：{numbers}")
DOES_NOT_PASS = Said(
    "{exercise} does not pass yet: `grader check {exercise}` tells what is wrong",
    "{exercise} 還沒通過：`grader check {exercise}` 會說明哪裡不對",
)
NO_PICTURE_YET = Said(
    "there is no picture yet: no visible test has seen a matrix of yours that can be drawn",
    "還沒有圖：公開測試還沒看到可以畫出來的矩陣",
)
NO_MATPLOTLIB = Said(
    "note: no {name}, for matplotlib cannot be imported\nhint: python -m pip install matplotlib",
    "注意：沒有 {name}，因為無法匯入 matplotlib\n提示：python -m pip install matplotlib",
)
NO_FONT = Said(
    "note: {name} is in English, for no font with Chinese characters was found; the SVG is in Chinese",
    "注意：找不到有中文字的字型，所以 {name} 是英文的；SVG 是中文的",
)
