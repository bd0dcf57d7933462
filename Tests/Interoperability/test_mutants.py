"""The mutants of the tests still apply to the sources."""

import subprocess
import sys

from conftest import ROOT


def test_every_mutant_is_in_its_file():
    done = subprocess.run(
        [sys.executable, ROOT / "Tests/Mutation/run.py", "--list"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    modules = {line.split()[1].split("/")[0] for line in done.stdout.splitlines()}
    # The rest only declares, wraps libraries or is covered by the tests of others.
    assert modules >= {path.name for path in (ROOT / "Sources").iterdir()} - {"CGSL", "CPages", "CYAML", "CZLIB", "CallStatistics"}
