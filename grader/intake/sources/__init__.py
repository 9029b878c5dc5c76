"""Where a class's submissions come from: the downloads of a course's systems, each recognised by its shape."""
