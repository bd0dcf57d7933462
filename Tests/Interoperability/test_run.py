"""Input and output of 'run': standard input, repetitions, chosen tables, and what --force may replace."""

import csv
import json
import statistics

import pytest
from conftest import ROOT, meetsim

SCENARIO = ROOT / "scenarios" / "one-to-one.yaml"
SHORT = ("--set", "duration=6s", "--set", "timeline=[]", "-q")


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def values(path, metric):
    """Returns values by viewer, source and repetition; a single run has no repetition."""
    return [float(row["value"]) for row in rows(path) if (row["metric"], row["viewer"]) == (metric, "patient")]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    assert meetsim("run", SCENARIO, *SHORT, "-o", folder / "run").returncode == 0
    assert meetsim("run", SCENARIO, *SHORT, "--repetitions", 3, "-o", folder / "repeated").returncode == 0
    sweep = folder / "sweep.yaml"
    sweep.write_text(
        f"name: s\nscenario: {SCENARIO}\nset: {{duration: 6s, timeline: []}}\nrepetitions: 2\n", encoding="utf-8"
    )
    assert meetsim("sweep", sweep, "-q", "-o", folder / "sweep").returncode == 0
    return folder


def test_a_scenario_comes_from_standard_input(results, tmp_path):
    with SCENARIO.open(encoding="utf-8") as file:
        done = meetsim("run", "-", *SHORT, "-o", tmp_path / "out", stdin=file)
    assert (done.returncode, done.stderr) == (0, "")
    for table in ("streams.csv", "scalars.csv"):
        assert (tmp_path / "out" / table).read_bytes() == (results / "run" / table).read_bytes()
    broken = meetsim("run", "-", input="name: x\nduratoin: 5s\n")
    assert broken.returncode == 2
    assert "<stdin>:2:1: error: unknown key 'duratoin' in the scenario: did you mean 'duration'?" in broken.stderr


def test_repetitions_are_those_of_single_runs(results, tmp_path):
    """Repetition 0 equals the run without the option, repetition 2 the run with --repetition 2."""
    assert meetsim("run", SCENARIO, *SHORT, "--repetition", 2, "-o", tmp_path / "third").returncode == 0
    repeated = values(results / "repeated" / "scalars.csv", "bitrate")
    first, third = (values(path / "scalars.csv", "bitrate") for path in (results / "run", tmp_path / "third"))
    assert len(repeated) == 6
    assert (repeated[:2], repeated[4:]) == (first, third)
    runs = rows(results / "repeated" / "runs.csv")
    assert [(run["point_id"], run["repetition"], run["status"]) for run in runs] == [
        ("p1", str(number), "ok") for number in range(3)
    ]


def test_means_are_printed_with_their_intervals(results):
    arguments = [argument for argument in SHORT if argument != "-q"]
    done = meetsim("run", SCENARIO, *arguments, "--repetitions", 3, "--viewer", "patient", "--format", "json")
    printed = {(row["metric"], row["stat"]): row for row in json.loads(done.stdout) if row["source"] == "doctor"}
    tile = [
        float(row["value"])
        for row in rows(results / "repeated" / "scalars.csv")
        if (row["scope"], row["viewer"], row["metric"]) == ("tile", "patient", "bitrate")
    ]
    row = printed["bitrate", "mean"]
    assert row["n"] == 3 and row["mean"] == pytest.approx(statistics.mean(tile))
    # Student's t with two degrees of freedom.
    half = 4.302652729911275 * statistics.stdev(tile) / 3**0.5
    assert (row["ci_lo"], row["ci_hi"]) == pytest.approx((row["mean"] - half, row["mean"] + half))


@pytest.mark.parametrize(
    ("taken", "option", "cause"),
    [
        ("run", ("--repetitions", "2"), "it has no plan.csv, so it is not a sweep directory"),
        ("repeated", (), "its manifest.json is not that of a run, so it is not a result directory"),
        ("sweep", (), "its manifest.json is not that of a run, so it is not a result directory"),
        ("sweep", ("--repetitions", "2"), "it has the runs of 'sweep', not of 'run --repetitions': remove it first"),
    ],
)
def test_force_replaces_only_what_the_same_kind_of_command_made(results, taken, option, cause):
    before = sorted(path.name for path in (results / taken).iterdir())
    done = meetsim("run", SCENARIO, *SHORT, *option, "--force", "-o", results / taken)
    assert done.returncode == 2 and cause in done.stderr
    assert sorted(path.name for path in (results / taken).iterdir()) == before


def test_a_sweep_does_not_replace_repetitions(results):
    done = meetsim("sweep", results / "sweep.yaml", "-q", "--force", "-o", results / "repeated")
    assert done.returncode == 2
    assert "it has the runs of 'run --repetitions', not of 'sweep': remove it first" in done.stderr


def test_only_the_tables_asked_for_are_written_and_described(results, tmp_path):
    out = tmp_path / "out"
    assert meetsim("run", SCENARIO, *SHORT, "--tables", "links,streams", "-o", out).returncode == 0
    tables = ["streams.csv", "links.csv", "scalars.csv"]
    assert sorted(path.name for path in out.iterdir()) == sorted([*tables, "manifest.json", "datapackage.json"])
    for name in tables:
        assert (out / name).read_bytes() == (results / "run" / name).read_bytes()
    package = json.loads((out / "datapackage.json").read_text(encoding="utf-8"))
    assert [resource["path"] for resource in package["resources"]] == tables
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    assert [table["path"] for table in manifest["tables"]] == tables
    # It can be replaced, even by other tables.
    assert meetsim("run", SCENARIO, *SHORT, "--tables", "audio", "--force", "-o", out).returncode == 0
    assert not (out / "streams.csv").exists()
    wrong = meetsim("run", SCENARIO, "--tables", "links,stream")
    assert wrong.returncode == 2 and "--tables 'stream': did you mean 'streams'?" in wrong.stderr
