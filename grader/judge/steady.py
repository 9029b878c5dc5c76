"""What a student is told of a submission that was judged twice: the words of the first time.

By the second time the submission has met its hidden inputs once. Whatever a worker could leave behind for a later one, on a disk, in memory
that the kernel shares or in the time that something takes, could come back in the message of a visible test or of an import.
"""

from __future__ import annotations

from grader.model.evidence import Evidence, TestEvidence
from grader.model.verdict import Status, Suite


def with_first_words(first: Evidence, second: Evidence) -> Evidence:
    """Return the second evidence; what of it a student reads in full is as it was said first, or not said where the verdict changed."""
    before = {test.id: test for test in first.tests}
    return second.model_copy(update={"tests": [_steady(test, before.get(test.id)) for test in second.tests]})


def _steady(test: TestEvidence, before: TestEvidence | None) -> TestEvidence:
    told_in_full = test.suite is Suite.VISIBLE or test.status is Status.IMPORT_ERROR
    if before is None or before.status.is_ours or not told_in_full:
        return test  # where a fault of ours came first, no submission had a say in it
    if before.status is test.status:
        return test.model_copy(update={"message": before.message, "error": before.error, "heat_maps": before.heat_maps})
    return test.model_copy(update={"message": "", "error": None, "heat_maps": []})
