"""All systems in several meetings behind several links: a table with paired differences, and a picture."""

import math
from dataclasses import dataclass
from pathlib import Path

import altair as alt
import pandas as pd

from meetsim_plots.intervals import student_t
from meetsim_plots.palette import COLOURS, SHARES, luminance
from meetsim_plots.results import PlotError, read_csv
from meetsim_plots.theme import dressed

KEYS = ["meeting", "link", "system"]
#: Of the seats behind the link that varies, and how their values in one run become one.
SEAT_METRICS = [
    "utility", "optimum", "utility_ratio", "switches_per_minute", "recovery_time", "mos", "freezes_duration",
    "gap_estimate", "gap_reserve", "gap_rule", "gap_switching", "gap_loss",
]
MEETING_METRICS = ["worst_seat", "jain_index"]
#: The columns of the table, in order; those of the second list have no difference from the baseline.
COMPARED = [
    "utility_share", "utility_ratio", "worst_seat", "jain_index", "mos", "switches_per_minute", "freezes_duration",
    "recovery_time",
]
EXPLAINING = ["utility", "optimum", "gap_estimate", "gap_reserve", "gap_rule", "gap_switching", "gap_loss"]
LEVEL = 0.95
#: What a matrix can show: shares of 1.
SHARED = ["utility_share", "utility_ratio", "worst_seat", "jain_index"]
#: The least and the greatest value of a metric that is no share.
LIMITS = {"mos": (1.0, 5.0)}
#: What a share is of, for captions.
MEANINGS = {
    "utility_share": "utility of what viewers saw, over the best that any system's layers allow; what switching, loss and "
    "freezes cost counts",
    "utility_ratio": "utility of what viewers saw, over the best that the system's own layers allow; what switching, loss "
    "and freezes cost counts",
}
UNITS = {"switches_per_minute": " [1/min]", "freezes_duration": " [s]", "recovery_time": " [s]"}


def half_width(values: pd.Series) -> float:
    """Half of the Student-t interval of a mean; not a number for fewer than two values."""
    return student_t(LEVEL, len(values) - 1) * values.std() / math.sqrt(len(values)) if len(values) > 1 else math.nan


@dataclass(frozen=True)
class Comparison:
    """One value for each run: columns meeting, link, system, repetition, metric, value."""

    runs: pd.DataFrame

    def order(self, key: str) -> list[str]:
        """The values of a key in the order of the sweeps."""
        return list(dict.fromkeys(self.runs[key]))


def read_systems(paths: list[Path], seats: list[str], baseline: str) -> pd.DataFrame:
    """The table of `systems_table`, of sweeps or as it was written."""
    if len(paths) > 1 or paths[0].is_dir():
        return systems_table(read_comparison(paths, seats), baseline)
    return read_written(paths[0], [*KEYS, "n", *COMPARED])


def read_written(path: Path, columns: list[str]) -> pd.DataFrame:
    """A table that --table wrote, with these columns at least."""
    table = read_csv(path)
    missing = [column for column in columns if column not in table]
    if missing:
        raise PlotError(f"'{path}' has no {', '.join(missing)}: is it what --table wrote?")
    return table


def read_comparison(sweeps: list[Path], seats: list[str]) -> Comparison:
    """Reads sweeps over `policy` and `link`, each of one meeting; `seats` are how the ids of those behind the link begin."""
    return Comparison(with_shares(pd.concat([read_meeting(sweep, seats) for sweep in sweeps], ignore_index=True)))


def read_meeting(sweep: Path, seats: list[str]) -> pd.DataFrame:
    """The values of one sweep's runs."""
    runs, scalars = read_csv(sweep / "runs.csv"), read_csv(sweep / "scalars.csv")
    missing = [column for column in ["p_policy", "p_link", "repetition"] if column not in runs]
    if missing:
        raise PlotError(f"'{sweep / 'runs.csv'}' lacks {', '.join(missing)}: is it a sweep over policy and link?")
    failed = runs[runs["status"] != "ok"]
    if len(failed) == len(runs):
        raise PlotError(f"no run of '{sweep}' has a result")
    scalars = scalars[scalars["stat"].isin(["mean", "total"]) | (scalars["metric"] == "freezes_duration")]
    viewer = scalars["viewer"].fillna("")
    is_seat = (scalars["scope"] == "participant") & viewer.map(
        lambda name: any(name == seat or name.startswith(f"{seat}-") for seat in seats)
    )
    is_meeting = (scalars["scope"] == "meeting") & scalars["metric"].isin(MEETING_METRICS)
    chosen = scalars[(is_seat & scalars["metric"].isin(SEAT_METRICS)) | is_meeting]
    if chosen[chosen["scope"] == "participant"].empty:
        raise PlotError(f"'{sweep}' has no viewer {' or '.join(seats)}: name the seats behind the link with --seat")
    values = chosen.groupby(["run_id", "metric"], sort=False)["value"].mean().reset_index()
    table = runs.merge(values, on="run_id").rename(columns={"p_policy": "system", "p_link": "link"})
    table["meeting"] = sweep.resolve().name.removeprefix("compare-")
    return table[[*KEYS, "repetition", "metric", "value"]]


def with_shares(runs: pd.DataFrame) -> pd.DataFrame:
    """Adds `utility_share`: utility over the highest optimum that any system's layers offered in that repetition.

    A system's own optimum (`utility_ratio`) counts only the layers that its publishers sent at that moment, so systems
    that stop encodings have lower ones; a common denominator is fair between them.
    """
    point = ["meeting", "link", "repetition"]
    best = runs[runs["metric"] == "optimum"].groupby(point)["value"].max().rename("best").reset_index()
    shares = runs[runs["metric"] == "utility"].merge(best, on=point)
    shares["value"] = (shares["value"] / shares["best"]).where(shares["best"] > 0)
    shares["metric"] = "utility_share"
    return pd.concat([runs, shares[runs.columns].dropna(subset=["value"])], ignore_index=True)


def by_repetition(runs: pd.DataFrame, keys: list[str]) -> dict[tuple, pd.Series]:
    """Each series of values by its repetitions."""
    return {key: group.set_index("repetition")["value"].dropna() for key, group in runs.groupby(keys, sort=False)}


def mean_cells(name: str, values: pd.Series) -> dict[str, float]:
    """Mean and half-width of its interval, as columns of a table."""
    return {name: values.mean(), f"{name}_ci": half_width(values)}


def systems_table(comparison: Comparison, baseline: str) -> pd.DataFrame:
    """A row for each meeting, link and system: means, half-widths, and paired differences from the baseline."""
    systems = comparison.order("system")
    if baseline not in systems:
        raise PlotError(f"there is no system '{baseline}'; there are {', '.join(systems)}")
    series = by_repetition(comparison.runs, [*KEYS, "metric"])
    nothing = pd.Series(dtype=float)
    rows = []
    for meeting in comparison.order("meeting"):
        for link in comparison.order("link"):
            for system in systems:
                row: dict[str, object] = dict(zip(KEYS, [meeting, link, system], strict=True))
                row["n"] = len(series.get((meeting, link, system, "utility"), nothing))
                for metric in COMPARED + EXPLAINING:
                    values = series.get((meeting, link, system, metric), nothing)
                    row |= mean_cells(metric, values)
                    if metric in COMPARED:
                        row |= mean_cells(
                            f"{metric}_diff", (values - series.get((meeting, link, baseline, metric), nothing)).dropna()
                        )
                rows.append(row)
    return pd.DataFrame(rows)


def write_table(table: pd.DataFrame, output: Path) -> None:
    """Writes the table with four digits behind the point, which is more than the intervals leave certain."""
    try:
        table.to_csv(output, index=False, float_format="%.4f", lineterminator="\n")
    except OSError as error:
        raise PlotError(f"cannot write '{output}': {error.strerror}") from error


def overall(table: pd.DataFrame) -> str:
    """The means of each system over all meetings and links, as a Markdown table."""
    columns = {
        "utility_share": ("share of the best", 2), "utility_ratio": ("of its own optimum", 2),
        "worst_seat": ("worst seat", 2), "mos": ("MOS", 2), "switches_per_minute": ("switches/min", 1),
        "freezes_duration": ("freezes [s]", 1), "recovery_time": ("recovery [s]", 1),
    }
    lines = ["| system | " + " | ".join(title for title, _ in columns.values()) + " |", "|---" * (len(columns) + 1) + "|"]
    means = table.groupby("system", sort=False)[list(columns)].mean().sort_values("utility_share", ascending=False)
    for system, row in means.iterrows():
        cells = ["" if math.isnan(row[c]) else f"{row[c]:.{digits}f}" for c, (_, digits) in columns.items()]
        lines.append(f"| {system} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def systems_chart(table: pd.DataFrame, metric: str = "utility_share") -> alt.TopLevelMixin:
    """Meetings by links; in each panel a dot and an interval for each system, told apart by their rows, not by colour."""
    if metric not in COMPARED:
        raise PlotError(f"there is no metric '{metric}'; there are {', '.join(COMPARED)}")
    drawn = table[[*KEYS, metric]].rename(columns={metric: "mean"})
    half = table[f"{metric}_ci"].fillna(0)
    drawn["low"], drawn["high"] = drawn["mean"] - half, drawn["mean"] + half
    if drawn["mean"].isna().all():
        raise PlotError(f"no run has a value of {metric}")
    order = list(dict.fromkeys(drawn["system"]))
    # No interval leaves the values that the metric can have.
    limits = LIMITS.get(metric, (0.0, 1.0) if metric in SHARED else (0.0, math.inf))
    drawn[["mean", "low", "high"]] = drawn[["mean", "low", "high"]].clip(*limits)
    high = limits[1] if math.isfinite(limits[1]) else max(1.0, float(drawn["high"].max()))
    scale = alt.Scale(domain=[limits[0], high], nice=False)
    meetings, links = list(dict.fromkeys(drawn["meeting"])), list(dict.fromkeys(drawn["link"]))
    panels = []
    for meeting in meetings:
        for place, link in enumerate(links):
            part = drawn[(drawn["meeting"] == meeting) & (drawn["link"] == link)].dropna(subset=["mean"])
            axis = alt.Axis(labels=place == 0, ticks=place == 0, title=None, grid=True)
            base = alt.Chart(part).encode(y=alt.Y("system:N", sort=order, scale=alt.Scale(domain=order), axis=axis))
            dots = base.mark_point(filled=True, size=45, color=COLOURS[0], opacity=1).encode(
                x=alt.X("mean:Q", scale=scale, title=f"{metric.replace('_', ' ')}{UNITS.get(metric, '')}")
            )
            intervals = base.mark_rule(color=COLOURS[0], strokeWidth=2, clip=True).encode(x="low:Q", x2="high:Q")
            panels.append((intervals + dots).properties(width=170, height=190, title=f"{meeting}, {link}"))
    chart = alt.concat(*panels, columns=len(links), spacing={"row": 62, "column": 16}, bounds="flush")
    return dressed(
        chart, f"{counted(order, 'system')} in {counted(meetings, 'meeting')} behind {counted(links, 'link')}",
        [
            described(metric),
            f"mean over {repetitions(table)} with common random numbers, {LEVEL:.0%} Student-t intervals",
        ],
    )


def systems_matrix(table: pd.DataFrame, metric: str = "utility_share") -> alt.TopLevelMixin:
    """The means as numbers: systems by links, a block for each meeting, the best system first."""
    if metric not in SHARED:
        raise PlotError(f"a matrix shows shares, {', '.join(SHARED)}, and not {metric}")
    if table[metric].isna().all():
        raise PlotError(f"no run has a value of {metric}")
    order = list(table.groupby("system", sort=False)[metric].mean().sort_values(ascending=False, kind="stable").index)
    meetings, links = list(dict.fromkeys(table["meeting"])), list(dict.fromkeys(table["link"]))
    limits, shades = SHARES
    blocks = []
    for place, meeting in enumerate(meetings):
        part = table.loc[table["meeting"] == meeting, ["system", "link", metric]].dropna()
        part = part.rename(columns={metric: "mean"})
        part["text"] = [f"{value * 100:.0f}" for value in part["mean"]]
        part["percent"] = part["text"].astype(float)
        axis = alt.Axis(labels=place == 0, ticks=place == 0, domain=False, title=None)
        base = alt.Chart(part).encode(
            x=alt.X("link:N", sort=links, scale=alt.Scale(domain=links), title=None, axis=alt.Axis(labelAngle=-45)),
            y=alt.Y("system:N", sort=order, scale=alt.Scale(domain=order), axis=axis),
        )
        cells = base.mark_rect(stroke="#f8f8f8").encode(
            color=alt.Color(
                "percent:Q", title="[%]", scale=alt.Scale(type="threshold", domain=limits, range=shades),
                legend=alt.Legend(symbolType="square"),
            )
        )
        dark = part["percent"].map(lambda value: luminance(shades[sum(value >= limit for limit in limits)]) <= 0.3)
        texts = [
            alt.Chart(part[is_dark]).mark_text(fontSize=11, color=colour).encode(
                x=base.encoding.x, y=base.encoding.y, text="text:N"
            )
            for is_dark, colour in [(dark, "#f8f8f8"), (~dark, "#222222")]
        ]
        blocks.append(
            alt.layer(cells, *texts).properties(width=27 * len(links), height=23 * len(order), title=meeting)
        )
    chart = alt.hconcat(*blocks, spacing=10, bounds="flush")
    return dressed(
        chart, f"{counted(order, 'system')} in {counted(meetings, 'meeting')} behind {counted(links, 'link')}",
        [f"{described(metric)} [%]", f"mean over {repetitions(table)}; the best on the whole is first"],
    )


def described(metric: str) -> str:
    """The metric's name, and what it is a share of."""
    name = metric.replace("_", " ")
    return f"{name} ({MEANINGS[metric]})" if metric in MEANINGS else name


def counted(names: list[str], noun: str) -> str:
    return f"{len(names)} {noun}{'' if len(names) == 1 else 's'}"


def repetitions(table: pd.DataFrame) -> str:
    low, high = int(table["n"].min()), int(table["n"].max())
    if high == 1:
        return "one repetition"
    return f"{high} repetitions" if low == high else f"{low} to {high} repetitions"
