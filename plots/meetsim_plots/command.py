"""The command line."""

import argparse
import sys
from pathlib import Path

from meetsim_plots.results import PlotError, open_run


def parser() -> argparse.ArgumentParser:
    """What can be asked for."""
    root = argparse.ArgumentParser(
        prog="plot.py", description="Draws pictures of a meetsim result directory, as PNG and SVG."
    )
    commands = root.add_subparsers(dest="command", required=True, metavar="COMMAND")
    viewer = commands.add_parser(
        "viewer", help="height, frame rate and bit rate of all that one viewer received, over time"
    )
    viewer.add_argument("directory", type=Path, metavar="RESULT_DIR", help="what 'meetsim run -o' wrote")
    viewer.add_argument("--viewer", required=True, metavar="ID", help="whose view, such as student-1")
    viewer.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: VIEWER.png")
    overview = commands.add_parser(
        "overview", help="every viewer against every source: time at the asked height and median height"
    )
    overview.add_argument("directory", type=Path, metavar="RESULT_DIR", help="what 'meetsim run -o' wrote")
    overview.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: overview.png")
    sweep = commands.add_parser(
        "sweep", help="metrics over the points of a sweep, with intervals: lines and panels by variable"
    )
    sweep.add_argument("directory", type=Path, metavar="SWEEP_DIR", help="what 'meetsim sweep -o' wrote")
    sweep.add_argument(
        "--metric", action="append", metavar="NAME", help="such as bitrate; may be repeated (default: bitrate)"
    )
    sweep.add_argument("--x", metavar="VARIABLE", help="default: the number with the most values")
    sweep.add_argument("--line", metavar="VARIABLE", help="default: the first that is left")
    sweep.add_argument("--panel", metavar="VARIABLE", help="default: the next that is left")
    sweep.add_argument("--viewer", metavar="ID", help="where the metric has several")
    sweep.add_argument("--source", metavar="ID", help="where the metric has several")
    sweep.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: sweep.png")
    verification = commands.add_parser(
        "verification", help="rate against capacity of the cases of 'meetsim verify --series FILE'"
    )
    verification.add_argument("series", type=Path, metavar="FILE", help="what 'meetsim verify --series' wrote")
    verification.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: verification.png")
    sfu = commands.add_parser(
        "sfu", help="recorded meetings of an SFU above simulated ones, as 'meetsim verify --sfu' compares them"
    )
    sfu.add_argument("recordings", type=Path, metavar="DIR", help="NAME.csv and, if there, NAME-server.csv")
    sfu.add_argument("--simulated", type=Path, metavar="DIR", help="what 'meetsim verify --sfu DIR -o' wrote")
    sfu.add_argument("--only", action="append", default=[], metavar="NAME", help="how names begin; may be repeated")
    sfu.add_argument("-o", "--output", type=Path, metavar="DIR", help="folder of the pictures (default: this one)")
    scale = commands.add_parser("scale", help="time and memory over the number of watchers, as benchmarked")
    scale.add_argument("table", type=Path, metavar="FILE", help="what 'Tests/Benchmarks/scale.py' wrote")
    scale.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: scale.png")
    systems = commands.add_parser(
        "systems", help="all systems over meetings and links, as results/compare-systems.sh sweeps them"
    )
    systems.add_argument("sweeps", type=Path, nargs="+", metavar="SWEEP_DIR", help="one for each meeting")
    systems.add_argument(
        "--seat", action="append", metavar="ID",
        help="who is behind the link, with ID-1, ID-2 and so on; may be repeated (default: viewer, student)",
    )
    systems.add_argument("--metric", default="utility_share", metavar="NAME", help="what is drawn (utility_share)")
    systems.add_argument("--baseline", default="janus", metavar="SYSTEM", help="differences are from it (janus)")
    systems.add_argument("--table", type=Path, metavar="FILE", help="writes the means and differences as CSV")
    systems.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: systems.png")
    report = commands.add_parser(
        "report", help="one HTML page of a run, two runs or a sweep, to be opened in a browser without a network"
    )
    report.add_argument("directories", type=Path, nargs="+", metavar="DIR", help="a result directory, or two of runs")
    report.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: report.html")
    return root


def main(arguments: list[str] | None = None) -> int:
    """Draws what the arguments ask for; returns the exit code."""
    options = parser().parse_args(arguments)
    if options.command == "report":
        return write_report_of(options)
    # Altair takes a second to import: wrong arguments are told at once.
    from meetsim_plots.overview import overview_chart
    from meetsim_plots.scale import read_scale, scale_chart
    from meetsim_plots.sfu import draw_all
    from meetsim_plots.sweep import open_sweep, sweep_chart
    from meetsim_plots.systems import overall, read_comparison, systems_chart, systems_table, write_table
    from meetsim_plots.theme import save
    from meetsim_plots.verification import read_series, verification_chart
    from meetsim_plots.viewer import viewer_chart

    try:
        if options.command == "verification":
            chart = verification_chart(read_series(options.series))
            for path in save(chart, options.output or Path("verification.png"), scale=1):
                print(path)
            return 0
        if options.command == "sfu":
            for path in draw_all(options.recordings, options.simulated, options.only, options.output or Path(".")):
                print(path)
            return 0
        if options.command == "scale":
            for path in save(scale_chart(read_scale(options.table)), options.output or Path("scale.png"), scale=1.5):
                print(path)
            return 0
        if options.command == "systems":
            comparison = read_comparison(options.sweeps, options.seat or ["viewer", "student"])
            table = systems_table(comparison, options.baseline)
            chart = systems_chart(table, options.metric)
            if options.table:
                write_table(table, options.table)
            for path in save(chart, options.output or Path("systems.png"), scale=1):
                print(path)
            print(overall(table))
            return 0
        if options.command == "sweep":
            sweep = open_sweep(options.directory)
            chart = sweep_chart(
                sweep, options.metric or ["bitrate"], options.x, options.line, options.panel, options.viewer,
                options.source,
            )
            for path in save(chart, options.output or Path("sweep.png"), scale=1.5):
                print(path)
            return 0
        run = open_run(options.directory)
        if options.command == "viewer":
            output = options.output or Path(f"{options.viewer.replace('/', '-')}.png")
            paths = save(viewer_chart(run, options.viewer), output)
        else:
            paths = save(overview_chart(run), options.output or Path("overview.png"))
    except PlotError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for path in paths:
        print(path)
    return 0


def write_report_of(options: argparse.Namespace) -> int:
    """Writes a report, which needs no Altair; returns the exit code."""
    from meetsim_plots.report.command import write_report

    try:
        print(write_report(options.directories, options.output or Path("report.html")))
    except PlotError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0
