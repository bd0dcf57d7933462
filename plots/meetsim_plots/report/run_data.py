"""What a report of a run holds: a viewer's tables in one piece each, so that a page unpacks only what it shows."""

import re
from pathlib import Path

import numpy as np
import pandas as pd

from meetsim_plots.report.columns import pack
from meetsim_plots.report.moments import explanations, number, worst_moments
from meetsim_plots.report.pixels import missing_pixels
from meetsim_plots.report.placement import automatic_layout
from meetsim_plots.report.tables import PARTICIPANTS, STREAMS, RunTables, open_tables
from meetsim_plots.results import interval_of, natural

DURATION = re.compile(r"^([0-9.]+) ?(ms|s|min|h)$")
SECONDS = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0}
AUDIO = [
    "viewer",
    "source",
    "packets_received",
    "packets_lost",
    "concealed_frac",
    "jitter_buffer_delay_s",
]


def run_data(directory: Path) -> dict:
    """All that the page of a run needs, as a value of JSON."""
    tables = open_tables(directory)
    streams = tables.table("streams")
    participants = tables.table("participants")
    times = np.unique(np.concatenate([t["time_s"] for t in (streams, participants) if t is not None]))
    layout = tables.table("layout")
    is_automatic = layout is None
    if layout is None:
        layout = automatic_layout(streams)
    happened = events(tables.table("events"))
    viewers = sorted((str(v) for v in streams["viewer"].unique()), key=natural)
    return {
        "header": header(tables),
        "times": [float(time) for time in times],
        "viewers": viewers,
        "first_viewer": first_viewer(streams, viewers),
        "automatic_layout": is_automatic,
        "streams": by_viewer(
            indexed(streams, times)[["tick", *present(streams, STREAMS, "time_s", "viewer")]], streams
        ),
        "layout": by_viewer(layout.drop(columns="viewer"), layout),
        "decisions": decisions(tables.table("decisions")),
        "audio": audio(tables.table("audio"), times),
        "participants": None
        if participants is None
        else pack(indexed(participants, times)[["tick", *present(participants, PARTICIPANTS, "time_s")]]),
        "events": happened,
        "speech": speech(happened, float(times[-1])),
        "speech_is_told": any(event[2] == "speech-start" for event in happened),
        "moments": worst_moments(streams),
        "explanations": explanations(directory),
        "scalars": whole_run(tables.table("scalars")),
    }


def header(tables: RunTables) -> dict:
    """What stands at the top of the page."""
    manifest = tables.manifest
    return {
        "directory": tables.directory.resolve().name,
        "scenario": tables.scenario,
        "title": tables.said("title"),
        "seed": str(manifest.get("seed", "?")),
        "repetition": str(manifest.get("repetition", "")),
        "version": str(manifest.get("version", "?")),
        "system": tables.said("policy") or "default",
        "estimator": tables.said("estimator") or deployed(manifest),
        "scenario_hash": str(manifest.get("scenario_hash", "")),
        "resolved_scenario": str(manifest.get("resolved_scenario", "")),
    }


def deployed(manifest: dict) -> str:
    """The estimators that the system brought, where the scenario names none."""
    own = manifest.get("estimator")
    if not isinstance(own, dict):
        return "default"
    names = [str(own.get(way, "?")) for way in ("up", "down")]
    return f"{names[0]} (default)" if names[0] == names[1] else f"up: {names[0]}, down: {names[1]} (default)"


def first_viewer(streams: pd.DataFrame, viewers: list[str]) -> str:
    """Whose screen is shown first: of those who see the most sources, the one farthest below the requests."""
    missing = missing_pixels(streams, interval_of(streams["time_s"]))
    frame = pd.DataFrame({"viewer": streams["viewer"].astype(object), "missing": missing})
    each = frame.groupby("viewer").agg(rows=("missing", "size"), missing=("missing", "sum"))
    each = each[each["rows"] >= 0.5 * each["rows"].max()]
    worst = each["missing"].max()
    return next(viewer for viewer in viewers if viewer in each.index and each.loc[viewer, "missing"] == worst)


def present(table: pd.DataFrame, columns: list[str], *without: str) -> list[str]:
    """Those of the columns that the table has."""
    return [name for name in columns if name in table.columns and name not in without]


def indexed(table: pd.DataFrame, times: np.ndarray) -> pd.DataFrame:
    """The table with the number of each row's interval."""
    return table.assign(tick=np.searchsorted(times, table["time_s"].to_numpy()).astype(float))


def by_viewer(columns: pd.DataFrame, table: pd.DataFrame) -> dict[str, dict]:
    """A packed table for each viewer, its rows by source and then by time."""
    order = ["source", "tick"] if "tick" in columns else ["time_s"]
    return {
        str(viewer): pack(columns.loc[rows].sort_values(order, kind="stable"))
        for viewer, rows in table.groupby("viewer", observed=True, sort=False).groups.items()
    }


def decisions(table: pd.DataFrame | None) -> dict[str, dict]:
    """Each viewer's decisions in the order of time."""
    return {} if table is None else by_viewer(table.drop(columns="viewer"), table)


def audio(table: pd.DataFrame | None, times: np.ndarray) -> dict[str, dict]:
    """The voices that each viewer heard."""
    if table is None:
        return {}
    return by_viewer(indexed(table, times)[["tick", *present(table, AUDIO, "viewer")]], table)


def events(table: pd.DataFrame | None) -> list[list]:
    """Time, participant, event, detail and result, in the order of time."""
    if table is None:
        return []
    columns = ["participant", "event", "detail", "result"]
    words = {
        name: table[name].astype(object).where(table[name].notna(), "") if name in table else "" for name in columns
    }
    rows = pd.DataFrame({"time_s": table["time_s"]} | words)
    return rows.sort_values("time_s", kind="stable").to_numpy().tolist()


def speech(happened: list[list], end: float) -> list[list]:
    """Who speaks from when to when: as the run tells it, else as the timeline's `speaks` says."""
    spoken, begun = [], {}
    for time, participant, event, _, _ in happened:
        if event == "speech-start":
            begun[participant] = time
        elif event == "speech-end" and participant in begun:
            spoken.append([participant, begun.pop(participant), time])
    spoken += [[participant, time, end] for participant, time in begun.items()]
    if spoken:
        return sorted(spoken, key=lambda span: span[1])
    for time, participant, event, detail, _ in happened:
        length = DURATION.match(detail)
        if event == "speaks" and length:
            spoken.append([participant, time, time + float(length.group(1)) * SECONDS[length.group(2)]])
    return spoken


def whole_run(table: pd.DataFrame | None) -> list[list]:
    """Metrics of participants: viewer, metric, statistic, unit, direction, value."""
    if table is None:
        return []
    rows = table[table["scope"] == "participant"]
    return [
        [
            str(row.viewer),
            str(row.metric),
            str(row.stat),
            str(row.unit),
            str(getattr(row, "direction", "")),
            number(row.value),
        ]
        for row in rows.itertuples()
    ]
