"""Hands in files that Python looks for when it starts, in the folder it starts in or on its path."""

from __future__ import annotations

from pathlib import Path

RUN = "open('{{home}}/marker', 'w').close()\nprint('BREACH a file beside the submission was run')\n"
FILES = {
    "sitecustomize.py": RUN,
    "usercustomize.py": RUN,
    "evil.pth": "import sitecustomize\n",
    "python311._pth": ".\nimport site\n",
    "pyvenv.cfg": "home = .\ninclude-system-site-packages = true\n",
    ".pythonrc.py": RUN,
    "__main__.py": RUN,
    "setup.py": RUN,
    ".env": "PYTHONSTARTUP=.pythonrc.py\nPYTHONPATH=.\n",
    "lib/python3/site-packages/evil.pth": "import sitecustomize\n",
}


def make(folder: Path, base: str) -> Path:
    (folder / "target.py").write_text(base)
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder
