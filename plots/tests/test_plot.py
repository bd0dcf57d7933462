"""Pictures are drawn from CSVs alone, and what is wrong with these is said."""

import pytest
from synthetic import write_run

from meetsim_plots.command import main
from meetsim_plots.results import open_run
from meetsim_plots.viewer import natural, with_few_sources


def drawn(path):
    png = path.with_suffix(".png").read_bytes()
    svg = path.with_suffix(".svg").read_text(encoding="utf-8")
    assert png.startswith(b"\x89PNG") and len(png) > 10_000
    assert svg.lstrip().startswith("<svg")
    return svg


def test_viewer_is_drawn_with_title_seed_and_sources(tmp_path):
    run = write_run(tmp_path / "run")
    assert main(["viewer", str(run), "--viewer", "student-1", "-o", str(tmp_path / "out.png")]) == 0
    svg = drawn(tmp_path / "out")
    for text in ["remote-education", "seed 1", "teacher", "student-5", "downlink capacity", "[Mbit/s]"]:
        assert text in svg


def test_many_sources_become_few(tmp_path):
    run = write_run(tmp_path / "run", students=24, seconds=5)
    streams = open_run(run).streams
    rows, others = with_few_sources(streams[streams["viewer"] == "student-1"])
    assert others == "17 others (mean; bit rates added)"
    assert rows["source"].nunique() == 8
    total = rows["bitrate_bps"].sum()
    assert total == streams.loc[streams["viewer"] == "student-1", "bitrate_bps"].sum()
    assert main(["viewer", str(run), "--viewer", "student-1", "-o", str(tmp_path / "out.svg")]) == 0
    assert "17 others" in drawn(tmp_path / "out")


def test_long_meetings_are_drawn(tmp_path):
    run = write_run(tmp_path / "run", students=3, seconds=3600)
    assert main(["viewer", str(run), "--viewer", "teacher", "-o", str(tmp_path / "long.png")]) == 0
    drawn(tmp_path / "long")


def test_overview_is_drawn(tmp_path):
    run = write_run(tmp_path / "run")
    assert main(["overview", str(run), "-o", str(tmp_path / "all.png")]) == 0
    assert "median height" in drawn(tmp_path / "all")


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


def test_another_format_is_refused(tmp_path, capsys):
    run = write_run(tmp_path / "run", students=1, seconds=3)
    assert main(["overview", str(run), "-o", str(tmp_path / "a.pdf")]) == 2
    assert "must end in .png or .svg" in capsys.readouterr().err


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
    assert main(["verification", str(series), "-o", str(tmp_path / "out.png")]) == 0
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
    assert main(["scale", str(table), "-o", str(tmp_path / "out.png")]) == 0
    assert "peak memory" in drawn(tmp_path / "out")
    table.write_text("estimator,watchers\ngcc,100\n")
    assert main(["scale", str(table)]) == 2
    assert "lacks publishers" in capsys.readouterr().err
