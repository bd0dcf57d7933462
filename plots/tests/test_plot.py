"""Pictures are drawn from CSVs alone, and what is wrong with these is said."""

import gzip
import re

import altair as alt
import pandas as pd
import pytest
from marks import marks, value_at
from synthetic import write_run

from meetsim_plots.command import main
from meetsim_plots.overview import overview_chart
from meetsim_plots.results import natural, open_run
from meetsim_plots.scale import scale_chart
from meetsim_plots.steps import above_frame, corners, periods
from meetsim_plots.viewer import HEIGHT_TICKS, source_colours, source_order, strip, ticks, worst_viewer


def drawn(path):
    """The words of an SVG, which are all that is checked of it here."""
    svg = path.with_suffix(".svg").read_text(encoding="utf-8")
    assert svg.lstrip().startswith("<svg")
    return svg


def test_viewer_is_drawn_with_title_seed_and_sources(tmp_path):
    run = write_run(tmp_path / "run")
    assert main(["viewer", str(run), "--viewer", "student-1", "-o", str(tmp_path / "out.svg")]) == 0
    svg = drawn(tmp_path / "out")
    for text in ["remote-education", "seed 1", "teacher", "student-5", "downlink capacity", "[Mbit/s]"]:
        assert text in svg


def test_more_sources_than_colours_share_a_grey():
    names = [f"student-{number}" for number in range(1, 10)]
    assert list(source_colours(names[:8]).values()).count("#999999") == 0
    colours = source_colours(names)
    assert [name for name in names if colours[name] == "#999999"] == ["student-8", "student-9"]


def test_the_worst_viewer_is_shown_where_nobody_is_named(tmp_path, monkeypatch, capsys):
    run = write_run(tmp_path / "run", students=2, seconds=30)
    table = run / "streams.csv"
    rows = table.read_text(encoding="utf-8").splitlines()
    # The second one has the teacher at 360 lines at the beginning, too.
    rows = [row.replace(",720,1280,720,", ",360,640,360,") if "student-2,teacher" in row else row for row in rows]
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")
    assert worst_viewer(open_run(run).streams) == "student-2"
    monkeypatch.chdir(tmp_path)
    assert main(["viewer", str(run)]) == 0
    assert capsys.readouterr().out == "student-2.png\n" and (tmp_path / "student-2.png").exists()


def test_long_meetings_are_drawn(tmp_path):
    run = write_run(tmp_path / "run", students=3, seconds=3600)
    assert main(["viewer", str(run), "--viewer", "teacher", "-o", str(tmp_path / "long.svg")]) == 0
    drawn(tmp_path / "long")


def test_overview_is_drawn(tmp_path):
    run = write_run(tmp_path / "run")
    assert main(["overview", str(run), "-o", str(tmp_path / "all.svg")]) == 0
    assert "median decoded height, 0 for nothing [px]" in drawn(tmp_path / "all")


def compress(run):
    """Leaves a run's tables as `run --compress` writes them."""
    for table in run.glob("*.csv"):
        if table.name != "scalars.csv":
            table.with_name(table.name + ".gz").write_bytes(gzip.compress(table.read_bytes()))
            table.unlink()
    return run


@pytest.mark.parametrize("command", ["viewer", "overview"])
def test_compressed_tables_are_drawn_the_same(tmp_path, command):
    outputs = [tmp_path / f"{name}.svg" for name in ("plain", "compressed")]
    run = write_run(tmp_path / "run", students=2)
    assert main([command, str(run), "-o", str(outputs[0])]) == 0
    assert main([command, str(compress(run)), "-o", str(outputs[1])]) == 0
    assert not (run / "streams.csv").exists()
    # Clip paths are numbered on from picture to picture.
    texts = [re.sub(r"\bclip\d+", "clip", output.read_text(encoding="utf-8")) for output in outputs]
    assert texts[0] == texts[1]


def test_a_compressed_table_that_is_cut_off_is_named(tmp_path, capsys):
    table = compress(write_run(tmp_path / "run")) / "streams.csv.gz"
    table.write_bytes(table.read_bytes()[:200])
    assert main(["viewer", str(table.parent), "-o", str(tmp_path / "x.svg")]) == 2
    assert capsys.readouterr().err.startswith(f"error: cannot read '{table}': Compressed file ended")


def test_a_missing_column_is_named(tmp_path, capsys):
    run = write_run(tmp_path / "run")
    table = run / "streams.csv"
    table.write_text(table.read_text().replace("frame_height_px", "frame_height"), encoding="utf-8")
    assert main(["viewer", str(run), "--viewer", "student-1", "-o", str(tmp_path / "x.png")]) == 2
    assert capsys.readouterr().err == f"error: '{table}' has no column frame_height_px\n"
    assert not (tmp_path / "x.png").exists()


def test_an_unknown_viewer_is_told_who_there_is(tmp_path, capsys):
    run = write_run(tmp_path / "run", students=1)
    assert main(["viewer", str(run), "--viewer", "bob"]) == 2
    assert capsys.readouterr().err == (
        f"error: nobody called 'bob' watches in '{run}'; viewers are student-1, teacher\n"
    )


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nowhere", "is not a directory"),
        ("empty", "streams.csv' does not exist: is it the result directory of one run?"),
    ],
)
def test_a_wrong_directory_is_told(tmp_path, capsys, name, sentence):
    (tmp_path / "empty").mkdir()
    assert main(["overview", str(tmp_path / name)]) == 2
    assert sentence in capsys.readouterr().err


def test_an_unknown_option_is_followed_by_the_usage_of_its_command(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["viewer", "out", "--source", "ann"])
    said = capsys.readouterr().err
    assert stopped.value.code == 2 and said.startswith("usage: plot.py viewer ")
    assert said.endswith("plot.py viewer: error: unrecognized arguments: --source ann\n")


@pytest.mark.parametrize(("suffix", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF-"), ("svg", b"<svg")])
def test_the_suffix_is_the_format(tmp_path, capsys, suffix, start):
    run = write_run(tmp_path / "run", students=1, seconds=3)
    output = tmp_path / f"a.{suffix}"
    assert main(["overview", str(run), "-o", str(output)]) == 0
    assert output.read_bytes().startswith(start)
    assert capsys.readouterr().out == f"{output}\n" and len(list(tmp_path.glob("a.*"))) == 1


def test_another_format_is_refused(tmp_path, capsys):
    run = write_run(tmp_path / "run", students=1, seconds=3)
    assert main(["overview", str(run), "-o", str(tmp_path / "a.jpg")]) == 2
    assert "must end in .png, .svg or .pdf" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", ["viewer", "overview", "ecdf", "sweep", "call", "verification", "systems", "scale"]
)
def test_every_command_says_what_is_wrong_with_an_empty_directory(tmp_path, capsys, command):
    for path in [tmp_path, tmp_path / "nowhere"]:
        assert main([command, str(path), "-o", str(tmp_path / "x.svg")]) == 2
        error = capsys.readouterr().err
        assert error.startswith("error: ") and error.count("\n") == 1 and str(path) in error


@pytest.mark.parametrize("command", ["viewer", "overview", "ecdf"])
@pytest.mark.parametrize("text", ["", "\0\1\2", "time_s\n", "a,b\n1\n2,3,4\n"])
def test_every_command_says_what_is_wrong_with_a_table(tmp_path, capsys, command, text):
    run = write_run(tmp_path / "run", students=1, seconds=3)
    (run / ("scalars.csv" if command == "ecdf" else "streams.csv")).write_text(text, encoding="utf-8")
    assert main([command, str(run), "-o", str(tmp_path / "x.svg")]) == 2
    assert capsys.readouterr().err.startswith(f"error: '{run}")


def test_names_sort_as_people_count():
    names = ["student-10", "teacher", "student-2"]
    assert sorted(names, key=natural) == ["student-2", "student-10", "teacher"]


def test_verification_series_are_drawn(tmp_path):
    rows = ["case,quantity,name,time_s,value"]
    for case in ["rfc8867-5.1", "rfc8867-5.4"]:
        for second in range(20):
            rows.append(f"{case},rate_kbps,capacity,{second},1000.0")
            rows.append(f"{case},rate_kbps,flow-1,{second},{second * 40}.0")
            rows.append(f"{case},queue_delay_ms,queue,{second},{second}.0")
    series = tmp_path / "series.csv"
    series.write_text("\n".join(rows) + "\n")
    assert main(["verification", str(series), "-o", str(tmp_path / "out.svg")]) == 0
    svg = drawn(tmp_path / "out")
    assert "rfc8867-5.1" in svg and "rfc8867-5.4" in svg and "[kbit/s]" in svg


def test_other_tables_are_no_series(tmp_path, capsys):
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n")
    assert main(["verification", str(other), "-o", str(tmp_path / "out.png")]) == 2
    assert "needs the columns" in capsys.readouterr().err
    assert main(["verification", str(tmp_path / "none.csv")]) == 2


def test_scale_is_drawn_and_a_table_without_its_columns_is_refused(tmp_path, capsys):
    table = tmp_path / "scale.csv"
    rows = [f"gcc,{p},{w},20,{p * w * 1000},{p * w / 500},{p * w * 60000 + 30000000}" for p in (2, 25) for w in (100, 1000)]
    table.write_text(
        "estimator,publishers,watchers,simulated_s,packet_hops,cpu_s,peak_memory_bytes\n" + "\n".join(rows) + "\n"
    )
    assert main(["scale", str(table), "-o", str(tmp_path / "out.svg")]) == 0
    assert "peak memory" in drawn(tmp_path / "out")
    table.write_text("estimator,watchers\ngcc,100\n")
    assert main(["scale", str(table)]) == 2
    assert "lacks publishers" in capsys.readouterr().err


def test_scale_names_its_axes_and_draws_the_tables_values(tmp_path):
    rows = [["gcc", p, w, 20, 1000, p * w / 500, p * w * 60000 + 30000000] for p in (2, 25) for w in (100, 1000)]
    columns = ["estimator", "publishers", "watchers", "simulated_s", "packet_hops", "cpu_s", "peak_memory_bytes"]
    lines = [mark for mark in marks(scale_chart(pd.DataFrame(rows, columns=columns))) if mark.kind == "line"]
    assert [mark.axis("y") for mark in lines] == ["CPU s per simulated s", "peak memory [MB]"]
    assert lines[0].rows["cpu_per_second"].tolist() == pytest.approx([0.02, 0.2, 0.25, 2.5])
    assert lines[1].rows["memory_mb"].tolist() == pytest.approx([42, 150, 180, 1530])
    assert lines[0].domain("y") == pytest.approx([0.01, 10]) and lines[0].domain("x") == [100, 1000]


def test_periods_join_equal_neighbours_and_keep_gaps():
    times, values = pd.Series([1.0, 2.0, 3.0, 4.0, 5.0]), pd.Series([7.0, 7.0, float("nan"), float("nan"), 7.0])
    spans = periods(times, values, 1.0)
    assert spans["from_s"].tolist() == [0, 2, 4] and spans["to_s"].tolist() == [2, 4, 5]
    assert spans["value"].fillna(-1).tolist() == [7, -1, 7]
    assert value_at(corners(spans.dropna()), 5.0) == 7


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([(0, 50, 1.0), (50, 100, 9.0)], [(74.8, "↑ capacity 9 Mbit/s, above the frame")]),
        ([(0, 100, 2.0)], []),
        ([(0, 90, 5.0), (90, 100, 6.0)], [(50, "↑ capacity 5 to 6 Mbit/s, above the frame")]),
        # The second is too near for the whole text.
        (
            [(0, 40, 9.0), (40, 60, 1.0), (60, 100, 9.0)],
            [(25.2, "↑ capacity 9 Mbit/s, above the frame"), (80, "↑ 9 Mbit/s")],
        ),
    ],
)
def test_what_leaves_the_frame_is_said_once_for_each_time(spans, expected):
    lines = pd.DataFrame(spans, columns=["from_s", "to_s", "value"]).assign(line="downlink capacity")
    found = above_frame(lines, 2.0, 400, 0, 100)
    assert found["time_s"].tolist() == pytest.approx([time for time, _ in expected], abs=0.1)
    assert found["text"].tolist() == [text for _, text in expected]


def test_of_too_many_viewers_those_who_fared_worst_are_shown_and_that_is_said(tmp_path):
    run = write_run(tmp_path / "run", students=42, seconds=2)
    table = run / "streams.csv"
    rows = table.read_text(encoding="utf-8").splitlines()
    # All but three of 43 get less than they asked for.
    good = ("student-1,", "student-2,", "student-40,")
    rows = rows[:1] + [
        row if row.split(",", 2)[2].startswith(good)
        else row.replace(",180,320,180,", ",90,160,90,").replace(",720,1280,720,", ",360,640,360,")
        for row in rows[1:]
    ]
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")
    chart = overview_chart(open_run(run))
    assert "40 of 43 viewers, those with the lowest share" in chart.to_dict()["title"]["subtitle"]
    text = next(mark for mark in marks(chart) if mark.kind == "text")
    viewers = set(text.rows["viewer"])
    assert len(viewers) == 40 and not viewers & {name.strip(",") for name in good}


@pytest.mark.parametrize(
    ("top", "height", "expected"),
    [
        (90, 24, [0, 90]), (720, 96, [0, 180, 360, 540, 720]), (1080, 60, [0, 360, 720, 1080]), (360, 60, [0, 90, 180, 360]),
        (48, 60, [0, 48]),
    ],
)
def test_ticks_are_usual_heights_that_do_not_touch(top, height, expected):
    assert ticks(top, height, HEIGHT_TICKS) == expected


def test_what_is_hidden_is_not_asked_for():
    """A tile of another page asks for 720p once it is shown; here 'b' is, at 180p, and 'a' at 90p."""
    rows = pd.DataFrame(
        [
            ("a", 1.0, "hidden", 720, 0), ("a", 2.0, "hidden", 720, 0), ("a", 3.0, "receiving", 90, 90),
            ("b", 1.0, "receiving", 180, 180), ("b", 2.0, "hidden", 720, 0),
        ],
        columns=["source", "time_s", "state", "requested_height_px", "frame_height_px"],
    )
    assert source_order(rows) == ["b", "a"]
    own = rows[rows["source"] == "b"]
    chart = strip(own, "b", "frame_height_px", "requested_height_px", "#000", 1, alt.X("time_s:Q"), 1.0).to_dict()
    scales = [layer["encoding"]["y"]["scale"] for layer in chart["layer"] if "scale" in layer["encoding"].get("y", {})]
    assert [scale["domain"] for scale in scales] == [[0, pytest.approx(198)]] * len(scales) and scales
