"""What a service needs to grade with this course: one module a service, each of which lists files."""
