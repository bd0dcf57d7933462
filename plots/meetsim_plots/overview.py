"""Who saw whom how well: every viewer against every source."""

import altair as alt
import pandas as pd

from meetsim_plots.results import PlotError, Run, natural
from meetsim_plots.theme import dressed

NOT_ASKED_STATES = ["hidden", "muted", "absent"]
MOST_LABELLED = 16


def overview_chart(run: Run) -> alt.TopLevelMixin:
    """Two heat maps: the share of time at the asked height, and the median height."""
    pairs = pair_values(run.streams)
    viewers = sorted(pairs["viewer"].unique(), key=natural)
    sources = sorted(pairs["source"].unique(), key=natural)
    panels = [
        panel(pairs, viewers, sources, "share", "share of time at the asked height", "%", ".0f", [0, 100]),
        panel(pairs, viewers, sources, "height", "median height", "px", ".0f", None),
    ]
    chart = alt.hconcat(*panels, spacing=40).resolve_scale(color="independent")
    return dressed(chart, run.scenario, f"what every viewer received of every source · seed {run.seed}")


def pair_values(streams: pd.DataFrame) -> pd.DataFrame:
    """Share of time [%] and median height [px] of each pair, over the time in which it was asked for."""
    asked = streams["requested_height_px"].fillna(0) > 0
    rows = streams[asked & ~streams["state"].isin(NOT_ASKED_STATES)]
    if rows.empty:
        raise PlotError("no viewer ever asked for a source that was there")
    height = rows["frame_height_px"].fillna(0)
    rows = rows.assign(height=height, share=(height >= rows["requested_height_px"]) * 100.0)
    return rows.groupby(["viewer", "source"], as_index=False).agg(
        share=("share", "mean"), height=("height", "median")
    )


def panel(
    pairs: pd.DataFrame, viewers: list[str], sources: list[str], column: str, title: str, unit: str,
    number: str, domain: list[float] | None,
) -> alt.LayerChart:
    """One heat map, with numbers in its cells while these are large enough."""
    cell = max(14, min(46, 620 // max(len(viewers), len(sources))))
    scale = alt.Scale(scheme="viridis", domain=domain or [0, max(float(pairs[column].max()), 1)])
    base = alt.Chart(pairs).encode(
        x=alt.X("source:N", sort=sources, title="source", axis=alt.Axis(labelAngle=-45, orient="bottom")),
        y=alt.Y("viewer:N", sort=viewers, title="viewer"),
    )
    cells = base.mark_rect(stroke="white").encode(
        color=alt.Color(f"{column}:Q", title=f"[{unit}]", scale=scale)
    )
    layers = [cells]
    if len(viewers) <= MOST_LABELLED and len(sources) <= MOST_LABELLED:
        middle = (scale.domain[1] + scale.domain[0]) * 0.6
        layers.append(
            base.mark_text(fontSize=11).encode(
                text=alt.Text(f"{column}:Q", format=number),
                color=alt.condition(
                    f"datum.{column} > {middle}", alt.value("black"), alt.value("white")
                ),
            )
        )
    return alt.layer(*layers).properties(
        width=cell * len(sources), height=cell * len(viewers),
        title=alt.TitleParams(f"{title} [{unit}]", anchor="start", fontSize=13, fontWeight="normal"),
    )
