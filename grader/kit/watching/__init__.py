"""`grader watch`: one exercise on the screen, checked again with every save.

keys ──┐                 ┌─► Asking ─► judge
files ─┼─► events ─► Watching     Now
judge ─┘                 └─► showing ─► Screen
"""
