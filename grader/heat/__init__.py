"""Matrices of a submission beside the right ones, as they are drawn: on a page, in a picture, in a terminal."""
