"""The command line."""

import argparse
import sys
from pathlib import Path

from meetsim_plots.results import PlotError


def parser() -> argparse.ArgumentParser:
    """What can be asked for."""
    root = argparse.ArgumentParser(
        prog="plot.py",
        description="Draws pictures of meetsim's results; the suffix of -o, .png, .svg or .pdf, is the format.",
    )
    commands = root.add_subparsers(dest="command", required=True, metavar="COMMAND")
    viewer = command(
        commands, "viewer", "height, frame rate and bit rate of all that one viewer received, over time", "VIEWER.png"
    )
    viewer.add_argument("directory", type=Path, metavar="RESULT_DIR", help="what 'meetsim run -o' wrote")
    viewer.add_argument("--viewer", metavar="ID", help="whose view, such as student-1 (default: the worst one)")
    overview = command(
        commands, "overview", "every viewer against every source: time at the asked height and median height"
    )
    overview.add_argument("directory", type=Path, metavar="RESULT_DIR", help="what 'meetsim run -o' wrote")
    ecdf = command(commands, "ecdf", "how a metric is spread over viewers or tiles: a curve for each run or variant")
    ecdf.add_argument("directories", type=Path, nargs="+", metavar="DIR", help="runs, or one sweep")
    ecdf.add_argument("--metric", metavar="NAME", help="such as frame_height (default: utility or what is there)")
    ecdf.add_argument("--line", metavar="VARIABLE", help="of a sweep: a curve for each of its values")
    add_choice(ecdf)
    sweep = command(
        commands, "sweep", "metrics over the points of a sweep, with intervals: lines and panels by variable"
    )
    sweep.add_argument(
        "directory", type=Path, metavar="SWEEP_DIR", help="what 'meetsim sweep -o' wrote, or its summary.csv"
    )
    sweep.add_argument(
        "--metric", action="append", default=[], metavar="NAME",
        help="such as bitrate; may be repeated (default: utility or what is there)",
    )
    sweep.add_argument("--x", metavar="VARIABLE", help="default: the number with the most values")
    sweep.add_argument("--line", metavar="VARIABLE", help="default: the first that is left")
    sweep.add_argument("--panel", metavar="VARIABLE", help="default: the next that is left")
    sweep.add_argument(
        "--at", action="append", default=[], metavar="VARIABLE=VALUE",
        help="fixes another variable; may be repeated (default: its first value)",
    )
    add_choice(sweep)
    verification = command(
        commands, "verification", "rate against capacity of the cases of 'meetsim verify --series FILE'", scale=1
    )
    verification.add_argument("series", type=Path, metavar="FILE", help="what 'meetsim verify --series' wrote")
    verification.add_argument(
        "--checks", type=Path, metavar="FILE", help="what 'meetsim verify --csv' printed: the verdicts"
    )
    call = command(commands, "call", "a recorded call beside simulated ones: rate, height and frame rate")
    call.add_argument(
        "recording", type=Path, metavar="FILE", help="p2p-NAME.csv or sim-NAME.csv, as for 'meetsim verify --calls'"
    )
    call.add_argument(
        "--simulated", type=Path, nargs="+", default=[], metavar="RESULT_DIR",
        help="runs of the same call, one for each seed",
    )
    sfu = commands.add_parser(
        "sfu", help="recorded meetings of an SFU beside simulated ones, as 'meetsim verify --sfu' compares them"
    )
    sfu.set_defaults(parser=sfu)
    sfu.add_argument("recordings", type=Path, metavar="DIR", help="NAME.csv and, if there, NAME-server.csv")
    sfu.add_argument("--simulated", type=Path, metavar="DIR", help="what 'meetsim verify --sfu DIR -o' wrote")
    sfu.add_argument("--only", action="append", default=[], metavar="NAME", help="how names begin; may be repeated")
    sfu.add_argument("--format", choices=["png", "svg", "pdf"], default="svg", help="of the pictures (svg)")
    sfu.add_argument("-o", "--output", type=Path, metavar="DIR", help="folder of the pictures (default: this one)")
    add_scale(sfu)
    scale = command(commands, "scale", "time and memory over the number of watchers, as benchmarked")
    scale.add_argument("table", type=Path, metavar="FILE", help="what 'Tests/Benchmarks/scale.py' wrote")
    systems = command(
        commands, "systems", "all systems over meetings and links, as results/compare-systems.sh sweeps them", scale=1
    )
    systems.add_argument(
        "sweeps", type=Path, nargs="+", metavar="SWEEP_DIR", help="one for each meeting, or a table that --table wrote"
    )
    systems.add_argument(
        "--seat", action="append", metavar="ID",
        help="who is behind the link, with ID-1, ID-2 and so on; may be repeated (default: viewer, student)",
    )
    systems.add_argument("--metric", default="utility_share", metavar="NAME", help="what is drawn (utility_share)")
    systems.add_argument("--matrix", action="store_true", help="shares as numbers, without intervals")
    systems.add_argument("--baseline", default="janus", metavar="SYSTEM", help="differences are from it (janus)")
    systems.add_argument("--table", type=Path, metavar="FILE", help="writes the means and differences as CSV")
    media = command(
        commands, "media", "forms of sending a camera through SFUs, as results/compare-scalable.sh sweeps them", scale=1
    )
    media.add_argument(
        "sweeps", type=Path, nargs="+", metavar="SWEEP_DIR", help="one for each meeting, or a table that --table wrote"
    )
    media.add_argument("--seat", default="viewer", metavar="ID", help="who is behind the link (viewer)")
    media.add_argument("--metric", default="screen", metavar="NAME", help="what is drawn (screen)")
    media.add_argument("--baseline", default="vp8-simulcast", metavar="MEDIUM", help="differences are from it (vp8-simulcast)")
    media.add_argument("--table", type=Path, metavar="FILE", help="writes the means and differences as CSV")
    return root


def command(
    commands, name: str, text: str, output: str | None = None, scale: float = 1.5
) -> argparse.ArgumentParser:
    """A subcommand that writes one file."""
    added = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
    added.add_argument("-o", "--output", type=Path, metavar="FILE", help=f"default: {output or name + '.png'}")
    add_scale(added, scale)
    added.set_defaults(parser=added)
    return added


def add_scale(subcommand: argparse.ArgumentParser, scale: float = 1.5) -> None:
    subcommand.add_argument("--scale", type=float, default=scale, metavar="N", help=f"pixels of a PNG by point ({scale:g})")


def add_choice(subcommand: argparse.ArgumentParser) -> None:
    """Which of a metric's values are meant."""
    subcommand.add_argument("--scope", metavar="SCOPE", help="meeting, participant, tile or link")
    subcommand.add_argument("--viewer", metavar="ID", help="who received it")
    subcommand.add_argument("--source", metavar="ID", help="whom a tile shows, or a link")
    subcommand.add_argument("--stat", metavar="STAT", help="such as mean, p50, max, total")


def main(arguments: list[str] | None = None) -> int:
    """Draws what the arguments ask for; returns the exit code."""
    options, unknown = parser().parse_known_args(arguments)
    if unknown:
        # With the usage of the subcommand, whose options are meant.
        options.parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    # Altair takes a second to import: wrong arguments are told at once.
    try:
        from meetsim_plots.draw import draw

        for line in draw(options):
            print(line)
    except PlotError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0
