"""Time and memory over the number of watchers, as `Tests/Benchmarks/scale.py` measured them."""

import math
from pathlib import Path

import altair as alt
import pandas as pd

from meetsim_plots.palette import COLOURS, LINK
from meetsim_plots.results import PlotError, read_csv
from meetsim_plots.theme import dressed

NEEDED = ["estimator", "publishers", "watchers", "simulated_s", "packet_hops", "cpu_s", "peak_memory_bytes"]


def read_scale(path: Path) -> pd.DataFrame:
    """The benchmark's table; a missing one or missing columns are said."""
    table = read_csv(path)
    missing = [column for column in NEEDED if column not in table]
    if missing:
        raise PlotError(f"'{path}' lacks {', '.join(missing)}: write it with Tests/Benchmarks/scale.py")
    return table


def scale_chart(table: pd.DataFrame) -> alt.TopLevelMixin:
    """CPU time for each simulated second and peak memory over watchers, a line for each number of publishers."""
    data = table.assign(
        cpu_per_second=table["cpu_s"] / table["simulated_s"], memory_mb=table["peak_memory_bytes"] / 1e6
    )
    publishers = sorted(data["publishers"].unique())
    colours = alt.Scale(domain=publishers, range=COLOURS[: len(publishers)])

    def log_axis(values: pd.Series) -> dict[str, object]:
        low, high = math.floor(math.log10(values.min())), math.ceil(math.log10(values.max()))
        ticks = [10.0**power for power in range(low, high + 1)]
        axis = alt.Axis(values=ticks, labelExpr="'' + datum.value")
        return {"scale": alt.Scale(type="log", domain=[ticks[0], ticks[-1]], nice=False), "axis": axis}

    def panel(column: str, title: str) -> alt.LayerChart:
        base = alt.Chart(data).encode(
            x=alt.X("watchers:Q", title="watchers", **log_axis(data["watchers"])),
            y=alt.Y(f"{column}:Q", title=title, **log_axis(data[column])),
            color=alt.Color("publishers:O", title="publishers", scale=colours, legend=alt.Legend(symbolType="stroke")),
        )
        dashes = alt.StrokeDash(
            "estimator:N", title="estimator", legend=alt.Legend(symbolType="stroke", symbolStrokeColor=LINK)
        )
        lines = base.mark_line(strokeWidth=2).encode(strokeDash=dashes)
        points = base.mark_point(filled=True, size=30, opacity=1).encode(detail="estimator:N")
        return alt.layer(lines, points).properties(width=320, height=240)

    return dressed(
        alt.hconcat(panel("cpu_per_second", "CPU s per simulated s"), panel("memory_mb", "peak memory [MB]")),
        "What a meeting costs with those who watch",
        "everybody shows all publishers; a line of slope 1 costs each watcher the same",
    )
