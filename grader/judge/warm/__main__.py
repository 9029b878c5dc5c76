"""A server's process."""

from __future__ import annotations

import sys

from grader.judge.warm.server import main

if __name__ == "__main__":
    main(int(sys.argv[1]))
