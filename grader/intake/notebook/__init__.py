"""A notebook as the module that was asked for: its cells are read as text, and never run."""
