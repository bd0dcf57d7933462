"""Rate against capacity, and the queue's delay below, of each case of `meetsim verify --series`, with its verdicts."""

import textwrap
from pathlib import Path

import altair as alt
import pandas as pd

from meetsim_plots.palette import COLOURS, LINK
from meetsim_plots.results import PlotError, natural, read_csv, read_words
from meetsim_plots.theme import dressed

COLUMNS = ["case", "quantity", "name", "time_s", "value"]
CHECK_COLUMNS = ["case", "metric", "published", "simulated", "verdict"]
WIDTH = 460
#: What a panel's text says of a verdict, in the order of the text.
VERDICTS = {"fail": "fails", "known-failure": "fails, as known", "skipped": "skipped"}


def read_series(path: Path) -> pd.DataFrame:
    """The series file; a missing one or other columns are said."""
    series = read_csv(path)
    if list(series.columns) != COLUMNS:
        raise PlotError(f"'{path}' needs the columns {', '.join(COLUMNS)}: write it with 'meetsim verify --series'")
    return series


def read_checks(path: Path) -> pd.DataFrame:
    """The checks of `meetsim verify --csv`."""
    checks = read_words(path)
    missing = [column for column in CHECK_COLUMNS if column not in checks]
    if missing:
        raise PlotError(f"'{path}' has no column {', '.join(missing)}: write it with 'meetsim verify --csv'")
    return checks


def verification_chart(series: pd.DataFrame, checks: pd.DataFrame | None = None, columns: int = 3) -> alt.TopLevelMixin:
    """A panel for each case that has series."""
    cases = list(series["case"].unique())
    if not cases:
        raise PlotError("there are no series: the cases that were run have none")
    verdicts = [verdict_lines(case, checks) for case in cases]
    rows = []
    for first in range(0, len(cases), columns):
        row = range(first, min(first + columns, len(cases)))
        # As many lines above each, so that the panels of a row stand side by side.
        count = max(len(verdicts[place]) for place in row)
        panels = [
            panel(
                series[series["case"] == cases[place]], cases[place],
                verdicts[place] + ["\u00a0"] * (count - len(verdicts[place])),
            )
            for place in row
        ]
        rows.append(alt.hconcat(*panels, spacing=26))
    chart = alt.vconcat(*rows, spacing=26)
    subtitle = "rates that arrive, against the bottleneck's capacity (grey), and the longest queue delay in 200 ms below"
    return dressed(chart, title_of(cases), subtitle)


def title_of(cases: list[str]) -> str:
    if all(case.startswith("rfc8867") for case in cases):
        return "Test cases of RFC 8867"
    return "Cases of meetsim verify"


def verdict_lines(case: str, checks: pd.DataFrame | None) -> list[str]:
    """How many of a case's checks hold, and what the others say."""
    if checks is None:
        return []
    own = checks[checks["case"] == case]
    if own.empty:
        return ["not checked"]
    held = int((own["verdict"] == "pass").sum())
    lines = [f"{held} of {len(own)} checks hold"]
    for verdict, words in VERDICTS.items():
        for row in own[own["verdict"] == verdict].itertuples():
            published = row.published.replace(" ", "\u00a0")
            text = f"{words}: {row.metric}: {row.simulated} (published\u00a0{published})"
            lines += textwrap.wrap(text, 88, subsequent_indent="   ")
    return lines


def panel(case: pd.DataFrame, name: str, verdicts: list[str]) -> alt.TopLevelMixin:
    """One case: rates above, queue delay below, on one time axis."""
    rates = case[case["quantity"] == "rate_kbps"]
    flows = rates[rates["name"] != "capacity"]
    end = float(case["time_s"].max())
    span = alt.Scale(domain=[0, end], nice=False)
    time = alt.X("time_s:Q", title=None, scale=span, axis=alt.Axis(labels=False, ticks=False, tickCount=8))
    extent = {"minExtent": 44, "maxExtent": 44}
    rate = alt.Y("value:Q", title="rate [kbit/s]", axis=alt.Axis(titlePadding=8, **extent))
    capacity = (
        alt.Chart(rates.loc[rates["name"] == "capacity", ["time_s", "value"]])
        .mark_area(interpolate="step-before", color=LINK, opacity=0.12)
        .encode(x=time, y=rate)
    )
    names = sorted(flows["name"].unique(), key=natural)
    lines = (
        alt.Chart(flows[["time_s", "value", "name"]])
        .mark_line(strokeWidth=1.3, clip=True)
        .encode(
            x=time, y=rate,
            color=alt.Color(
                "name:N", title=None,
                scale=alt.Scale(domain=names, range=[COLOURS[place % len(COLOURS)] for place in range(len(names))]),
                legend=alt.Legend(orient="top", direction="horizontal", symbolType="stroke", offset=4, padding=0, columns=4),
            ),
        )
    )
    delay = (
        alt.Chart(case.loc[case["quantity"] == "queue_delay_ms", ["time_s", "value"]])
        .mark_line(strokeWidth=1, color=LINK)
        .encode(
            x=alt.X("time_s:Q", title="time [s]", scale=span, axis=alt.Axis(tickCount=8)),
            y=alt.Y("value:Q", title="queue [ms]", axis=alt.Axis(tickCount=3, titlePadding=8, **extent)),
        )
        .properties(width=WIDTH, height=70)
    )
    title = alt.TitleParams(name, subtitle=verdicts, anchor="start", fontSize=14, subtitleFontSize=11, offset=6)
    above = (capacity + lines).properties(width=WIDTH, height=180)
    return alt.vconcat(above, delay, spacing=4, title=title).resolve_scale(color="independent")
