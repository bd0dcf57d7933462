"""Recordings of a real server are drawn beside simulated ones."""

import pytest
from marks import marks, texts

from meetsim_plots.command import main
from meetsim_plots.results import PlotError
from meetsim_plots.sfu import names_in, read_layers, read_recording, read_server, sfu_chart, states


def write_recording(path, tiles=("p-1", "p-2"), seconds=30, estimate=False):
    """Each tile gets 50 kB and 15 frames a second, the second one nothing before 10 s."""
    rows = ["t,capacity_kbps," + ("estimate_kbps," if estimate else "") + "publisher,bytes,lost,frames,h,freeze_s"]
    for second in range(seconds):
        for place, tile in enumerate(tiles):
            count = max(0, second - 10 * place)
            rows.append(f"{second}.5,1200.0," + ("900.0," if estimate else "")
                        + f"{tile},{count * 50000},0,{count * 15},360,0.0")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")


SERVER = """t,event,to,reason,estimate_kbps,remb_kbps,usage_kbps,goal_kbps,sent_kbps,probe_ms
2.0,allocator,deficient,,,,,,,
3.0,capacity,,loss,400,700,500,,,
5.0,probe,,,,,500,700,690,200.0
20.0,allocator,stable,,,,,,,
"""


@pytest.fixture
def folder(tmp_path):
    recordings = tmp_path / "recordings"
    recordings.mkdir()
    write_recording(recordings / "remb-n2-1200.csv")
    (recordings / "remb-n2-1200-server.csv").write_text(SERVER, encoding="utf-8")
    (recordings / "room-down.csv").write_text(
        "t,up_kbps,down_kbps,bytes,lost,frames,h,freeze_s\n"
        + "".join(f"{t},10000,1500,{t * 100000},0,{t * 20},720,0\n" for t in range(20)), encoding="utf-8")
    (recordings / "frames.csv").write_text("frame,q_bytes\n0,100\n", encoding="utf-8")
    (recordings / "dynacast.csv").write_text("t,wanted,bytes,frames,h,freeze_s\n0,,0,0,0,0\n", encoding="utf-8")
    return recordings


def test_a_recording_is_read_by_seconds(folder):
    rows = read_recording(folder / "remb-n2-1200.csv")
    second = rows[(rows["tile"] == "p-2") & (rows["time_s"] == 5.5)].iloc[0]
    assert (second["kbps"], second["height"], second["fps"]) == (0, 0, 0)
    later = rows[(rows["tile"] == "p-2") & (rows["time_s"] == 12.5)].iloc[0]
    assert (later["kbps"], later["height"], later["fps"], later["capacity"]) == (400, 360, 15, 1200)
    room = read_recording(folder / "room-down.csv")
    assert set(room["tile"]) == {"camera"} and room["capacity"].iloc[0] == 1500


LAYERS = """t,way,spatial,temporal,bytes,packets,frames,structures
1,up,0,0,1028,1,1,1
1,up,0,1,2056,2,1,0
1,up,1,0,5028,1,1,0
1,down,1,0,5028,1,1,0
1,up,4,0,5028,1,1,0
"""


def test_layers_are_those_that_the_sender_sent_without_udp_and_ip(folder):
    (folder / "remb-n2-1200-layers.csv").write_text(LAYERS, encoding="utf-8")
    rows = read_layers(folder / "remb-n2-1200.csv")
    # 1000 and 2000 bytes in the first layer, 5000 in the second, at the end of the second that begins at 1 s.
    assert list(rows.itertuples(index=False, name=None)) == [(2, "s0", 24), (2, "s1", 40)]
    assert "remb-n2-1200-layers" not in names_in(folder, [])
    simulated = folder / "simulated.csv"
    simulated.write_text("t,s0_bytes,s1_bytes,s2_bytes\n1,0,0,0\n3,1000,2000,0\n", encoding="utf-8")
    assert list(read_layers(simulated)["kbps"]) == [4, 8, 0]
    assert read_layers(folder / "room-down.csv") is None


def test_layers_are_stacked_for_both(folder):
    run = read_recording(folder / "remb-n2-1200.csv")
    (folder / "remb-n2-1200-layers.csv").write_text(LAYERS, encoding="utf-8")
    known = read_layers(folder / "remb-n2-1200.csv")
    drawn = [mark for mark in marks(sfu_chart("both", run, run, None, [known, known])) if "order" in mark.encoding]
    assert len(drawn) == 2
    for mark in drawn:
        assert mark.encoding["y"]["stack"] == "zero" and set(mark.rows["layer"]) == {"s0", "s1"}
        # The same scale for both: 64 kbps in all.
        assert mark.domain("y")[1] == pytest.approx(67.2)


def test_only_recordings_are_drawn(folder):
    assert names_in(folder, []) == ["remb-n2-1200", "room-down"]
    assert names_in(folder, ["room"]) == ["room-down"]
    with pytest.raises(PlotError, match="has no recording of these names"):
        names_in(folder, ["send"])


def test_states_last_until_the_next(folder):
    known = states(read_server(folder / "remb-n2-1200-server.csv"), 29.5)
    assert known.to_dict("records") == [
        {"machine": "allocator", "state": "deficient", "from_s": 2.0, "to_s": 20.0},
        {"machine": "allocator", "state": "stable", "from_s": 20.0, "to_s": 29.5},
    ]
    assert read_server(folder / "room-down-server.csv") is None


def test_recorded_and_simulated_share_their_scales(folder, tmp_path):
    recorded = read_recording(folder / "remb-n2-1200.csv")
    text = str(sfu_chart("x", recorded, recorded.assign(kbps=recorded["kbps"] * 2), None).to_dict())
    # Twice 800 kbps of both tiles, and five per cent of room.
    assert text.count(str(1600 * 1.05)) >= 2


def test_a_link_that_leaves_the_frame_is_said(folder):
    recorded = read_recording(folder / "remb-n2-1200.csv").assign(capacity=20_000.0)
    found = marks(sfu_chart("x", recorded, None, None))
    assert "↑ capacity 20000 kbit/s, above the frame" in texts(found)
    ground = next(mark for mark in found if mark.kind == "area")
    assert ground.rows["value"].max() == ground.domain("y")[1] == pytest.approx(800 * 1.15 * 1.05)


def test_all_recordings_are_drawn(folder, tmp_path, capsys):
    simulated = tmp_path / "simulated"
    simulated.mkdir()
    write_recording(simulated / "remb-n2-1200.csv", estimate=True)
    output = tmp_path / "pictures"
    assert main(["sfu", str(folder), "--simulated", str(simulated), "-o", str(output)]) == 0
    assert capsys.readouterr().out.count("\n") == 2
    svg = (output / "remb-n2-1200.svg").read_text(encoding="utf-8")
    for text in ["recorded", "simulated", "p-2", "estimate", "deficient", "committed", "REMB", "the real server"]:
        assert text in svg, text
    assert main(["sfu", str(folder), "--only", "room", "--format", "png", "-o", str(output)]) == 0
    assert (output / "room-down.png").read_bytes().startswith(b"\x89PNG")
    svg = (output / "room-down.svg").read_text(encoding="utf-8")
    assert "recorded" in svg and "simulated" not in svg and "the real server" not in svg


def test_the_log_of_a_server_without_states_shows_its_layers(folder, tmp_path):
    (folder / "remb-n2-1200-server.csv").write_text(
        "t,event,available_kbps,desired_kbps,max_kbps,publisher,spatial,temporal,packets,ms\n"
        "0.2,estimate,600,1612,2176,,,,,\n0.3,probe,,,,,,,16,80\n0.4,layers,,,,p-1,1,0,,\n"
        "0.6,layers,,,,p-2,0,2,,\n9.0,layers,,,,p-1,-1,-1,,\n9.5,estimate,900,1612,2176,,,,,\n", encoding="utf-8")
    found = marks(sfu_chart("remb-n2-1200", read_recording(folder / "remb-n2-1200.csv"), None,
                            read_server(folder / "remb-n2-1200-server.csv")))
    layers = next(mark for mark in found if "spatial" in mark.rows)
    # The last layers hold to the end.
    assert [list(row) for row in layers.rows[["time_s", "tile", "spatial"]].to_numpy()] == [
        [0.4, "p-1", 1], [0.6, "p-2", 0], [9.0, "p-1", -1], [29.5, "p-1", -1], [29.5, "p-2", 0]]
    rates = [mark.rows for mark in found if mark.kind in ("line", "point") and "line" in mark.rows]
    assert any(list(rows["value"]) == [600, 900] for rows in rates)
    assert any(list(rows["line"]) == ["probe"] for rows in rates)


def test_what_is_no_recording_is_said(folder, tmp_path, capsys):
    assert main(["sfu", str(tmp_path / "nowhere")]) == 2
    assert "is not a directory" in capsys.readouterr().err
    assert main(["sfu", str(folder), "--simulated", str(tmp_path / "nowhere")]) == 2
    assert "nowhere' is not a directory" in capsys.readouterr().err
    (folder / "remb-n2-1200-server.csv").write_text("a\n1\n", encoding="utf-8")
    assert main(["sfu", str(folder), "-o", str(tmp_path / "x")]) == 2
    assert "has no columns t, event" in capsys.readouterr().err
