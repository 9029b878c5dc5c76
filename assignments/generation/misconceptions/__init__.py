"""What goes wrong when text is generated: wrong functions that learners do write, each written twice.

A mistake replaces one function of the reference and is right in everything else; its second variant makes the same
mistake in another style. Both draw from the generator as the reference does, once for each token, so that they come to
the same tokens and can be told from others.
"""
