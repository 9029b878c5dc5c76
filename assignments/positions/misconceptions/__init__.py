"""What learners get wrong about positions: each mistake with an explanation and a second, independent variant.

Every implementation is right but for the one idea it stands for: it checks its arguments and handles the
cases which that idea does not touch, so that a diagnosis names the idea and nothing else.
"""
