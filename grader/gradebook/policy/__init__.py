"""From what was earned to what counts: pure functions over what is known of a student."""
