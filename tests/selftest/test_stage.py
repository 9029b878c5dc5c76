from __future__ import annotations

import os
import zipfile
from pathlib import Path

from grader.sandbox.base import Level
from grader.selftest.course import BASE
from grader.selftest.stage import neighbours, staged
from tests.selftest.conftest import EXPECT, TARGET

MAKE = '"""Told."""\nimport os, zipfile\n\n\ndef make(folder, base):\n'


def test_an_attack_is_told_where_everything_is(attack) -> None:
    names = ("course", "class", "out", "home", "tcp", "unix", "victim", "tag", "grader")
    attacker = attack(target_py=TARGET + "".join(f"# {name}={{{{{name}}}}}\n" for name in names))
    with staged([attacker], Level.FULL, keeper=12) as stage:
        lines = (stage.attacked / "reads" / "target.py").read_text().splitlines()
        told = dict(line.removeprefix("# ").split("=") for line in lines if line.startswith("# "))
        assert set(told) == {*names}
        assert (Path(told["course"]) / "assignments/target/hidden/test_target.py").is_file()
        assert (Path(told["class"]) / "neighbour" / "target.py").is_file()
        assert Path(told["out"]).is_dir()
        assert told["grader"] == "12"
        assert stage.places["reads"].victim.pid == int(told["victim"])
        assert Path(told["unix"]).is_socket()
        assert Path(told["home"]).stat().st_mode & 0o777 == 0o777
        os.kill(int(told["victim"]), 0)
    assert not stage.folder.exists()


def test_every_planted_word_is_where_it_is_said_to_be_and_all_but_the_key_may_be_read(attack) -> None:
    with staged([attack()], Level.FULL, keeper=1) as stage:
        planted = {
            stage.course / "assignments/target/hidden/test_target.py": stage.tokens.hidden,
            stage.course / "reference/target.py": stage.tokens.reference,
            stage.attacked / "neighbour/target.py": stage.tokens.neighbour,
        }
        for path, word in planted.items():
            assert word in path.read_text()
            assert all(folder.stat().st_mode & 0o005 == 0o005 for folder in path.parents if folder != Path("/"))
            assert path.stat().st_mode & 0o004
        key = stage.course / ".seed-key"
        assert key.read_text().strip() == stage.tokens.key
        assert key.stat().st_mode & 0o077 == 0


def test_a_built_folder_is_handed_in_as_it_is_and_a_built_archive_under_the_attacks_name(attack) -> None:
    builders = {
        "whole": '    (folder / "target.py").write_text("{{course}}")\n    return folder\n',
        "link": '    (folder / "target.py").symlink_to("{{course}}/reference/target.py")\n    return folder\n',
        "archive": '    path = folder / "my work.tar.gz"\n    path.write_bytes(b"")\n    return path\n',
        "zipped": '    path = folder / "work.zip"\n    with zipfile.ZipFile(path, "w") as z:\n        z.writestr("target.py", base)\n    return path\n',
    }
    attacks = [attack(name, make_py=MAKE + body) for name, body in builders.items()]
    with staged(attacks, Level.FULL, keeper=1) as stage:
        assert (stage.attacked / "whole" / "target.py").read_text() == str(stage.course)
        assert (stage.attacked / "link" / "target.py").resolve() == stage.course / "reference" / "target.py"
        # A strange name may be the attack.
        assert stage.names["archive"] == "my work.tar.gz"
        assert stage.names["zipped"] == "zipped.zip"
        assert zipfile.ZipFile(stage.attacked / "zipped.zip").read("target.py").decode() == BASE


def test_an_honest_submission_comes_after_every_few_attacks(attack) -> None:
    attacks = [attack(f"a{number:02}") for number in range(20)]
    after = neighbours(attacks, Level.FULL)
    assert set(after) == {each.name for each in attacks}
    assert all(name < after[name] for name in after)
    assert 2 <= len({*after.values()}) <= 5


def test_an_attack_that_is_known_to_disturb_its_neighbour_has_one_of_its_own(attack) -> None:
    disturbing = EXPECT.replace('"secret"', '"neighbour"')
    attacks = [attack("a"), attack("b", expect=disturbing), attack("c")]
    assert neighbours(attacks, Level.WEAK) == {"a": "a-next", "b": "b-next", "c": "c-next"}
    assert neighbours(attacks, Level.FULL) == dict.fromkeys("abc", "c-next")


def test_every_submission_of_the_class_can_be_told_from_the_others(attack) -> None:
    with staged([attack("a"), attack("b")], Level.FULL, keeper=1) as stage:
        assert sorted(path.name for path in stage.attacked.iterdir()) == ["a", "b", "b-next", "base", "neighbour"]
        assert sorted(path.name for path in stage.calm.iterdir()) == ["base", "neighbour"]
