"""What `plot.py report` does: one page of a run, of two runs, or of a sweep."""

from pathlib import Path

from meetsim_plots.report.page import page, write_page
from meetsim_plots.report.run_data import run_data
from meetsim_plots.report.sweep_data import is_sweep, sweep_data
from meetsim_plots.results import PlotError


def write_report(directories: list[Path], output: Path) -> Path:
    """Writes the report of one or two directories."""
    if len(directories) > 2:
        raise PlotError("a report shows one result directory or two")
    if output.suffix not in (".html", ".htm"):
        raise PlotError(f"'{output}' must end in .html")
    if any(is_sweep(directory) for directory in directories):
        if len(directories) > 1:
            raise PlotError("a report shows one sweep, or one run, or two runs")
        data = sweep_data(directories[0])
        write_page(output, page(f"{data['header']['name']} · meetsim", {"kind": "sweep"} | data))
        return output
    runs = [run_data(directory) for directory in directories]
    if len(runs) == 2 and not set(runs[0]["viewers"]) & set(runs[1]["viewers"]):
        raise PlotError(f"nobody watches in both '{directories[0]}' and '{directories[1]}'")
    write_page(output, page(run_title(runs), {"kind": "run", "runs": runs}))
    return output


def run_title(runs: list[dict]) -> str:
    """The name of the page."""
    return " and ".join(run["header"]["scenario"] for run in runs) + " · meetsim"
