"""Which values of `summary.csv` or `scalars.csv` are drawn, and what they are called."""

from dataclasses import dataclass

import pandas as pd

from meetsim_plots.results import PlotError, natural

KEY = ["scope", "viewer", "source", "stat"]
#: What is drawn where no metric is named: the first of these that is there.
FIRST_METRICS = ["utility", "mos", "frame_height", "bitrate"]
#: Which statistic is drawn where none is named: the first of these that is there.
FIRST_STATS = ["mean", "p50", "total"]
UNITS = {"bit/s": ("Mbit/s", 1e-6), "px/s": ("Mpx/s", 1e-6), "Hz": ("1/s", 1.0), "1": ("", 1.0)}


@dataclass(frozen=True)
class Choice:
    """What was asked for; `None` where any will do."""

    scope: str | None = None
    viewer: str | None = None
    source: str | None = None
    stat: str | None = None

    def within(self, rows: pd.DataFrame, metric: str) -> pd.DataFrame:
        """The rows of a metric that agree with the choice; says what there is where none do."""
        rows = rows[rows["metric"] == metric]
        for column in KEY:
            value = getattr(self, column)
            if value is None:
                continue
            chosen = rows[rows[column] == value]
            if chosen.empty:
                known = ", ".join(sorted(rows[column].dropna().astype(str).unique(), key=natural)) or "none"
                raise PlotError(f"{metric} has no {column} '{value}'; there are {known}")
            rows = chosen
        return rows


def metric_of(table: pd.DataFrame, metric: str | None, where: object) -> str:
    """The metric that was named, or the one that says most."""
    known = sorted(table["metric"].dropna().astype(str).unique())
    if metric is None and known:
        return next((name for name in FIRST_METRICS if name in known), known[0])
    if metric not in known:
        raise PlotError(f"'{where}' has no metric '{metric}'; there are {', '.join(known) or 'none'}")
    return metric


def one_stat(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of one statistic: the usual one, or the first."""
    known = list(rows["stat"].dropna().unique())
    return rows[rows["stat"] == next((name for name in FIRST_STATS if name in known), known[0])] if known else rows


def one_series(rows: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """The rows of one series (scope, viewer, source) and of how many: of the first scope, whose means vary most."""
    rows = one_stat(rows)
    scopes = [name for name in ["participant", "tile", "meeting", "link"] if name in set(rows["scope"])]
    if scopes:
        rows = rows[rows["scope"] == scopes[0]]
    whose = pd.MultiIndex.from_frame(rows[["viewer", "source"]].fillna(""))
    spread = rows["mean"].groupby(whose.to_flat_index(), sort=False).std().fillna(0.0)
    names = sorted(spread.index, key=lambda name: (-spread.loc[[name]].iloc[0], [natural(part) for part in name]))
    return rows[[name == names[0] for name in whose]], len(names)


def said(row: pd.Series) -> str:
    """Whose value it is and which statistic, in words."""
    metric, viewer, source = str(row["metric"]).replace("_", " "), row["viewer"], row["source"]
    of = {
        "meeting": "of the whole meeting", "participant": f"of {viewer}",
        "tile": f"of {source} as {viewer} received it", "link": f"of the link {source}",
    }
    return f"{metric} {of.get(row['scope'], '')}, {row['stat']}"


def labelled(metric: str, unit: str) -> str:
    """An axis' title."""
    name = metric.replace("_", " ")
    return f"{name} [{unit}]" if unit else name


def drawn_unit(unit: object) -> tuple[str, float]:
    """The unit that is drawn, and the factor to it."""
    return UNITS.get(str(unit), ("" if pd.isna(unit) else str(unit), 1.0))
