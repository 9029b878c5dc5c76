"""`grader watch`: one exercise on the screen, checked again with every save.

keys ──┐
files ─┼─► events ─► Watching ─► Screen
judge ─┘
"""
