"""A report holds what the tables hold, is one file that loads nothing, and says what is wrong with a directory."""

import json
import random
import re
import time

import numpy as np
import pandas as pd
import pytest
from synthetic import write_run

from meetsim_plots.command import main
from meetsim_plots.report.columns import pack, unpack
from meetsim_plots.report.moments import worst_moments
from meetsim_plots.report.placement import placement
from meetsim_plots.report.run_data import deployed, run_data
from meetsim_plots.report.tables import top_level

LAYOUT = "run_id,time_s,viewer,source,area,x_px,y_px,width_px,height_px,z,visible_frac\n"


def embedded(page):
    """The data within a page."""
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL).group(1))


def report_of(directory, tmp_path):
    output = tmp_path / "report.html"
    assert main(["report", str(directory), "-o", str(output)]) == 0
    return output.read_text(encoding="utf-8")


def test_columns_come_back_exactly():
    table = pd.DataFrame(
        {
            "grows": [0.001, 0.001, 4.5, 70000.25],
            "bits": [8.0, np.nan, 800.0, 8e6],
            "real": [1 / 3, np.nan, 1e-9, 2.0],
            "none": [np.nan] * 4,
            "word": ["NA", None, "a/screen", "NA"],
            "negative": [-3.0, 0.0, 2.0, -3.0],
        }
    )
    packed = pack(table)
    assert [column["bytes"] for column in packed["columns"]] == [4, 2, 8, 0, 1, 1]
    pd.testing.assert_frame_equal(unpack(json.loads(json.dumps(packed))), table, check_dtype=False)


def test_random_moments_are_the_tables_rows(tmp_path):
    run = write_run(tmp_path / "run", students=4, seconds=30)
    data = embedded(report_of(run, tmp_path))["runs"][0]
    rows = pd.read_csv(run / "streams.csv", keep_default_na=False, na_values=[""])
    people = pd.read_csv(run / "participants.csv")
    held_people = unpack(data["participants"])
    choice = random.Random(3)
    for number in choice.sample(range(len(rows)), 40):
        row = rows.iloc[number]
        held = unpack(data["streams"][row["viewer"]])
        tick = data["times"].index(row["time_s"])
        found = held[(held["tick"] == tick) & (held["source"] == row["source"])]
        assert len(found) == 1
        for column in [
            "state",
            "frame_height_px",
            "frames_per_second",
            "bitrate_bps",
            "limitation",
            "mos",
            "requested_fps",
        ]:
            one = found.iloc[0][column]
            assert one == row[column] or (pd.isna(one) and pd.isna(row[column])), (column, number)
        person = people[(people["time_s"] == row["time_s"]) & (people["participant"] == row["viewer"])].iloc[0]
        own = held_people[(held_people["tick"] == tick) & (held_people["participant"] == row["viewer"])].iloc[0]
        assert own["down_estimate_bps"] == person["down_estimate_bps"]


def test_page_loads_nothing_and_names_the_run(tmp_path):
    run = write_run(tmp_path / "run", students=1, seconds=5)
    manifest = {
        "scenario": "</script><b>",
        "seed": "7",
        "version": "0.1.0",
        "resolved_scenario": 'estimator:\n  down: remb\n  up: gcc\npolicy: janus\ntitle: "Two: people"\n',
    }
    (run / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    page = report_of(run, tmp_path)
    header = embedded(page)["runs"][0]["header"]
    assert (header["system"], header["estimator"], header["title"]) == ("janus", "down: remb, up: gcc", "Two: people")
    assert (header["scenario"], header["seed"], header["version"]) == ("</script><b>", "7", "0.1.0")
    assert "</script><b>" not in page and "<title>&lt;/script&gt;" in page
    assert "default-src 'none'" in page
    loads = re.findall(r"""(?:src|href|url\(|import|@import)\s*[=(]\s*["']?(?:https?:)?//""", page)
    assert loads == [] and page.count("<script") == 2 and "<link" not in page


def test_header_names_the_estimators_that_a_system_brings():
    assert deployed({"estimator": {"up": "gcc", "down": "remb"}}) == "up: gcc, down: remb (default)"
    assert deployed({"estimator": {"up": "gcc", "down": "gcc"}}) == "gcc (default)"
    assert deployed({}) == "default"


def test_layout_is_that_of_the_table(tmp_path):
    run = write_run(tmp_path / "run", students=1, seconds=5)
    (run / "layout.csv").write_text(
        LAYOUT + "r1,0.0,student-1,,,0,0,1280,720,,\nr1,0.0,student-1,teacher,stage,10,20,960,540,0,1.0\n"
        "r1,2.5,student-1,teacher,,,,,,,0.0\n"
    )
    data = embedded(report_of(run, tmp_path))["runs"][0]
    assert data["automatic_layout"] is False
    held = unpack(data["layout"]["student-1"])
    assert held["time_s"].tolist() == [0.0, 0.0, 2.5]
    assert held["source"].fillna("").tolist() == ["", "teacher", "teacher"]
    assert held["area"].fillna("").tolist() == ["", "stage", ""]
    assert held["x_px"].tolist()[:2] == [0.0, 10.0] and np.isnan(held["width_px"][2])


def test_without_layout_tiles_are_placed_and_said_to_be(tmp_path):
    run = write_run(tmp_path / "run", students=5, seconds=4)
    data = embedded(report_of(run, tmp_path))["runs"][0]
    assert data["automatic_layout"] is True
    held = unpack(data["layout"]["student-1"])
    assert set(held["source"].dropna()) == {"teacher", "student-2", "student-3", "student-4", "student-5"}
    assert (held["time_s"] == 0).all()


def test_placement_is_near_16_to_9_and_nothing_overlaps():
    tiles = {"teacher": (1280.0, 720.0)} | {f"student-{n}": (160.0, 90.0) for n in range(1, 25)}
    places, width, height = placement(tiles)
    assert places["teacher"][1] == 0 and places["student-1"][1] == 728
    assert 1.2 < width / height < 2.2
    boxes = [(x, y, x + tiles[name][0], y + tiles[name][1]) for name, (x, y) in places.items()]
    for number, (left, top, right, bottom) in enumerate(boxes):
        assert left >= 0 and right <= width + 0.1 and bottom <= height + 0.1
        for other in boxes[:number]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
    # Three and three rather than five and one.
    assert (
        sorted(y for _, y in placement({f"p{n}": (300.0, 500.0) for n in range(6)})[0].values()) == [0] * 3 + [508] * 3
    )


def test_worst_moments_are_stretches_and_freezes():
    rows = pd.DataFrame(
        {
            "time_s": [1.0, 2.0, 3.0, 4.0, 5.0],
            "viewer": "v",
            "source": "a",
            "state": ["receiving", "receiving", "receiving", "hidden", "receiving"],
            "requested_height_px": 720.0,
            "frame_height_px": [180.0, 360.0, 720.0, np.nan, 720.0],
            "requested_fps": 30.0,
            "frames_per_second": [15.0, 29.0, 30.0, 0.0, 30.0],
            "limitation": ["bandwidth", "bandwidth", "none", "off-screen", "none"],
            "freezes_duration_s": [0.0, 0.0, 0.0, 0.0, 2.5],
        }
    )
    below, freeze = worst_moments(rows)
    assert below == {
        "what": "below request",
        "viewer": "v",
        "source": "a",
        "limitation": "bandwidth",
        "begin": 0.0,
        "end": 2.0,
        "asked": 720.0,
        "got": 180.0,
        # 30 x 720² - 15 x 180², and 30 x (720² - 360²): one frame too few counts for none.
        "weight": 26.73,
    }
    assert (freeze["what"], freeze["begin"], freeze["end"], freeze["weight"]) == ("freeze", 2.5, 5.0, 2.5)


def test_speech_and_explanations_are_held(tmp_path):
    run = write_run(tmp_path / "run", students=1, seconds=5)
    (run / "events.csv").write_text(
        "run_id,time_s,participant,event,detail,result\nr1,1.000,teacher,speaks,2.5 s,ok\n"
        "r1,2.000,,capacity,x/down 1 Mbps,ok\n"
    )
    (run / "explain-1.json").write_text(
        json.dumps({"viewer": "student-1", "source": "teacher", "time_s": 3, "sentences": ["The budget.", "Is small."]})
    )
    data = run_data(run)
    assert (data["speech"], data["speech_is_told"]) == ([["teacher", 1.0, 3.5]], False)
    assert data["events"][1] == [2.0, "", "capacity", "x/down 1 Mbps", "ok"]
    assert data["explanations"] == [
        {"viewer": "student-1", "source": "teacher", "time": 3.0, "text": "The budget. Is small."}
    ]


def test_speech_that_the_run_tells_goes_before_the_timeline(tmp_path):
    run = write_run(tmp_path / "run", students=1, seconds=5)
    (run / "events.csv").write_text(
        "run_id,time_s,participant,event,detail,result\nr1,1.000,teacher,speaks,2.5 s,ok\n"
        "r1,1.000,teacher,speech-start,,ok\nr1,2.250,teacher,speech-end,,ok\nr1,4.000,student-1,speech-start,,ok\n"
    )
    data = run_data(run)
    assert data["speech"] == [["teacher", 1.0, 2.25], ["student-1", 4.0, 5.0]] and data["speech_is_told"]


def test_both_kinds_of_decisions_are_held(tmp_path):
    run = write_run(tmp_path / "run", students=1, seconds=3)
    for columns, values in [
        (
            "rank,rule,budget_bps,wanted,given,previous,reason,missing_bps",
            "1,JanusPolicy,500000,720p30,360p30,none,bandwidth,8",
        ),
        (
            "rank,rule,estimate_bps,voice_reserve_bps,padding_bps,header_bps,repair_bps,cap_bps,budget_bps,given_before_bps,wanted,"
            "given,previous,reason,missing_bps",
            "2,JanusRule,600000,50000,0,10000,0,,540000,100000,f.2,h.2,,bandwidth,8",
        ),
    ]:
        (run / "decisions.csv").write_text(
            f"run_id,time_s,viewer,source,{columns}\nr1,0.5,student-1,teacher,{values}\n"
        )
        held = unpack(run_data(run)["decisions"]["student-1"])
        assert list(held.columns) == ["time_s", "source", *columns.split(",")]
        assert held["reason"][0] == "bandwidth" and held["budget_bps"][0] in (500000, 540000)


def test_a_long_large_meeting_is_small_and_quick(tmp_path):
    """Of a tenth of ten minutes with 25 viewers, so that writing it costs little."""
    run = write_run(tmp_path / "run", students=24, seconds=60)
    begin = time.perf_counter()
    page = report_of(run, tmp_path)
    assert time.perf_counter() - begin < 10
    assert len(page) < 800_000


@pytest.mark.parametrize(
    ("break_it", "sentence"),
    [
        (
            lambda run: run.joinpath("streams.csv").unlink(),
            "streams.csv' does not exist: is it the result directory of a run or a sweep?",
        ),
        (
            lambda run: run.joinpath("streams.csv").write_text("time_s,viewer\n"),
            "streams.csv' has no columns source, state",
        ),
        (lambda run: run.joinpath("streams.csv").write_text(""), "streams.csv' is not a result table"),
        (lambda run: run.joinpath("manifest.json").write_text("{"), "manifest.json' is not a manifest"),
        (
            lambda run: run.joinpath("layout.csv").write_text("time_s,viewer\nx,y\n"),
            "layout.csv' has no columns source, x_px",
        ),
        (lambda run: run.joinpath("explain.json").write_text("["), "explain.json' is not JSON"),
    ],
)
def test_what_is_wrong_is_told(tmp_path, capsys, break_it, sentence):
    run = write_run(tmp_path / "run", students=1, seconds=3)
    break_it(run)
    assert main(["report", str(run), "-o", str(tmp_path / "report.html")]) == 2
    message = capsys.readouterr().err
    assert message.startswith("error: ") and sentence in message
    assert not list(tmp_path.glob("*report*"))


def test_wrong_arguments_are_told(tmp_path, capsys):
    run = write_run(tmp_path / "run", students=1, seconds=3)
    for arguments, sentence in [
        ([str(tmp_path / "nowhere")], "is not a directory"),
        ([str(run), "-o", str(tmp_path / "a.png")], "must end in .html"),
        ([str(run)] * 3, "one result directory or two"),
        ([str(run), "-o", str(tmp_path / "none" / "a.html")], "cannot write"),
    ]:
        assert main(["report", *arguments]) == 2
        assert sentence in capsys.readouterr().err


def test_top_level_keys_are_found():
    yaml = "policy:\n  name: jitsi\n  change-threshold: 15 %\nseed: 1\ntitle: 'It''s'\nview:\n- policy: no\n"
    assert top_level(yaml, "policy") == "name: jitsi, change-threshold: 15 %"
    assert top_level(yaml, "title") == "It's"
    assert (top_level(yaml, "seed"), top_level(yaml, "estimator")) == ("1", "")
