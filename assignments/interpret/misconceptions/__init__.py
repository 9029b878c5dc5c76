"""What goes wrong when one looks into a model: wrong functions that learners do write, each written twice.

A mistake replaces one function of the reference and is right in everything else; its second variant makes the same
mistake in another style. Those that look into a model hang hooks on it in one style, and walk through its layers or
change its weights for a while in the other. Of `same_output_weights` any answer is right, so that its mistakes agree on
which one they spoil.
"""
