"""Where student code runs, and what kept it there."""
