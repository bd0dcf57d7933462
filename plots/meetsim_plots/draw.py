"""From the command line's options to files."""

import argparse
from collections.abc import Iterator
from pathlib import Path

import altair as alt

from meetsim_plots.call import call_chart, read_call, read_simulated_call
from meetsim_plots.ecdf import ecdf_chart
from meetsim_plots.media import media_chart, media_rows, read_media
from meetsim_plots.metrics import Choice
from meetsim_plots.overview import overview_chart
from meetsim_plots.results import PlotError, open_run
from meetsim_plots.scale import read_scale, scale_chart
from meetsim_plots.sfu import draw_all
from meetsim_plots.sweep import open_sweep, sweep_chart
from meetsim_plots.systems import overall, read_systems, systems_chart, systems_matrix, write_table
from meetsim_plots.theme import check_format, save
from meetsim_plots.verification import read_checks, read_series, verification_chart
from meetsim_plots.viewer import viewer_chart, worst_viewer


def draw(options: argparse.Namespace) -> Iterator[str | Path]:
    """Writes what the options ask for; yields the lines to print."""
    if options.command == "sfu":
        yield from draw_all(
            options.recordings, options.simulated, options.only, options.output or Path("."), options.format,
            options.scale,
        )
        return
    if options.command == "viewer":
        run = open_run(options.directory)
        viewer = options.viewer or worst_viewer(run.streams)
        output = options.output or Path(f"{viewer.replace('/', '-')}.png")
        check_format(output)
        yield save(viewer_chart(run, viewer), output, options.scale)
        return
    output = options.output or Path(f"{options.command}.png")
    check_format(output)
    if options.command == "systems":
        table = read_systems(options.sweeps, options.seat or ["viewer", "student"], options.baseline)
        chart = (systems_matrix if options.matrix else systems_chart)(table, options.metric)
        if options.table:
            write_table(table, options.table)
        yield save(chart, output, options.scale)
        yield overall(table)
        return
    if options.command == "media":
        table = read_media(options.sweeps, options.seat, options.baseline)
        if options.table:
            write_table(table, options.table)
        yield save(media_chart(table, options.metric), output, options.scale)
        yield media_rows(table)
        return
    yield save(chart_of(options), output, options.scale)


def chart_of(options: argparse.Namespace) -> alt.TopLevelMixin:
    """The picture of a command that draws one and prints nothing else."""
    match options.command:
        case "overview":
            return overview_chart(open_run(options.directory))
        case "verification":
            checks = read_checks(options.checks) if options.checks else None
            return verification_chart(read_series(options.series), checks)
        case "scale":
            return scale_chart(read_scale(options.table))
        case "call":
            simulated = [read_simulated_call(directory) for directory in options.simulated]
            return call_chart(options.recording.stem, read_call(options.recording), simulated)
    choice = Choice(options.scope, options.viewer, options.source, options.stat)
    if options.command == "ecdf":
        return ecdf_chart(options.directories, options.metric, choice, options.line)
    at = dict(pair(text) for text in options.at)
    sweep = open_sweep(options.directory)
    return sweep_chart(sweep, options.metric, choice, options.x, options.line, options.panel, at)


def pair(text: str) -> tuple[str, str]:
    """`VARIABLE=VALUE`."""
    name, sign, value = text.partition("=")
    if not (name and sign and value):
        raise PlotError(f"'{text}' must be VARIABLE=VALUE")
    return name.strip(), value.strip()
