"""How a metric is spread over viewers: the share of them at or below each value, a curve for each run or variant."""

from pathlib import Path

import altair as alt
import pandas as pd

from meetsim_plots.metrics import Choice, drawn_unit, labelled, metric_of, one_stat
from meetsim_plots.palette import COLOURS
from meetsim_plots.results import PlotError, open_run, read_csv, read_table
from meetsim_plots.sweep import plain, shown
from meetsim_plots.theme import dressed

MOST_CURVES = len(COLOURS)
SCALARS = {name: str for name in ["run_id", "scope", "viewer", "source", "metric", "stat", "unit"]} | {"value": float}
#: What one value belongs to.
COUNTED = {"participant": "viewers", "tile": "tiles", "link": "links", "meeting": "meetings"}


def ecdf_chart(
    directories: list[Path], metric: str | None, choice: Choice, line: str | None = None
) -> alt.TopLevelMixin:
    """One curve for each directory, or for each value of a variable of one sweep."""
    table, title, by = read_curves(directories, line)
    metric = metric_of(table, metric, directories[0])
    rows = choice.within(table, metric).dropna(subset=["value"])
    if rows.empty:
        raise PlotError(f"'{directories[0]}' has no value of {metric}")
    if choice.scope is None:
        # Viewers, if there are several; else whatever there is most of.
        counts = rows.groupby("scope").size()
        several = counts.get("participant", 0) > 1
        rows = rows[rows["scope"] == ("participant" if several else counts.idxmax())]
    rows = one_stat(rows)
    unit, factor = drawn_unit(rows["unit"].iloc[0])
    order = [name for name in table["curve"].unique() if name in set(rows["curve"])]
    if len(order) > MOST_CURVES:
        raise PlotError(f"{len(order)} curves are more than {MOST_CURVES}: choose fewer, or a variable with --line")
    scope, stat = str(rows["scope"].iloc[0]), str(rows["stat"].iloc[0])
    counted = COUNTED.get(scope, scope)
    names = {name: f"{name} ({size(rows[rows['curve'] == name], counted)})" for name in order}
    points = pd.concat([steps(rows.loc[rows["curve"] == name, "value"] * factor, names[name]) for name in order])
    chart = (
        alt.Chart(points)
        .mark_line(interpolate="step-after", strokeWidth=2)
        .encode(
            x=alt.X("value:Q", title=labelled(metric, unit), scale=alt.Scale(zero=False, nice=True)),
            y=alt.Y("share:Q", title=f"share of {counted} at or below [%]", scale=alt.Scale(domain=[0, 100])),
            order="place:Q",
            color=alt.Color(
                "curve:N", title=by, scale=alt.Scale(domain=list(names.values()), range=COLOURS[: len(order)]),
                legend=alt.Legend(symbolType="stroke", symbolOpacity=1),
            ),
        )
        .properties(width=560, height=320)
    )
    return dressed(chart, title, f"{metric.replace('_', ' ')}, {stat} of each {counted.removesuffix('s')}")


def size(rows: pd.DataFrame, counted: str) -> str:
    """How many values a curve is of."""
    runs, number = rows["run_id"].nunique(), len(rows)
    noun = counted.removesuffix("s") if number == 1 else counted
    return f"{number} {noun}" + (f" of {runs} runs" if runs > 1 else "")


def read_curves(directories: list[Path], line: str | None) -> tuple[pd.DataFrame, str, str]:
    """All values with the `curve` that they belong to, a title, and what tells curves apart."""
    tables = []
    for directory in directories:
        name = open_run(directory).scenario if not (directory / "runs.csv").exists() else directory.resolve().name
        table = read_table(directory / "scalars.csv", SCALARS)
        tables.append(table.assign(curve=name, directory=directory.resolve().name))
    if len(directories) == 1:
        table = tables[0]
        title = str(table["curve"].iloc[0])
        if (directories[0] / "runs.csv").exists():
            column, values = variants(directories[0] / "runs.csv", line)
            if column:
                table["curve"] = table["run_id"].map(values)
                return table.dropna(subset=["curve"]).sort_values(
                    "curve", key=lambda names: names.map(list(dict.fromkeys(values)).index), kind="stable"
                ), title, plain(column)
        return table, title, "Run"
    if line:
        raise PlotError("--line goes with one sweep")
    both = pd.concat(tables, ignore_index=True)
    names = both[["curve", "directory"]].drop_duplicates()
    if names["curve"].duplicated().any():
        both["curve"] = both["directory"]
    if both["curve"].nunique() < len(directories):
        raise PlotError("directories need names that differ, so that curves can be told apart")
    return both, ", ".join(dict.fromkeys(str(table["curve"].iloc[0]) for table in tables)), "Run"


def variants(path: Path, line: str | None) -> tuple[str | None, pd.Series]:
    """The variable that tells a sweep's curves apart, and its value in each run."""
    runs = read_csv(path)
    if "run_id" not in runs:
        raise PlotError(f"'{path}' has no column run_id")
    known = [column for column in runs.columns if column.startswith("p_")]
    several = [column for column in known if 1 < runs[column].nunique() <= MOST_CURVES]
    words = [column for column in several if not pd.api.types.is_numeric_dtype(runs[column])]
    chosen = next(iter(words or several), None)
    if line:
        chosen = next((column for column in known if line in (column, column[2:], plain(column))), None)
        if chosen is None:
            there = ", ".join(plain(column) for column in known)
            raise PlotError(f"'{path.parent}' has no variable '{line}'; there are {there}")
    if chosen is None:
        return None, pd.Series(dtype=str)
    order = runs.set_index("run_id")[chosen].dropna()
    order = order.sort_values(kind="stable") if pd.api.types.is_numeric_dtype(order) else order
    return chosen, order.map(lambda value: shown(chosen, value))


def steps(values: pd.Series, name: str) -> pd.DataFrame:
    """The corners of an empirical distribution: `value`, `share` [%] at or below it."""
    ordered = sorted(values)
    share = [100.0 * (place + 1) / len(ordered) for place in range(len(ordered))]
    return pd.DataFrame(
        {"value": [ordered[0], *ordered], "share": [0.0, *share], "curve": name, "place": range(len(ordered) + 1)}
    )
