"""A recorded call beside simulated ones: the receiver's rate, height and frame rate, under the shaped capacity."""

from pathlib import Path

import altair as alt
import pandas as pd

from meetsim_plots.palette import COLOURS, LINK
from meetsim_plots.results import PlotError, open_run, read_csv, read_table, table_path
from meetsim_plots.theme import dressed

WIDTH = 760
KINDS = {"recorded": COLOURS[3], "simulated": COLOURS[0]}
HEIGHTS = [0, 180, 270, 360, 540, 720]
#: Column, title, height [px], and the factor from the recording's unit.
PANELS = [("kbps", "rate [kbit/s]", 190), ("height", "frame height [px]", 120), ("fps", "frame rate [1/s]", 90)]
#: The ids in the cases' scenarios: `sender` is behind the shaped uplink.
SENDER, RECEIVER = "sender", "receiver"


def read_call(path: Path) -> pd.DataFrame:
    """A row for each sample: `time_s`, `kbps`, `height`, `fps`, `estimate`, `capacity` [kbit/s]."""
    header = list(read_csv(path).columns)
    capacity = next((name for name in ["capacity_kbps", "up_kbps"] if name in header), None)
    needed = ["t", "recv_bytes", "h", "fps"]
    missing = [name for name in needed if name not in header] + ([] if capacity else ["capacity_kbps or up_kbps"])
    if missing:
        raise PlotError(f"'{path}' is no recorded call: it has no {', '.join(missing)}")
    names = [*needed, capacity, *(["bwe_kbps"] if "bwe_kbps" in header else [])]
    table = read_table(path, dict.fromkeys(names, float))
    return pd.DataFrame({
        "time_s": table["t"],
        "kbps": table["recv_bytes"].fillna(0).diff() * 8e-3 / table["t"].diff(),
        "height": table["h"].fillna(0), "fps": table["fps"].fillna(0),
        "estimate": table["bwe_kbps"] if "bwe_kbps" in table else float("nan"),
        "capacity": table[capacity],
    })


def read_simulated_call(directory: Path) -> pd.DataFrame:
    """The same of a run of one of `Sources/Verification/Cases/call-*.yaml`."""
    run = open_run(directory)
    streams = run.streams
    tile = streams[(streams["viewer"] == RECEIVER) & (streams["source"] == SENDER)]
    if tile.empty:
        raise PlotError(f"'{directory}' is no simulated call: '{RECEIVER}' receives nothing of '{SENDER}'")
    people = read_table(
        table_path(directory, "participants"),
        {"time_s": float, "participant": str, "up_capacity_bps": float, "up_estimate_bps": float},
    )
    sender = people[people["participant"] == SENDER].set_index("time_s")
    times = tile["time_s"]
    return pd.DataFrame({
        "time_s": times, "kbps": tile["bitrate_bps"].fillna(0) / 1e3, "height": tile["frame_height_px"].fillna(0),
        "fps": tile["frames_per_second"].fillna(0),
        "estimate": times.map(sender["up_estimate_bps"]) / 1e3, "capacity": times.map(sender["up_capacity_bps"]) / 1e3,
    })


def call_chart(name: str, recorded: pd.DataFrame, simulated: list[pd.DataFrame]) -> alt.TopLevelMixin:
    """Three panels, in which the recording is one line and each simulated run a thinner one."""
    end = float(recorded["time_s"].max())
    parts = [recorded.assign(kind="recorded", run=0)]
    parts += [run.assign(kind="simulated", run=number) for number, run in enumerate(simulated, 1)]
    both = pd.concat(parts, ignore_index=True)
    top = 1.15 * max(float(both["kbps"].max()), float(recorded["capacity"].max()))
    ample = recorded["capacity"] > 2.5 * both["kbps"].max()
    if ample.any():
        top = 1.15 * float(both["kbps"].max())
    kinds = ["recorded", "simulated"] if simulated else ["recorded"]
    colour = alt.Color(
        "kind:N", title=None, scale=alt.Scale(domain=kinds, range=[KINDS[kind] for kind in kinds]),
        legend=alt.Legend(symbolType="stroke", symbolOpacity=1),
    )
    panels = [
        panel(both, recorded, column, title, colour, end, top, is_last=column == PANELS[-1][0]).properties(
            width=WIDTH, height=height
        )
        for column, title, height in PANELS
    ]
    link = "capacity: grey ground" + (
        f", above the frame where it is {recorded['capacity'].max():g} kbit/s" if ample.any() else ""
    )
    count = len(simulated)
    subtitle = [
        f"one recorded call and {count} simulated one{'' if count == 1 else 's'} of the same setup"
        if count else "a recorded call",
        f"{link}; the sender's estimate: dotted{', of one run' if len(simulated) > 1 else ''}",
    ]
    return dressed(alt.vconcat(*panels, spacing=12), name, subtitle)


def panel(
    both: pd.DataFrame, recorded: pd.DataFrame, column: str, title: str, colour: alt.Color, end: float, top: float,
    is_last: bool,
) -> alt.LayerChart:
    axis = alt.Axis(tickCount=12) if is_last else alt.Axis(labels=False, ticks=False, tickCount=12)
    x = alt.X(
        "time_s:Q", title="time in the call [s]" if is_last else None, axis=axis,
        scale=alt.Scale(domain=[0, end], nice=False),
    )
    highest = top if column == "kbps" else float(both[column].max()) * 1.08 or 1.0
    y_axis = alt.Axis(minExtent=46, values=HEIGHTS) if column == "height" else alt.Axis(minExtent=46, tickCount=5)
    y = alt.Y(f"{column}:Q", title=title, scale=alt.Scale(domain=[0, highest], nice=False), axis=y_axis)

    def lines(kind: str, width: float, opacity: float) -> alt.Chart:
        part = both.loc[both["kind"] == kind, ["time_s", column, "kind", "run"]].dropna()
        step = "linear" if column == "kbps" else "step-before"
        return alt.Chart(part).mark_line(strokeWidth=width, opacity=opacity, clip=True, interpolate=step).encode(
            x=x, y=y, color=colour, detail="run:N"
        )

    layers = [lines("simulated", 1.1, 0.65), lines("recorded", 2.2, 1.0)]
    if column != "kbps":
        return alt.layer(*layers)
    ground = (
        alt.Chart(recorded[["time_s", "capacity"]].assign(capacity=recorded["capacity"].clip(upper=top)))
        .mark_area(interpolate="step-after", color=LINK, opacity=0.12)
        .encode(x=x, y=alt.Y("capacity:Q", title=title, axis=y_axis))
    )
    estimate = (
        alt.Chart(both.loc[both["run"] <= 1, ["time_s", "estimate", "kind", "run"]].dropna())
        .mark_line(strokeWidth=1, strokeDash=[2, 2], opacity=0.8, clip=True)
        .encode(x=x, y=alt.Y("estimate:Q", title=title), color=colour, detail="run:N")
    )
    return alt.layer(ground, estimate, *layers)
