"""The tables, as a list of steps: a gradebook of any age is brought up to date by those that it lacks. A step is never changed, only followed."""

from __future__ import annotations

# Read by `file` and by whoever wonders what this is: "rwgb".
APPLICATION_ID = 0x72776762

_FIRST = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE runs (
    id INTEGER PRIMARY KEY, started TEXT NOT NULL, ended TEXT, grader TEXT NOT NULL, asked TEXT NOT NULL
);
CREATE TABLE grounds (digest TEXT PRIMARY KEY, parts TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE submissions (
    id INTEGER PRIMARY KEY, student TEXT NOT NULL, assignment TEXT NOT NULL, digest TEXT NOT NULL,
    UNIQUE (student, assignment, digest)
);
CREATE TABLE attempts (
    id INTEGER PRIMARY KEY, submission INTEGER NOT NULL REFERENCES submissions ON DELETE CASCADE,
    source TEXT NOT NULL, submitted INTEGER NOT NULL, dated_by TEXT NOT NULL, run INTEGER NOT NULL REFERENCES runs,
    UNIQUE (submission, submitted)
);
CREATE TABLE evidence (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, ground TEXT NOT NULL REFERENCES grounds,
    submission INTEGER NOT NULL REFERENCES submissions ON DELETE CASCADE,
    body BLOB NOT NULL, run INTEGER NOT NULL REFERENCES runs
);
CREATE INDEX evidence_by_key ON evidence (key);
CREATE INDEX evidence_by_submission ON evidence (submission);
CREATE TABLE scores (
    id INTEGER PRIMARY KEY, submission INTEGER NOT NULL REFERENCES submissions ON DELETE CASCADE,
    status TEXT NOT NULL, score REAL NOT NULL, points REAL NOT NULL, exercises TEXT NOT NULL,
    run INTEGER NOT NULL REFERENCES runs
);
CREATE INDEX scores_by_submission ON scores (submission);
CREATE TABLE reports (
    place TEXT NOT NULL, student TEXT NOT NULL, identity TEXT NOT NULL, files TEXT NOT NULL, line TEXT NOT NULL,
    PRIMARY KEY (place, student)
) WITHOUT ROWID;
"""

_OVERRIDES = """
CREATE TABLE overrides (
    id INTEGER PRIMARY KEY, student TEXT NOT NULL, assignment TEXT NOT NULL, exercise TEXT NOT NULL,
    kind TEXT NOT NULL, score REAL, comment TEXT NOT NULL, author TEXT NOT NULL, reason TEXT NOT NULL,
    made INTEGER NOT NULL
);
CREATE INDEX overrides_by_student ON overrides (student, assignment);
CREATE TABLE releases (assignment TEXT PRIMARY KEY, author TEXT NOT NULL, made INTEGER NOT NULL) WITHOUT ROWID;
"""

MIGRATIONS = (_FIRST, _OVERRIDES)
