"""Where submissions are judged: on this machine, or on those of a cluster."""
