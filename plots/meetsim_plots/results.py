"""Reads the result directory of one run."""

import json
from dataclasses import dataclass
from pathlib import Path

import pandas as pd


class PlotError(Exception):
    """Why nothing can be drawn, as a sentence for the user."""


STREAM_COLUMNS = {
    "time_s": float,
    "viewer": str,
    "source": str,
    "state": str,
    "requested_height_px": float,
    "requested_fps": float,
    "frame_height_px": float,
    "frames_per_second": float,
    "bitrate_bps": float,
}
PARTICIPANT_COLUMNS = {
    "time_s": float,
    "participant": str,
    "down_capacity_bps": float,
    "down_estimate_bps": float,
    "down_queue_delay_s": float,
}


@dataclass(frozen=True)
class Run:
    """One run's result directory."""

    directory: Path
    scenario: str
    seed: str

    @property
    def streams(self) -> pd.DataFrame:
        return read_table(table_path(self.directory, "streams"), STREAM_COLUMNS)

    @property
    def participants(self) -> pd.DataFrame:
        return read_table(table_path(self.directory, "participants"), PARTICIPANT_COLUMNS)


def open_run(directory: Path) -> Run:
    """Finds a run's name and seed; a directory without a manifest is named after itself."""
    if not directory.is_dir():
        raise PlotError(f"'{directory}' is not a directory")
    path = directory / "manifest.json"
    if not path.exists():
        return Run(directory, directory.resolve().name, "?")
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        return Run(directory, str(manifest["scenario"]), str(manifest["seed"]))
    except (ValueError, KeyError, TypeError) as error:
        raise PlotError(f"'{path}' is not a run's manifest: {error}") from error


def table_path(directory: Path, name: str) -> Path:
    """Where a table of a run is: as CSV, or compressed."""
    path, compressed = directory / f"{name}.csv", directory / f"{name}.csv.gz"
    return compressed if compressed.exists() and not path.exists() else path


def read_words(path: Path) -> pd.DataFrame:
    """Reads a whole table without taking anything for a number; says why one cannot be read."""
    return read_csv(path, dtype=str, keep_default_na=False)


def read_csv(path: Path, **how: object) -> pd.DataFrame:
    """Reads a whole table; says why one cannot be read."""
    try:
        return pd.read_csv(path, **how)
    except (OSError, EOFError) as error:
        raise PlotError(unreadable(path, error)) from error
    except (pd.errors.EmptyDataError, pd.errors.ParserError, UnicodeDecodeError) as error:
        raise PlotError(f"'{path}' is no table: {error}") from error


def unreadable(path: Path, error: Exception) -> str:
    """The sentence on a file that the system, or the compression, does not let one read."""
    return f"cannot read '{path}': {getattr(error, 'strerror', None) or error}"


def read_table(path: Path, columns: dict[str, type]) -> pd.DataFrame:
    """Reads some columns of a table; says which are missing."""
    try:
        header = pd.read_csv(path, nrows=0).columns
        missing = [name for name in columns if name not in header]
        if missing:
            noun = "column" if len(missing) == 1 else "columns"
            raise PlotError(f"'{path}' has no {noun} {', '.join(missing)}")
        # Only an empty field is missing: a participant may be called "NA".
        table = pd.read_csv(
            path, usecols=list(columns), dtype=columns, keep_default_na=False, na_values=[""]
        )
    except FileNotFoundError as error:
        raise PlotError(f"'{path}' does not exist: is it the result directory of one run?") from error
    except (OSError, EOFError) as error:
        raise PlotError(unreadable(path, error)) from error
    except (ValueError, pd.errors.ParserError) as error:
        raise PlotError(f"'{path}' is not a result table: {error}") from error
    if table.empty:
        raise PlotError(f"'{path}' has no rows")
    return table


def is_unseen(streams: pd.DataFrame) -> pd.Series:
    """Where a tile isn't meant to be seen: muted, hidden, or not asked for. One that was dropped is, though `absent`."""
    return streams["state"].isin(["hidden", "muted"]) | ~(streams["requested_height_px"] > 0)


def interval_of(times: pd.Series) -> float:
    """The length of the recording interval [s]."""
    ticks = pd.Series(sorted(times.unique()))
    return float(ticks.diff().median()) if len(ticks) > 1 else float(ticks.iloc[0]) or 1.0


def natural(name: str) -> list[tuple[bool, int, str]]:
    """A key by which `student-2` comes before `student-10`."""
    parts = "".join(c if c.isdigit() else f"\0{c}\0" for c in name).split("\0")
    return [(p.isdigit(), int(p) if p.isdigit() else 0, p) for p in parts if p]
