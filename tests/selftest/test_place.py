from __future__ import annotations

import socket
from pathlib import Path

from grader.selftest.place import facts, filled, make_place


def test_placeholders_are_replaced_and_braces_of_other_kinds_stay() -> None:
    assert (
        filled(b'open("{{home}}/x") {{unknown}} {home}', {"home": "/somewhere"})
        == b'open("/somewhere/x") {{unknown}} {home}'
    )


def test_an_attack_has_only_what_it_asks_for(tmp_path: Path) -> None:
    place = make_place(tmp_path / "around", b"{{home}} {{tag}}", owner=None)
    assert set(facts(place)) == {"home", "tag"}
    assert place.reached() == []


def test_who_connects_is_noticed_even_after_hanging_up(place) -> None:
    told = facts(place)
    assert place.reached() == []
    socket.create_connection(("127.0.0.1", int(told["tcp"]))).close()
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(told["unix"])
    assert sorted(place.reached()) == ["tcp", "unix"]


def test_a_victim_lives_until_its_place_is_cleared(place) -> None:
    assert place.victim.poll() is None
    place.close()
    assert place.victim.poll() is not None


def test_two_places_have_unlike_words_that_fit_into_a_process_name(tmp_path: Path) -> None:
    first, second = (make_place(tmp_path / name, b"", owner=None).tag for name in "ab")
    assert first != second
    assert len(first) <= 15
