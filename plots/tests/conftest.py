"""Real results, made by the binary that is being tested."""

import subprocess
from pathlib import Path

import pytest
from built import ROOT, binary

@pytest.fixture(scope="session")
def meetsim():
    """Runs a meetsim command in the repository; what needs it is skipped where nothing is built."""
    path = binary()
    if path is None:
        pytest.skip("no meetsim here: build it, or name one with MEETSIM")

    def run(*arguments, codes=(0,)):
        done = subprocess.run([path, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode in codes, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def real_run(meetsim, tmp_path_factory):
    """The result directory of a scenario with some settings, run once."""
    folder, known = tmp_path_factory.mktemp("runs"), {}

    def directory(scenario, *arguments):
        key = (scenario, arguments)
        if key not in known:
            known[key] = folder / f"{len(known)}-{Path(scenario).stem}"
            meetsim("run", scenario, *arguments, "-o", known[key])
        return known[key]

    return directory


@pytest.fixture(scope="session")
def real_sweep(meetsim, tmp_path_factory):
    """The directory of the sweep that ends within seconds."""
    folder = tmp_path_factory.mktemp("sweeps") / "smoke"
    meetsim("sweep", "scenarios/sweeps/smoke.yaml", "-o", folder)
    return folder
