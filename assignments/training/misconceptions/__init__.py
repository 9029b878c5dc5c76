"""What goes wrong in training: a file for each exercise, or for a family of its mistakes."""
