"""A run's dealings with its gradebook: what is known is not judged, and what was found out is kept before it is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader import __version__
from grader.batch.dated import by_file
from grader.batch.finished import Finished, How, Line, line_of
from grader.batch.folder import REPORTS
from grader.gradebook.book import Book
from grader.gradebook.finding import ground_before, known
from grader.gradebook.keeping import keep, keep_attempts
from grader.gradebook.reports import Written, is_there, note_written, stamps, written
from grader.gradebook.results import Dated, Key, Result, Score, is_final
from grader.gradebook.runs import begin, end, note_facts
from grader.intake.base import Submission
from grader.model.evidence import Evidence
from grader.model.report import AssignmentReport, Report
from grader.pipeline.grade import Outcome
from grader.pipeline.ground import Ground, fingerprint, ground
from grader.pipeline.recall import identity_of, key_of, why_judged
from grader.pipeline.settings import Graded, Settings


@dataclass(frozen=True)
class Keeping:
    """How results are kept.

    Args:
        file: The gradebook; None for the one in the folder of reports.
        force: Whether what is known is judged again.
        dated: Tells when a submission was handed in.
        left_out: What lay beside the submissions, for the summary; likewise the two that follow.
        unmatched: Ids of submissions that are of nobody on the roster.
        absent: Who is on the roster and handed in nothing.
    """

    file: Path | None = None
    force: bool = False
    dated: Callable[[Submission], Dated] = by_file
    left_out: Sequence[str] = ()
    unmatched: Sequence[str] = ()
    absent: Sequence[str] = ()


USUAL = Keeping()


class Ledger:
    """What a run asks its gradebook, and tells it.

    Args:
        book: The gradebook.
        settings: The run.
        out: The folder of reports.
        keeping: How results are kept.
    """

    def __init__(self, book: Book, settings: Settings, out: Path, keeping: Keeping) -> None:
        self._book, self._settings, self._out, self._keeping = book, settings, out, keeping
        self._grounds: dict[str, Ground] = {each.assignment.id: ground(each, settings) for each in settings.graded}
        asked = {"assignments": list(self._grounds), "exercises": list(settings.only), "force": keeping.force}
        self._run = begin(book, __version__, asked, {each.digest: each.parts for each in self._grounds.values()})
        note_facts(book, {f"assignment {each.assignment.id}": _facts(each) for each in settings.graded})
        note_facts(book, {"course key": fingerprint(settings.key)})
        self._written = written(book, out)
        self._left: list[tuple[Key, Dated]] = []
        self._known: dict[tuple[str, str], Key] = {}

    def recall(self, submission: Submission, graded: Graded) -> Evidence | None:
        """Return what was found out before; None where it is not known, or to be found out again."""
        return None if self._keeping.force else known(self._book, self._key(submission, graded).digest)

    def left(self, submission: Submission) -> Finished | None:
        """Return a submission whose reports lie there already, as they would be written now; None for any other."""
        before = self._written.pop(submission.id, None)
        if self._keeping.force or before is None or not is_there(self._out, before):
            return None
        keys = self._keys(submission)
        if before.identity != identity_of(submission, self._settings, keys):
            return None
        self._left += [(key, self._keeping.dated(submission)) for key in keys]
        return Finished(Line.model_validate_json(before.line), How.LEFT)

    def why(self, submission: Submission, outcome: Outcome) -> str:
        """Return why a submission was judged. To be asked before the result is kept."""
        said = [
            self._why(self._key(submission, graded))
            for graded, new in zip(self._settings.graded, outcome.judged, strict=False)
            if new
        ]
        return "; ".join(dict.fromkeys(said))

    def _why(self, key: Key) -> str:
        if self._keeping.force and known(self._book, key.digest):
            return "forced"
        return why_judged(key, self._grounds[key.assignment].parts, ground_before(self._book, key))

    def keep(self, submission: Submission, outcome: Outcome) -> None:
        """Keep what a submission came to, save what is a fault of ours."""
        parts = zip(self._settings.graded, outcome.evidence, outcome.judged, outcome.report.assignments, strict=False)
        results = [
            Result(self._key(submission, graded), evidence if new else None, self._score(report))
            for graded, evidence, new, report in parts
            if is_final(evidence)
        ]
        if results:
            keep(self._book, self._run, results, self._keeping.dated(submission), anew=self._keeping.force)

    def _score(self, report: AssignmentReport) -> Score | None:
        """A part of an assignment is no score of it."""
        if self._settings.only or report.score is None:
            return None
        exercises = {
            each.id: {"status": str(each.status), "score": each.score, "points": each.points}
            for each in report.exercises
        }
        return Score(str(report.status), report.score, report.points, exercises)

    def note(self, submission: Submission, report: Report) -> Line:
        """Note that the reports on a submission are written, and return what is told of it."""
        line = line_of(report)
        keys = self._keys(submission)
        if not report.status.is_ours:
            identity = identity_of(submission, self._settings, keys)
            files = stamps(self._out, [f"{submission.id}/{name}" for name in REPORTS])
            note_written(self._book, self._out, submission.id, Written(identity, files, line.model_dump_json()))
        for key in keys:  # nobody asks for them any more
            self._known.pop((key.student, key.assignment), None)
        return line

    def close(self, *, ended: bool) -> None:
        """Note what was left as it was and, where the run came to its end, that it did."""
        keep_attempts(self._book, self._run, self._left)
        self._left = []
        if ended:
            end(self._book, self._run)

    def _keys(self, submission: Submission) -> list[Key]:
        return [self._key(submission, graded) for graded in self._settings.graded]

    def _key(self, submission: Submission, graded: Graded) -> Key:
        place = submission.id, graded.assignment.id
        if place not in self._known:
            self._known[place] = key_of(submission, graded, self._grounds[graded.assignment.id])
        return self._known[place]


def _facts(graded: Graded) -> dict[str, object]:
    manifest = graded.assignment.manifest
    exercises = {each.id: {"title": each.title.en, "points": each.points} for each in manifest.exercises}
    return {
        "title": manifest.title.en,
        "points": manifest.points,
        "exercises": exercises,
        "by_hand": manifest.by_hand,
        "suite": graded.digest,
    }
