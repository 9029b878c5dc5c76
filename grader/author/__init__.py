"""Making assignments: a first one that holds, and what each must have."""
