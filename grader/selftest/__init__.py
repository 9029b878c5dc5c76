"""Attacks on the grader, and the machinery that hands them in and looks whether anything got through."""
