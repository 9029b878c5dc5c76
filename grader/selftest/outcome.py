"""What became of attacks: what their probes saw, and what of it was not expected."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from grader.sandbox.base import Level
from grader.selftest.corpus import HONEST, UNCHANGED, Attack
from grader.selftest.keeping import Ran
from grader.selftest.leavings import cleared
from grader.selftest.probes import ALWAYS, PROBES, Scene
from grader.selftest.reports import Pair, difference, read_reports, report_of
from grader.selftest.stage import Stage, neighbours
from grader.selftest.survivors import survivors


@dataclass(frozen=True)
class Outcome:
    """What became of one attack at one level.

    Args:
        attack: It.
        level: The level.
        seen: What its probe saw; None where it saw nothing.
        wrong: What is not as expected, in words; empty where all is.
    """

    attack: Attack
    level: Level
    seen: str | None
    wrong: tuple[str, ...]


@dataclass(frozen=True)
class Result:
    """What became of a set of attacks at one level.

    Args:
        outcomes: One for each, by its name.
        wrong: What is wrong with the run as a whole.
    """

    outcomes: dict[str, Outcome]
    wrong: tuple[str, ...]


def judged(stage: Stage, attacks: Sequence[Attack], level: Level, calm: Ran, attacked: Ran) -> Result:
    """Say of each attack whether what happened is what was expected.

    Args:
        stage: The stage, after both runs and with all that they left.
        attacks: Whom was handed in.
        level: The level they were held at.
        calm: What came of the class without an attacker.
        attacked: What came of the class with the attackers.
    """
    undisturbed, reports = read_reports(stage.out(stage.calm)), read_reports(stage.out(stage.attacked))
    if calm.code != 0 or {HONEST, UNCHANGED} - undisturbed.keys():
        return Result({}, (f"a class without an attacker could not be graded: {calm.said.strip()[-2000:]}",))
    tags = [place.tag for place in stage.places.values()]
    living, left = survivors(tags), cleared(tags)
    after = neighbours(attacks, level)
    disturbed = {name: difference(reports.get(name), undisturbed[HONEST]) for name in {HONEST, *after.values()}}
    base = undisturbed[UNCHANGED].report.score or 0.0

    def scene(attack: Attack) -> Scene:
        place, pair = stage.places[attack.name], report_of(attack.name, stage, reports)
        row = _row(attacked.said, pair)
        next_to_it = disturbed[after[attack.name]]
        reached, survive, files = place.reached(), living[place.tag], left[place.tag]
        return Scene(stage.tokens, place, pair, base, row, tuple(reached), tuple(survive), tuple(files), next_to_it)

    outcomes = {attack.name: _outcome(attack, level, scene(attack)) for attack in attacks}
    return Result(outcomes, tuple(_of_the_run(stage, attacked, reports, undisturbed)))


def _outcome(attack: Attack, level: Level, scene: Scene) -> Outcome:
    seen = PROBES[attack.expected.probe](scene)
    wrong = [_verdict(attack, level, scene.pair)]
    if not attack.happens(level):
        wrong += [PROBES[name](scene) for name in dict.fromkeys((attack.expected.probe, *ALWAYS))]
        wrong += [f"files of it were left: {', '.join(scene.left[:3])}" if scene.left else None]
    return Outcome(attack, level, seen, tuple(words for words in wrong if words))


def _verdict(attack: Attack, level: Level, pair: Pair | None) -> str | None:
    status, score = attack.expected.verdict(level)
    if pair is None:
        return "it has no report"
    found = pair.report
    if (found.status, found.score) == (status, score):
        return None
    told = dict.fromkeys(each.problem or "" for each in found.assignments)
    return f"it is {found.status} with {found.score} points, expected {status} with {score:g} {'; '.join(told)}".strip()


def _row(said: str, pair: Pair | None) -> str:
    """The line of the table that shows a submission, and what broke out of it into the lines that follow."""
    if pair is None:
        return ""
    row = re.search(
        rf"^\S *{re.escape(pair.report.submission.id)} .*?(?=^\S *[\w%.-]+ +\S |\Z)", said, re.MULTILINE | re.DOTALL
    )
    return row.group().replace("\n", "") if row else ""


def _of_the_run(stage: Stage, ran: Ran, reports: dict[str, Pair], undisturbed: dict[str, Pair]) -> list[str]:
    """What went wrong that is not one attack's."""
    wrong = []
    if ran.code not in (0, 4):
        wrong.append(f"the run ended with {ran.code}: {ran.said.strip()[-2000:]}")
    if ran.left:
        wrong.append(f"processes were left behind: {'; '.join(ran.left)}")
    if remains := sorted(path.name for path in stage.temporary.iterdir()):
        wrong.append(f"files were left behind: {', '.join(remains)}")
    changed = {name: difference(reports.get(name), undisturbed[name]) for name in (HONEST, UNCHANGED)}
    wrong += [f"the submission {name!r} is not graded as before: {words}" for name, words in changed.items() if words]
    summary = stage.out(stage.attacked) / "summary.json"
    said = ran.said + (summary.read_text("utf-8") if summary.is_file() else "")
    return wrong + [f"a planted word was printed: {word}" for word in stage.tokens.read(said)]
