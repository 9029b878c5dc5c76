"""rowwise: the grader for numerical Python."""

__version__ = "0.1.0"
