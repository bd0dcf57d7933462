"""Makes directories that look like those of a sweep."""

import json
import random
from pathlib import Path

import pandas as pd

RUNS = "run_id,run_index,point_id,repetition,seed,status,error,p_policy,p_capacity_bps,p_loss_frac\n"
METRICS = [("utility", "1", "bigger", 0.9), ("bitrate", "bit/s", "neither", 1_000_000), ("mos", "1", "bigger", 4.0)]


def write_sweep_of_runs(
    folder: Path, capacities: int = 3, repetitions: int = 4, failing: int = 1, viewers: int = 1
) -> Path:
    """Two policies over capacities and two losses; the first `failing` runs have no result."""
    folder.mkdir(parents=True)
    chance = random.Random(5)
    runs, scalars = [], []
    for policy in ["bluejeans", "janus"]:
        for step in range(capacities):
            for loss in ["0.0", "0.02"]:
                capacity, point = 500_000 * 2**step, f"p{len(runs) // repetitions + 1}"
                for repetition in range(repetitions):
                    name = f"r{len(runs):05}"
                    status = "failed,the worker crashed" if len(runs) < failing else "ok,"
                    runs.append(f"{name},{len(runs)},{point},{repetition},1,{status},{policy},{capacity},{loss}\n")
                    if not status.startswith("ok"):
                        continue
                    noise = chance.uniform(0.9, 1.1)
                    share = (
                        (step + 1) / capacities * (1.1 if policy == "janus" else 1.0) * (0.9 if loss != "0.0" else 1.0)
                    )
                    for viewer in range(1, viewers + 1):
                        for metric, unit, direction, full in METRICS:
                            value = round(full * share * noise / viewer, 3)
                            scalars.append(
                                f"{name},participant,viewer-{viewer},,{metric},mean,{unit},{direction},{value}\n"
                            )
    (folder / "runs.csv").write_text(RUNS + "".join(runs), encoding="utf-8")
    (folder / "scalars.csv").write_text(
        "run_id,scope,viewer,source,metric,stat,unit,direction,value\n" + "".join(scalars), encoding="utf-8"
    )
    write_summary(folder)
    settings = {"settings": {"name": "narrow", "title": "A narrow downlink", "version": "0.1.0", "seeds": "common"}}
    (folder / "manifest.json").write_text(json.dumps(settings), encoding="utf-8")
    return folder


def write_summary(folder: Path) -> None:
    """A summary with the columns of meetsim's; its intervals are only as wide as they look."""
    keep = {"keep_default_na": False, "na_values": [""]}
    runs, values = pd.read_csv(folder / "runs.csv", **keep), pd.read_csv(folder / "scalars.csv", **keep)
    key = ["point_id", "scope", "viewer", "source", "metric", "stat", "unit", "direction"]
    joined = values.merge(runs[["run_id", "point_id"]], on="run_id")
    summary = joined.groupby(key, sort=False, dropna=False)["value"].agg(n="count", mean="mean", sd="std").reset_index()
    summary["ci_lo"], summary["ci_hi"], summary["ci_level"] = (
        summary["mean"] - summary["sd"],
        summary["mean"] + summary["sd"],
        0.95,
    )
    for name in ["min", "p05", "p50", "p95", "max"]:
        summary[name] = summary["mean"]
    summary["failed"] = 0
    points = runs.drop_duplicates("point_id")[["point_id", "p_policy", "p_capacity_bps", "p_loss_frac"]]
    summary.merge(points, on="point_id").to_csv(folder / "summary.csv", index=False)
