"""Pictures of sweeps are drawn from summary.csv, and what is wrong with it is said."""

import json

import pytest
from test_plot import drawn

from meetsim_plots.command import main

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
    assert main(["sweep", str(sweep), "-o", str(tmp_path / "out.png")]) == 0
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
        (["--x", "policy"], "variable 'policy' has no numbers to draw an axis of"),
        (["--viewer", "bob"], "bitrate has no viewer 'bob'; there are ann, ben"),
        ([], "bitrate is there with more than one viewer: choose --viewer and --source"),
    ],
)
def test_what_cannot_be_drawn_is_told(tmp_path, capsys, arguments, sentence):
    sweep = write_sweep(tmp_path / "sweep", viewers=("ann", "ben"))
    assert main(["sweep", str(sweep), "-o", str(tmp_path / "x.png"), *arguments]) == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "x.png").exists()


def test_the_directory_of_one_run_is_told(tmp_path, capsys):
    assert main(["sweep", str(tmp_path)]) == 2
    assert "summary.csv' does not exist: is it the directory of a sweep?" in capsys.readouterr().err
