"""Recorded meetings of a real SFU above simulated ones, as `meetsim verify --sfu` compares them, and the server's own log."""

from collections.abc import Iterator
from pathlib import Path

import altair as alt
import pandas as pd

from meetsim_plots.palette import COLOURS, LINK, OTHERS
from meetsim_plots.results import PlotError, read_table, natural
from meetsim_plots.theme import dressed, save

WIDTH = 860
COUNTERS = {"t": float, "bytes": float, "frames": float, "h": float}
STATES = {
    "stable": "#009E73", "deficient": "#D55E00", "none": "#009E73", "early_warning": "#E69F00", "congested": "#D55E00",
}
HEIGHTS = [0, 180, 360, 720, 1080]
SERVER_RATES = {"committed, estimated": "#0072B2", "REMB": OTHERS, "probe's goal": "#CC79A7"}


def names_in(folder: Path, only: list[str]) -> list[str]:
    """The recordings of a folder that have counters of a viewer, by name."""
    if not folder.is_dir():
        raise PlotError(f"'{folder}' is not a directory")
    names = [
        path.stem for path in sorted(folder.glob("*.csv"))
        if not path.stem.endswith("-server") and has_counters(path)
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
    """A row for each second and tile: `time_s`, `tile`, `kbps`, `height` (0 without a frame), `fps`, and the link's rates."""
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


def read_server(path: Path) -> pd.DataFrame | None:
    """What the server logged; `None` where nobody kept it."""
    if not path.exists():
        return None
    table = read_table(path, {"t": float, "event": str})
    try:
        whole = pd.read_csv(path, keep_default_na=False, na_values=[""])
    except (ValueError, pd.errors.ParserError) as error:
        raise PlotError(f"'{path}' is not a server's log: {error}") from error
    for column in ["to", "estimate_kbps", "remb_kbps", "goal_kbps"]:
        table[column] = whole[column] if column in whole else None
    # A session that began anew has times of its own.
    return table.rename(columns={"t": "time_s"}).sort_values("time_s", kind="stable")


def sfu_chart(name: str, recorded: pd.DataFrame, simulated: pd.DataFrame | None, server: pd.DataFrame | None):
    """The recording, below it a simulated run, below that what the real server said."""
    end = float(recorded["time_s"].max())
    runs = [("recorded", recorded)] + ([("simulated", simulated)] if simulated is not None else [])
    tiles = sorted(recorded["tile"].unique(), key=natural)
    colour = alt.Color(
        "tile:N", title="Tile", legend=alt.Legend(symbolType="stroke", symbolOpacity=1),
        scale=alt.Scale(domain=tiles, range=[COLOURS[place % len(COLOURS)] for place in range(len(tiles))]),
    )
    tops = {column: max(float(run[column].max()) for _, run in runs) for column in ["kbps", "height", "fps"]}
    # Both have the same scales: what differs is seen.
    rate_top = max([rates(run)["value"].max() for _, run in runs] + [1.0])
    panels = []
    for title, run in runs:
        panels.append(rate_panel(run, title, colour, end, rate_top))
        panels.append(tile_panel(run, "height", "height [px]", colour, end, tops["height"]))
        panels.append(tile_panel(run, "fps", "frames [1/s]", colour, end, tops["fps"]))
    meetings = alt.vconcat(*panels, spacing=8)
    chart = meetings
    if server is not None:
        # Tiles, states and rates have colours of their own.
        chart = alt.vconcat(meetings, *server_panels(server, end), spacing=8).resolve_scale(color="independent")
    what = "bit rate, decoded height and frame rate by tile"
    return dressed(chart, name, what + ("; below, what the real server logged of itself" if server is not None else ""))


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
    together = pd.concat(parts)
    highest = together.loc[together["line"] == "all tiles", "value"].max()
    # An open link would flatten everything else.
    return together.dropna().query("value <= @highest * 4 or line == 'all tiles'")


def axis_x(end: float, last: bool = False) -> alt.X:
    axis = alt.Axis(tickCount=12) if last else alt.Axis(labels=False, ticks=False, tickCount=12)
    return alt.X(
        "time_s:Q", title="time since the viewer joined [s]" if last else None,
        scale=alt.Scale(domain=[0, end], nice=False), axis=axis,
    )


def rate_panel(run: pd.DataFrame, title: str, colour: alt.Color, end: float, top: float) -> alt.TopLevelMixin:
    together = rates(run)
    y = alt.Y("value:Q", title="rate [kbit/s]", scale=alt.Scale(domain=[0, top * 1.05], nice=False))
    capacity = (
        alt.Chart(together[together["line"] == "capacity"])
        .mark_area(interpolate="step-after", color=LINK, opacity=0.12, clip=True)
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
    return (capacity + lines + tiles).properties(width=WIDTH, height=130, title=title)


def tile_panel(
    run: pd.DataFrame, column: str, title: str, colour: alt.Color, end: float, top: float
) -> alt.TopLevelMixin:
    return (
        alt.Chart(run[["time_s", "tile", column]].dropna())
        .mark_line(interpolate="step-before", strokeWidth=1.3, clip=True)
        .encode(
            x=axis_x(end),
            y=alt.Y(f"{column}:Q", title=title, scale=alt.Scale(domain=[0, max(top, 1) * 1.08], nice=False),
                    axis=alt.Axis(values=HEIGHTS) if column == "height" else alt.Axis(tickCount=4)),
            color=colour,
        )
        .properties(width=WIDTH, height=80)
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


def server_panels(server: pd.DataFrame, end: float) -> list[alt.TopLevelMixin]:
    """The states of the server's machines, and the rates that it worked with."""
    known = states(server, end)
    shown = [state for state in STATES if state in set(known["state"])]
    bars = (
        alt.Chart(known)
        .mark_bar(height=12, clip=True)
        .encode(
            x=alt.X("from_s:Q", title=None, scale=alt.Scale(domain=[0, end], nice=False),
                    axis=alt.Axis(labels=False, ticks=False, tickCount=12)),
            x2="to_s:Q",
            y=alt.Y("machine:N", title=None, sort=["allocator", "congestion"]),
            color=alt.Color(
                "state:N", title="State", scale=alt.Scale(domain=shown, range=[STATES[state] for state in shown])
            ),
        )
        .properties(width=WIDTH, height=44, title="the real server")
    )
    numbers = pd.concat([
        server.assign(line=line, value=pd.to_numeric(server[column], errors="coerce"))
        for line, column in [("committed, estimated", "estimate_kbps"), ("REMB", "remb_kbps"), ("probe's goal", "goal_kbps")]
    ])[["time_s", "line", "value"]].dropna()
    colour = alt.Color(
        "line:N", title="Server",
        scale=alt.Scale(domain=list(SERVER_RATES), range=list(SERVER_RATES.values())),
    )
    y = alt.Y("value:Q", title="rate [kbit/s]")
    steps = (
        alt.Chart(numbers[numbers["line"] == "committed, estimated"])
        .mark_line(interpolate="step-after", strokeWidth=1.3, clip=True)
        .encode(x=axis_x(end, last=True), y=y, color=colour)
    )
    points = (
        alt.Chart(numbers[numbers["line"] != "committed, estimated"])
        .mark_point(size=22, filled=True, clip=True)
        .encode(x=axis_x(end, last=True), y=y, color=colour)
    )
    return [bars, (steps + points).properties(width=WIDTH, height=110)]


def draw_all(recordings: Path, simulated: Path | None, only: list[str], output: Path) -> Iterator[Path]:
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
        )
        yield from save(chart, output / f"{name}.png", scale=1.5)
