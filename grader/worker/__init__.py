"""Runs a submission: a loop that imports, calls and answers, with nothing else of the grader in reach."""
