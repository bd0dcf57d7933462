"""The comparison of systems: a common denominator, paired differences, and a picture that names every panel."""

import math
import zlib

import pandas as pd
import pytest
from marks import marks, texts
from test_plot import drawn

from meetsim_plots.command import main
from meetsim_plots.results import PlotError
from meetsim_plots.systems import overall, read_comparison, student_t, systems_chart, systems_matrix, systems_table
from meetsim_plots.theme import repacked

SCALARS = "run_id,scope,viewer,source,metric,stat,unit,direction,value\n"


def write_sweep(folder, utilities, optima, viewers=("viewer",), status="ok"):
    """`utilities` and `optima` by system: a value for each repetition."""
    folder.mkdir()
    runs, scalars = ["run_id,run_index,point_id,repetition,seed,status,error,p_policy,p_link"], []
    for system, values in utilities.items():
        for repetition, utility in enumerate(values):
            run = f"{system}{repetition}"
            runs.append(f"{run},{len(runs)},p,{repetition},{repetition},{status},,{system},narrow")
            for number, viewer in enumerate(viewers):
                seat = f"{run},participant,{viewer},"
                # The first seat has a little less, the last a little more.
                own = utility + number - (len(viewers) - 1) / 2
                scalars += [
                    f"{seat},utility,mean,1,bigger,{own}", f"{seat},optimum,mean,1,neither,{optima[system]}",
                    f"{seat},recovery_time,max,s,smaller,99", f"{run},tile,{viewer},a,mos,mean,1,bigger,5.0",
                ]
            scalars += [
                f"{run},participant,person-1,,utility,mean,1,bigger,77",
                f"{run},meeting,{viewers[0]},,worst_seat,mean,1,bigger,0.5",
            ]
    (folder / "runs.csv").write_text("\n".join(runs) + "\n", encoding="utf-8")
    (folder / "scalars.csv").write_text(SCALARS + "\n".join(scalars) + "\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("degrees", "quantile"), [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (9, 2.2622), (30, 2.0423)]
)
def test_students_quantiles_are_those_of_the_tables(degrees, quantile):
    assert student_t(0.95, degrees) == pytest.approx(quantile, abs=5e-5)


def test_a_share_is_of_the_highest_optimum_that_any_system_had(tmp_path):
    sweep = write_sweep(tmp_path / "compare-stage", {"a": [2, 2], "b": [1, 3]}, {"a": 2, "b": 4})
    table = systems_table(read_comparison([sweep], ["viewer"]), "a").set_index("system")
    assert list(table["meeting"]) == ["stage", "stage"]
    assert list(table["n"]) == [2, 2]
    assert table.loc["a", "utility_share"] == pytest.approx(0.5)
    assert table.loc["a", "worst_seat"] == 0.5
    # Nobody recovered but for the longest time, and no tile's score is a seat's.
    assert math.isnan(table.loc["a", "recovery_time"]) and math.isnan(table.loc["a", "mos"])


def test_differences_are_paired_by_repetition(tmp_path):
    utilities = {"a": [1, 2, 3], "b": [2, 3, 4]}
    sweep = write_sweep(tmp_path / "compare-stage", utilities, {"a": 4, "b": 4})
    row = systems_table(read_comparison([sweep], ["viewer"]), "a").set_index("system").loc["b"]
    # In every repetition b is one above a: the difference is certain although the means are not.
    assert row["utility_share_diff"] == pytest.approx(0.25)
    assert row["utility_share_diff_ci"] == pytest.approx(0.0)
    # Half-width of 2, 3, 4 quarters: t(2) = 4.3027, times 0.25, over the root of 3.
    assert row["utility_share_ci"] == pytest.approx(4.3027 * 0.25 / math.sqrt(3), abs=1e-4)


def test_several_seats_are_averaged_within_a_run(tmp_path):
    viewers = ("student-1", "student-2", "student-3")
    sweep = write_sweep(tmp_path / "compare-class", {"a": [3, 3]}, {"a": 6}, viewers)
    row = systems_table(read_comparison([sweep], ["student"]), "a").iloc[0]
    assert row["utility"] == pytest.approx(3.0) and row["n"] == 2


def test_the_overall_table_has_the_best_first_and_leaves_out_what_is_missing():
    nan = math.nan
    rows = pd.DataFrame(
        [["a", 0.2, nan, 0.1, 3.0, 1.0, 2.0, nan], ["b", 0.8, 0.9, 0.7, 4.0, 0.0, 0.0, 1.25]],
        columns=[
            "system", "utility_share", "utility_ratio", "worst_seat", "mos", "switches_per_minute",
            "freezes_duration", "recovery_time",
        ],
    )
    assert overall(rows).splitlines()[2:] == [
        "| b | 0.80 | 0.90 | 0.70 | 4.00 | 0.0 | 0.0 | 1.2 |", "| a | 0.20 |  | 0.10 | 3.00 | 1.0 | 2.0 |  |",
    ]


def test_table_and_picture_are_written(tmp_path, capsys):
    sweeps = [
        write_sweep(tmp_path / f"compare-{meeting}", {"janus": [1, 2], "jitsi": [2, 3]}, {"janus": 4, "jitsi": 4})
        for meeting in ["stage", "gallery"]
    ]
    arguments = ["systems", *map(str, sweeps), "--table", str(tmp_path / "out.csv"), "-o", str(tmp_path / "out.svg")]
    assert main(arguments) == 0
    svg = drawn(tmp_path / "out")
    for text in ["stage, narrow", "gallery, narrow", "janus", "jitsi", "utility share", "95% Student-t intervals"]:
        assert text in svg
    lines = (tmp_path / "out.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("meeting,link,system,n,utility_share,utility_share_ci,utility_share_diff,")
    assert lines[1].startswith("stage,narrow,janus,2,0.3750,") and len(lines) == 5
    assert "| jitsi | 0.62 |" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--baseline", "zoom"], "there is no system 'zoom'; there are janus"),
        (["--metric", "speed"], "there is no metric 'speed'; there are utility_share"),
        (["--seat", "bob"], "has no viewer bob: name the seats behind the link with --seat"),
    ],
)
def test_what_cannot_be_compared_is_told(tmp_path, capsys, arguments, sentence):
    sweep = write_sweep(tmp_path / "compare-stage", {"janus": [1]}, {"janus": 2})
    assert main(["systems", str(sweep), "-o", str(tmp_path / "x.png"), *arguments]) == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "x.png").exists()


def table_of(values):
    """A table with these shares: system, link and value."""
    table = pd.DataFrame([[*row, 3] for row in values], columns=["system", "link", "utility_share", "n"])
    return table.assign(meeting="stage", utility_share_ci=0.1)


def test_the_matrix_has_its_numbers_in_per_cent_and_the_best_system_first():
    table = table_of([["a", "x", 0.2], ["a", "y", 0.5], ["b", "x", 0.9], ["b", "y", 0.994]])
    found = marks(systems_matrix(table))
    cells = next(mark for mark in found if mark.kind == "rect")
    assert cells.encoding["y"]["sort"] == ["b", "a"] and cells.encoding["x"]["sort"] == ["x", "y"]
    assert cells.rows.set_index(["system", "link"])["text"].to_dict() == {
        ("a", "x"): "20", ("a", "y"): "50", ("b", "x"): "90", ("b", "y"): "99",
    }
    assert sorted(texts(found)) == ["20", "50", "90", "99"] and cells.axis("color") == "[%]"
    with pytest.raises(PlotError, match="a matrix shows shares"):
        systems_matrix(table, "mos")


def test_dots_and_intervals_are_the_tables_in_panels_of_their_names():
    found = marks(systems_chart(table_of([["a", "x", 0.05], ["b", "x", 0.9], ["a", "y", 0.5]])))
    dots, rules = ([mark for mark in found if mark.kind == kind] for kind in ("point", "rule"))
    assert [mark.title for mark in dots] == ["stage, x", "stage, y"] and dots[0].axis("x") == "utility share"
    assert dots[0].rows["mean"].tolist() == [0.05, 0.9]
    # Intervals of 0.1 about 0.05 and 0.9: no share is below 0 or above 1.
    assert rules[0].rows["low"].tolist() == pytest.approx([0, 0.8])
    assert rules[0].rows["high"].tolist() == pytest.approx([0.15, 1.0])
    assert dots[0].domain("x") == pytest.approx([0, 1])


def test_a_written_table_is_drawn_again(tmp_path, capsys):
    sweep = write_sweep(tmp_path / "compare-stage", {"janus": [1, 2], "jitsi": [2, 3]}, {"janus": 4, "jitsi": 4})
    table, output = tmp_path / "out.csv", tmp_path / "out.svg"
    assert main(["systems", str(sweep), "--table", str(table), "-o", str(output)]) == 0
    said = capsys.readouterr().out
    assert main(["systems", str(table), "-o", str(output)]) == 0
    assert capsys.readouterr().out == said and "95% Student-t intervals" in drawn(output)
    assert main(["systems", str(table), "--matrix", "-o", str(output)]) == 0
    assert "switching, loss and freezes cost counts) [%]" in drawn(output)


def test_a_sweep_without_results_is_told(tmp_path, capsys):
    sweep = write_sweep(tmp_path / "compare-stage", {"janus": [1]}, {"janus": 2}, status="failed")
    assert main(["systems", str(sweep), "-o", str(tmp_path / "x.png")]) == 2
    assert "no run of" in capsys.readouterr().err


def chunk(kind, data):
    return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)


def test_repacking_keeps_the_pixels_and_joins_their_chunks():
    header, pixels = bytes([0, 0, 0, 200, 0, 0, 0, 3, 8, 0, 0, 0, 0]), (b"\0" + bytes(range(200))) * 3
    loose = zlib.compress(pixels, 0)
    start, end = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header), chunk(b"IEND", b"")
    packed = repacked(start + chunk(b"IDAT", loose[:100]) + chunk(b"IDAT", loose[100:]) + end)
    assert packed == start + chunk(b"IDAT", zlib.compress(pixels, 9)) + end
    assert len(packed) < len(loose)
