"""Simulcast beside scalable streams: paired differences, key pictures by stream, a panel for each meeting and link."""

import math

import pytest
from marks import marks

from meetsim_plots.command import main
from meetsim_plots.media import key_pictures, media_chart, media_rows, read_media
from meetsim_plots.results import PlotError

SENT = "run_id,time_s,source,layer,key_frames_encoded\n"


def write_run(folder, rows, seconds=30):
    """`rows`: source, layer and key frames in all, half of them in each of two intervals."""
    folder.mkdir(parents=True)
    lines = [f"r,{time},{source},{layer},{count // 2}" for time in (seconds / 2, seconds) for source, layer, count in rows]
    (folder / "sent.csv").write_text(SENT + "\n".join(lines) + "\n", encoding="utf-8")
    return folder


def write_sweep(folder, shares, links=("narrow",)):
    """`shares` by medium: the seat's pixels of the screen in each repetition."""
    runs, scalars = ["run_id,status,repetition,p_policy,p_media,p_link"], ["run_id,scope,viewer,metric,stat,value"]
    for link in links:
        for medium, values in shares.items():
            for repetition, share in enumerate(values):
                run = f"{medium}-{link}-{repetition}"
                runs.append(f"{run},ok,{repetition},livekit,{medium},{link}")
                scalars += [
                    f"{run},participant,viewer,pixels_of_screen,mean,{share}", f"{run},participant,viewer,data_down,total,10",
                    f"{run},participant,a,data_down,total,5", f"{run},participant,a,data_up,total,3",
                    f"{run},participant,viewer,freezes_duration,max,2", f"{run},participant,a,pixels_of_screen,mean,0.9",
                ]
                write_run(folder / "series" / run, [("a", "s0", 4), ("a", "s1", 4)])
    (folder / "runs.csv").write_text("\n".join(runs) + "\n", encoding="utf-8")
    (folder / "scalars.csv").write_text("\n".join(scalars) + "\n", encoding="utf-8")
    return folder


def test_a_key_picture_of_a_stream_counts_once_and_key_frames_of_encodings_each(tmp_path):
    # Six in half a minute, whatever the layers of the stream.
    assert key_pictures(write_run(tmp_path / "svc", [("a", "s0", 6), ("a", "s1", 4), ("a", "s2", 4)])) == 12
    assert key_pictures(write_run(tmp_path / "simulcast", [("a", "q", 2), ("a", "h", 4), ("a", "f", 6)])) == 24
    # The mean of two publishers.
    assert key_pictures(write_run(tmp_path / "both", [("a", "s0", 2), ("b", "s0", 4)])) == 6


def test_differences_are_paired_by_repetition_and_totals_are_of_all(tmp_path):
    sweep = write_sweep(tmp_path / "scalable-stage", {"vp8-simulcast": [0.1, 0.3], "vp9-L3T3_KEY": [0.2, 0.4]})
    table = read_media([sweep], "viewer", "vp8-simulcast").set_index("media")
    assert list(table["meeting"]) == ["stage", "stage"] and list(table["n"]) == [2, 2]
    row = table.loc["vp9-L3T3_KEY"]
    assert row["screen"] == pytest.approx(30) and row["screen_diff"] == pytest.approx(10)
    # Certain, although the means are not: t(1) = 12.7062, times sqrt(200) over the root of 2.
    assert row["screen_diff_ci"] == pytest.approx(0, abs=1e-9) and row["screen_ci"] == pytest.approx(127.06, abs=0.01)
    assert row["down"] == 15 and row["up"] == 3 and row["frozen"] == 2 and row["key_pictures"] == 8
    assert math.isnan(row["utility"])


def test_the_picture_has_a_panel_for_each_meeting_and_link(tmp_path):
    shares = {"vp8-simulcast": [0.1, 0.3], "vp9-L3T3_KEY": [0.2, 0.4]}
    sweeps = [write_sweep(tmp_path / f"scalable-{name}", shares, ("ample", "narrow")) for name in ("stage", "gallery")]
    table = read_media(sweeps, "viewer", "vp8-simulcast")
    drawn = marks(media_chart(table))
    assert [mark.title for mark in drawn if mark.kind == "point"] == [
        "stage, ample", "stage, narrow", "gallery, ample", "gallery, narrow"
    ]
    # No interval leaves 0 to 100 %.
    rule = next(mark for mark in drawn if mark.kind == "rule")
    assert rule.rows["low"].min() == 0 and rule.rows["high"].max() == 100
    assert "| livekit | vp9-L3T3_KEY | 30.0 |" in media_rows(table)


def test_variants_of_a_system_are_panels_without_links(tmp_path):
    sweep = write_sweep(tmp_path / "shared", {"vp8-simulcast": [0.1, 0.3]})
    runs = (sweep / "runs.csv").read_text(encoding="utf-8").replace(",p_link", "").replace(",narrow", "")
    (sweep / "runs.csv").write_text(runs.replace("1,livekit", '1,"livekit, 4 s"'), encoding="utf-8")
    table = read_media([sweep], "viewer", "vp8-simulcast")
    assert list(zip(table["system"], table["link"])) == [("livekit", "as deployed"), ("livekit", "4 s")]


def test_a_written_table_is_read_again(tmp_path, capsys):
    sweep = write_sweep(tmp_path / "scalable-stage", {"vp8-simulcast": [0.1, 0.3]})
    table, picture = tmp_path / "media.csv", tmp_path / "media.svg"
    assert main(["media", str(sweep), "--table", str(table), "-o", str(picture)]) == 0
    assert main(["media", str(table), "-o", str(tmp_path / "again.svg")]) == 0
    assert picture.exists() and "| livekit | vp8-simulcast | 20.0 |" in capsys.readouterr().out


def test_what_is_missing_is_named(tmp_path):
    sweep = write_sweep(tmp_path / "scalable-stage", {"vp8-simulcast": [0.1]})
    with pytest.raises(PlotError, match="no viewer 'bob'"):
        read_media([sweep], "bob", "vp8-simulcast")
    with pytest.raises(PlotError, match="no medium 'h264'"):
        read_media([sweep], "viewer", "h264")
    with pytest.raises(PlotError, match="no metric 'mos'"):
        media_chart(read_media([sweep], "viewer", "vp8-simulcast"), "mos")
