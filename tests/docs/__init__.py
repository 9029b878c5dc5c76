"""The documents are true: their commands are run, and their output is what was seen."""
