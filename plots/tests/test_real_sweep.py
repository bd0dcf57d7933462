"""Pictures of real sweeps, verifications and calls draw what stands in the tables."""

import io
import json

import pandas as pd
import pytest
from built import ROOT
from marks import Mark, marks, texts

from meetsim_plots.call import call_chart, read_call, read_simulated_call
from meetsim_plots.metrics import Choice
from meetsim_plots.sfu import read_recording, read_server, sfu_chart
from meetsim_plots.sweep import open_sweep, sweep_chart
from meetsim_plots.verification import read_checks, read_series, verification_chart

RECORDINGS = "docs/livekit/recordings"


def chosen(directory, **which):
    """Rows of a sweep's summary."""
    rows = pd.read_csv(directory / "summary.csv")
    for column, value in which.items():
        rows = rows[rows[column] == value]
    return rows


def lines(found: list[Mark]) -> list[Mark]:
    return [mark for mark in found if mark.kind == "line"]


def test_a_sweep_without_flags_says_whom_it_shows(real_sweep):
    chart = sweep_chart(open_sweep(real_sweep), [], Choice())
    found = marks(chart)
    row = chart.to_dict()["vconcat"][0]["title"]
    viewers = chosen(real_sweep, metric="utility", scope="participant", stat="mean").groupby("viewer")["mean"].std()
    assert row["text"] == f"utility of {viewers.idxmax()}, mean"
    assert row["subtitle"] == ["of 2 viewers the one with which it varies most; others: --viewer, --source"]
    assert [mark.title for mark in lines(found)] == ["loss 0 %", "loss 2 %"]
    assert lines(found)[0].axis("x") == "capacity [Mbit/s]" and lines(found)[0].axis("color") == "policy"
    subtitle = chart.to_dict()["title"]["subtitle"]
    assert subtitle[1] == "mean of 5 runs per point, with 95% Student-t intervals"


def test_any_statistic_of_a_tile_is_drawn_in_its_unit(real_sweep):
    choice = Choice(scope="tile", viewer="patient", source="doctor", stat="max")
    found = marks(sweep_chart(open_sweep(real_sweep), ["frame_delay"], choice))
    rows = chosen(real_sweep, metric="frame_delay", stat="max", viewer="patient", source="doctor", p_policy="janus")
    rows = rows[rows["p_loss_frac"] == 0.02].set_index("p_capacity_bps")
    drawn = lines(found)[1].rows
    drawn = drawn[drawn["line"] == "janus"].set_index("x")
    assert len(drawn) == 3
    for capacity in (0.5, 1.0, 2.0):
        assert drawn.loc[capacity, "mean"] == pytest.approx(rows.loc[capacity * 1e6, "mean"])
        assert drawn.loc[capacity, "ci_hi"] == pytest.approx(rows.loc[capacity * 1e6, "ci_hi"])
    assert lines(found)[1].encoding["y"]["title"] is None and lines(found)[0].axis("y") == "frame delay [s]"


def test_variables_are_fixed_and_that_is_said(real_sweep):
    chart = sweep_chart(open_sweep(real_sweep), ["bitrate"], Choice(viewer="patient"), at={"loss": "2 %"})
    assert chart.to_dict()["title"]["subtitle"][-1] == "at loss 2 % (others with --at)"
    rows = chosen(real_sweep, metric="bitrate", scope="participant", viewer="patient", p_policy="janus")
    at = {loss: rows[(rows["p_capacity_bps"] == 2e6) & (rows["p_loss_frac"] == loss)]["mean"].iloc[0] for loss in (0, 0.02)}
    drawn = lines(marks(chart))[0].rows.query("line == 'janus' and x == 2")["mean"].tolist()
    assert drawn == [pytest.approx(at[0.02] / 1e6)] and at[0] != at[0.02]


def test_a_verification_names_flows_and_says_its_verdicts(meetsim, tmp_path):
    text = meetsim("verify", "--only", "rfc8867-5.2", "--only", "rfc8867-6.1", "--csv", "--series", tmp_path / "series.csv")
    (tmp_path / "checks.csv").write_text(text, encoding="utf-8")
    series, checks = read_series(tmp_path / "series.csv"), read_checks(tmp_path / "checks.csv")
    chart = verification_chart(series, checks)
    panels = chart.to_dict()["vconcat"][0]["hconcat"]
    assert [panel["title"]["text"] for panel in panels] == ["rfc8867-5.2", "rfc8867-6.1"]
    # Lines of nothing keep the panels of a row side by side.
    words = [panel["title"]["subtitle"] for panel in panels]
    assert len(words[0]) == len(words[1]) and [line for line in words[0] if line.strip()] == ["3 of 3 checks hold"]
    assert words[1][0] == "0 of 1 checks hold"
    row = pd.read_csv(io.StringIO(text)).query("case == 'rfc8867-6.1'").iloc[0]
    assert f"fails, as known: {row['metric']}: {row['simulated']}" in panels[1]["title"]["subtitle"][1]
    flows = [mark for mark in lines(marks(chart)) if "color" in mark.encoding]
    assert [mark.domain("color") for mark in flows] == [["flow-1", "flow-2"], ["flow-1", "flow-2", "flow-3"]]
    assert all("legend" not in mark.encoding["color"] or mark.encoding["color"]["legend"] for mark in flows)
    rows = series[(series["case"] == "rfc8867-5.2") & (series["name"] == "flow-2")]
    drawn = flows[0].rows[flows[0].rows["name"] == "flow-2"]
    assert drawn["value"].tolist() == rows["value"].tolist() and flows[0].axis("y") == "rate [kbit/s]"


def test_a_recorded_call_is_drawn_with_simulated_ones(real_run, tmp_path):
    scenario = "Sources/Verification/Cases/call-p2p.yaml"
    runs = [real_run(scenario, "--set", "duration=12s", "--set", "timeline=[]", "--seed", seed) for seed in ("1", "2")]
    recording = tmp_path / "p2p-here.csv"
    rows = [f"{t}.5,1200,{900 + t},{t * 100000},{270 if t < 8 else ''},{30 if t else ''}" for t in range(12)]
    recording.write_text("t,capacity_kbps,bwe_kbps,recv_bytes,h,fps\n" + "\n".join(rows) + "\n", encoding="utf-8")
    found = marks(call_chart("p2p-here", read_call(recording), [read_simulated_call(run) for run in runs]))
    rate = [mark for mark in lines(found) if mark.encoding["y"]["field"] == "kbps"]
    simulated, recorded = rate
    assert recorded.rows["kbps"].tolist() == [800.0] * 11 and set(simulated.rows["run"]) == {1, 2}
    streams = pd.read_csv(runs[1] / "streams.csv").query("viewer == 'receiver'")
    own = simulated.rows[simulated.rows["run"] == 2]
    assert own["kbps"].tolist() == pytest.approx((streams["bitrate_bps"] / 1e3).tolist())
    heights = [mark for mark in lines(found) if mark.encoding["y"]["field"] == "height"]
    assert heights[1].rows["height"].tolist() == [270] * 8 + [0] * 4 and heights[0].axis("y") == "frame height [px]"
    assert rate[0].domain("color") == ["recorded", "simulated"] and rate[0].axis("y") == "rate [kbit/s]"
    ground = next(mark for mark in found if mark.kind == "area")
    assert set(ground.rows["capacity"]) == {1200}


def test_a_recorded_meeting_stands_beside_the_simulated_one(meetsim, tmp_path):
    meetsim("verify", "--sfu", RECORDINGS, "--only", "remb-n1-800", "-o", tmp_path, codes=(0, 1))
    folder = ROOT / RECORDINGS
    recorded, simulated = read_recording(folder / "remb-n1-800.csv"), read_recording(tmp_path / "remb-n1-800.csv")
    chart = sfu_chart("remb-n1-800", recorded, simulated, read_server(folder / "remb-n1-800-server.csv"))
    assert chart.to_dict()["columns"] == 2
    found = marks(chart)
    words = texts(found)
    assert words[:2] == ["recorded: rate [kbit/s]", "simulated: rate [kbit/s]"] and "the real server: its states" in words
    tiles = [mark for mark in lines(found) if "color" in mark.encoding and mark.encoding["y"]["field"] == "value"]
    for mark, table in zip(tiles, [recorded, simulated], strict=True):
        assert mark.rows["value"].tolist() == pytest.approx(table["kbps"].dropna().tolist())
    heights = [mark for mark in lines(found) if mark.encoding["y"]["field"] == "height"]
    assert heights[0].domain("y") == heights[1].domain("y")
    assert json.dumps(chart.to_dict()).count("time since the viewer joined [s]") == 3
