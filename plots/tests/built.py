"""The binary that makes real results."""

import os
from pathlib import Path

ROOT = Path(__file__).parents[2]


def binary():
    """`$MEETSIM`, or what was built here; `None` where neither is there."""
    named = os.environ.get("MEETSIM")
    paths = [Path(named)] if named else [ROOT / ".build" / kind / "meetsim" for kind in ("release", "debug")]
    return next((path.resolve() for path in paths if path.is_file()), None)
