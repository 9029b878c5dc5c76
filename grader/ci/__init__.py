"""A student's repository, graded where it is pushed: what is there, how it stands, and where to look."""
