"""Sobol indices of a metric with SALib.

sensitivity.py sample POINTS.csv [N]     writes points for sensitivity.yaml, which reads points.csv beside it
sensitivity.py analyse SWEEP METRIC      first-order (S1) and total (ST) indices with 95 % intervals, as CSV
"""

import csv
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from SALib.analyze import sobol as analysis
from SALib.sample import sobol as sampling

PROBLEM = {
    "num_vars": 3,
    "names": ["capacity", "delay", "loss"],
    "bounds": [[300, 4000], [5, 200], [0, 5]],
}
UNITS = {"capacity": "kbps", "delay": "ms", "loss": "%"}


def sample(path, count):
    """Writes count x 5 points; SALib goes by their order, which the tables of a sweep keep."""
    points = sampling.sample(PROBLEM, count, calc_second_order=False, seed=1)
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(PROBLEM["names"])
        for point in points:
            out.writerow([f"{value:.6f} {UNITS[name]}" for name, value in zip(PROBLEM["names"], point)])


def analyse(sweep, metric):
    """Prints the indices of the mean over the tiles that the varied link leads to."""
    runs = pd.read_csv(Path(sweep) / "runs.csv").sort_values("run_index")
    scalars = pd.read_csv(Path(sweep) / "scalars.csv", keep_default_na=False, na_values=[""])
    tiles = scalars[
        (scalars["scope"] == "tile")
        & (scalars["viewer"] == "patient")
        & (scalars["metric"] == metric)
        & (scalars["stat"] != "max")
    ]
    values = runs["run_id"].map(tiles.groupby("run_id")["value"].mean())
    if values.isna().any():
        sys.exit(f"error: {values.isna().sum()} of {len(values)} points have no {metric}")
    indices = analysis.analyze(PROBLEM, np.asarray(values), calc_second_order=False, seed=1)
    print("variable,S1,S1_half_width,ST,ST_half_width")
    for place, name in enumerate(PROBLEM["names"]):
        figures = (indices[index][place] for index in ("S1", "S1_conf", "ST", "ST_conf"))
        print(name, *(f"{figure:.4f}" for figure in figures), sep=",")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["sample", path]:
            sample(path, 64)
        case ["sample", path, count]:
            sample(path, int(count))
        case ["analyse", sweep, metric]:
            analyse(sweep, metric)
        case _:
            sys.exit(__doc__)
