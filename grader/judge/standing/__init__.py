"""A judge that stays, for a student at work: everything is imported and collected before the first save.

    watch ──► judge ──► worker (one a save, started ahead)

It is for a student's own code on their own machine. There is no fork and no sandbox, so it is the same on every system;
what a judge that is spawned for one job would say, it says sooner.
"""
