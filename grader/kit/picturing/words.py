"""What a picture says in each language."""

from __future__ import annotations

from typing import NamedTuple


class Words(NamedTuple):
    """The words of one language."""

    yours: str
    right: str
    rows_sum: str
    nothing_to_see: str
    rows_do: str
    rows_do_not: str
    columns_do: str
    all_right: str
    wrong: str
    shape: str
    key: str
    key_of_blocks: str
    column_sums: str
    entry: str
    row: str
    heard_row: str
    heard_columns: str


# ruff: noqa: RUF001  # Chinese punctuation

WORDS = {
    "en": Words(
        yours="Yours",
        right="Right",
        rows_sum="Each row should sum to 1.",
        nothing_to_see="Each row should sum to 1, and where nothing may be seen to 0 ({rows}).",
        rows_do="Your rows do.",
        rows_do_not="Not so in yours: {rows}.",
        columns_do="It is your columns that sum to 1.",
        all_right="Every entry is right.",
        wrong="{count} of {of} entries are not right.",
        shape="Yours has the shape {yours}, the right one {right}.",
        key="The darker, the further from 0. Dashed frame: not the right entry. Σ: the sum of a row or column. ✗: not the right sum.",
        key_of_blocks="{shades}: ever further from 0. *: not the right entry. {sum}: the sum of a row or column. {bad}: not the right sum.",
        column_sums="{side}: the columns sum to {sums}",
        entry="[{row}, {column}]: yours {yours}, right {right}",
        row="row {}",
        heard_row="row {row}: {numbers}; sum {sum}",
        heard_columns="sums of the columns: {numbers}",
    ),
    "zh-TW": Words(
        yours="你的",
        right="正確的",
        rows_sum="每個橫列的總和應為 1。",
        nothing_to_see="每個橫列的總和應為 1；什麼都看不到的（{rows}）應為 0。",
        rows_do="你的橫列都符合。",
        rows_do_not="你的不符合：{rows}。",
        columns_do="總和為 1 的是你的直行。",
        all_right="每個元素都正確。",
        wrong="{of} 個元素中有 {count} 個不正確。",
        shape="你的形狀是 {yours}，正確的是 {right}。",
        key="顏色越深，離 0 越遠。虛線框：不正確的元素。Σ：橫列或直行的總和。✗：不正確的總和。",
        key_of_blocks="{shades}：越右邊離 0 越遠。*：不正確的元素。{sum}：橫列或直行的總和。{bad}：不正確的總和。",
        column_sums="{side}，各直行的總和：{sums}",
        entry="[{row}, {column}]：你的 {yours}，正確的 {right}",
        row="橫列 {}",
        heard_row="橫列 {row}：{numbers}；總和 {sum}",
        heard_columns="各直行的總和：{numbers}",
    ),
}
