"""How judge and worker talk: frames of bounded JSON and raw arrays, and nothing that can run code."""
