"""Takes twenty thousand names from a module whose own name is a hundred and fifty thousand letters long. Whoever writes
down each with its module in front needs gigabytes for a small file.
"""

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    names = ",".join(f"a{number}" for number in range(20_000))
    (folder / "target.py").write_text(f"{base}\n\nif 0:\n    from {'m' * 150_000} import {names}\n")
    return folder
