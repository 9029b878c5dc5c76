"""Text of a stranger, escaped for the place where it lands: one function a place.

Student ids, file names, exceptions and printed text are carried as they came, and escaped last, where it is known
what could bite.
"""
