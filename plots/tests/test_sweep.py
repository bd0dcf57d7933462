"""Pictures of sweeps are drawn from summary.csv, and what is wrong with it is said."""

import itertools
import json

import pytest
from marks import marks
from test_plot import drawn

from meetsim_plots.command import main
from meetsim_plots.metrics import Choice
from meetsim_plots.sweep import figure, is_geometric, open_sweep, sweep_chart

HEADER = (
    "point_id,scope,viewer,source,metric,stat,unit,direction,n,mean,sd,ci_lo,ci_hi,ci_level,min,p05,p50,p95,max,"
    "failed,p_policy,p_capacity_bps,p_loss_frac\n"
)


def write_sweep(folder, viewers=("viewer",)):
    folder.mkdir()
    rows = []
    for policy in ["bluejeans", "janus"]:
        for capacity in [500_000, 1_000_000, 4_000_000]:
            for loss in [0.0, 0.02]:
                point = f"p{len(rows) // len(viewers) + 1}"
                for viewer in viewers:
                    mean = capacity * (1 - loss)
                    rows.append(
                        f"{point},participant,{viewer},,bitrate,mean,bit/s,neither,10,{mean},1000.0,{mean * 0.9},"
                        f"{mean * 1.1},0.95,1.0,1.0,1.0,1.0,1.0,0,{policy},{capacity},{loss}\n"
                    )
    (folder / "summary.csv").write_text(HEADER + "".join(rows), encoding="utf-8")
    settings = {"settings": {"name": "two-policies", "title": "A narrow downlink"}}
    (folder / "manifest.json").write_text(json.dumps(settings), encoding="utf-8")
    return folder


def test_a_sweep_is_drawn_with_lines_panels_and_intervals(tmp_path):
    sweep = write_sweep(tmp_path / "sweep")
    assert main(["sweep", str(sweep), "-o", str(tmp_path / "out.svg")]) == 0
    svg = drawn(tmp_path / "out")
    for text in [
        "two-policies", "A narrow downlink", "mean of 10 runs per point", "95% Student-t", "bluejeans", "janus",
        "capacity [Mbit/s]", "loss 0 %", "loss 2 %", "bitrate [Mbit/s]",
    ]:
        assert text in svg


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--metric", "mos"], "has no metric 'mos'; there are bitrate"),
        (["--x", "speed"], "has no variable 'speed'; there are policy, capacity, loss"),
        (["--viewer", "bob"], "bitrate has no viewer 'bob'; there are ann, ben"),
        (["--stat", "p50"], "bitrate has no stat 'p50'; there are mean"),
        (["--scope", "tile"], "bitrate has no scope 'tile'; there are participant"),
        (["--at", "loss"], "'loss' must be VARIABLE=VALUE"),
        (["--at", "loss=9 %"], "variable 'loss' has no value '9 %'; there are 0 %, 2 %"),
        (["--at", "loss=2 %", "--panel", "loss"], "variable 'loss' is named twice"),
    ],
)
def test_what_cannot_be_drawn_is_told(tmp_path, capsys, arguments, sentence):
    sweep = write_sweep(tmp_path / "sweep", viewers=("ann", "ben"))
    assert main(["sweep", str(sweep), "-o", str(tmp_path / "x.png"), *arguments]) == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "x.png").exists()


def varied(folder, **variables):
    """A sweep over all combinations of these variables; `bitrate` counts the points."""
    folder.mkdir()
    rows = []
    for number, values in enumerate(itertools.product(*variables.values()), 1):
        mean = f"{number}000000.0"
        rows.append(
            f"p{number},participant,ann,,bitrate,mean,bit/s,neither,3,{mean},0.0,{mean},{mean},0.95,"
            + f"{mean},{mean},{mean},{mean},{mean},0" + "".join(f",{value}" for value in values) + "\n"
        )
    header = HEADER.split(",p_policy")[0] + "".join(f",p_{name}" for name in variables) + "\n"
    (folder / "summary.csv").write_text(header + "".join(rows), encoding="utf-8")
    return open_sweep(folder)


def test_words_are_an_axis_where_nothing_has_numbers(tmp_path):
    sweep = varied(tmp_path / "sweep", policy=["janus", "jitsi", "gso"], pinned=["true", "false"])
    found = marks(sweep_chart(sweep, [], Choice()))
    points = next(mark for mark in found if mark.kind == "point")
    assert points.encoding["x"]["type"] == "nominal" and points.axis("x") == "policy" and points.axis("color") == "pinned"
    assert points.rows[["x", "line", "mean"]].to_numpy().tolist()[:2] == [["janus", "True", 1.0], ["janus", "False", 2.0]]


def test_a_sweep_of_one_point_is_a_dot(tmp_path):
    found = marks(sweep_chart(varied(tmp_path / "sweep", policy=["janus"]), [], Choice()))
    points = next(mark for mark in found if mark.kind == "point")
    assert points.rows["mean"].tolist() == [1.0] and points.axis("y") == "bitrate [Mbit/s]"


def test_more_variables_than_a_picture_has_room_for_are_fixed_at_their_first_value(tmp_path):
    sweep = varied(tmp_path / "sweep", a_s=[1, 2, 3], b=["x", "y"], c=["u", "v"], d_frac=[0.1, 0.5], e=list(range(20)))
    chart = sweep_chart(sweep, [], Choice(), x="a")
    assert chart.to_dict()["title"]["subtitle"][-1] == "at d 10 %, e 0 (others with --at)"
    lines = [mark for mark in marks(chart) if mark.kind == "line"]
    assert [mark.title for mark in lines] == ["c u", "c v"] and lines[0].axis("x") == "a [ms]"
    # The last variable turns fastest: 1 + 40 for the other c, 80 for the other b, 160 for each a.
    assert lines[1].rows.query("line == 'y'")["mean"].tolist() == [121.0, 281.0, 441.0]


def test_a_summary_alone_is_drawn(tmp_path):
    sweep = write_sweep(tmp_path / "sweep")
    (sweep / "summary.csv").rename(tmp_path / "kept.csv")
    assert main(["sweep", str(tmp_path / "kept.csv"), "-o", str(tmp_path / "out.svg")]) == 0
    assert "kept" in drawn(tmp_path / "out")


def test_the_directory_of_one_run_is_told(tmp_path, capsys):
    assert main(["sweep", str(tmp_path)]) == 2
    assert "summary.csv' does not exist: is it the directory of a sweep?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("values", "is_log"),
    [([0.3, 0.6, 0.9, 1.2], False), ([0.5, 1, 2, 4], True), ([1, 2], False), ([1, 10], True), ([0, 1, 10], False)],
)
def test_an_axis_is_logarithmic_where_the_values_are(values, is_log):
    assert is_geometric(values) == is_log


@pytest.mark.parametrize(
    ("delays", "labels"), [((0.0, 0.03, 0.08), ["0", "30", "80"]), ((0.1, 0.598511, 3.5), ["100", "599", "3500"])]
)
def test_an_axis_has_plain_numbers(tmp_path, delays, labels):
    varied(tmp_path / "sweep", delay_s=delays)
    assert main(["sweep", str(tmp_path / "sweep"), "-o", str(tmp_path / "out.svg")]) == 0
    svg = (tmp_path / "out.svg").read_text(encoding="utf-8")
    assert all(f">{label}<" in svg for label in labels) and "e+" not in svg


@pytest.mark.parametrize(
    ("value", "text"), [(0.598511, "0.599"), (1.234, "1.234"), (2400, "2400"), (12345, "12345"), (80, "80")]
)
def test_numbers_of_ranges_have_three_digits(value, text):
    assert figure(value) == text
