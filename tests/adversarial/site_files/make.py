"""Hands in files that Python runs by itself when it starts, and when it runs tries to write such files into every
folder of packages.
"""

from __future__ import annotations

from pathlib import Path

LINE = "open('{{home}}/marker', 'w').close()"
INSTALL = f"""

import os
import sys

for folder in sys.path:
    if folder.startswith({str(Path.home())!r}):
        continue
    try:
        if os.access(folder, os.W_OK) and folder == os.getcwd():
            with open(os.path.join(folder, "sitecustomize.py"), "w", encoding="utf-8") as file:
                file.write({LINE!r})
    except OSError:
        pass
"""


def make(folder: Path, base: str) -> Path:
    """Write the submission and files that Python looks for at its start."""
    (folder / "target.py").write_text(base + INSTALL, encoding="utf-8")
    (folder / "sitecustomize.py").write_text(LINE, encoding="utf-8")
    (folder / "usercustomize.py").write_text(LINE, encoding="utf-8")
    (folder / "target.pth").write_text(f"import os; {LINE}\n", encoding="utf-8")
    (folder / "__pycache__").mkdir()
    (folder / "pyvenv.cfg").write_text("home = .\n", encoding="utf-8")
    return folder
