"""What goes wrong when attention is computed in pieces: wrong functions that learners do write, each written twice.

A mistake replaces one function of the reference and is right in everything else; its second variant makes the same
mistake in another style, and both come to the same numbers. Ideas come first and edges last, in the files too, which are
tried in the order of the alphabet. What is right but for an edge is asked for 8192 tokens too, and so it is written to
be fast.
"""
