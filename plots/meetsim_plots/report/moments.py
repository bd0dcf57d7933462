"""The moments at which a meeting was worst: tiles far below what was asked, and long freezes."""

import json
from pathlib import Path

import numpy as np
import pandas as pd

from meetsim_plots.report.pixels import missing_pixels
from meetsim_plots.results import PlotError, interval_of

# A tile that nobody sees, or whose camera is off, is not below its request; one that was given nothing ("absent") is.
NOT_COUNTED = ["hidden", "muted"]
NOT_LIMITED = ["off-screen", "muted", "none"]
MOST_OF_EACH = 8


def worst_moments(streams: pd.DataFrame) -> list[dict]:
    """For each viewer the worst stretches below the request and the longest freezes, the worst first."""
    interval = interval_of(streams["time_s"])
    below = worst_of_each_viewer(stretches_below(streams, interval))
    freezes = worst_of_each_viewer(freezes_of(streams, interval))
    return below + freezes


def stretches_below(streams: pd.DataFrame, interval: float) -> pd.DataFrame:
    """Runs of intervals in which a tile had fewer lines than asked, for one reason, by missing megapixels."""
    asked = streams["requested_height_px"].fillna(0.0)
    got = streams["frame_height_px"].fillna(0.0)
    seen = ~streams["state"].isin(NOT_COUNTED) & (got < asked)
    limitation = streams["limitation"].astype(object) if "limitation" in streams else pd.Series(None, streams.index)
    seen &= ~limitation.isin(NOT_LIMITED)
    rows = pd.DataFrame(
        {
            "time": streams["time_s"],
            "viewer": streams["viewer"].astype(object),
            "source": streams["source"].astype(object),
            "asked": asked,
            "got": got,
            "limitation": limitation.fillna(""),
            "weight": missing_pixels(streams, interval) / 1e6,
        }
    )[seen].sort_values(["viewer", "source", "time"], kind="stable")
    if rows.empty:
        return pd.DataFrame()
    before = rows.shift()
    same = rows[["viewer", "source", "limitation"]].eq(before[["viewer", "source", "limitation"]]).all(axis=1)
    run = (~(same & (rows["time"] - before["time"] < 1.5 * interval))).cumsum()
    found = rows.groupby(run).agg(
        viewer=("viewer", "first"),
        source=("source", "first"),
        limitation=("limitation", "first"),
        begin=("time", "min"),
        end=("time", "max"),
        asked=("asked", "max"),
        got=("got", "min"),
        weight=("weight", "sum"),
    )
    found["begin"] -= interval
    return found.assign(what="below request")


def freezes_of(streams: pd.DataFrame, interval: float) -> pd.DataFrame:
    """Intervals in which freezes ended, by how long these were; a long one began before its interval."""
    if "freezes_duration_s" not in streams:
        return pd.DataFrame()
    rows = streams[streams["freezes_duration_s"] > 0]
    if rows.empty:
        return pd.DataFrame()
    duration = rows["freezes_duration_s"]
    return pd.DataFrame(
        {
            "viewer": rows["viewer"].astype(object),
            "source": rows["source"].astype(object),
            "limitation": rows["limitation"].astype(object).fillna("") if "limitation" in rows else "",
            "begin": (rows["time_s"] - np.maximum(duration, interval)).clip(lower=0),
            "end": rows["time_s"],
            "asked": rows["requested_height_px"],
            "got": rows["frame_height_px"],
            "weight": duration,
            "what": "freeze",
        }
    )


def worst_of_each_viewer(found: pd.DataFrame) -> list[dict]:
    """The heaviest of each viewer as values of JSON."""
    if found.empty:
        return []
    found = found.sort_values(["weight", "begin"], ascending=[False, True], kind="stable")
    found = found.groupby("viewer", sort=False).head(MOST_OF_EACH)
    return [
        {
            "what": row.what,
            "viewer": row.viewer,
            "source": row.source,
            "limitation": row.limitation,
            "begin": round(row.begin, 6),
            "end": row.end,
            "asked": number(row.asked),
            "got": number(row.got),
            "weight": round(row.weight, 3),
        }
        for row in found.itertuples()
    ]


def number(value: float) -> float | None:
    """A value of JSON, which has no NaN."""
    return None if pd.isna(value) else float(value)


def explanations(directory: Path) -> list[dict]:
    """The sentences of `explain*.json` files: for whom, of whom, when, and what."""
    found = []
    for path in sorted(directory.glob("explain*.json")):
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise PlotError(f"'{path}' is not JSON: {error}") from error
        for one in content if isinstance(content, list) else [content]:
            text = sentences(one) if isinstance(one, dict) else ""
            if text:
                time = one.get("time_s", one.get("at_s"))
                found.append(
                    {
                        "viewer": str(one.get("viewer", "")),
                        "source": str(one.get("source", "")),
                        "time": float(time) if isinstance(time, int | float) else None,
                        "text": text,
                    }
                )
    return found


def sentences(explanation: dict) -> str:
    """The text of an explanation, whichever of its usual names it has."""
    for key in ("sentences", "text", "explanation", "sentence", "summary"):
        value = explanation.get(key)
        if isinstance(value, list):
            return " ".join(str(part) for part in value)
        if value:
            return str(value)
    return ""
