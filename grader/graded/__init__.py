"""What was graded, read back from a folder of reports: for pages, exports and people."""
