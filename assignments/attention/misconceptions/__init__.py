"""What goes wrong with attention: wrong functions that learners do write, each named, explained and written twice.

A mistake replaces one function of the reference and is right in everything else; its second variant makes the same
mistake in another style, and both come to the same numbers. The order is that of the exercises; within one, ideas
come first and edges last.
"""
