"""The built program and the checkout, for tests that hold its files against other people's tools."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from ruamel.yaml import YAML

# readline, which pytest loads, exports the size of a terminal, to which the program would wrap its messages.
os.environ.pop("COLUMNS", None)
os.unsetenv("COLUMNS")

ROOT = Path(__file__).resolve().parents[2]
MEETSIM = os.environ.get("MEETSIM", str(ROOT / ".build/release/meetsim"))


def meetsim(*arguments, **options):
    """Runs the program; gives what subprocess gives."""
    return subprocess.run(
        [MEETSIM, *map(str, arguments)], capture_output=True, text=True, check=False, **options
    )


def load_yaml(path):
    """A file as YAML 1.2, which is what editors read it as."""
    return json.loads(json.dumps(YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))))


@pytest.fixture(scope="session")
def root():
    return ROOT
