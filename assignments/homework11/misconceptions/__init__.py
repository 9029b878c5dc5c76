"""Runs with one mistake each, made of a right one."""
