"""What goes wrong with shapes and counts: wrong functions that learners do write, each named, explained, written twice.

A mistake replaces one function of the reference and is right in everything else; its second variant makes the same
mistake in another style, and both come to the same numbers. Within an exercise ideas come first and edges last.
"""
