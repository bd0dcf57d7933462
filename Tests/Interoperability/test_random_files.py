"""Damaged files of every kind that meetsim reads: each is read, or refused with a position in it."""

import subprocess
import sys

from conftest import ROOT

COUNT = 300


def test_damaged_files_are_read_or_refused_at_a_place(tmp_path):
    command = [sys.executable, ROOT / "Tests/RandomFiles/run.py", "--count", str(COUNT), "--output", tmp_path / "failed"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith(f"{COUNT} files (")
