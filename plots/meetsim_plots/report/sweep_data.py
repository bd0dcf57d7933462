"""What a report of a sweep holds: its points, the summary of each metric, and the runs' own values for pairs."""

from pathlib import Path

import numpy as np
import pandas as pd

from meetsim_plots.intervals import student_t
from meetsim_plots.metrics import FIRST_METRICS, SCOPES
from meetsim_plots.report.columns import pack
from meetsim_plots.report.tables import read_manifest
from meetsim_plots.results import PlotError, natural, read_table

KEY = ["scope", "viewer", "source", "metric", "stat", "unit"]
NUMBERS = ["n", "mean", "sd", "ci_lo", "ci_hi", "min", "p05", "p50", "p95", "max"]
# A page takes about ten bytes for each row of a summary and four for each value of a run.
MOST_SUMMARY_ROWS = 400_000
MOST_RUN_VALUES = 1_500_000
MOST_FAILED = 500


def is_sweep(directory: Path) -> bool:
    """Whether a directory is a sweep's."""
    return any((directory / name).exists() for name in ("summary.csv", "runs.csv", "plan.csv"))


def sweep_data(directory: Path) -> dict:
    """All that the page of a sweep needs, as a value of JSON."""
    runs = read_runs(directory / "runs.csv")
    variables = [name for name in runs.columns if name.startswith("p_")]
    points = runs.drop_duplicates("point_id")[["point_id", *variables]].reset_index(drop=True)
    summary = read_summary(directory / "summary.csv")
    index_of = {name: index for index, name in enumerate(points["point_id"])}
    unknown = set(summary["point_id"]) - set(index_of)
    if unknown:
        raise PlotError(
            f"'{directory / 'runs.csv'}' has no runs of point {min(unknown, key=natural)}: is the sweep whole?"
        )
    summary["point"] = summary["point_id"].map(index_of).astype(float)
    series, omitted = chosen_series(summary, len(points))
    level = float(summary["ci_level"].iloc[0]) if len(summary) else 0.95
    most = int(runs.groupby("point_id").size().max())
    return {
        "header": sweep_header(directory),
        "variables": [{"name": name, "values": plain_values(points[name])} for name in variables],
        "points": points["point_id"].tolist(),
        "level": level,
        "t": [None, None, *(round(student_t(level, n - 1), 6) for n in range(2, min(most, 2000) + 1))],
        "series": series[KEY + (["direction"] if "direction" in series else [])].fillna("").to_dict("split")["data"],
        "series_columns": [*KEY, *(["direction"] if "direction" in series else [])],
        "first_series": first_series(summary, series),
        "omitted": omitted,
        "summary": packed_summary(summary, series),
        "runs": paired_values(directory / "scalars.csv", runs, series, index_of),
        "statuses": {str(key): int(count) for key, count in runs["status"].value_counts().items()},
        "failed": failed_runs(runs, variables),
    }


def read_runs(path: Path) -> pd.DataFrame:
    """All runs; a variable is a number only if all of its values are."""
    if not path.exists():
        raise PlotError(f"'{path}' does not exist: has the sweep finished?")
    read_table(path, {"run_id": str, "point_id": str, "repetition": float, "seed": str, "status": str})
    words = {"run_id": str, "point_id": str, "seed": str, "status": str, "error": str}
    return pd.read_csv(path, dtype=words, keep_default_na=False, na_values=[""])


def read_summary(path: Path) -> pd.DataFrame:
    """The summary's rows, without the variables that `runs.csv` has too."""
    try:
        header = pd.read_csv(path, nrows=0).columns
    except FileNotFoundError as error:
        raise PlotError(f"'{path}' does not exist: has the sweep finished?") from error
    except (OSError, pd.errors.EmptyDataError, pd.errors.ParserError) as error:
        raise PlotError(f"'{path}' is no table: {error}") from error
    needed = ["point_id", *KEY, "n", "mean", "ci_lo", "ci_hi", "ci_level"]
    missing = [name for name in needed if name not in header]
    if missing:
        raise PlotError(f"'{path}' has no {'column' if len(missing) == 1 else 'columns'} {', '.join(missing)}")
    columns = [name for name in header if not name.startswith("p_") and name != "failed"]
    types = {name: "category" if name in KEY or name in ("direction", "point_id") else float for name in columns}
    try:
        return pd.read_csv(path, usecols=columns, dtype=types, keep_default_na=False, na_values=[""])
    except (ValueError, pd.errors.ParserError) as error:
        raise PlotError(f"'{path}' is not a sweep's summary: {error}") from error


def sweep_header(directory: Path) -> dict:
    """What stands at the top of the page."""
    settings = read_manifest(directory / "manifest.json").get("settings")
    settings = settings if isinstance(settings, dict) else {}
    name = directory.resolve().name
    return {
        "name": str(settings.get("name", name)),
        "title": str(settings.get("title", "")),
        "directory": name,
        "version": str(settings.get("version", "?")),
        "repetitions": str(settings.get("repetitions", "?")),
        "seeds": str(settings.get("seeds", "common")),
        "sweep": str(settings.get("sweep", "")),
    }


def plain_values(values: pd.Series) -> list:
    """A variable's value at each point: numbers, or words."""
    if pd.api.types.is_bool_dtype(values):
        return [str(value).lower() for value in values]
    if pd.api.types.is_numeric_dtype(values):
        return [None if pd.isna(value) else float(value) for value in values]
    return ["" if pd.isna(value) else str(value) for value in values]


def chosen_series(summary: pd.DataFrame, points: int) -> tuple[pd.DataFrame, int]:
    """Each metric of each viewer and source, meetings before people before tiles; also how many were too many."""
    columns = KEY + (["direction"] if "direction" in summary else [])
    series = summary[columns].astype(object).drop_duplicates(KEY).reset_index(drop=True)
    order = sorted(
        range(len(series)),
        key=lambda row: (
            SCOPES.index(series["scope"][row]) if series["scope"][row] in SCOPES else len(SCOPES),
            natural(str(series["viewer"][row])),
            natural(str(series["source"][row])),
        ),
    )
    kept = max(1, MOST_SUMMARY_ROWS // max(points, 1))
    return series.loc[order[:kept]].reset_index(drop=True), max(0, len(order) - kept)


def series_index(table: pd.DataFrame, series: pd.DataFrame) -> np.ndarray:
    """The number of each row's series, or -1."""
    keys = pd.MultiIndex.from_frame(series[KEY].fillna("").astype(str))
    if len(table) == 0:
        return np.array([], dtype=int)
    # Rows repeat few words: each combination is looked up once.
    codes = [
        table[name].cat.add_categories([""]).fillna("")
        if "" not in table[name].cat.categories
        else table[name].fillna("")
        for name in KEY
    ]
    group = pd.concat(codes, axis=1, keys=KEY).groupby(KEY, observed=True, sort=False).ngroup().to_numpy()
    first = np.unique(group, return_index=True)[1]
    named = pd.MultiIndex.from_arrays([[str(code.iloc[row]) for row in first] for code in codes], names=KEY)
    return keys.get_indexer(named)[group]


def first_series(summary: pd.DataFrame, series: pd.DataFrame) -> int:
    """What is shown first: the metric that says most, of the viewer with whom it varies most over the points."""
    for metric in FIRST_METRICS:
        of = series.index[(series["metric"] == metric) & (series["scope"].isin(["participant", "tile"]))]
        rows = summary[summary["metric"] == metric]
        if len(of) == 0 or rows.empty:
            continue
        number = series_index(rows, series)
        spread = rows["mean"].groupby(number).std().reindex(of).fillna(0.0)
        return int(spread.idxmax())
    return 0


def packed_summary(summary: pd.DataFrame, series: pd.DataFrame) -> dict[str, dict]:
    """A packed table for each metric: the page unpacks what it draws."""
    rows = summary.assign(series=series_index(summary, series).astype(float))
    rows = rows[rows["series"] >= 0].sort_values(["series", "point"], kind="stable")
    columns = ["series", "point", *(name for name in NUMBERS if name in rows)]
    rows = rows.assign(**{name: rows[name].astype(np.float32) for name in NUMBERS if name in rows})
    return {str(metric): pack(group[columns]) for metric, group in rows.groupby("metric", observed=True, sort=False)}


def paired_values(path: Path, runs: pd.DataFrame, series: pd.DataFrame, index_of: dict[str, int]) -> dict:
    """Each run's values by metric, with its point and repetition: what pairs are made of."""
    if not path.exists():
        return {}
    columns = {name: "category" for name in ["run_id", *KEY]} | {"value": float}
    table = read_table(path, columns)
    table["series"] = series_index(table, series)
    kept = min(len(series), max(1, MOST_RUN_VALUES // max(len(runs), 1)))
    table = table[(table["series"] >= 0) & (table["series"] < kept)]
    known = runs.set_index("run_id")
    names = table["run_id"].cat.categories
    found = known.reindex(names)
    codes = table["run_id"].cat.codes.to_numpy()
    point = found["point_id"].map(index_of).to_numpy(dtype=float)[codes]
    repetition = found["repetition"].to_numpy(dtype=float)[codes]
    rows = pd.DataFrame(
        {
            "metric": table["metric"].to_numpy(),
            "series": table["series"].to_numpy(dtype=float),
            "point": point,
            "repetition": repetition,
            "value": table["value"].to_numpy(),
        }
    )
    rows = rows[rows["point"].notna()].sort_values(["series", "point", "repetition"], kind="stable")
    return {
        str(metric): pack(group.drop(columns="metric"))
        for metric, group in rows.groupby("metric", observed=True, sort=False)
    }


def failed_runs(runs: pd.DataFrame, variables: list[str]) -> dict:
    """Runs without results, with what went wrong."""
    failed = runs[runs["status"] != "ok"]
    columns = [
        "run_id",
        "point_id",
        "repetition",
        "seed",
        "status",
        *(["error"] if "error" in runs else []),
        *variables,
    ]
    rows = failed.head(MOST_FAILED)[columns].astype(object)
    return {"count": len(failed), "columns": columns, "rows": rows.where(rows.notna(), None).to_numpy().tolist()}
