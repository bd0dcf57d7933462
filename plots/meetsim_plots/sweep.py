"""What a metric is over the points of a sweep: a line per value of one variable, a panel per value of another."""

import itertools
import json
import math
from dataclasses import dataclass
from numbers import Real
from pathlib import Path

import altair as alt
import pandas as pd

from meetsim_plots.metrics import Choice, drawn_unit, labelled, metric_of, one_series, said
from meetsim_plots.palette import COLOURS
from meetsim_plots.results import PlotError, read_csv, read_table
from meetsim_plots.theme import dressed

SUFFIXES = {"_bps": ("Mbit/s", 1e-6), "_s": ("ms", 1e3), "_frac": ("%", 100.0), "_bytes": ("kB", 1e-3)}
NUMBERS = ["mean", "ci_lo", "ci_hi", "ci_level", "n"]
NAMES = ["point_id", "scope", "viewer", "source", "metric", "stat", "unit"]
MOST_LINES = len(COLOURS)
MOST_PANELS = 16
COLUMNS = 4
#: The axis of a sweep whose variables have one value each.
ONE_POINT = "p_point"


@dataclass(frozen=True)
class Sweep:
    """A sweep's summary."""

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

    def values(self, column: str) -> list:
        """A variable's values, in order."""
        values = list(self.summary[column].dropna().unique())
        return sorted(values) if self.is_number(column) else values

    def is_number(self, column: str) -> bool:
        kind = self.summary[column].dtype
        return pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind)


@dataclass(frozen=True)
class Axes:
    """Which variable is which: the axis, the lines, the panels, and those that are fixed at a value."""

    x: str
    lines: str | None
    panels: str | None
    fixed: dict[str, object]


def plain(column: str) -> str:
    """A variable's name without prefix and unit."""
    name = column.removeprefix("p_")
    for suffix in SUFFIXES:
        name = name.removesuffix(suffix)
    return name


def open_sweep(directory: Path) -> Sweep:
    """Reads a sweep's summary and its name; a summary alone will do."""
    path = directory
    if directory.is_dir():
        path = directory / "summary.csv"
        if not path.exists():
            raise PlotError(f"'{path}' does not exist: is it the directory of a sweep?")
    elif not directory.exists():
        raise PlotError(f"'{directory}' is not a directory")
    header = read_csv(path).columns
    summary = read_table(path, {name: str for name in NAMES} | {name: float for name in NUMBERS})
    # A variable is a number only if all of its values are.
    values = [column for column in header if column.startswith("p_")]
    if values:
        table = pd.read_csv(path, usecols=values, keep_default_na=False, na_values=[""])
        summary = pd.concat([summary, table[values]], axis=1)
    name, title = directory.resolve().name if directory.is_dir() else directory.stem, ""
    manifest = directory / "manifest.json"
    if manifest.exists():
        try:
            settings = json.loads(manifest.read_text(encoding="utf-8"))["settings"]
            name, title = str(settings["name"]), str(settings["title"])
        except (ValueError, KeyError, TypeError) as error:
            raise PlotError(f"'{manifest}' is not a sweep's manifest: {error}") from error
    return Sweep(directory, name, title, summary)


def sweep_chart(
    sweep: Sweep, metrics: list[str], choice: Choice, x: str | None = None, line: str | None = None,
    panel: str | None = None, at: dict[str, str] | None = None,
) -> alt.TopLevelMixin:
    """A row of panels per metric."""
    axes = chosen_axes(sweep, x, line, panel, at or {})
    table = sweep.summary
    if axes.x == ONE_POINT:
        table = table.assign(**{ONE_POINT: "all runs"})
    for column, value in axes.fixed.items():
        table = table[table[column] == value]
    names = metrics or [metric_of(table, None, sweep.directory)]
    picked = [picked_rows(sweep, table, metric_of(table, metric, sweep.directory), choice) for metric in names]
    rows = [metric_row(sweep, *each, axes) for each in picked]
    chart = alt.vconcat(*rows, spacing=26).resolve_scale(color="shared")
    level = float(sweep.summary["ci_level"].iloc[0])
    fixed = ", ".join(f"{plain(column)} {shown(column, value)}" for column, value in axes.fixed.items())
    runs = runs_in_words(pd.concat([rows["n"] for rows, _ in picked]))
    subtitle = [
        sweep.title, f"mean of {runs} per point, with {level:.0%} Student-t intervals",
        f"at {fixed} (others with --at)" if fixed else "",
    ]
    return dressed(chart, sweep.name, [line for line in subtitle if line])


def runs_in_words(counts: pd.Series) -> str:
    low, high = int(counts.min()), int(counts.max())
    return f"{high} run{'' if high == 1 else 's'}" if low == high else f"{low} to {high} runs"


def chosen_axes(sweep: Sweep, x: str | None, line: str | None, panel: str | None, at: dict[str, str]) -> Axes:
    """The variables of the axis, the lines and the panels: those named, or what suits. What is left over is fixed."""
    fixed = {sweep.column(name): value_of(sweep, sweep.column(name), text) for name, text in at.items()}
    named = [sweep.column(name) for name in (x, line, panel) if name]
    for column in named:
        if column in fixed or named.count(column) > 1:
            raise PlotError(f"variable '{plain(column)}' is named twice")
    free = [column for column in sweep.variables if column not in fixed and column not in named]
    free = [column for column in free if len(sweep.values(column)) > 1]
    if x:
        across = sweep.column(x)
    else:
        numbers = [column for column in free if sweep.is_number(column)]
        across = max(numbers or free, key=lambda column: len(sweep.values(column)), default=ONE_POINT)
    free = [column for column in free if column != across]
    free.sort(key=sweep.is_number)
    few = [column for column in free if len(sweep.values(column)) <= MOST_LINES]
    lines = sweep.column(line) if line else next(iter(few), None)
    free = [column for column in free if column != lines]
    few = [column for column in free if len(sweep.values(column)) <= MOST_PANELS]
    panels = sweep.column(panel) if panel else next(iter(few), None)
    for column, limit, what in [(lines, MOST_LINES, "lines"), (panels, MOST_PANELS, "panels")]:
        if column and len(sweep.values(column)) > limit:
            raise PlotError(f"'{plain(column)}' has more than {limit} values for {what}: choose another variable")
    fixed |= {column: sweep.values(column)[0] for column in free if column != panels}
    return Axes(across, lines, panels, fixed)


def value_of(sweep: Sweep, column: str, text: str) -> object:
    """A variable's value as a person writes it, or as it stands in the table."""
    for value in sweep.values(column):
        if text.replace(" ", "") in (str(value), shown(column, value).replace(" ", "")):
            return value
    known = ", ".join(shown(column, value) for value in sweep.values(column))
    raise PlotError(f"variable '{plain(column)}' has no value '{text}'; there are {known}")


def picked_rows(sweep: Sweep, table: pd.DataFrame, metric: str, choice: Choice) -> tuple[pd.DataFrame, int]:
    """The rows of the series that is drawn, and of how many it is one."""
    rows, of = one_series(choice.within(table, metric))
    rows = rows.dropna(subset=["mean"])
    if rows.empty:
        raise PlotError(f"no run of '{sweep.directory}' has a value of {metric}")
    return rows, of


def metric_row(sweep: Sweep, rows: pd.DataFrame, of: int, axes: Axes) -> alt.TopLevelMixin:
    """The panels of one metric, with one scale."""
    metric = str(rows["metric"].iloc[0])
    unit, factor = drawn_unit(rows["unit"].iloc[0])
    drawn = drawn_rows(sweep, rows, axes, factor)
    order = [shown(axes.lines, value) for value in sweep.values(axes.lines)] if axes.lines else [""]
    # An interval may reach below 0 where no value can: the frame ends at the lowest mean.
    low = min(0.0, float(drawn["mean"].min()))
    top = float(drawn[["mean", "ci_hi"]].max().max())
    domain = [1, 5] if metric == "mos" else [low * 1.02, max(top, 1e-9) * 1.02]
    y_scale = alt.Scale(domain=domain, nice=False)
    panels = [None]
    if axes.panels:
        panels = [value for value in sweep.values(axes.panels) if (rows[axes.panels] == value).any()]
    charts = []
    for number, value in enumerate(panels):
        part = drawn if value is None else drawn[rows[axes.panels] == value]
        # Axes of one width keep the rows aligned.
        y_axis = alt.Axis(minExtent=38, maxExtent=38)
        y = {"title": labelled(metric, unit) if number % COLUMNS == 0 else None, "scale": y_scale, "axis": y_axis}
        chart = curves(sweep, part, axes, order, y).properties(width={1: 460, 2: 340}.get(len(panels), 230), height=200)
        if axes.panels:
            text = f"{plain(axes.panels)} {shown(axes.panels, value)}"
            chart = chart.properties(title=alt.TitleParams(text, fontSize=12, fontWeight="normal", anchor="start"))
        charts.append(chart)
    others = {"participant": "viewers", "tile": "tiles", "link": "links"}.get(rows["scope"].iloc[0], "")
    title = alt.TitleParams(said(rows.iloc[0]), anchor="start", fontSize=13, subtitleFontSize=11, offset=10)
    if of > 1:
        title.subtitle = [f"of {of} {others} the one with which it varies most; others: --viewer, --source"]
    return alt.concat(*charts, columns=COLUMNS, title=title).properties(spacing=14)


def drawn_rows(sweep: Sweep, rows: pd.DataFrame, axes: Axes, factor: float) -> pd.DataFrame:
    """A row for each point in the units that are drawn: `x`, `line`, `mean`, `ci_lo`, `ci_hi`, `n`."""
    drawn = pd.DataFrame({"x": rows[axes.x], "n": rows["n"]})
    if axes.x != ONE_POINT and sweep.is_number(axes.x):
        drawn["x"] *= unit_of(axes.x)[1]
    else:
        drawn["x"] = [shown(axes.x, value) for value in rows[axes.x]]
    for column in ["mean", "ci_lo", "ci_hi"]:
        drawn[column] = rows[column] * factor
    drawn["line"] = [shown(axes.lines, value) for value in rows[axes.lines]] if axes.lines else ""
    return drawn


def is_geometric(values: list[float]) -> bool:
    """Whether values, in ascending order, lie more evenly by their logarithms than as they are."""
    if values[0] <= 0:
        return False
    if len(values) < 3:
        return values[-1] / values[0] >= 8

    def unevenness(places: list[float]) -> float:
        steps = [after - before for before, after in itertools.pairwise(places)]
        return max(steps) / min(steps)

    return unevenness([math.log(value) for value in values]) < unevenness(values)


def curves(sweep: Sweep, part: pd.DataFrame, axes: Axes, order: list[str], y: dict[str, object]) -> alt.LayerChart:
    """One panel: lines with bands over numbers, dots with intervals over words."""
    colour = alt.Color(
        "line:N", title=plain(axes.lines) if axes.lines else None,
        scale=alt.Scale(domain=order, range=COLOURS[: len(order)]),
        legend=alt.Legend(symbolType="stroke", symbolOpacity=1) if axes.lines else None,
    )
    low, high, mean = alt.Y("ci_lo:Q", **y), "ci_hi:Q", alt.Y("mean:Q", **y)
    if axes.x == ONE_POINT or not sweep.is_number(axes.x):
        names = None if axes.x == ONE_POINT else [shown(axes.x, value) for value in sweep.values(axes.x)]
        x = alt.X("x:N", sort=names, title=None if axes.x == ONE_POINT else plain(axes.x), axis=alt.Axis(labelAngle=-35))
        base = alt.Chart(part).encode(x=x, xOffset=alt.XOffset("line:N", sort=order), color=colour)
        return alt.layer(
            base.mark_rule(strokeWidth=2, clip=True).encode(y=low, y2=high),
            base.mark_point(size=45, filled=True, opacity=1).encode(y=mean),
        )
    unit, factor = unit_of(axes.x)
    values = [value * factor for value in sweep.values(axes.x)]
    is_log = is_geometric(values)
    x = alt.X(
        "x:Q", title=f"{plain(axes.x)} [{unit}]" if unit else plain(axes.x),
        scale=alt.Scale(type="log" if is_log else "linear", nice=False, domain=[min(values), max(values)]),
        axis=alt.Axis(values=values, labelOverlap="greedy", labelSeparation=6, format=".3~r"),
    )
    base = alt.Chart(part).encode(x=x, color=colour)
    return alt.layer(
        base.mark_area(opacity=0.2, clip=True).encode(y=low, y2=high),
        base.mark_line(strokeWidth=2).encode(y=mean),
        base.mark_point(size=22, filled=True, opacity=1).encode(y=mean),
    )


def unit_of(column: str) -> tuple[str, float]:
    """Unit and factor for drawing a variable's numbers."""
    return next((unit for suffix, unit in SUFFIXES.items() if column.endswith(suffix)), ("", 1.0))


def figure(value: float) -> str:
    """A number as it is with up to four significant digits; with three if it has more, as those of logarithmic ranges."""
    whole = f"{value:g}"
    return whole if abs(value) >= 1000 or f"{value:.4g}" == whole else f"{value:.3g}"


def shown(column: str, value: object) -> str:
    """A variable's value as a person writes it."""
    unit, factor = unit_of(column)
    if isinstance(value, Real) and not isinstance(value, bool):
        return f"{figure(value * factor)} {unit}".strip()
    return str(value)
