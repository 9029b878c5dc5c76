"""Many submissions: in parallel, resumable by eye, interrupted without loss."""
