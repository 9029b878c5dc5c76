from __future__ import annotations

from grader.kit.columns import is_wide, left, right, width


def test_a_chinese_character_takes_two_columns_and_a_latin_letter_one():
    assert width("a 注意力") == 8
    assert [char for char in "aé└「注，" if is_wide(char)] == ["「", "注", "，"]  # noqa: RUF001  # a comma of Chinese text


def test_texts_of_both_kinds_end_in_one_column():
    assert left("完成", 6) == "完成  "
    assert left("done", 6) == "done  "
    assert right("完成", 6) == "  完成"
    assert right("done", 6) == "  done"


def test_what_is_wider_than_its_column_is_left_whole():
    assert left("completed", 4) == right("completed", 4) == "completed"
