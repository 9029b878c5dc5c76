"""How fast is it? Ratios of commands timed side by side in one run; run by hand, never asserted on seconds."""
