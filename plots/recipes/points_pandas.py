"""Mean of a metric at each point of a sweep, with pandas: points_pandas.py SWEEP METRIC."""

import sys
from pathlib import Path

import pandas as pd
from scipy.stats import t

sweep, metric = Path(sys.argv[1]), sys.argv[2]
# Only an empty field is missing: a participant may be called "NA".
options = {"keep_default_na": False, "na_values": [""]}
runs = pd.read_csv(sweep / "runs.csv", **options)
scalars = pd.read_csv(sweep / "scalars.csv", **options)

tiles = scalars[(scalars["scope"] == "tile") & (scalars["metric"] == metric) & (scalars["stat"] != "max")]
per_run = tiles.groupby("run_id")["value"].mean()
variables = [name for name in runs.columns if name.startswith("p_")]
points = runs.merge(per_run, on="run_id").groupby(variables)["value"].agg(n="count", mean="mean", sd="std")
points["half_width"] = t.ppf(0.975, points["n"] - 1) * points["sd"] / points["n"] ** 0.5
print(points.drop(columns="sd").reset_index().to_csv(index=False), end="")
