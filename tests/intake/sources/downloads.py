"""A download of each system, as it writes it: the same class of three in each, and things that lie around."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

A, B, C = b"a = 1\n", b"b = 2\n", b"c = 3\n"


@dataclass(frozen=True)
class Download:
    """A download.

    Args:
        files: All that is in it.
        called: What each submission is called, with the content of its `attention.py`.
        another: Returns where another file of the first student's would lie.
        loose: Where a file of nobody's would lie.
        zipped: Whether the system makes a zip.
    """

    files: Mapping[str, bytes]
    called: Mapping[str, bytes]
    another: Callable[[str], str]
    loose: str
    zipped: bool = True


def receipt(name: str, login: str, *files: tuple[str, str], words: str = "none") -> bytes:
    """Return a receipt of Blackboard's."""
    listed = "".join(f"\tOriginal filename: {own}\r\n\tFilename: {there}\r\n\r\n" for own, there in files)
    return (
        f"Name: {name} ({login})\r\nAssignment: HW 1\r\nDate Submitted: Tuesday, February 3, 2026 10:11:12 AM CST\r\n"
        f"Current Grade: Needs Grading\r\n\r\nSubmission Field:\r\n{words}\r\n\r\nComments:\r\nnone\r\n\r\nFiles:\r\n{listed}"
    ).encode()


def board(login: str, time: str, name: str = "") -> str:
    """Return the name of a file in a download from Blackboard; of the receipt where it has no own name."""
    return f"HW 1_{login}_attempt_{time}" + (f"_{name}" if name else ".txt")


METADATA = b"""---
submission_11:
  :submitters:
  - :name: Ada Lovelace
    :sid: '101'
    :email: ada@example.edu
  :created_at: 2026-02-03 10:11:12.123456000 Z
  :score: 0.0
  :results:
    :output: |
      submission_99:
        :submitters:
        - :name: nobody
    :tests:
    - :name: one
  :history:
  - :id: 9
    :created_at: 2026-02-01 10:00:00.000000000 Z
  - :id: 10
    :created_at: 2026-02-02 10:00:00.000000000 Z
submission_12:
  :submitters:
  - :name: "Bo \\u674E"
    :sid: '102'
    :email: bo@example.edu
  :created_at: 2026-02-03 20:11:12.000000000 +08:00
submission_13:
  :submitters:
  - :name: O'Brien, Cy
    :sid:
    :email: cy@example.edu
  :created_at:
"""
LAST, FIRST = "2026-02-03-10-11-12", "2026-02-01-10-00-00"

DOWNLOADS: Mapping[str, Download] = {
    "canvas": Download(
        {
            "lovelaceada_101_9001_attention-2.py": A,
            "lovelaceada_101_8001_attention-1.py": b"old",
            "lovelaceada_101_text.html": b"typed",
            "\u674ebo_LATE_102_9002_attention.py": B,
            "obriency_103_9003_attention.py": C,
            "obriency_103_9004_notes-1.txt": b"notes",
        },
        {"lovelaceada_101": A, "\u674ebo_102": B, "obriency_103": C},
        lambda name: f"lovelaceada_101_9100_{name}",
        "grades.csv",
    ),
    "moodle": Download(
        {
            "Ada Lovelace_101_assignsubmission_file_/attention.py": A,
            "Ada Lovelace_101_assignsubmission_onlinetext_/onlinetext.html": b"typed",
            "Group B-Bo Li_102_assignsubmission_file_/attention.py": B,
            "Cy O'Brien_103_assignsubmission_file_/hw/attention.py": C,
        },
        {"Ada Lovelace_101": A, "Group B-Bo Li_102": B, "Cy O'Brien_103": C},
        lambda name: f"Ada Lovelace_101_assignsubmission_file_/{name}",
        "grades.csv",
    ),
    "gradescope": Download(
        {
            "assignment_7_export/submission_metadata.yml": METADATA,
            "assignment_7_export/submission_11/attention.py": A,
            "assignment_7_export/submission_12/attention.py": B,
            "assignment_7_export/submission_13/attention.py": C,
        },
        {"101": A, "102": B, "cy@example.edu": C},
        lambda name: f"assignment_7_export/submission_11/{name}",
        "assignment_7_export/grades.csv",
    ),
    "blackboard": Download(
        {
            board("ada_l", LAST): receipt("Ada Lovelace", "ada_l", ("attention.py", board("ada_l", LAST, "att.py"))),
            board("ada_l", LAST, "att.py"): A,
            board("ada_l", FIRST): receipt("Ada Lovelace", "ada_l"),
            board("ada_l", FIRST, "attention.py"): b"old",
            board("bo", LAST): receipt("Bo Li (2)", "bo"),
            board("bo", LAST, "attention.py"): B,
            board("cy", LAST): receipt("Cy O'Brien", "cy"),
            board("cy", LAST, "attention (1).py"): C,
        },
        {"ada_l": A, "bo": B, "cy": C},
        lambda name: board("ada_l", LAST, name),
        "grades.csv",
    ),
    "classroom": Download(
        {
            "hw-1-ada/attention.py": A,
            "hw-1-ada/.git/HEAD": b"ref: refs/heads/main\n",
            "hw-1-bo-li/attention.py": B,
            "hw-1-bo-li/.git/HEAD": b"ref: refs/heads/main\n",
            "hw-1-cy/attention.py": C,
        },
        {"ada": A, "bo-li": B, "cy": C},
        lambda name: f"hw-1-ada/{name}",
        "grades.csv",
        zipped=False,
    ),
    "nbgrader": Download(
        {
            "submitted/ada/attention/attention.py": A,
            "submitted/ada/attention/timestamp.txt": b"2026-02-03 10:11:12.123456 UTC\n",
            "submitted/ada/masking/masking.py": b"other",
            "submitted/bo/attention/attention.py": B,
            "submitted/bo/attention/timestamp.txt": b"2026-02-03 18:11:12 Asia/Taipei\n",
            "submitted/cy/attention/attention.py": C,
            "submitted/cy/attention/timestamp.txt": b"2026-02-03 10:11:12 Nowhere/Land\n",
            "source/attention/attention.py": b"the course's own",
        },
        {"ada": A, "bo": B, "cy": C},
        lambda name: f"submitted/ada/attention/{name}",
        "submitted/grades.csv",
    ),
}
