"""The built program and the checkout, for tests that check its files with third-party tools."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from ruamel.yaml import YAML

# readline, which pytest loads, exports a terminal size to which the program would wrap its messages.
os.environ.pop("COLUMNS", None)
os.unsetenv("COLUMNS")

ROOT = Path(__file__).resolve().parents[2]
MEETSIM = os.environ.get("MEETSIM", str(ROOT / ".build/release/meetsim"))


def meetsim(*arguments, **options):
    """Runs the program; returns the result of subprocess."""
    return subprocess.run(
        [MEETSIM, *map(str, arguments)], capture_output=True, text=True, check=False, **options
    )


def load_yaml(path):
    """Loads a file as YAML 1.2, as editors do."""
    return json.loads(json.dumps(YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))))


@pytest.fixture(scope="session")
def root():
    return ROOT
