"""Reads the tables of a run for a report, which goes without those that are missing."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from meetsim_plots.results import PlotError, table_path, unreadable

WORDS = {
    "viewer",
    "source",
    "kind",
    "state",
    "limitation",
    "participant",
    "event",
    "detail",
    "result",
    "area",
    "rule",
    "wanted",
    "given",
    "previous",
    "reason",
    "scope",
    "metric",
    "stat",
    "unit",
    "direction",
}
STREAMS = [
    "time_s",
    "viewer",
    "source",
    "kind",
    "state",
    "tile_width_px",
    "tile_height_px",
    "requested_height_px",
    "requested_fps",
    "target_height_px",
    "frame_width_px",
    "frame_height_px",
    "frames_per_second",
    "bitrate_bps",
    "packets_lost",
    "freeze_count",
    "freezes_duration_s",
    "limitation",
    "mos",
]
PARTICIPANTS = [
    "time_s",
    "participant",
    "up_capacity_bps",
    "up_estimate_bps",
    "up_bitrate_bps",
    "up_loss_frac",
    "up_queue_delay_s",
    "down_capacity_bps",
    "down_estimate_bps",
    "down_bitrate_bps",
    "down_loss_frac",
    "down_queue_delay_s",
    "audio_bitrate_bps",
    "audio_loss_frac",
]
NEEDED = {
    "streams": ["time_s", "viewer", "source", "state", "requested_height_px", "frame_height_px", "frames_per_second"],
    "participants": ["time_s", "participant"],
    "layout": ["time_s", "viewer", "source", "x_px", "y_px", "width_px", "height_px"],
    "decisions": ["time_s", "viewer", "source"],
    "events": ["time_s", "participant", "event"],
    "audio": ["time_s", "viewer", "source", "packets_received"],
    "scalars": ["scope", "viewer", "source", "metric", "stat", "unit", "value"],
}


@dataclass(frozen=True)
class RunTables:
    """The tables of one run's directory and what its manifest says."""

    directory: Path
    manifest: dict
    tables: dict[str, pd.DataFrame]

    def table(self, name: str) -> pd.DataFrame | None:
        """A table that has rows, or nothing."""
        return self.tables.get(name)

    @property
    def scenario(self) -> str:
        return str(self.manifest.get("scenario", self.directory.resolve().name))

    def said(self, key: str) -> str:
        """What the resolved scenario says at its top level under a key, on one line."""
        return top_level(str(self.manifest.get("resolved_scenario", "")), key)


def open_tables(directory: Path) -> RunTables:
    """Reads all tables of a run; says what is wrong with the directory."""
    if not directory.is_dir():
        raise PlotError(f"'{directory}' is not a directory")
    tables = {}
    for name, needed in NEEDED.items():
        path = table_path(directory, name)
        if path.exists():
            table = read_columns(path, needed)
            if not table.empty:
                tables[name] = table
        elif name == "streams":
            raise PlotError(f"'{path}' does not exist: is it the result directory of a run or a sweep?")
    if "streams" not in tables:
        raise PlotError(f"'{directory / 'streams.csv'}' has no rows")
    return RunTables(directory, read_manifest(directory / "manifest.json"), tables)


def read_manifest(path: Path) -> dict:
    """A manifest's keys; none without a manifest."""
    if not path.exists():
        return {}
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise PlotError(f"'{path}' is not a manifest: {error}") from error
    if not isinstance(manifest, dict):
        raise PlotError(f"'{path}' is not a manifest: it is no object")
    return manifest


def read_columns(path: Path, needed: list[str]) -> pd.DataFrame:
    """A table's columns but the run's id: words as categories, everything else as numbers."""
    try:
        header = list(pd.read_csv(path, nrows=0).columns)
        missing = [name for name in needed if name not in header]
        if missing:
            noun = "column" if len(missing) == 1 else "columns"
            raise PlotError(f"'{path}' has no {noun} {', '.join(missing)}")
        columns = [name for name in header if name not in ("run_id", "connection_quality")]
        # Only an empty field is missing: a participant may be called "NA".
        return pd.read_csv(
            path,
            usecols=columns,
            keep_default_na=False,
            na_values=[""],
            dtype={name: "category" if name in WORDS else float for name in columns},
        )
    except (OSError, EOFError) as error:
        raise PlotError(unreadable(path, error)) from error
    except (ValueError, pd.errors.ParserError) as error:
        raise PlotError(f"'{path}' is not a result table: {error}") from error


def top_level(yaml: str, key: str) -> str:
    """What stands under a key of the emitter's own YAML: a plain value, or the lines below it joined."""
    found = re.search(rf"^{re.escape(key)}:(.*)\n((?:[ -].*\n?)*)", yaml + "\n", re.MULTILINE)
    if not found:
        return ""
    inline = found.group(1).strip()
    if len(inline) > 1 and inline[0] == inline[-1] == "'":
        return inline[1:-1].replace("''", "'")
    if len(inline) > 1 and inline[0] == inline[-1] == '"':
        return inline[1:-1].replace('\\"', '"')
    if inline:
        return inline
    return ", ".join(line.strip() for line in found.group(2).splitlines() if line.strip())
