"""A page holds what the tables hold; the program writes it quickly."""

import base64
import gzip
import json
import random
import re
import resource

import numpy as np
import pandas as pd
import pytest
from built import binary
from synthetic import write_details, write_run


def unpack(packed):
    """A packed table as the page's columns.js reads it."""
    data, rows, place = gzip.decompress(base64.b64decode(packed["data"])), packed["rows"], 0
    table = {}
    for column in packed["columns"]:
        width = column["bytes"]
        part, place = data[place : place + width * rows], place + width * rows
        if width == 8:
            table[column["name"]] = np.frombuffer(part, dtype="<f8")
            continue
        planes = np.frombuffer(part, dtype=np.uint8).reshape(width, rows) if rows else np.zeros((width, 0), np.uint8)
        if column.get("float"):
            table[column["name"]] = planes.T.copy().view("<f4").reshape(rows)
            continue
        stored = sum((planes[plane].astype(np.int64) << 8 * plane for plane in range(width)), np.zeros(rows, np.int64))
        if column.get("differences"):
            stored = np.cumsum(stored)
        if "words" in column:
            table[column["name"]] = np.array([None, *column["words"]], dtype=object)[stored]
        elif width == 0:
            table[column["name"]] = np.full(rows, np.nan)
        else:
            numbers = (column["low"] + (stored - 1) * column["step"]) / column["scale"]
            table[column["name"]] = np.where(stored == 0, np.nan, numbers)
    return pd.DataFrame(table)


def embedded(path):
    """The data within a page."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', path.read_text("utf-8"), re.DOTALL)
    return json.loads(found.group(1))


@pytest.fixture
def report_of(meetsim, tmp_path):
    def report(*directories):
        meetsim("report", *directories, "-o", tmp_path / "report.html", "-q")
        return embedded(tmp_path / "report.html")

    return report


def test_every_row_of_a_run_is_held(real_run, report_of):
    directory = real_run("scenarios/speaker-changes.yaml", "--set", "duration=12s", "--set", "timeline=[]")
    data = report_of(directory)["runs"][0]
    keep = {"keep_default_na": False, "na_values": [""]}
    for name in ["streams", "layout", "decisions"]:
        table = pd.read_csv(directory / f"{name}.csv", **keep)
        assert set(data[name]) == set(table["viewer"])
        for viewer, rows in table.groupby("viewer"):
            held = unpack(data[name][viewer])
            if name == "streams":
                held["time_s"] = [data["times"][int(tick)] for tick in held["tick"]]
                rows = rows.sort_values(["source", "time_s"])
                held = held.sort_values(["source", "time_s"])
            for column in set(held.columns) & set(table.columns):
                first, second = held[column].to_numpy(), rows[column].to_numpy()
                same = (first == second) | (pd.isna(first) & pd.isna(second))
                assert len(first) == len(second) and same.all(), (name, viewer, column)
    assert data["events"] == sorted(data["events"], key=lambda event: event[0])


def test_random_moments_are_the_tables_rows(report_of, tmp_path):
    run = write_details(write_run(tmp_path / "run", students=5, seconds=30))
    data = report_of(run)["runs"][0]
    rows = pd.read_csv(run / "participants.csv")
    held = unpack(data["participants"])
    for number in random.Random(3).sample(range(len(rows)), 40):
        row = rows.iloc[number]
        own = held[(held["tick"] == data["times"].index(row["time_s"])) & (held["participant"] == row["participant"])]
        for column in ["down_estimate_bps", "up_queue_delay_s", "audio_bitrate_bps"]:
            assert own[column].tolist() == [row[column]]


def test_speech_and_explanations_are_held(report_of, tmp_path):
    run = write_details(write_run(tmp_path / "run", seconds=5))
    (run / "events.csv").write_text(
        "run_id,time_s,participant,event,detail,result\nr1,1.000,teacher,speaks,2.5 s,ok\n"
        "r1,1.000,teacher,speech-start,,ok\nr1,2.250,teacher,speech-end,,ok\nr1,4.000,student-1,speech-start,,ok\n"
    )
    data = report_of(run)["runs"][0]
    assert data["speech"] == [["teacher", 1.0, 2.25], ["student-1", 4.0, 5.0]] and data["speech_is_told"]
    assert data["explanations"] == [
        {"viewer": "student-1", "source": "teacher", "time": 25.0, "text": "The downlink has 900 kbps."}
    ]
    (run / "events.csv").write_text(
        "run_id,time_s,participant,event,detail,result\nr1,1.000,teacher,speaks,2.5 s,ok\n"
    )
    data = report_of(run)["runs"][0]
    assert data["speech"] == [["teacher", 1.0, 3.5]] and not data["speech_is_told"]


def test_the_verdicts_of_expectations_are_held(real_run, report_of):
    directory = real_run("docs/examples/expectations.yaml")
    verdicts = report_of(directory)["runs"][0]["verdicts"]
    assert len(verdicts) == 10 and {one["verdict"] for one in verdicts} == {"pass"}
    assert all(one["bound"] and one["measured"] for one in verdicts)


def test_a_large_meeting_is_small_and_quick(real_run, report_of, tmp_path):
    directory = real_run("scenarios/remote-education.yaml")
    used = lambda: resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime  # noqa: E731
    begin = used()
    data = report_of(directory)
    # Of processor time, which a busy machine does not stretch; a debug build takes ten times as long.
    assert used() - begin < (20 if "debug" in str(binary()) else 2)
    assert len(data["runs"][0]["viewers"]) == 25 and (tmp_path / "report.html").stat().st_size < 1_500_000
