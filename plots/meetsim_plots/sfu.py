"""Recorded meetings of a real SFU beside simulated ones, as `meetsim verify --sfu` compares them, and its own log."""

from collections.abc import Iterator
from pathlib import Path

import altair as alt
import pandas as pd

from meetsim_plots.palette import COLOURS, LINK, OTHERS
from meetsim_plots.results import PlotError, natural, read_csv, read_table
from meetsim_plots.steps import above_frame, above_texts, heading, periods, time_axis
from meetsim_plots.theme import dressed, save

WIDTHS = {1: 860, 2: 430}
COUNTERS = {"t": float, "bytes": float, "frames": float, "h": float}
STATES = {
    "stable": "#009E73", "deficient": "#D55E00", "none": "#009E73", "early_warning": "#E69F00", "congested": "#D55E00",
}
HEIGHTS = [0, 180, 360, 720, 1080]
SERVER_RATES = {"committed, estimated": "#0072B2", "REMB": OTHERS, "probe's goal": "#CC79A7", "probe": "#CC79A7"}
RATE_COLUMNS = [
    ("committed, estimated", "estimate_kbps"), ("committed, estimated", "available_kbps"), ("REMB", "remb_kbps"),
    ("probe's goal", "goal_kbps"),
]


def names_in(folder: Path, only: list[str]) -> list[str]:
    """The recordings of a folder that have counters of a viewer, by name."""
    if not folder.is_dir():
        raise PlotError(f"'{folder}' is not a directory")
    names = [
        path.stem for path in sorted(folder.glob("*.csv"))
        if not path.stem.endswith(("-server", "-layers")) and has_counters(path)
        and (not only or any(path.stem.startswith(start) for start in only))
    ]
    if not names:
        raise PlotError(f"'{folder}' has no recording{' of these names' if only else ''}: a NAME.csv with "
                        f"the columns {', '.join(COUNTERS)}, freeze_s")
    return names


def has_counters(path: Path) -> bool:
    """Whether a table is a recording; those of timings and of frames lack freezes."""
    try:
        header = pd.read_csv(path, nrows=0).columns
    except (OSError, ValueError) as error:
        raise PlotError(f"cannot read '{path}': {error}") from error
    return all(column in header for column in [*COUNTERS, "freeze_s"]) and "wanted" not in header


def read_recording(path: Path) -> pd.DataFrame:
    """A row for each second and tile: `time_s`, `tile`, `kbps`, `height` (0: no frame), `fps`, and the link's rates."""
    header = pd.read_csv(path, nrows=0).columns
    columns: dict[str, type] = dict(COUNTERS)
    if "publisher" in header:
        columns["publisher"] = str
    capacity = next((name for name in ["capacity_kbps", "down_kbps"] if name in header), None)
    for name in [capacity, "estimate_kbps"]:
        if name and name in header:
            columns[name] = float
    table = read_table(path, columns)
    if "publisher" not in table:
        table["publisher"] = "camera"
    table[list(COUNTERS)] = table[list(COUNTERS)].fillna(0)
    groups = table.groupby("publisher", sort=False)
    seconds = groups["t"].diff()
    frames = groups["frames"].diff().clip(lower=0)
    return pd.DataFrame({
        "time_s": table["t"], "tile": table["publisher"], "kbps": groups["bytes"].diff() * 8e-3 / seconds,
        "height": table["h"].where(frames > 0, 0), "fps": frames / seconds,
        "capacity": table[capacity] if capacity else float("nan"),
        "estimate": table["estimate_kbps"] if "estimate_kbps" in table else float("nan"),
    })


#: Bytes of UDP and IP around a recorded packet.
AROUND_RTP = 28


def read_layers(path: Path) -> pd.DataFrame | None:
    """What the sender of a scalable stream sent in each spatial layer, RTP headers in; `None` where nobody kept it.

    A recording's are in NAME-layers.csv, those of a simulated run in its own table.
    """
    beside = path.with_name(f"{path.stem}-layers.csv")
    if beside.exists():
        whole = read_csv(beside)
        sent = whole[(whole["way"] == "up") & whole["spatial"].between(0, 2)]
        sums = sent.groupby(["t", "spatial"], as_index=False)[["bytes", "packets"]].sum()
        # A row is of the second that begins at its time.
        rows = sums.assign(time_s=sums["t"] + 1, kbps=(sums["bytes"] - AROUND_RTP * sums["packets"]) * 8e-3)
        rows["layer"] = "s" + rows["spatial"].astype(int).astype(str)
    else:
        table = read_csv(path)
        if "s0_bytes" not in table:
            return None
        seconds = table["t"].diff()
        rows = pd.concat([
            pd.DataFrame({"time_s": table["t"], "kbps": table[f"{layer}_bytes"].diff() * 8e-3 / seconds, "layer": layer})
            for layer in ["s0", "s1", "s2"]
        ])
    return rows[["time_s", "layer", "kbps"]].dropna() if len(rows) else None


def read_server(path: Path) -> pd.DataFrame | None:
    """What the server logged; `None` where nobody kept it."""
    if not path.exists() or read_csv(path).empty:
        return None
    table = read_table(path, {"t": float, "event": str})
    try:
        whole = pd.read_csv(path, keep_default_na=False, na_values=[""])
    except (ValueError, pd.errors.ParserError) as error:
        raise PlotError(f"'{path}' is not a server's log: {error}") from error
    for column in ["to", "publisher", "spatial", *(column for _, column in RATE_COLUMNS)]:
        table[column] = whole[column] if column in whole else None
    # A session that began anew has times of its own.
    return table.rename(columns={"t": "time_s"}).sort_values("time_s", kind="stable")


def sfu_chart(
    name: str, recorded: pd.DataFrame, simulated: pd.DataFrame | None, server: pd.DataFrame | None,
    layers: list[pd.DataFrame | None] | None = None,
):
    """The recording beside a simulated run; below the recording what the real server said.

    `layers` are what the senders of both sent in spatial layers, where they are known.
    """
    end = float(recorded["time_s"].max())
    runs = [("recorded", recorded)] + ([("simulated", simulated)] if simulated is not None else [])
    width = WIDTHS[len(runs)]
    tiles = sorted(recorded["tile"].unique(), key=natural)
    colour = alt.Color(
        "tile:N", title="Tile", legend=alt.Legend(symbolType="stroke", symbolOpacity=1),
        scale=alt.Scale(domain=tiles, range=[COLOURS[place % len(COLOURS)] for place in range(len(tiles))]),
    )
    # Both have the same scales: what differs is seen.
    top = max(float(rates(run).query("line == 'all tiles'")["value"].max()) for _, run in runs)
    link = pd.concat([run[["capacity", "estimate"]].max() for _, run in runs]).max()
    # A link far wider than its use would flatten everything else.
    top = 1.05 * (link if top < link <= top * 1.6 else top * 1.15 if link > top else top) or 1.0
    rows = [
        [heading(f"{kind}: rate [kbit/s]", width) for kind, _ in runs],
        [rate_panel(run, colour, end, top, width) for _, run in runs],
    ]
    known = dict(zip((kind for kind, _ in runs), layers or []))
    for column, title in [("height", "height [px]"), ("fps", "frame rate [1/s]")]:
        highest = max(float(run[column].max()) for _, run in runs)
        rows.append([heading(f"{kind}: {title}", width) for kind, _ in runs])
        lowest = [
            column == "fps" and known.get(kind) is None and (server is None or kind == "simulated") for kind, _ in runs
        ]
        rows.append([
            tile_panel(run, column, colour, end, highest, width, is_last)
            for (_, run), is_last in zip(runs, lowest, strict=True)
        ])
    sent = [own for own in known.values() if own is not None]
    if sent:
        highest = max(float(own.groupby("time_s")["kbps"].sum().max()) for own in sent)
        rows.append([heading(f"{kind}: the sender's spatial layers, the lowest below [kbit/s]", width) for kind, _ in runs])
        rows.append([
            heading("", width) if known.get(kind) is None
            else stacked_panel(known[kind], end, highest, width, server is None or kind == "simulated")
            for kind, _ in runs
        ])
    if server is not None:
        for left in server_panels(server, colour, end, width):
            rows.append([left, *(heading("", width) for _ in runs[1:])])
    chart = alt.concat(
        *(panel for row in rows for panel in row), columns=len(runs), spacing={"row": 7, "column": 56}, bounds="flush"
    )
    what = "bit rate, decoded height and frame rate by tile"
    below = "; below, what the real server logged of itself" if server is not None else ""
    return dressed(chart, name, [what + below, "grey ground: the link's capacity"])


def rates(run: pd.DataFrame) -> pd.DataFrame:
    """All tiles together, and the link's capacity and estimate, as far as they are known."""
    by_time = run.groupby("time_s")
    parts = [
        pd.DataFrame({"time_s": values.index, "value": values.to_numpy(), "line": line})
        for line, values in [
            ("all tiles", by_time["kbps"].sum()), ("capacity", by_time["capacity"].first()),
            ("estimate", by_time["estimate"].first()),
        ]
    ]
    return pd.concat(parts).dropna()


def axis_x(end: float, last: bool = False) -> alt.X:
    return time_axis(0, end, "time since the viewer joined [s]" if last else None)


def rate_panel(run: pd.DataFrame, colour: alt.Color, end: float, top: float, width: int) -> alt.LayerChart:
    """Tiles and their sum over the link's capacity, which is said where it leaves the frame."""
    together = rates(run)
    y = alt.Y("value:Q", title=None, scale=alt.Scale(domain=[0, top], nice=False), axis=alt.Axis(tickCount=5))
    capacity = together[together["line"] == "capacity"]
    ground = (
        alt.Chart(capacity.assign(value=capacity["value"].clip(upper=top)))
        .mark_area(interpolate="step-after", color=LINK, opacity=0.12)
        .encode(x=axis_x(end), y=y)
    )
    lines = (
        alt.Chart(together[together["line"] != "capacity"])
        .mark_line(strokeWidth=1.2, color=LINK, clip=True)
        .encode(
            x=axis_x(end), y=y,
            strokeDash=alt.StrokeDash(
                "line:N", title="Line", scale=alt.Scale(domain=["all tiles", "estimate"], range=[[1, 0], [2, 2]]),
                legend=alt.Legend(symbolType="stroke"),
            ),
        )
    )
    tiles = (
        alt.Chart(run.rename(columns={"kbps": "value"})[["time_s", "tile", "value"]].dropna())
        .mark_line(strokeWidth=1.3, clip=True)
        .encode(x=axis_x(end), y=y, color=colour)
    )
    layers = [ground, lines, tiles]
    if len(capacity):
        spans = periods(capacity["time_s"], capacity["value"].round(1), 1.0).assign(line="capacity")
        texts = above_frame(spans, top, width, 0, end, "kbit/s")
        if len(texts):
            layers.append(above_texts(texts, axis_x(end), 4))
    return alt.layer(*layers).properties(width=width, height=150)


def tile_panel(
    run: pd.DataFrame, column: str, colour: alt.Color, end: float, top: float, width: int, is_last: bool
) -> alt.Chart:
    return (
        alt.Chart(run[["time_s", "tile", column]].dropna())
        .mark_line(interpolate="step-before", strokeWidth=1.3, clip=True)
        .encode(
            x=axis_x(end, is_last),
            y=alt.Y(f"{column}:Q", title=None, scale=alt.Scale(domain=[0, max(top, 1) * 1.08], nice=False),
                    axis=alt.Axis(values=HEIGHTS) if column == "height" else alt.Axis(tickCount=4)),
            color=colour,
        )
        .properties(width=width, height=90)
    )


def stacked_panel(layers: pd.DataFrame, end: float, top: float, width: int, is_last: bool) -> alt.Chart:
    """Spatial layers on top of each other, the lowest at the bottom."""
    colours = dict(zip(["s0", "s1", "s2"], COLOURS[1:4], strict=True))
    return (
        alt.Chart(layers[layers["time_s"] <= end].assign(colour=lambda rows: rows["layer"].map(colours)))
        .mark_area(interpolate="step-before", clip=True, opacity=0.85)
        .encode(
            x=axis_x(end, is_last),
            y=alt.Y("kbps:Q", title=None, stack="zero", scale=alt.Scale(domain=[0, 1.05 * top], nice=False),
                    axis=alt.Axis(tickCount=4)),
            # Colours of their own: the scale of fills is the server's states'.
            fill=alt.Fill("colour:N", scale=None), detail="layer:N", order=alt.Order("layer:N"),
        )
        .properties(width=width, height=120)
    )


def states(server: pd.DataFrame, end: float) -> pd.DataFrame:
    """For how long the allocator and the detector of congestion were in which state."""
    rows = []
    for machine in ["allocator", "congestion"]:
        changes = server[server["event"] == machine]
        times = [*changes["time_s"], max(end, float(server["time_s"].max()))]
        for place, state in enumerate(changes["to"]):
            rows.append({"machine": machine, "state": str(state), "from_s": times[place], "to_s": times[place + 1]})
    return pd.DataFrame(rows, columns=["machine", "state", "from_s", "to_s"])


def layers_panel(server: pd.DataFrame, colour: alt.Color, end: float, width: int) -> alt.Chart:
    """The spatial layer of each tile that a server without states had chosen; -1 for none."""
    chosen = server[server["event"] == "layers"].assign(
        tile=lambda rows: rows["publisher"], spatial=lambda rows: pd.to_numeric(rows["spatial"], errors="coerce"),
    )
    chosen = chosen[["time_s", "tile", "spatial"]].dropna()
    last = chosen.groupby("tile", as_index=False).last().assign(time_s=end)
    return (
        alt.Chart(pd.concat([chosen, last]))
        .mark_line(interpolate="step-after", strokeWidth=1.3, clip=True)
        .encode(
            x=axis_x(end),
            y=alt.Y("spatial:Q", title=None, scale=alt.Scale(domain=[-1.2, 2.2], nice=False),
                    axis=alt.Axis(values=[-1, 0, 1, 2], format="d")),
            color=colour,
        )
        .properties(width=width, height=70)
    )


def states_panel(known: pd.DataFrame, end: float, width: int) -> alt.Chart:
    shown = [state for state in STATES if state in set(known["state"])]
    # Fill and stroke have scales of their own beside the tiles' colours.
    span = alt.Scale(domain=[0, end], nice=False)
    return (
        alt.Chart(known)
        .mark_bar(height=12, clip=True)
        .encode(
            x=alt.X("from_s:Q", title=None, scale=span, axis=alt.Axis(labels=False, ticks=False, tickCount=8)),
            x2="to_s:Q",
            y=alt.Y("machine:N", title=None, sort=["allocator", "congestion"]),
            fill=alt.Fill(
                "state:N", title="Server's state", scale=alt.Scale(domain=shown, range=[STATES[name] for name in shown])
            ),
        )
        .properties(width=width, height=44)
    )


def server_panels(server: pd.DataFrame, colour: alt.Color, end: float, width: int) -> list[alt.TopLevelMixin]:
    """The states of the server's machines or its layers, and the rates that it worked with, each below its heading."""
    known = states(server, end)
    upper = (
        [heading("the real server: its states", width), states_panel(known, end, width)] if len(known)
        else [heading("the real server: its layers", width), layers_panel(server, colour, end, width)]
    )
    numbers = pd.concat([
        server.assign(line=line, value=pd.to_numeric(server[column], errors="coerce"))
        for line, column in RATE_COLUMNS
    ])[["time_s", "line", "value"]].dropna()
    # Clusters without a stated rate are dated only.
    dated = server[(server["event"] == "probe") & server["goal_kbps"].isna()].assign(line="probe", value=0.0)
    numbers = pd.concat([numbers, dated[["time_s", "line", "value"]]])
    named = [line for line in SERVER_RATES if line in set(numbers["line"])]
    stroke = alt.Stroke(
        "line:N", title="Server's rates", scale=alt.Scale(domain=named, range=[SERVER_RATES[line] for line in named]),
    )
    y = alt.Y("value:Q", title=None, axis=alt.Axis(tickCount=5))
    steps = (
        alt.Chart(numbers[numbers["line"] == "committed, estimated"])
        .mark_line(interpolate="step-after", strokeWidth=1.5, clip=True)
        .encode(x=axis_x(end, last=True), y=y, stroke=stroke)
    )
    points = (
        alt.Chart(numbers[numbers["line"] != "committed, estimated"])
        .mark_point(size=22, strokeWidth=1.5, clip=True)
        .encode(x=axis_x(end, last=True), y=y, stroke=stroke)
    )
    return [
        *upper, heading("the real server: its rates [kbit/s]", width),
        (steps + points).properties(width=width, height=120),
    ]


def draw_all(
    recordings: Path, simulated: Path | None, only: list[str], output: Path, suffix: str = "svg",
    scale: float = 1.5,
) -> Iterator[Path]:
    """Draws each recording, with the simulated run of its name where there is one; yields what was written."""
    if simulated is not None and not simulated.is_dir():
        raise PlotError(f"'{simulated}' is not a directory")
    names = names_in(recordings, only)
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PlotError(f"cannot write to '{output}': {error.strerror}") from error
    for name in names:
        run = simulated / f"{name}.csv" if simulated is not None else None
        chart = sfu_chart(
            name, read_recording(recordings / f"{name}.csv"),
            read_recording(run) if run is not None and run.exists() else None,
            read_server(recordings / f"{name}-server.csv"),
            [read_layers(recordings / f"{name}.csv"),
             read_layers(run) if run is not None and run.exists() else None],
        )
        yield save(chart, output / f"{name}.{suffix}", scale)
