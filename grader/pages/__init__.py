"""What every page of ours promises: it is one file, asks for nothing, and what strangers wrote is only text in it."""
