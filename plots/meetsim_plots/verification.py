"""Rate against capacity, and the queue's delay below, of each case of `meetsim verify --series`."""

from pathlib import Path

import altair as alt
import pandas as pd

from meetsim_plots.palette import COLOURS, LINK
from meetsim_plots.results import PlotError, read_csv
from meetsim_plots.theme import dressed

COLUMNS = ["case", "quantity", "name", "time_s", "value"]
WIDTH = 520


def read_series(path: Path) -> pd.DataFrame:
    """The series file; a missing one or other columns are said."""
    series = read_csv(path)
    if list(series.columns) != COLUMNS:
        raise PlotError(f"'{path}' needs the columns {', '.join(COLUMNS)}: write it with 'meetsim verify --series'")
    return series


def verification_chart(series: pd.DataFrame, columns: int = 3) -> alt.TopLevelMixin:
    """A panel for each case that has series."""
    cases = list(series["case"].unique())
    if not cases:
        raise PlotError("there are no series: the cases that were run have none")
    flows = series[(series["quantity"] == "rate_kbps") & (series["name"] != "capacity")]
    names = sorted(flows["name"].unique())
    colours = alt.Scale(domain=names, range=[COLOURS[place % len(COLOURS)] for place in range(len(names))])
    panels = [panel(series[series["case"] == case], case, colours) for case in cases]
    rows = [alt.hconcat(*panels[first : first + columns]) for first in range(0, len(panels), columns)]
    return dressed(
        alt.vconcat(*rows), "Test cases of RFC 8867",
        "rates that arrive, against the bottleneck's capacity (grey), and the longest queue delay in 200 ms below",
    )


def panel(case: pd.DataFrame, title: str, colours: alt.Scale) -> alt.TopLevelMixin:
    """One case: rates above, queue delay below, on one time axis."""
    rates = case[case["quantity"] == "rate_kbps"]
    flows = rates[rates["name"] != "capacity"]
    time = alt.X("time_s:Q", title=None, axis=alt.Axis(labels=False, ticks=False))
    capacity = (
        alt.Chart(rates[rates["name"] == "capacity"])
        .mark_area(interpolate="step-before", color=LINK, opacity=0.12)
        .encode(x=time, y=alt.Y("value:Q", title="rate [kbit/s]"))
    )
    lines = (
        alt.Chart(flows)
        .mark_line(strokeWidth=1.3, clip=True)
        .encode(
            x=time,
            y="value:Q",
            color=alt.Color("name:N", title=None, scale=colours, legend=None),
        )
    )
    delay = (
        alt.Chart(case[case["quantity"] == "queue_delay_ms"])
        .mark_line(strokeWidth=1, color=LINK)
        .encode(x=alt.X("time_s:Q", title="time [s]"), y=alt.Y("value:Q", title="queue [ms]"))
        .properties(width=WIDTH, height=70)
    )
    return alt.vconcat((capacity + lines).properties(width=WIDTH, height=190, title=title), delay, spacing=4)
