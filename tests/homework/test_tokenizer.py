"""Whatever the kind: a text comes back as it was, and a file holds all there is to know."""

from __future__ import annotations

import sys

import pytest
from hw11.bpe import BytePairs
from hw11.characters import Characters
from hw11.errors import HomeworkError
from hw11.tokenizer import KINDS

TEXT = "The cat sat on the mat,\n  and the d\u00f6g \u2014 \u8c93 \u2014 saw it.\r\n\t" * 9


@pytest.fixture(params=sorted(KINDS))
def kind(request):
    if request.param == "bpe":
        pytest.importorskip("tokenizers")
    return KINDS[request.param]


def test_a_text_comes_back_as_it_was(kind):
    tokenizer = kind.learn(TEXT, None)
    tokens = tokenizer.encode(TEXT)
    assert tokenizer.decode(tokens) == TEXT
    assert all(isinstance(token, int) and 0 <= token < tokenizer.vocab_size for token in tokens)
    assert tokenizer.encode("") == []


def test_what_is_saved_is_the_same_tokenizer(kind, tmp_path):
    tokenizer = kind.learn(TEXT, None)
    tokenizer.save(tmp_path / "tokenizer.json")
    again = kind.load(tmp_path / "tokenizer.json")
    assert again.vocab_size == tokenizer.vocab_size
    assert again.encode(TEXT) == tokenizer.encode(TEXT)
    assert again.decode([5, 1, 7]) == tokenizer.decode([5, 1, 7])


def test_the_same_text_gives_the_same_vocabulary(kind, tmp_path):
    for name in ("one", "two"):
        kind.learn(TEXT, None).save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_token_of_char_is_a_character_in_the_order_of_unicode():
    tokenizer = Characters.learn("banana", None)
    assert tokenizer.vocab_size == 3
    assert tokenizer.encode("nab") == [2, 0, 1]


def test_a_character_that_has_no_token_is_named_with_what_to_do():
    with pytest.raises(HomeworkError, match=r"the character '\\n' \(U\+000A\) stands nowhere in the corpus") as raised:
        Characters.learn("abc", None).encode("ab\nc")
    assert "--tokenizer bpe" in raised.value.hint
    with pytest.raises(HomeworkError, match="vocabulary of `char` is the characters"):
        Characters.learn("abc", 300)


def test_byte_pairs_spell_any_text_in_fewer_tokens_and_know_nothing_of_the_validation_part():
    pytest.importorskip("tokenizers")
    tokenizer = BytePairs.learn("the cat " * 900 + "xylophone " * 80, 270)
    assert tokenizer.vocab_size <= 270
    assert len(tokenizer.encode("the cat the cat")) <= 5
    assert len(tokenizer.encode("xylophone")) == len("xylophone")
    for text in ("\u8c93", "\U0001f408 \u00e9\x00", "  \n"):
        assert tokenizer.decode(tokenizer.encode(text)) == text
    with pytest.raises(HomeworkError, match="does not hold the 256 bytes"):
        BytePairs.learn(TEXT, 100)


def test_without_the_library_byte_pairs_say_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(HomeworkError, match="needs the package `tokenizers`") as raised:
        BytePairs.learn(TEXT, None)
    assert "--tokenizer char" in raised.value.hint


def test_a_run_with_byte_pairs_records_them(train, program, tmp_path, capsys):
    import json

    pytest.importorskip("tokenizers")
    assert train(tmp_path / "run", tokenizer="bpe", vocab_size=280, steps=1, max_new_tokens=3) == 0
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert record["tokenizer"] == {"kind": "bpe", "vocab_size": record["model"]["vocab_size"], "file": "tokenizer.json"}
    capsys.readouterr()
    assert program("sample", tmp_path / "run", "--prompt", "caf\u00e9", "--max-new-tokens", 2) == 0
    assert "\ncaf\u00e9" in capsys.readouterr().out
