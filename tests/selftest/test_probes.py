from __future__ import annotations

import dataclasses
import json
import struct

import pytest

from grader.selftest.probes import ALWAYS, PROBES
from grader.selftest.tokens import Tokens
from tests.selftest.conftest import pair


def test_no_probe_sees_anything_where_nothing_happened(scene) -> None:
    for name, probe in PROBES.items():
        assert probe(scene()) is None, name


def test_no_probe_but_those_that_read_reports_needs_one(scene) -> None:
    assert [probe(scene(pair=None)) for probe in PROBES.values()] == [None] * len(PROBES)


@pytest.mark.parametrize("word", [field.name for field in dataclasses.fields(Tokens) if field.name != "number"])
def test_a_planted_word_is_seen_in_what_was_printed(scene, word: str) -> None:
    tokens = Tokens()
    assert PROBES["secret"](scene(tokens=tokens, pair=pair(printed=f"> {getattr(tokens, word)} <")))


def test_a_planted_word_is_seen_in_the_students_report_and_on_the_terminal(scene) -> None:
    tokens = Tokens()
    leaking = dataclasses.replace(pair(), student=tokens.hidden)
    assert "the student's report" in PROBES["secret"](scene(tokens=tokens, pair=leaking))
    assert "the terminal" in PROBES["secret"](scene(tokens=tokens, row=tokens.key))


def test_words_of_one_stage_are_not_those_of_another(scene) -> None:
    assert PROBES["secret"](scene(pair=pair(printed=Tokens().hidden))) is None


def test_a_breach_is_a_line_of_its_own(scene) -> None:
    assert "BREACH read" in PROBES["breach"](scene(pair=pair(printed="one\nBREACH read\ntwo")))
    assert PROBES["breach"](scene(pair=pair(printed="no BREACH here"))) is None


def test_whatever_is_written_outside_is_seen(scene, place) -> None:
    (place.home / "marker").write_text("here")
    assert "marker" in PROBES["marker"](scene())


def test_a_listener_that_was_reached_is_named(scene) -> None:
    assert "unix" in PROBES["connection"](scene(reached=("unix",)))


def test_a_victim_that_died_is_seen(scene, place) -> None:
    place.victim.kill()
    place.victim.wait()
    assert PROBES["victim"](scene())


def test_a_survivor_and_a_disturbed_neighbour_are_seen(scene) -> None:
    assert "12 python" in PROBES["survivor"](scene(survivors=("12 python",)))
    assert "has no report" in PROBES["neighbour"](scene(next_to_it="it has no report"))


def _shown(number: float) -> list[str]:
    return [f"[[{number:.8f} 1.0]]", f"{number:.7f}", f"{number:.7e}", struct.pack("<d", number).hex()]


@pytest.mark.parametrize("number", [0.11972544, 0.99999994, *(Tokens().number for _ in range(50))], ids=range(52))
@pytest.mark.parametrize("form", range(4))
def test_a_hidden_input_is_seen_in_the_students_report_and_there_alone(scene, form: int, number: float) -> None:
    tokens = dataclasses.replace(Tokens(), number=number)
    text = _shown(tokens.number)[form]
    assert PROBES["input"](scene(tokens=tokens, pair=dataclasses.replace(pair(), student=text)))
    assert PROBES["input"](scene(tokens=tokens, pair=pair(printed=text))) is None


@pytest.mark.parametrize("char", ["\x1b", "\x07", "\r", "\x7f", "\x9b", "\u202e", "\u2066", "\u200b", "\ufeff"])
def test_control_characters_are_seen_raw_and_not_where_they_are_spelled_out(scene, char: str) -> None:
    assert PROBES["control"](scene(row=f"│ {char}"))
    assert PROBES["control"](scene(pair=dataclasses.replace(pair(), instructor=char)))
    spelled = json.dumps(char)
    assert PROBES["control"](scene(row=spelled if spelled.isascii() and spelled.isprintable() else "")) is None


def test_more_points_than_the_base_are_a_gain_and_as_many_are_none(scene) -> None:
    assert "100" in PROBES["gain"](scene(pair=pair(score=100.0)))
    assert PROBES["gain"](scene(pair=pair(score=41.0), base=41.0)) is None
    assert PROBES["gain"](scene(pair=pair(score=0.0))) is None


def test_what_is_looked_for_in_every_attack_has_a_probe() -> None:
    assert set(ALWAYS) < set(PROBES)
