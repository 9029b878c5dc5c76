"""Many submissions: in parallel, interrupted without loss, and taken up again."""
