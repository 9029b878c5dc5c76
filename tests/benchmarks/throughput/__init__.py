"""How many submissions a second: this grader beside others, in turn, on the same submissions and the same core."""
