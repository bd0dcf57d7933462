"""Results as data frames have types, units and meanings; `run` calls the program."""

import csv

import pytest

import meetsim_plots
from meetsim_plots.results import PlotError


def test_tables_are_frames_with_units(real_run):
    directory = real_run("scenarios/one-to-one.yaml", "--set", "duration=5s", "--set", "timeline=[]")
    found = meetsim_plots.results(directory)
    assert {"streams", "participants", "scalars"} <= set(found.tables) and "streams" in dir(found)
    streams = found.streams
    with (directory / "streams.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(streams) == len(rows) and list(streams.columns) == list(rows[0])
    assert streams["bitrate_bps"].tolist() == [float(row["bitrate_bps"]) for row in rows]
    assert (streams["viewer"] == [row["viewer"] for row in rows]).all()
    assert streams.attrs["units"]["bitrate_bps"] == "bit/s" and streams.attrs["units"]["frame_height_px"] == "px"
    assert "viewer" not in streams.attrs["units"] and streams.attrs["meanings"]["state"]
    assert found.manifest["scenario"] == "one-to-one"


def test_run_calls_the_program_with_seed_and_settings(meetsim, tmp_path):
    scenario = tmp_path / "short.yaml"
    scenario.write_text(
        "name: short\nduration: 3s\nparticipants:\n  - {id: a, publish: {camera: 360p30}}\n"
        "  - {id: b, view: {tiles: {a: 640x360}}}\n"
    )
    first = meetsim_plots.run(scenario, seed=3)
    assert first.manifest["seed"] == "3" and first.streams["time_s"].max() == 3
    place = first.directory
    again = meetsim_plots.run(scenario, seed=3, output=tmp_path / "out", settings={"duration": "2s"})
    assert again.streams["time_s"].max() == 2 and (tmp_path / "out/streams.csv").exists()
    del first
    assert not place.exists()


def test_what_is_wrong_is_told(meetsim, tmp_path):
    scenario = tmp_path / "wrong.yaml"
    scenario.write_text("name: wrong\ndurration: 3s\n")
    with pytest.raises(PlotError, match="durration"):
        meetsim_plots.run(scenario)
    with pytest.raises(PlotError, match="is not a directory"):
        meetsim_plots.results(tmp_path / "nowhere")
    with pytest.raises(PlotError, match=r"datapackage\.json"):
        meetsim_plots.results(tmp_path)


def test_a_table_that_is_not_there_is_named(real_run):
    found = meetsim_plots.results(real_run("scenarios/one-to-one.yaml", "--set", "duration=5s", "--set", "timeline=[]"))
    with pytest.raises(AttributeError, match="no table 'packets'; there are streams"):
        _ = found.packets
