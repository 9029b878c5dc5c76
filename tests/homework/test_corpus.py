"""A corpus: a text, its digest, and two parts of it by position."""

from __future__ import annotations

import hashlib
import sys
from pydoc_data.topics import topics

import pytest
import torch
from hw11 import corpus
from hw11.errors import HomeworkError


def test_the_built_in_corpus_is_pythons_documentation_and_says_of_which_version():
    found = corpus.read("builtin")
    assert len(found.text) > 300_000
    assert all(text in found.text for text in topics.values())
    assert found.sha256 == hashlib.sha256(found.text.encode()).hexdigest()
    assert f"the documentation of Python {sys.version_info[0]}.{sys.version_info[1]}, which other versions" in str(
        found
    )


def test_a_file_is_read_as_it_is_and_called_by_its_name_alone(tmp_path):
    text = "one\r\ntwo \u4e09\n".encode()
    (tmp_path / "mine.txt").write_bytes(text)
    found = corpus.read(str(tmp_path / "mine.txt"))
    assert found.text.encode() == text
    assert (found.name, found.sha256) == ("mine.txt", hashlib.sha256(text).hexdigest())


def test_without_its_documentation_python_has_no_built_in_corpus(monkeypatch):
    monkeypatch.setitem(sys.modules, "pydoc_data.topics", None)
    with pytest.raises(HomeworkError, match="comes without its documentation"):
        corpus.read("builtin")


def test_the_first_nine_tenths_train_and_the_rest_validates():
    train, val = corpus.split(torch.arange(105), 5)
    assert train.tolist() == list(range(94))
    assert val.tolist() == list(range(94, 105))


@pytest.mark.parametrize(("n", "fits"), [(60, True), (59, True), (50, False)])
def test_each_part_holds_a_sequence_and_its_targets(n, fits):
    if fits:
        assert min(map(len, corpus.split(torch.arange(n), 5))) > 5
    else:
        with pytest.raises(HomeworkError, match="part of 5 holds no sequence of 5"):
            corpus.split(torch.arange(n), 5)
