"""The people's part: what the grader hands to a person, and what the person decides."""
