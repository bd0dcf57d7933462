"""Time and memory over the number of watchers, as `Tests/Benchmarks/scale.py` measured them."""

from pathlib import Path

import altair as alt
import pandas as pd

from meetsim_plots.palette import COLOURS
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

    def panel(column: str, title: str) -> alt.Chart:
        return (
            alt.Chart(data)
            .mark_line(point=True)
            .encode(
                x=alt.X("watchers:Q", title="watchers", scale=alt.Scale(type="log")),
                y=alt.Y(f"{column}:Q", title=title, scale=alt.Scale(type="log")),
                color=alt.Color("publishers:O", title="publishers", scale=colours),
                strokeDash=alt.StrokeDash("estimator:N", title="estimator", legend=alt.Legend(symbolType="stroke")),
            )
            .properties(width=320, height=240)
        )

    return dressed(
        alt.hconcat(panel("cpu_per_second", "CPU s per simulated s"), panel("memory_mb", "peak memory [MB]")),
        "What a meeting costs with those who watch",
        "everybody shows all publishers; a line of slope 1 costs each watcher the same",
    )
