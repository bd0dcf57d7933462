"""Every recipe runs on a fresh sweep, and those that print figures agree."""

import csv
import io
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
RECIPES = ROOT / "plots/recipes"
MEETSIM = os.environ.get("MEETSIM", str(ROOT / ".build/release/meetsim"))


def run(*command, **options):
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False, **options
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def sweep(tmp_path_factory):
    place = tmp_path_factory.mktemp("recipes") / "out"
    run(MEETSIM, "sweep", ROOT / "scenarios/sweeps/smoke.yaml", "-q", "-o", place)
    return place


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture(scope="session")
def expected(sweep):
    """Mean opinion score by point, with nothing but the standard library."""
    per_run = {}
    for row in rows((sweep / "scalars.csv").read_text()):
        if row["scope"] == "tile" and row["metric"] == "mos" and row["value"]:
            per_run.setdefault(row["run_id"], []).append(float(row["value"]))
    points = {}
    for row in rows((sweep / "runs.csv").read_text()):
        key = (row["p_policy"], float(row["p_capacity_bps"]), float(row["p_loss_frac"]))
        points.setdefault(key, []).append(statistics.mean(per_run[row["run_id"]]))
    # Student's t for five runs, 97.5 %.
    return {
        key: (
            len(values),
            statistics.mean(values),
            2.776445105 * statistics.stdev(values) / math.sqrt(len(values)),
        )
        for key, values in points.items()
    }


def agree(text, expected):
    found = {
        (row["p_policy"], float(row["p_capacity_bps"]), float(row["p_loss_frac"])): (
            int(float(row["n"])),
            float(row["mean"]),
            float(row["half_width"]),
        )
        for row in rows(text)
    }
    assert found.keys() == expected.keys() and len(found) == 12
    for key, values in expected.items():
        assert found[key] == pytest.approx(values, rel=1e-6, abs=1e-9), key


@pytest.mark.parametrize("tool", ["pandas", "polars", "duckdb"])
def test_points_are_the_same_whatever_the_tool(sweep, expected, tool):
    agree(run(sys.executable, RECIPES / f"points_{tool}.py", sweep, "mos"), expected)


@pytest.mark.skipif(not shutil.which("Rscript"), reason="R is not installed")
def test_r(sweep, expected, tmp_path):
    agree(run("Rscript", RECIPES / "points.R", sweep, "mos", tmp_path / "r.svg"), expected)
    assert "<svg" in (tmp_path / "r.svg").read_text()


@pytest.mark.skipif(not shutil.which("gnuplot"), reason="gnuplot is not installed")
def test_gnuplot(sweep, tmp_path):
    picture = tmp_path / "g.svg"
    arguments = f"sweep='{sweep}'; metric='mos'; picture='{picture}'"
    run("gnuplot", "-e", arguments, RECIPES / "points.gp")
    svg = picture.read_text()
    assert "bluejeans" in svg and "janus" in svg
    # Three capacities for each policy, at six heights; the key has a sample of each.
    places = set(re.findall(r"#gpPt6' transform='translate\(([\d.]+),([\d.]+)\)", svg))
    assert len(places) == 8 and len({y for _, y in places}) == 8


def test_vega_lite(sweep, tmp_path):
    chart = tmp_path / "points.vl.json"
    run(sys.executable, RECIPES / "points_vega_lite.py", sweep, "mos", chart)
    values = json.loads(chart.read_text())["data"]["values"]
    assert len(values) == 24
    # The interval of a mean near the end of the scale may reach beyond it.
    assert all(row["ci_lo"] <= row["mean"] <= row["ci_hi"] and 1 <= row["mean"] <= 5 for row in values)
    assert "bluejeans" in (tmp_path / "points.vl.svg").read_text()


def test_notebook_runs_a_scenario_and_reads_its_tables(tmp_path):
    scenario = tmp_path / "short.yaml"
    text = (ROOT / "scenarios/one-to-one.yaml").read_text()
    scenario.write_text(text.split("timeline:")[0].replace("duration: 60s", "duration: 4s"))
    environment = os.environ | {"MEETSIM": MEETSIM, "PYTHONPATH": str(ROOT / "plots")}
    printed = run(sys.executable, RECIPES / "notebook.py", scenario, "doctor", env=environment)
    assert "frame_height_px [px], frames_per_second [Hz], bitrate_bps [bit/s]" in printed
    assert re.search(r"^patient +720", printed, re.MULTILINE) and re.search(r"^mos: [1-5]\.\d\d and [1-5]", printed, re.MULTILINE)


def test_salib_finds_what_a_bitrate_depends_on(tmp_path):
    folder = tmp_path / "plots/recipes"
    folder.mkdir(parents=True)
    (tmp_path / "scenarios").symlink_to(ROOT / "scenarios")
    shutil.copy(RECIPES / "sensitivity.yaml", folder)
    run(sys.executable, RECIPES / "sensitivity.py", "sample", folder / "points.csv", 32)
    assert len(rows((folder / "points.csv").read_text())) == 160
    run(MEETSIM, "sweep", folder / "sensitivity.yaml", "-q", "-o", tmp_path / "out")
    indices = {
        row["variable"]: float(row["ST"])
        for row in rows(
            run(sys.executable, RECIPES / "sensitivity.py", "analyse", tmp_path / "out", "bitrate")
        )
    }
    assert indices["capacity"] > 0.5 > indices["delay"]
