"""The report of a sweep holds its summary and its runs' values, and that of two runs holds both."""

import random
import time

import numpy as np
import pandas as pd
import pytest
from synthetic import write_run
from synthetic_sweep import write_sweep_of_runs
from test_report import embedded, report_of

from meetsim_plots.command import main
from meetsim_plots.report import sweep_data as sweep_module
from meetsim_plots.report.columns import unpack
from meetsim_plots.report.sweep_data import sweep_data


@pytest.fixture(scope="module")
def sweep(tmp_path_factory):
    return write_sweep_of_runs(tmp_path_factory.mktemp("results") / "sweep", viewers=2)


def test_random_rows_of_the_summary_are_held(sweep, tmp_path):
    data = embedded(report_of(sweep, tmp_path))
    assert data["kind"] == "sweep" and data["header"]["name"] == "narrow"
    rows = pd.read_csv(sweep / "summary.csv")
    for number in random.Random(2).sample(range(len(rows)), 20):
        row = rows.iloc[number]
        series = [each for each in data["series"] if (each[1], each[3]) == (row["viewer"], row["metric"])]
        held = unpack(data["summary"][row["metric"]])
        index, point = data["series"].index(series[0]), data["points"].index(row["point_id"])
        found = held[(held["series"] == index) & (held["point"] == point)].iloc[0]
        for column in ["n", "mean", "sd", "ci_lo", "ci_hi"]:
            assert found[column] == pytest.approx(row[column], rel=1e-6)
        variables = {each["name"]: each["values"][point] for each in data["variables"]}
        assert variables["p_policy"] == row["p_policy"] and variables["p_loss_frac"] == row["p_loss_frac"]


def test_the_runs_own_values_are_held_for_pairs(sweep):
    data = sweep_data(sweep)
    held = unpack(data["runs"]["utility"])
    runs, scalars = pd.read_csv(sweep / "runs.csv"), pd.read_csv(sweep / "scalars.csv")
    rows = scalars[scalars["metric"] == "utility"].merge(runs, on="run_id")
    assert len(held) == len(rows) == 2 * 47
    for row in rows.sample(20, random_state=4).itertuples():
        index = [each[:4] for each in data["series"]].index(["participant", row.viewer, "", "utility"])
        found = held[(held["series"] == index) & (held["point"] == data["points"].index(row.point_id))]
        assert found[found["repetition"] == row.repetition]["value"].tolist() == [row.value]
    # The quantile of Student's t for the interval of four pairs.
    assert data["t"][4] == pytest.approx(3.182446, abs=1e-6) and len(data["t"]) == 5


def test_failed_runs_are_listed(sweep):
    failed = sweep_data(sweep)["failed"]
    assert failed["count"] == 1
    row = dict(zip(failed["columns"], failed["rows"][0], strict=True))
    assert (row["run_id"], row["status"], row["error"], row["p_capacity_bps"]) == (
        "r00000",
        "failed",
        "the worker crashed",
        500000,
    )


def test_the_first_metric_is_of_whom_it_varies_with_most(sweep):
    data = sweep_data(sweep)
    assert data["series"][data["first_series"]][:4] == ["participant", "viewer-1", "", "utility"]


def test_two_thousand_runs_are_quick_and_small(tmp_path):
    sweep = write_sweep_of_runs(tmp_path / "sweep", capacities=32, repetitions=16)
    begin = time.perf_counter()
    page = report_of(sweep, tmp_path)
    assert time.perf_counter() - begin < 20
    assert len(embedded(page)["points"]) == 128 and len(page) < 600_000


def test_what_is_too_much_is_left_out_and_counted(sweep, monkeypatch):
    monkeypatch.setattr(sweep_module, "MOST_SUMMARY_ROWS", 48)
    data = sweep_data(sweep)
    assert (len(data["series"]), data["omitted"]) == (4, 2)
    assert sum(table["rows"] for table in data["summary"].values()) == 48


def test_a_sweep_without_numbers_or_without_variables_is_held(tmp_path):
    sweep = write_sweep_of_runs(tmp_path / "sweep")
    for name in ["runs.csv", "summary.csv"]:
        table = pd.read_csv(sweep / name)
        table.drop(columns=["p_capacity_bps", "p_loss_frac", "p_policy"]).to_csv(sweep / name, index=False)
    data = sweep_data(sweep)
    assert data["variables"] == [] and len(data["points"]) == 12
    (sweep / "scalars.csv").unlink()
    assert sweep_data(sweep)["runs"] == {}


@pytest.mark.parametrize(
    ("break_it", "sentence"),
    [
        (lambda sweep: sweep.joinpath("summary.csv").unlink(), "summary.csv' does not exist: has the sweep finished?"),
        (
            lambda sweep: sweep.joinpath("summary.csv").write_text("point_id,scope\n"),
            "summary.csv' has no columns viewer, source",
        ),
        (lambda sweep: sweep.joinpath("runs.csv").unlink(), "runs.csv' does not exist"),
        (lambda sweep: sweep.joinpath("summary.csv").write_text(""), "summary.csv' is no table"),
        (lambda sweep: sweep.joinpath("scalars.csv").write_text("run_id\nr1\n"), "scalars.csv' has no columns scope"),
    ],
)
def test_what_is_wrong_with_a_sweep_is_told(tmp_path, capsys, break_it, sentence):
    sweep = write_sweep_of_runs(tmp_path / "sweep", capacities=1, repetitions=2)
    break_it(sweep)
    assert main(["report", str(sweep), "-o", str(tmp_path / "report.html")]) == 2
    assert sentence in capsys.readouterr().err and not (tmp_path / "report.html").exists()


def test_two_runs_are_held_beside_each_other(tmp_path):
    runs = [write_run(tmp_path / name, students=2, seconds=5) for name in "ab"]
    rows = (runs[1] / "streams.csv").read_text().replace(",180,30,180,", ",180,30,90,")
    (runs[1] / "streams.csv").write_text(rows)
    output = tmp_path / "both.html"
    assert main(["report", *map(str, runs), "-o", str(output)]) == 0
    data = embedded(output.read_text(encoding="utf-8"))
    assert [run["header"]["directory"] for run in data["runs"]] == ["a", "b"]
    assert all(np.isfinite(unpack(run["streams"]["teacher"])["bitrate_bps"]).all() for run in data["runs"])


def test_what_cannot_be_beside_each_other_is_told(sweep, tmp_path, capsys):
    run = write_run(tmp_path / "a", students=1, seconds=3)
    assert main(["report", str(run), str(sweep), "-o", str(tmp_path / "x.html")]) == 2
    assert "a report shows one sweep, or one run, or two runs" in capsys.readouterr().err
    other = write_run(tmp_path / "b", students=1, seconds=3)
    text = (other / "streams.csv").read_text().replace("teacher", "host").replace("student-1", "guest")
    (other / "streams.csv").write_text(text)
    assert main(["report", str(run), str(other), "-o", str(tmp_path / "x.html")]) == 2
    assert "nobody watches in both" in capsys.readouterr().err


def test_a_sweep_whose_runs_all_failed_lists_them(tmp_path):
    sweep = write_sweep_of_runs(tmp_path / "sweep", capacities=1, repetitions=2, failing=7)
    header = (sweep / "summary.csv").read_text().split("\n")[0]
    (sweep / "summary.csv").write_text(header + "\n")
    (sweep / "runs.csv").write_text((sweep / "runs.csv").read_text().replace(",ok,", ",timeout,"))
    data = embedded(report_of(sweep, tmp_path))
    assert data["series"] == [] and data["failed"]["count"] == 8 and data["statuses"] == {"failed": 7, "timeout": 1}
