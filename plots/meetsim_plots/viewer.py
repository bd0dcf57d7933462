"""What one viewer got over time: a strip for each source, and below them the link."""

import altair as alt
import pandas as pd

from meetsim_plots.palette import COLOURS, LINK, OTHERS
from meetsim_plots.results import PlotError, Run, interval_of, is_unseen, natural
from meetsim_plots.steps import GROUND, above_frame, above_texts, corners, heading, periods, spanning, time_axis
from meetsim_plots.theme import dressed

WIDTH = 410
HEIGHT_TICKS = [0, 90, 180, 360, 540, 720, 1080, 1440, 2160]
RATE_TICKS = [0, 7.5, 15, 30, 60]
LINES = {"downlink capacity": [1, 0], "bandwidth estimate": [2, 2]}
VALUES = ["requested_height_px", "requested_fps", "frame_height_px", "frames_per_second", "bitrate_bps"]


def viewer_chart(run: Run, viewer: str) -> alt.TopLevelMixin:
    """The picture of one viewer."""
    streams = run.streams
    rows = streams[streams["viewer"] == viewer]
    if rows.empty:
        known = sorted(streams["viewer"].unique(), key=natural)
        names = ", ".join(known[:10]) + (", …" if len(known) > 10 else "")
        raise PlotError(f"nobody called '{viewer}' watches in '{run.directory}'; viewers are {names}")
    interval = interval_of(streams["time_s"])
    sources = source_order(rows)
    rows = complete(rows, sources)
    colours = source_colours(sources)
    first, last = max(float(rows["time_s"].min()) - interval, 0.0), float(rows["time_s"].max())
    panels = [
        heading("decoded frame height [px], as asked: dashed", WIDTH),
        heading("decoded frame rate [1/s], as asked: dashed", WIDTH),
    ]
    for source in sources:
        own = rows[rows["source"] == source]
        for column, asked in [("frame_height_px", "requested_height_px"), ("frames_per_second", "requested_fps")]:
            panels.append(
                strip(own, source, column, asked, colours[source], len(sources), time_axis(first, last), interval)
            )
    time = time_axis(first, last, "time in the meeting [s]")
    link = run.participants
    link = link[link["participant"] == viewer]
    panels += [heading("video received [Mbit/s]", WIDTH), heading("queue delay of the downlink [ms]", WIDTH)]
    panels += [bitrate_panel(link, rows, colours, time, interval, first, last), queue_panel(link, time, interval)]
    # Flush bounds keep the columns aligned, whatever the width of the axes' labels.
    chart = alt.concat(*panels, columns=2, spacing={"row": 7, "column": 56}, bounds="flush")
    subtitle = [
        f"what {viewer} received · seed {run.seed}", "grey: not asked for or muted; white: asked for, nothing decoded",
    ]
    return dressed(chart, run.scenario, subtitle)


def worst_viewer(streams: pd.DataFrame) -> str:
    """Who was without the height that was asked for during the largest share of the time."""
    rows = streams[~is_unseen(streams)]
    if rows.empty:
        return str(streams["viewer"].iloc[0])
    reached = (rows["frame_height_px"].fillna(0) >= rows["requested_height_px"]).groupby(rows["viewer"]).mean()
    return min(reached.index, key=lambda name: (reached[name], natural(name)))


def source_order(rows: pd.DataFrame) -> list[str]:
    """The sources, those that were asked for largest first; a mean over the time in which they were asked for."""
    shown = rows[~is_unseen(rows)].groupby("source")[["requested_height_px", "frame_height_px"]].mean()
    shown = shown.reindex(rows["source"].unique()).fillna(0)
    asked, seen = shown["requested_height_px"], shown["frame_height_px"]
    return sorted(asked.index, key=lambda name: (-asked[name], -round(seen[name]), natural(name)))


def source_colours(sources: list[str]) -> dict[str, str]:
    """A colour for each of the first sources; where there are more than colours, one grey for all others."""
    kept = len(COLOURS) if len(sources) <= len(COLOURS) else len(COLOURS) - 1
    return {name: COLOURS[place] if place < kept else OTHERS for place, name in enumerate(sources)}


def complete(rows: pd.DataFrame, sources: list[str]) -> pd.DataFrame:
    """Gives every source a row at every time: it is hidden where the table has none."""
    times = sorted(rows["time_s"].unique())
    index = pd.MultiIndex.from_product([sources, times], names=["source", "time_s"])
    table = rows.set_index(["source", "time_s"])[["state", *VALUES]].reindex(index).reset_index()
    table["state"] = table["state"].fillna("hidden")
    for column in ["frame_height_px", "frames_per_second", "bitrate_bps"]:
        table[column] = table[column].fillna(0)
    return table


def strip(
    own: pd.DataFrame, source: str, column: str, asked: str, colour: str, count: int, time: alt.X, interval: float
) -> alt.LayerChart:
    """One source: what was decoded, filled, on its own scale; what was asked for, dashed."""
    height = 96 if count <= 3 else 60 if count <= 8 else 24
    wanted = own[asked].where((own[asked] > 0) & ~is_unseen(own))
    top = max(float(own[column].max()), float(wanted.max()) if wanted.notna().any() else 0.0)
    scale = alt.Scale(domain=[0, top * 1.1 or 1.0], nice=False)
    is_height = column == "frame_height_px"
    axis = alt.Axis(
        values=ticks(top, height, HEIGHT_TICKS if is_height else RATE_TICKS) if top > 0 else [], grid=False,
        labelFontSize=10, labelOverlap=False, labelExpr="'' + datum.value",
        title=source if is_height else None, titleAngle=0, titleAlign="right", titleBaseline="middle", titleX=-40,
        titleY=height / 2, titleLimit=150,
    )
    unseen = periods(own["time_s"], is_unseen(own), interval)
    ground = (
        alt.Chart(unseen.loc[unseen["value"], ["from_s", "to_s"]])
        .mark_rect(color=GROUND)
        .encode(**spanning(time))
    )
    got = (
        alt.Chart(corners(periods(own["time_s"], own[column], interval)))
        .mark_area(interpolate="step-after", color=colour, opacity=0.85)
        .encode(x=time, y=alt.Y("value:Q", axis=axis, scale=scale))
    )
    wish = (
        alt.Chart(periods(own["time_s"], wanted, interval).dropna())
        .mark_rule(strokeDash=[5, 4], strokeWidth=1.2, color=LINK, opacity=0.8)
        .encode(**spanning(time), y=alt.Y("value:Q", axis=axis, scale=scale))
    )
    return alt.layer(ground, got, wish).properties(width=WIDTH, height=height)


def ticks(top: float, height: int, usual: list[int]) -> list[float]:
    """Usual values that lie at least 15 screen pixels apart, and the top where it is one of them or alone."""
    chosen = [0.0]
    best = max((value for value in usual if value <= top * 1.001), default=0) or round(top)
    for value in [*usual[1:], best]:
        far = [abs(value - other) / top * height >= 15 for other in {*chosen, best} if other != value]
        if value <= best and all(far):
            chosen.append(float(value))
    return sorted({*chosen, float(best)})


def bitrate_panel(
    link: pd.DataFrame, rows: pd.DataFrame, colours: dict[str, str], time: alt.X, interval: float, first: float,
    last: float,
) -> alt.LayerChart:
    """The sources' bit rates on top of each other, below what the downlink can carry."""
    grey = [name for name, colour in colours.items() if colour == OTHERS]
    others = f"{len(grey)} others, added"
    names = [name for name in colours if name not in grey] + ([others] if grey else [])
    part = rows.assign(source=rows["source"].where(~rows["source"].isin(grey), others))
    part = part.groupby(["source", "time_s"], as_index=False)["bitrate_bps"].sum()
    start = part[part["time_s"] == part["time_s"].min()].assign(time_s=first)
    part = pd.concat([start, part], ignore_index=True)
    part["megabits"] = part["bitrate_bps"] / 1e6
    part["place"] = part["source"].map({name: place for place, name in enumerate(names)})
    most = float(part.groupby("time_s")["megabits"].sum().max())
    colour = alt.Color(
        "source:N", title="Source",
        scale=alt.Scale(domain=names, range=[colours.get(name, OTHERS) for name in names]),
        legend=alt.Legend(symbolType="square", symbolOpacity=0.85),
    )
    lines = link_lines(link, interval)
    # A link far wider than its use would press the sources into a thin band.
    top = max([most, *(value for value in lines["value"] if value <= max(2.5 * most, 0.1))]) * 1.12 or 0.1
    y = alt.Y("megabits:Q", title=None, stack="zero", scale=alt.Scale(domain=[0, top], nice=False))
    area = (
        alt.Chart(part[["source", "time_s", "megabits", "place"]])
        .mark_area(interpolate="step-before", opacity=0.85)
        .encode(x=time, y=y, color=colour, order=alt.Order("place:Q"))
    )
    layers = [area]
    for name in LINES:
        spans = lines[lines["line"] == name]
        if len(spans):
            layers.append(
                alt.Chart(corners(spans).assign(line=name))
                .mark_line(interpolate="step-after", strokeWidth=1.8, color=LINK, clip=True)
                .encode(
                    x=time, y=alt.Y("value:Q", scale=alt.Scale(domain=[0, top], nice=False)), strokeDash=line_kind()
                )
            )
    texts = above_frame(lines, top, WIDTH, first, last)
    layers += [above_texts(group, time, 4 + 14 * int(row)) for row, group in texts.groupby("row")]
    return alt.layer(*layers).properties(width=WIDTH, height=180)


def link_lines(link: pd.DataFrame, interval: float) -> pd.DataFrame:
    """The downlink's capacity and estimate [Mbit/s]: `line`, `from_s`, `to_s`, `value`."""
    parts = []
    for name, column in zip(LINES, ["down_capacity_bps", "down_estimate_bps"], strict=True):
        known = link.dropna(subset=[column])
        if len(known):
            parts.append(periods(known["time_s"], known[column] / 1e6, interval).assign(line=name))
    empty = pd.DataFrame(columns=["from_s", "to_s", "value", "line"])
    return pd.concat(parts, ignore_index=True) if parts else empty


def line_kind() -> alt.StrokeDash:
    """Which line is which, by its dashes."""
    return alt.StrokeDash(
        "line:N", title="Link", scale=alt.Scale(domain=list(LINES), range=list(LINES.values())),
        legend=alt.Legend(symbolType="stroke", symbolStrokeColor=LINK),
    )


def queue_panel(link: pd.DataFrame, time: alt.X, interval: float) -> alt.Chart:
    """How long packets waited before the downlink."""
    known = link.dropna(subset=["down_queue_delay_s"])
    if known.empty:
        known = pd.DataFrame({"time_s": [0.0], "down_queue_delay_s": [0.0]})
    points = corners(periods(known["time_s"], known["down_queue_delay_s"] * 1e3, interval))
    return (
        alt.Chart(points)
        .mark_area(interpolate="step-after", color=LINK, opacity=0.6)
        .encode(x=time, y=alt.Y("value:Q", title=None))
        .properties(width=WIDTH, height=180)
    )
