"""Let a model that `reference.train` trained continue prompts.

python -m reference.sample RUN --prompt "The " --temperature 0.8
"""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from train import main

    sys.exit(main("sample"))
