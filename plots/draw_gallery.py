"""Runs the commands of README.md, which make the pictures of the gallery: `python plots/draw_gallery.py`.

`MEETSIM` names the binary (default: .build/release/meetsim). Files go to out/gallery and plots/gallery.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path


def blocks(readme: str) -> list[str]:
    """The shell commands, block by block."""
    return re.findall(r"^```sh\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)


def draw(root: Path, meetsim: Path) -> None:
    """Runs all commands in a checkout, with this Python."""
    shutil.rmtree(root / "out" / "gallery", ignore_errors=True)
    (root / "out" / "gallery").mkdir(parents=True)
    names = f'set -e\nmeetsim() {{ "{meetsim}" "$@"; }}\npython() {{ "{sys.executable}" "$@"; }}\n'
    for commands in blocks((root / "plots" / "README.md").read_text(encoding="utf-8")):
        subprocess.run(["bash", "-c", names + commands], cwd=root, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    here = Path(__file__).resolve().parents[1]
    draw(here, Path(os.environ.get("MEETSIM", here / ".build" / "release" / "meetsim")).resolve())
