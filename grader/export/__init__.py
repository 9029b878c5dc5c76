"""What was graded, in the forms that a course's other tools take."""
