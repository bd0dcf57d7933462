"""Pictures of real runs draw what stands in the tables, in the axes' units and not moved."""

import random

import pandas as pd
import pytest
from marks import marks, texts, value_at

from meetsim_plots.ecdf import ecdf_chart
from meetsim_plots.metrics import Choice
from meetsim_plots.overview import HEIGHTS, overview_chart
from meetsim_plots.palette import SHARES
from meetsim_plots.results import open_run
from meetsim_plots.viewer import source_order, viewer_chart

NARROW, SHARE = "scenarios/remote-education-narrow.yaml", "scenarios/team-call-with-share.yaml"


@pytest.fixture(scope="module")
def narrow(real_run):
    """Marks of the picture of 25 sources on a link that narrows, and the table's rows."""
    directory = real_run(NARROW)
    return marks(viewer_chart(open_run(directory), "inspector")), pd.read_csv(directory / "streams.csv"), directory


def strips(found):
    """The areas of the sources: heights and frame rates, in their order."""
    areas = [mark for mark in found if mark.kind == "area" and "color" not in mark.encoding]
    return areas[:-1:2], areas[1:-1:2]


@pytest.mark.parametrize("column", ["frame_height_px", "frames_per_second"])
def test_strips_hold_the_tables_values_at_random_times(narrow, column):
    found, streams, _ = narrow
    drawn = strips(found)[column == "frames_per_second"]
    sources = source_order(streams)
    assert len(drawn) == len(sources) == 25 and sources[:3] == ["teacher", "student-1", "student-2"]
    for number in random.Random(3).sample(range(len(streams)), 60):
        row = streams.iloc[number]
        expected = 0.0 if pd.isna(row[column]) else row[column]
        assert value_at(drawn[sources.index(row["source"])].rows, row["time_s"]) == expected


def test_a_student_at_90_lines_is_drawn_at_90_and_no_rate_is_negative(narrow):
    heights, rates = strips(narrow[0])
    assert set(heights[1].rows["value"]) == {0, 90}
    assert all(mark.rows["value"].min() >= 0 and mark.domain("y")[0] == 0 for mark in heights + rates)
    assert all("yOffset" not in mark.style and "y" not in mark.style for mark in heights + rates)
    assert {mark.style["interpolate"] for mark in heights + rates} == {"step-after"}
    assert {tuple(mark.domain("x")) for mark in heights + rates} == {(0, 100)}
    assert heights[0].domain("y") == pytest.approx([0, 792]) and heights[1].domain("y") == pytest.approx([0, 99])


def test_requests_are_dashed_lines_at_their_height(narrow):
    found, streams, _ = narrow
    rules = [mark for mark in found if mark.kind == "rule"]
    assert len(rules) == 50 and all(mark.style["strokeDash"] for mark in rules)
    assert rules[0].rows.to_dict("records") == [{"from_s": 0.0, "to_s": 100.0, "value": 720.0}]
    assert rules[1].rows["value"].tolist() == [30.0] and rules[3].rows["value"].tolist() == [7.5]


def test_capacity_that_leaves_the_frame_is_said_and_bit_rates_add_up(narrow):
    found, streams, directory = narrow
    # The link has 20 Mbit/s until 20 s and from 80 s on.
    said = [text for text in texts(found) if text.startswith("↑")]
    assert sorted(set(said)) == ["↑ 20 Mbit/s", "↑ capacity 20 Mbit/s, above the frame"]
    stack = next(mark for mark in found if mark.kind == "area" and "color" in mark.encoding)
    assert stack.style["interpolate"] == "step-before" and stack.encoding["y"]["stack"] == "zero"
    assert stack.domain("color")[-1] == "18 others, added" and len(stack.domain("color")) == 8
    second = stack.rows[stack.rows["time_s"] == 50]["megabits"].sum()
    assert second == pytest.approx(streams[streams["time_s"] == 50]["bitrate_bps"].sum() / 1e6)
    lines = [mark for mark in found if mark.kind == "line"]
    link = pd.read_csv(directory / "participants.csv").query("participant == 'inspector'").set_index("time_s")
    for mark, column in zip(lines, ["down_capacity_bps", "down_estimate_bps"], strict=True):
        for time in (5, 30, 55, 90):
            assert value_at(mark.rows, time) == pytest.approx(link.loc[time, column] / 1e6)


def test_each_panel_has_its_unit(narrow):
    words = texts(narrow[0])
    for text in ["frame height [px]", "frame rate [1/s]", "video received [Mbit/s]", "queue delay of the downlink [ms]"]:
        assert any(text in word for word in words), text
    assert "time in the meeting [s]" in {mark.axis("x") for mark in narrow[0]}


def test_a_share_has_a_strip_and_a_scale_of_its_own(real_run):
    directory = real_run(SHARE)
    found = marks(viewer_chart(open_run(directory), "phone-1"))
    heights, _ = strips(found)
    assert [mark.domain("y")[1] for mark in heights[:3]] == pytest.approx([1188, 396, 198])
    # The share lasts from 15 to 45 s: nobody asks for it before and after.
    ground = next(mark for mark in found if mark.kind == "rect")
    assert ground.rows[["from_s", "to_s"]].to_numpy().tolist() == [[0, 15], [45, 60]]


def test_the_matrix_shows_what_the_table_says(real_run):
    directory = real_run(SHARE)
    found = marks(overview_chart(open_run(directory)))
    streams = pd.read_csv(directory / "streams.csv")
    rows = streams[(streams["viewer"] == "phone-1") & (streams["source"] == "home-2")]
    # It is dropped while the share lasts, and that time counts: it was asked for.
    share = (rows["frame_height_px"] >= rows["requested_height_px"]).mean() * 100
    written = [mark.rows.set_index(["viewer", "source"])["text"] for mark in found if mark.kind == "text"]
    assert written[0]["phone-1", "home-2"] == f"{share:.0f}" and 40 < share < 65
    assert written[1]["home-1", "office-1"] == "180" and written[0]["home-1", "home-1"] == "–"
    assert all(len(each) == 6 * 7 for each in written)
    cells = [mark for mark in found if "color" in mark.encoding and mark.kind == "rect"]
    assert [mark.axis("color") for mark in cells] == ["[%]", "[px]"]


def test_the_time_in_which_a_tile_was_dropped_counts(real_run):
    directory = real_run(NARROW)
    text = next(mark for mark in marks(overview_chart(open_run(directory))) if mark.kind == "text")
    rows = pd.read_csv(directory / "streams.csv").query("source == 'student-24'")
    # It has nothing from 20 of 100 s on, and is then `absent`: asked for, but nothing is allocated.
    assert set(rows[rows["time_s"] > 22]["state"]) == {"absent"}
    share = (rows["frame_height_px"] >= rows["requested_height_px"]).mean() * 100
    written = text.rows.set_index(["viewer", "source"])["text"]
    assert written["inspector", "student-24"] == f"{share:.0f}" and share < 25


def test_colours_mean_the_same_in_every_run(real_run):
    for scenario in [SHARE, NARROW]:
        found = marks(overview_chart(open_run(real_run(scenario))))
        colours = [mark.encoding["color"]["scale"] for mark in found if "color" in mark.encoding and mark.kind == "rect"]
        assert [(each["domain"], each["range"]) for each in colours] == [SHARES, HEIGHTS]
    assert not any("white" in colour or colour == "#ffffff" for colour in [*SHARES[1], *HEIGHTS[1]])


def test_the_spread_over_tiles_is_that_of_the_scalars(real_run):
    runs = [real_run(NARROW), real_run(SHARE)]
    line = marks(ecdf_chart(runs, "requested_height_share", Choice()))[0]
    assert line.kind == "line" and line.style["interpolate"] == "step-after"
    assert line.axis("x") == "requested height share" and line.axis("y") == "share of tiles at or below [%]"
    scalars = pd.read_csv(runs[0] / "scalars.csv").query("metric == 'requested_height_share' and scope == 'tile'")
    own = line.rows[line.rows["curve"] == f"remote-education-narrow ({len(scalars)} tiles)"]
    middle = scalars["value"].sort_values().iloc[12]
    below = own[own["value"] <= middle]["share"].max()
    assert below == pytest.approx(100 * (scalars["value"] <= middle).mean())
    assert own["share"].tolist()[0] == 0 and own["share"].tolist()[-1] == 100


def test_another_statistic_and_viewer_can_be_chosen(real_run):
    run = real_run(SHARE)
    chosen = Choice(viewer="phone-1", stat="max")
    line = marks(ecdf_chart([run], "frame_delay", chosen))[0]
    scalars = pd.read_csv(run / "scalars.csv").query("metric == 'frame_delay' and viewer == 'phone-1' and stat == 'max'")
    # A tile without a single frame has no delay.
    delays = scalars["value"].dropna().sort_values().tolist()
    assert line.rows["value"].tolist()[1:] == delays and line.axis("x") == "frame delay [s]"
