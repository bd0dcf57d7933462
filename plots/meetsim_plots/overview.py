"""Who saw whom how well: every viewer against every source."""

import altair as alt
import pandas as pd

from meetsim_plots.palette import SHARES, luminance
from meetsim_plots.results import PlotError, Run, is_unseen, natural
from meetsim_plots.theme import dressed

#: As many as are readable; those who fared worst are kept.
MOST = 40
#: As those of shares, the same in every picture, so that two runs can be compared by eye.
HEIGHTS = (
    [1, 90, 180, 270, 360, 540, 720, 1080],
    ["#67001f", "#eef3c0", "#cfe8b5", "#97d4b9", "#5cbac2", "#3098bf", "#2569ac", "#243a93", "#0b1d58"],
)
UNASKED = "#e4e4e4"
PANELS = [
    ("share", "share of time at the height that was asked for", "%", SHARES),
    ("height", "median decoded height, 0 for nothing", "px", HEIGHTS),
]


def overview_chart(run: Run) -> alt.TopLevelMixin:
    """Two matrices: the share of time at the asked height, and the median height."""
    pairs = pair_values(run.streams)
    viewers, sources = worst(pairs, "viewer"), worst(pairs, "source")
    left_out = [
        f"{len(kept)} of {pairs[key].nunique()} {key}s, those with the lowest share"
        for key, kept in [("viewer", viewers), ("source", sources)] if len(kept) < pairs[key].nunique()
    ]
    shown = pairs[pairs["viewer"].isin(viewers) & pairs["source"].isin(sources)]
    panels = [panel(shown, viewers, sources, *each) for each in PANELS]
    spacing = 46
    beside = alt.hconcat if len(sources) <= 12 else alt.vconcat
    chart = beside(*panels, spacing=spacing).resolve_scale(color="independent")
    subtitle = [
        f"what every viewer received of every source · seed {run.seed}",
        "over the time in which the tile was asked for and the source was not muted; grey –: never",
        *left_out,
    ]
    return dressed(chart, run.scenario, subtitle)


def pair_values(streams: pd.DataFrame) -> pd.DataFrame:
    """Share of time [%] and median height [px] of each pair, over the time in which it was asked for."""
    rows = streams[~is_unseen(streams)]
    if rows.empty:
        raise PlotError("no viewer ever asked for a source that was there")
    height = rows["frame_height_px"].fillna(0)
    rows = rows.assign(height=height, share=(height >= rows["requested_height_px"]) * 100.0)
    return rows.groupby(["viewer", "source"], as_index=False).agg(
        share=("share", "mean"), height=("height", "median")
    )


def worst(pairs: pd.DataFrame, key: str) -> list[str]:
    """The names in their natural order; of too many, those with the lowest mean share."""
    shares = pairs.groupby(key)["share"].mean()
    kept = sorted(shares.index, key=lambda name: (shares[name], natural(name)))[:MOST]
    return sorted(kept, key=natural)


def panel(
    pairs: pd.DataFrame, viewers: list[str], sources: list[str], column: str, title: str, unit: str,
    colours: tuple[list[int], list[str]],
) -> alt.LayerChart:
    """One matrix, with its numbers."""
    cell = 44 if max(len(viewers), len(sources)) <= 12 else 28
    every = pd.MultiIndex.from_product([viewers, sources], names=["viewer", "source"])
    table = pairs.set_index(["viewer", "source"])[column].reindex(every).reset_index()
    table["text"] = ["–" if pd.isna(value) else f"{value:.0f}" for value in table[column]]
    limits, shades = colours
    base = alt.Chart(table).encode(
        x=alt.X("source:N", sort=sources, title="source", axis=alt.Axis(labelAngle=-45, orient="bottom", labelLimit=140)),
        y=alt.Y("viewer:N", sort=viewers, title="viewer", axis=alt.Axis(labelLimit=140)),
    )
    blank = base.mark_rect(color=UNASKED, stroke="#f8f8f8")
    cells = (
        base.transform_filter(f"isValid(datum.{column})")
        .mark_rect(stroke="#f8f8f8")
        .encode(
            color=alt.Color(
                f"{column}:Q", title=f"[{unit}]", scale=alt.Scale(type="threshold", domain=limits, range=shades),
                legend=alt.Legend(symbolType="square"),
            )
        )
    )
    text = base.mark_text(fontSize=12 if cell > 30 else 10).encode(
        text="text:N", color=alt.Color("text:N", legend=None, scale=text_scale(table, column, limits, shades))
    )
    return (
        alt.layer(blank, cells, text)
        .resolve_scale(color="independent")
        .properties(
            width=cell * len(sources), height=cell * len(viewers),
            title=alt.TitleParams(f"{title} [{unit}]", anchor="start", fontSize=13, fontWeight="normal"),
        )
    )


def text_scale(table: pd.DataFrame, column: str, limits: list[int], shades: list[str]) -> alt.Scale:
    """Light figures on dark cells, dark ones on light cells."""
    colours = {}
    for text, value in zip(table["text"], table[column], strict=True):
        place = sum(value >= limit for limit in limits)
        colours[text] = "#222222" if pd.isna(value) or luminance(shades[place]) > 0.3 else "#f8f8f8"
    return alt.Scale(domain=list(colours), range=list(colours.values()))
