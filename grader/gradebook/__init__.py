"""The gradebook: what was handed in, found out, scored and overruled, in one file that outlives every run."""
