"""Faults on our own side, made on purpose while a class is graded; run by hand or by .ci/full, and in small by the tests."""
