"""What a metric is over the points of a sweep: a line per value of one variable, a panel per value of another."""

import json
from dataclasses import dataclass
from pathlib import Path

import altair as alt
import pandas as pd

from meetsim_plots.palette import COLOURS
from meetsim_plots.results import PlotError, read_table
from meetsim_plots.theme import dressed

SUFFIXES = {"_bps": ("Mbit/s", 1e-6), "_s": ("ms", 1e3), "_frac": ("%", 100.0), "_bytes": ("kB", 1e-3)}
UNITS = {"bit/s": ("Mbit/s", 1e-6), "1": ("", 1.0)}
NUMBERS = ["mean", "ci_lo", "ci_hi", "ci_level", "n"]
NAMES = ["point_id", "scope", "viewer", "source", "metric", "stat", "unit"]
MOST_LINES = len(COLOURS)
MOST_PANELS = 8


@dataclass(frozen=True)
class Sweep:
    """A sweep's directory."""

    directory: Path
    name: str
    title: str
    summary: pd.DataFrame

    @property
    def variables(self) -> list[str]:
        """The columns of the variables, in the sweep's order."""
        return [column for column in self.summary.columns if column.startswith("p_")]

    def column(self, variable: str) -> str:
        """The column of a variable named with or without prefix and unit."""
        for column in self.variables:
            if variable in (column, column[2:], plain(column)):
                return column
        known = ", ".join(plain(column) for column in self.variables)
        raise PlotError(f"'{self.directory}' has no variable '{variable}'; there are {known}")


def plain(column: str) -> str:
    """A variable's name without prefix and unit."""
    name = column.removeprefix("p_")
    for suffix in SUFFIXES:
        name = name.removesuffix(suffix)
    return name


def open_sweep(directory: Path) -> Sweep:
    """Reads a sweep's summary and its name."""
    if not directory.is_dir():
        raise PlotError(f"'{directory}' is not a directory")
    path = directory / "summary.csv"
    if not path.exists():
        raise PlotError(f"'{path}' does not exist: is it the directory of a sweep?")
    header = pd.read_csv(path, nrows=0).columns
    values = [column for column in header if column.startswith("p_")]
    columns = {name: str for name in NAMES} | {name: float for name in NUMBERS}
    summary = read_table(path, columns)
    # A variable is a number only if all of its values are.
    table = pd.read_csv(path, usecols=values, keep_default_na=False, na_values=[""]) if values else None
    if table is not None:
        summary = pd.concat([summary, table[values]], axis=1)
    name, title = directory.resolve().name, ""
    manifest = directory / "manifest.json"
    if manifest.exists():
        try:
            settings = json.loads(manifest.read_text(encoding="utf-8"))["settings"]
            name, title = str(settings["name"]), str(settings["title"])
        except (ValueError, KeyError, TypeError) as error:
            raise PlotError(f"'{manifest}' is not a sweep's manifest: {error}") from error
    return Sweep(directory, name, title, summary)


def sweep_chart(
    sweep: Sweep, metrics: list[str], x: str | None, line: str | None, panel: str | None, viewer: str | None,
    source: str | None,
) -> alt.TopLevelMixin:
    """A row of panels per metric."""
    axes = chosen_axes(sweep, x, line, panel)
    rows = [metric_row(sweep, metric, *axes, viewer, source, number == 0) for number, metric in enumerate(metrics)]
    chart = alt.vconcat(*rows, spacing=30).resolve_scale(color="shared")
    level = float(sweep.summary["ci_level"].iloc[0])
    runs = int(sweep.summary["n"].max())
    subtitle = f"{sweep.title} · mean of {runs} runs per point, bands are {level:.0%} Student-t intervals"
    return dressed(chart, sweep.name, subtitle.removeprefix(" · "))


def chosen_axes(
    sweep: Sweep, x: str | None, line: str | None, panel: str | None
) -> tuple[str, str | None, str | None]:
    """The variables of the axis, the lines and the panels: those named, or what suits."""
    numeric = [c for c in sweep.variables if pd.api.types.is_numeric_dtype(sweep.summary[c])]
    if x:
        across = sweep.column(x)
        if across not in numeric:
            raise PlotError(f"variable '{x}' has no numbers to draw an axis of")
    elif numeric:
        across = max(numeric, key=lambda column: sweep.summary[column].nunique())
    else:
        raise PlotError(f"'{sweep.directory}' varies nothing that has numbers")
    rest = [column for column in sweep.variables if column != across]
    rest.sort(key=lambda column: column in numeric)
    lines = sweep.column(line) if line else (rest[0] if rest else None)
    rest = [column for column in rest if column != lines]
    panels = sweep.column(panel) if panel else (rest[0] if rest else None)
    unused = [plain(c) for c in rest if c != panels and sweep.summary[c].nunique() > 1]
    if unused:
        raise PlotError(f"a picture shows three variables: fix {', '.join(unused)} with 'meetsim sweep --filter'")
    for column, limit, what in [(lines, MOST_LINES, "lines"), (panels, MOST_PANELS, "panels")]:
        if column and sweep.summary[column].nunique() > limit:
            raise PlotError(f"'{plain(column)}' has more than {limit} values for {what}: choose another variable")
    return across, lines, panels


def metric_row(
    sweep: Sweep, metric: str, across: str, lines: str | None, panels: str | None, viewer: str | None,
    source: str | None, is_first: bool,
) -> alt.TopLevelMixin:
    """The panels of one metric, with one scale."""
    rows = metric_values(sweep, metric, viewer, source)
    unit, factor = UNITS.get(rows["unit"].iloc[0], (rows["unit"].iloc[0], 1.0))
    x_unit, x_factor = unit_of(across)
    drawn = pd.DataFrame({"x": rows[across] * x_factor, "n": rows["n"]})
    for column in ["mean", "ci_lo", "ci_hi"]:
        drawn[column] = rows[column] * factor
    drawn["line"] = [shown(lines, value) for value in rows[lines]] if lines else metric
    values = sorted(rows[panels].unique()) if panels else [None]
    order = [shown(lines, value) for value in rows[lines].unique()] if lines else [metric]
    top = float(drawn[["mean", "ci_hi"]].max().max())
    scale = alt.Scale(domain=[0, max(top, 1e-9) * 1.02], nice=False)
    is_log = drawn["x"].min() > 0 and drawn["x"].max() / drawn["x"].min() >= 8
    title = f"{metric.replace('_', ' ')} [{unit}]" if unit else metric.replace("_", " ")
    charts = []
    for number, value in enumerate(values):
        part = drawn if value is None else drawn[rows[panels] == value]
        base = alt.Chart(part).encode(
            x=alt.X(
                "x:Q", title=f"{plain(across)} [{x_unit}]" if x_unit else plain(across),
                scale=alt.Scale(type="log" if is_log else "linear", nice=False),
                axis=alt.Axis(values=sorted(drawn["x"].unique()), labelOverlap="greedy", labelSeparation=6, format="~g"),
            ),
            color=alt.Color(
                "line:N", sort=order, title=plain(lines) if lines else None,
                scale=alt.Scale(domain=order, range=COLOURS[: len(order)]),
                legend=alt.Legend(symbolType="stroke", symbolOpacity=1),
            ),
        )
        y_title = title if number == 0 else None
        layers = alt.layer(
            base.mark_area(opacity=0.2, clip=True).encode(y=alt.Y("ci_lo:Q", title=y_title, scale=scale), y2="ci_hi:Q"),
            base.mark_line(strokeWidth=2).encode(y=alt.Y("mean:Q", title=y_title, scale=scale)),
            base.mark_point(size=22, filled=True, opacity=1).encode(y=alt.Y("mean:Q", scale=scale)),
        ).properties(width=230, height=200)
        if panels and is_first:
            layers = layers.properties(
                title=alt.TitleParams(f"{plain(panels)} {shown(panels, value)}", fontSize=13, fontWeight="normal")
            )
        charts.append(layers)
    return alt.hconcat(*charts, spacing=14)


def metric_values(sweep: Sweep, metric: str, viewer: str | None, source: str | None) -> pd.DataFrame:
    """One row per point; says what else has to be chosen when there are more."""
    rows = sweep.summary[sweep.summary["metric"] == metric]
    if rows.empty:
        known = ", ".join(sorted(sweep.summary["metric"].unique()))
        raise PlotError(f"'{sweep.directory}' has no metric '{metric}'; there are {known}")
    for column, value in [("viewer", viewer), ("source", source)]:
        if value is None:
            continue
        chosen = rows[rows[column] == value]
        if chosen.empty:
            known = ", ".join(sorted(rows[column].dropna().unique()))
            raise PlotError(f"{metric} has no {column} '{value}'; there are {known}")
        rows = chosen
    if rows["point_id"].duplicated().any():
        several = [c for c in ["scope", "viewer", "source", "stat"] if rows[c].fillna("").nunique() > 1]
        raise PlotError(f"{metric} is there with more than one {', '.join(several)}: choose --viewer and --source")
    return rows.dropna(subset=["mean"])


def unit_of(column: str) -> tuple[str, float]:
    """Unit and factor for drawing a variable's numbers."""
    return next((unit for suffix, unit in SUFFIXES.items() if column.endswith(suffix)), ("", 1.0))


def shown(column: str, value: object) -> str:
    """A variable's value as a person writes it."""
    unit, factor = unit_of(column)
    if isinstance(value, (int, float)):
        return f"{value * factor:g} {unit}".strip()
    return str(value)
