"""What one viewer got over time: height, frame rate and bit rate of each source."""

import altair as alt
import pandas as pd

from meetsim_plots.palette import COLOURS, LINK, OTHERS
from meetsim_plots.results import PlotError, Run, interval_of, natural
from meetsim_plots.theme import dressed

WIDTH = 860
MOST_SOURCES = len(COLOURS)
LINES = {
    "delivered": [1, 0],
    "requested": [5, 4],
    "downlink capacity": [1, 0],
    "bandwidth estimate": [2, 2],
}


def viewer_chart(run: Run, viewer: str) -> alt.TopLevelMixin:
    """The picture of one viewer."""
    streams = run.streams
    rows = streams[streams["viewer"] == viewer]
    if rows.empty:
        known = sorted(streams["viewer"].unique())
        names = ", ".join(known[:10]) + (", …" if len(known) > 10 else "")
        raise PlotError(f"nobody called '{viewer}' watches in '{run.directory}'; viewers are {names}")
    interval = interval_of(streams["time_s"])
    rows, others = with_few_sources(rows.copy())
    sources = source_order(rows, others)
    rows = complete(rows, sources)
    lines = stairs(rows, interval)
    colour = alt.Color(
        "source:N",
        title="Source",
        scale=alt.Scale(
            domain=sources,
            range=[OTHERS if name == others else COLOURS[i] for i, name in enumerate(sources)],
        ),
        legend=alt.Legend(symbolType="stroke", symbolOpacity=1),
    )
    end = float(rows["time_s"].max())
    span = alt.Scale(domain=[0, end], nice=False)
    time = alt.X(
        "time_s:Q", title=None, scale=span, axis=alt.Axis(labels=False, ticks=False, tickCount=12)
    )
    last_time = alt.X(
        "time_s:Q", title="time in the meeting [s]", scale=span, axis=alt.Axis(tickCount=12)
    )
    chart = alt.vconcat(
        height_panel(lines, sources, colour, time),
        rate_panel(lines, sources, colour, time),
        bitrate_panel(run, viewer, rows, sources, colour, last_time, interval),
        spacing=12,
    ).resolve_scale(color="shared", strokeDash="shared")
    subtitle = f"what {viewer} received · seed {run.seed}"
    return dressed(chart, run.scenario, subtitle)


def with_few_sources(rows: pd.DataFrame) -> tuple[pd.DataFrame, str | None]:
    """Keeps the sources that were asked for and seen largest; makes one mean source of the others."""
    size = rows.assign(
        asked=rows["requested_height_px"].fillna(0), seen=rows["frame_height_px"].fillna(0)
    )
    ranks = size.groupby("source")[["asked", "seen"]].mean().reset_index()
    ranks = ranks.sort_values("source", key=lambda names: names.map(natural))
    ranks = ranks.sort_values(["asked", "seen"], ascending=False, kind="stable")
    if len(ranks) <= MOST_SOURCES:
        return rows, None
    kept = set(ranks["source"].head(MOST_SOURCES - 1))
    rest = rows[~rows["source"].isin(kept)]
    name = f"{len(ranks) - len(kept)} others (mean; bit rates added)"
    summed = rest.groupby("time_s", as_index=False).agg(
        requested_height_px=("requested_height_px", "mean"),
        frame_height_px=("frame_height_px", "mean"),
        frames_per_second=("frames_per_second", "mean"),
        bitrate_bps=("bitrate_bps", "sum"),
    )
    return pd.concat([rows[rows["source"].isin(kept)], summed.assign(source=name)]), name


def source_order(rows: pd.DataFrame, others: str | None) -> list[str]:
    """The sources, largest first and the others last."""
    asked = rows.groupby("source")["requested_height_px"].mean().fillna(0)
    return sorted(asked.index, key=lambda name: (name == others, -asked[name], natural(name)))



def complete(rows: pd.DataFrame, sources: list[str]) -> pd.DataFrame:
    """Gives every source a row at every time."""
    times = sorted(rows["time_s"].unique())
    index = pd.MultiIndex.from_product([sources, times], names=["source", "time_s"])
    values = ["requested_height_px", "frame_height_px", "frames_per_second", "bitrate_bps"]
    table = rows.set_index(["source", "time_s"])[values].reindex(index).reset_index()
    table["bitrate_bps"] = table["bitrate_bps"].fillna(0)
    return table


def begun(table: pd.DataFrame, interval: float) -> pd.DataFrame:
    """The table with its first rows once more, at the beginning of their interval: a row tells of its end."""
    first = table[table["time_s"] == table["time_s"].min()]
    first = first.assign(time_s=(first["time_s"] - interval).clip(lower=0))
    return pd.concat([first, table], ignore_index=True)


def stairs(table: pd.DataFrame, interval: float) -> pd.DataFrame:
    """The table with two rows for each: its interval's beginning and end. Gaps stay gaps."""
    starts = table.assign(time_s=(table["time_s"] - interval).clip(lower=0), part=0)
    both = pd.concat([starts, table.assign(part=1)])
    # At an instant the old value's end comes before the new one's beginning.
    both = both.sort_values(["source", "time_s", "part"], ascending=[True, True, False], kind="stable")
    return both.drop(columns="part").reset_index(drop=True)


def offsets(rows: pd.DataFrame, sources: list[str], step: float) -> dict[str, float]:
    """How far each source's line is moved [screen px]: sources of the same wish would hide each other."""
    asked = rows.groupby("source")["requested_height_px"].max().fillna(0)
    moved = {}
    for height in asked.unique():
        group = [name for name in sources if asked[name] == height]
        moved |= {name: (place - (len(group) - 1) / 2) * step for place, name in enumerate(group)}
    return moved


def line_kind() -> alt.StrokeDash:
    """Which line is which, by its dashes."""
    return alt.StrokeDash(
        "line:N",
        title="Line",
        scale=alt.Scale(domain=list(LINES), range=list(LINES.values())),
        legend=alt.Legend(
            symbolType="stroke",
            symbolStrokeColor=alt.expr("datum.label == 'downlink capacity' ? '#222222' : '#666666'"),
            values=list(LINES),
        ),
    )


def height_panel(
    rows: pd.DataFrame, sources: list[str], colour: alt.Color, time: alt.X
) -> alt.LayerChart:
    """Delivered and requested height; sources with equal heights lie a little beside each other."""
    highest = rows[["requested_height_px", "frame_height_px"]].max().max()
    ticks = [0, 90, 180, 360, 720, 1080, 1440, 2160]
    ticks = [t for t in ticks if t <= highest and (t == 0 or t * 9 >= highest)]
    y = alt.Y(
        "height:Q", title="frame height [px]", scale=alt.Scale(domain=[0, highest * 1.08], nice=False),
        axis=alt.Axis(values=ticks),
    )
    moved = offsets(rows, sources, 2.2)
    layers = []
    for line, column, width, opacity in [
        ("requested", "requested_height_px", 1.3, 0.75),
        ("delivered", "frame_height_px", 2.6, 1.0),
    ]:
        for source in sources:
            part = rows.loc[rows["source"] == source, ["source", "time_s", column]]
            part = part.rename(columns={column: "height"}).assign(line=line)
            layers.append(
                alt.Chart(part)
                .mark_line(strokeWidth=width, opacity=opacity, yOffset=moved[source])
                .encode(x=time, y=y, color=colour, strokeDash=line_kind())
            )
    return alt.layer(*layers).properties(width=WIDTH, height=270)


def rate_panel(
    rows: pd.DataFrame, sources: list[str], colour: alt.Color, time: alt.X
) -> alt.LayerChart:
    """The rate of decoded frames."""
    moved = offsets(rows, sources, 1.5)
    layers = [
        alt.Chart(rows.loc[rows["source"] == source, ["source", "time_s", "frames_per_second"]])
        .mark_line(strokeWidth=1.5, yOffset=moved[source])
        .encode(x=time, y=alt.Y("frames_per_second:Q", title="frame rate [1/s]"), color=colour)
        for source in sources
    ]
    return alt.layer(*layers).properties(width=WIDTH, height=110)


def bitrate_panel(
    run: Run, viewer: str, rows: pd.DataFrame, sources: list[str], colour: alt.Color, time: alt.X,
    interval: float,
) -> alt.LayerChart:
    """The sources' bit rates on top of each other, below what the downlink can carry."""
    part = begun(rows[["source", "time_s", "bitrate_bps"]], interval)
    part["megabits"] = part["bitrate_bps"] / 1e6
    part["place"] = part["source"].map({name: place for place, name in enumerate(sources)})
    area = (
        alt.Chart(part[["source", "time_s", "megabits", "place"]])
        .mark_area(interpolate="step-before", opacity=0.85)
        .encode(
            x=time, y=alt.Y("megabits:Q", title="video received [Mbit/s]", stack="zero"), color=colour,
            order=alt.Order("place:Q"),
        )
    )
    link = run.participants
    link = link[link["participant"] == viewer].drop(columns="participant")
    link = link.melt("time_s", var_name="column", value_name="bits").dropna()
    if link.empty:
        return area.properties(width=WIDTH, height=200)
    names = {"down_capacity_bps": "downlink capacity", "down_estimate_bps": "bandwidth estimate"}
    link = link.assign(line=link["column"].map(names), megabits=link["bits"] / 1e6)
    link = begun(link[["time_s", "line", "megabits"]], interval)
    # A link far wider than its use would press the sources into a thin band.
    most = part.groupby("time_s")["megabits"].sum().max()
    top = min(float(link["megabits"].max()), max(2.5 * float(most), 0.1)) * 1.08
    lines = (
        alt.Chart(link)
        .mark_line(interpolate="step-before", strokeWidth=2, color=LINK, clip=True)
        .encode(
            x=time,
            y=alt.Y("megabits:Q", scale=alt.Scale(domain=[0, max(top, float(most) * 1.08)], nice=False)),
            strokeDash=line_kind(),
        )
    )
    return alt.layer(area, lines).properties(width=WIDTH, height=200)
