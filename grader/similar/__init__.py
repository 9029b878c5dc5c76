"""Submissions that are alike beyond what a task makes alike: a pointer for a person, never a verdict."""
