"""Judges that are warm: everything is imported and collected before the first submission, and each is judged in a copy.

    grader ──► server ──► keeper (one an assignment) ──► judge (one a submission)
       │                     ▲
       └───── jobs ──────────┘ evidence

The server holds the packages and the zygotes; a keeper, forked from it, has collected an assignment's suites and waits
in pytest's loop; for each job it forks a judge, which runs the loop once and ends. Before the second job a keeper rehearses:
what Python learns from judging is then learned once, and not by each judge.
"""
