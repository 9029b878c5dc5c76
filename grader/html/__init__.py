"""Pages of a graded class: one for each student and one for whoever teaches, each a file that needs nothing else."""
