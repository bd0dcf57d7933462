"""Mean of a metric at each point of a sweep, with polars: points_polars.py SWEEP METRIC."""

import sys
from pathlib import Path

import polars as pl
from scipy.stats import t

sweep, metric = Path(sys.argv[1]), sys.argv[2]
runs = pl.scan_csv(sweep / "runs.csv")
variables = [name for name in runs.collect_schema().names() if name.startswith("p_")]
points = (
    pl.scan_csv(sweep / "scalars.csv")
    .filter(pl.col("scope") == "tile", pl.col("metric") == metric, pl.col("stat") != "max")
    .group_by("run_id")
    .agg(pl.col("value").mean())
    .join(runs, on="run_id")
    .group_by(variables)
    .agg(pl.len().alias("n"), pl.col("value").mean().alias("mean"), pl.col("value").std().alias("sd"))
    .sort(variables)
    .collect()
)
quantiles = pl.Series(t.ppf(0.975, points["n"].to_numpy() - 1))
points = points.with_columns(half_width=quantiles * points["sd"] / points["n"].sqrt()).drop("sd")
print(points.write_csv(), end="")
