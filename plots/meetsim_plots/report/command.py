"""What `plot.py report` does: one page of a run, of two runs, or of a sweep."""

from pathlib import Path

from meetsim_plots.report.page import page, write_page
from meetsim_plots.report.run_data import run_data
from meetsim_plots.results import PlotError


def write_report(directories: list[Path], output: Path) -> Path:
    """Writes the report of one or two directories."""
    if len(directories) > 2:
        raise PlotError("a report shows one result directory or two")
    if output.suffix not in (".html", ".htm"):
        raise PlotError(f"'{output}' must end in .html")
    runs = [run_data(directory) for directory in directories]
    write_page(output, page(run_title(runs), {"kind": "run", "runs": runs}))
    return output


def run_title(runs: list[dict]) -> str:
    """The name of the page."""
    return " and ".join(run["header"]["scenario"] for run in runs) + " · meetsim"
