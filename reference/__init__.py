"""Reference solutions: the lecture's mathematics, with the answers between markers."""
