"""What a student has: a kit made from an allow-list, and the visible tests on their own files."""
