"""What an assertion of a suite says of what it saw. What a test calls the thing that it looked at is the test's own."""

from __future__ import annotations

from collections.abc import Mapping

from grader.words.said import Said

# How assertions call a thing where a test does not.
CALLED: Mapping[str, Said] = {
    "the result": Said("the result", "結果"),
    "the answer": Said("the answer", "答案"),
    "the weights": Said("the weights", "權重"),
}


def called(what: str, language: str) -> str:
    """Return how a thing is called, which a test may have left to its assertion."""
    return CALLED[what](language) if what in CALLED else what


# What a value is.
ARRAY = Said("an array of shape {shape} and dtype {dtype}", "形狀 {shape}、dtype {dtype} 的陣列")
TENSOR = Said("a tensor of shape {shape} and dtype {dtype}", "形狀 {shape}、dtype {dtype} 的張量")
NUMPY_NUMBER = Said("a NumPy {kind}", "NumPy 的 {kind}")
NO_RETURN = Said("None (is a `return` missing?)", "None（是不是少了 `return`？）")
COLLECTION = Said("a {kind} of {count}", "有 {count} 個元素的 {kind}")
A_KIND = Said("a {kind}", "{kind}")
AN_OBJECT = Said("an object of the class {kind}", "類別 {kind} 的物件")

# Is it the right kind of thing?
NOT_AN_ARRAY = Said("{what} should be a NumPy array, got {got}", "{what} 應為 NumPy 陣列，得到的是 {got}")
NOT_A_TENSOR = Said("{what} should be a tensor, got {got}", "{what} 應為張量，得到的是 {got}")
DTYPE = Said("{what}: dtype {got}, expected {expected}", "{what} 的 dtype 是 {got}，應為 {expected}")
SHAPE = Said("{what} has shape {got}, expected {expected}{remark}", "{what} 的形狀是 {got}，應為 {expected}{remark}")
ANOTHER_ORDER = Said(": the axes are there, in another order", "：軸都在，但順序不同")
AN_AXIS_OF_ONE = Said(": an axis of length 1 is missing or too many", "：少了或多了一個長度為 1 的軸")
TOO_MANY = Said(
    "{what} has shape {got}: more than the {most} entries that a test looks at",
    "{what} 的形狀是 {got}：超過測試檢查的上限 {most} 個元素",
)
NOT_A_TUPLE = Said(
    "{what} should be a tuple of {length}, got {got}", "{what} 應為長度 {length} 的 tuple，得到的是 {got}"
)
NOT_A_DICT = Said(
    "{what} should be a dict with the keys {keys}, got {got}", "{what} 應為有這些鍵的 dict：{keys}，得到的是 {got}"
)
NO_KEY = Said("{what} lacks the key {key}; it has {keys}", "{what} 少了鍵 {key}；有的是 {keys}")
NO_KEYS = Said("none", "（沒有）")
A_STRANGE_KEY = Said(
    "{what} has a key {key} that was not asked for; the keys are {keys}", "{what} 多了鍵 {key}；應有的是 {keys}"
)
NOT_A_RECORD = Said("{what} should be a {kind}, got {got}", "{what} 應為 {kind}，得到的是 {got}")
NOT_A_NUMBER = Said("{what} should be a number, got {got}", "{what} 應為一個數值，得到的是 {got}")

# Is it the right value?
VALUE = Said("{what}: got {got}, expected {expected}", "{what}：得到 {got}，應為 {expected}")
ENTRIES = Said("{what}: {told}", "{what}：{told}")
FIRST = Said("first at {place}: got {got}, expected {expected}", "第一個在 {place}：得到 {got}，應為 {expected}")
ONLY = Said("got {got}, expected {expected}", "得到 {got}，應為 {expected}")
DIFFER = Said("{count} of {of} entries differ", "{of} 個元素中有 {count} 個不同")
ARE_NAN = Said("{count} of {of} entries are NaN", "{of} 個元素中有 {count} 個是 NaN")
BETWEEN = Said("; ", "；")
WORST = Said(
    "worst absolute error {absolute}, worst relative error {relative}",
    "最大絕對誤差 {absolute}，最大相對誤差 {relative}",
)
WORST_ABSOLUTE = Said("worst absolute error {absolute}", "最大絕對誤差 {absolute}")
UNDEFINED = Said("undefined", "無法定義")
NOT_FINITE = Said("{what}: {count} of {of} entries are not finite", "{what}：{of} 個元素中有 {count} 個不是有限值")
NOT_FINITE_FIRST = Said(
    "{what}: {count} of {of} entries are not finite; first at {place}: {got}",
    "{what}：{of} 個元素中有 {count} 個不是有限值；第一個在 {place}：{got}",
)
AROUND = Said(
    "entries [{place}] of shape {shape}; ! marks what differs", "形狀 {shape} 中的元素 [{place}]；! 標出不同的元素"
)
GOT = Said("got", "得到")
EXPECTED = Said("expected", "應為")

# Rows of weights.
TWO_AXES = Said(
    "{what} should have at least two axes, [..., T_q, T_k]; got shape {shape}",
    "{what} 至少要有兩個軸，[..., T_q, T_k]；得到的形狀是 {shape}",
)
NEGATIVE = Said(
    "{what}: {count} entries are negative; a weight is a share, 0 or more",
    "{what}：有 {count} 個元素是負的；權重是份額，不小於 0",
)
AT_MATRIX = Said(" at {place}", "，在 {place}")
FROM_ROW = Said(", from row {row} on", "，從橫列 {row} 起")
YOUR_ROWS = Said("{what}: your rows sum to {sums}, {wanted}{more}", "{what}：你的橫列總和是 {sums}，{wanted}{more}")
EACH_ONE = Said("each should sum to 1", "每個橫列都應為 1")
THEY_SHOULD = Said("they should sum to {sums}", "應為 {sums}")
YOUR_COLUMNS = Said("; it is your columns that do: {sums}", "；總和為 1 的是你的直行：{sums}")

# Calls.
SHOULD_RAISE = Said(
    "{function} should raise {error} for {arguments}, but {instead}",
    "{function} 遇到 {arguments} 應拋出 {error}，卻{instead}",
)
OR = Said(" or ", " 或 ")
RAISED = Said("raised {cause}", "拋出了 {cause}")
RETURNED = Said("returned {got}", "回傳了 {got}")
NO_ARGUMENTS = Said("no arguments", "沒有引數的呼叫")
OF_SHAPE = Said("{name} of shape {shape}", "形狀 {shape} 的 {name}")
IN_PLACE = Said(
    "{function} changed its argument {argument} in place; work on a copy",
    "{function} 就地修改了引數 {argument}；請改用複本",
)
PLACE = Said(" ({file}, line {line})", "（{file}，第 {line} 行）")

# Answers of a worksheet.
AXES = Said("{what} has {count} axes, and {got} has {found}", "{what} 有 {count} 個軸，而 {got} 有 {found} 個")
AXES_ORDER = Said(
    "{what}: {got} has the right sizes, but its axes are in the wrong order",
    "{what}：{got} 的各軸大小都對，但軸的順序不對",
)
A_SHAPE = Said("{what} is a shape, such as [2, 3, 4], and not {got}", "{what} 是形狀，例如 [2, 3, 4]，不是{got}")
EACH_SIZE = Said("each size in {what}", "{what} 的每個大小")
A_WHOLE_NUMBER = Said("{what} is a whole number, such as 1234, and not {got}", "{what} 是整數，例如 1234，不是{got}")
AT_LEAST_ONE = Said("{what} is at least 1", "{what} 至少是 1")
TEXT = Said("text: leave the quotes out", "文字：請去掉引號")
WITH_A_POINT = Said("a number with a point", "帶小數點的數")
TRUE_OR_FALSE = Said("true or false", "true 或 false")
ONE_NUMBER = Said("one number", "單一的數")

# Files that a program wrote.
HAND_IN = Said(
    "hand it in as {name}, beside your other files; the program that the handout names writes it",
    "請以 {name} 為檔名，和其他檔案放在一起；講義指名的程式會寫出它",
)
HAND_IN_BY = Said(
    "hand it in as {name}, beside your other files; in the folder of these (student_template/ in a kit), `{command}` writes it",
    "請以 {name} 為檔名，和其他檔案放在一起；在它們的資料夾裡（練習包的 student_template/），`{command}` 會寫出它",
)
NOT_UTF8 = Said("{name}, line {line}: byte 0x{byte} is not UTF-8", "{name}，第 {line} 行：位元組 0x{byte} 不是 UTF-8")
NO_JSON = Said("{name}, line {line}: no JSON ({error})", "{name}，第 {line} 行：不是 JSON（{error}）")
UNREADABLE_JSON = Said("{name}: no JSON that can be read ({error})", "{name}：無法當作 JSON 讀取（{error}）")
COLUMNS = Said(
    "{name}, line 1: the columns should be {expected}, got {got}",
    "{name}，第 1 行：欄位應為 {expected}，得到的是 {got}",
)
CSV_LINE = Said("{name}, line {line}", "{name}，第 {line} 行")
ENTRIES_OF_LINE = Said(
    "{place}: {count} entries, and {columns} columns", "{place}：有 {count} 個值，而欄位有 {columns} 個"
)
NO_FINITE_NUMBER = Said("{place}: {text} is no finite number", "{place}：{text} 不是有限值")
NO_PNG = Said("{name} is no PNG: it does not begin as one", "{name} 不是 PNG：檔案開頭不符")
BAD_CHECKSUM = Said("{name} is damaged: the checksum of a part is wrong", "{name} 已損壞：有一部分的檢查碼不對")
CUT_SHORT = Said("{name} is cut short: it has no end", "{name} 被截斷了：沒有結尾")
NO_HEADER = Said("{name} is damaged: it has no header", "{name} 已損壞：沒有檔頭")
STRANGE_PNG = Said(
    "{name} is a PNG of a kind that is not read: save it as matplotlib does",
    "{name} 是無法讀取的 PNG 格式：請照 matplotlib 的方式儲存",
)
PIXELS = Said("{name} has {width} x {height} pixels", "{name} 有 {width} x {height} 個像素")
DAMAGED = Said("{name} is damaged: {error}", "{name} 已損壞：{error}")
WRONG_LENGTH = Said(
    "{name} is damaged: it holds more or fewer pixels than its header says", "{name} 已損壞：像素比檔頭說的多或少"
)
