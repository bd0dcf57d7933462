"""Forms of sending a camera through several SFUs, in several meetings behind several links: a table and a picture."""

import math
from pathlib import Path

import altair as alt
import pandas as pd

from meetsim_plots.metrics import labelled
from meetsim_plots.palette import COLOURS
from meetsim_plots.results import PlotError, read_csv, table_path
from meetsim_plots.systems import LEVEL, by_repetition, mean_cells, read_written, repetitions
from meetsim_plots.theme import dressed

KEYS = ["meeting", "link", "system", "media"]
#: The columns of the table: meaning and unit.
METRICS = {
    "screen": ("pixels of the screen that were shown", "%"), "utility": ("utility of what was shown", ""),
    "frozen": ("time frozen", "s"), "switches": ("changes of the layer", "1/min"),
    "down": ("data to all viewers", "MB"), "up": ("data from all publishers", "MB"),
    "key_pictures": ("key pictures of a publisher", "1/min"),
}
#: Where a seat's values stand in `scalars.csv`, and by what they are multiplied.
SEAT = {
    "screen": ("pixels_of_screen", "mean", 100.0), "utility": ("utility", "mean", 1.0),
    "frozen": ("freezes_duration", "max", 1.0), "switches": ("switches_per_minute", "mean", 1.0),
}
TOTALS = {"down": "data_down", "up": "data_up"}


def read_media(paths: list[Path], seat: str, baseline: str) -> pd.DataFrame:
    """The table of `media_table`, of sweeps or as it was written."""
    if len(paths) > 1 or paths[0].is_dir():
        return media_table(pd.concat([read_sweep(path, seat) for path in paths], ignore_index=True), baseline)
    return read_written(paths[0], [*KEYS, "n", *METRICS])


def read_sweep(sweep: Path, seat: str) -> pd.DataFrame:
    """A value of each metric for each run of a sweep over `policy`, `media` and `link`, or variants of policies."""
    runs, scalars = read_csv(sweep / "runs.csv"), read_csv(sweep / "scalars.csv")
    missing = [column for column in ["p_policy", "p_media", "repetition"] if column not in runs]
    if missing:
        raise PlotError(f"'{sweep / 'runs.csv'}' lacks {', '.join(missing)}: is it a sweep over policy and media?")
    runs = runs[runs["status"] == "ok"]
    if runs.empty:
        raise PlotError(f"no run of '{sweep}' has a result")
    people = scalars[scalars["scope"] == "participant"]
    own = people[people["viewer"] == seat]
    if own.empty:
        raise PlotError(f"'{sweep}' has no viewer '{seat}': name the seat with --seat")
    parts = [
        own[(own["metric"] == name) & (own["stat"] == stat)].assign(metric=metric, value=lambda rows, f=factor: rows["value"] * f)
        for metric, (name, stat, factor) in SEAT.items()
    ]
    parts += [
        people[people["metric"] == name].groupby("run_id", as_index=False)["value"].sum().assign(metric=metric)
        for metric, name in TOTALS.items()
    ]
    parts.append(pd.DataFrame(
        [(run, "key_pictures", key_pictures(sweep / "series" / run)) for run in runs["run_id"]],
        columns=["run_id", "metric", "value"],
    ))
    table = runs.merge(pd.concat(parts)[["run_id", "metric", "value"]], on="run_id")
    table = table.rename(columns={"p_policy": "system", "p_media": "media", "p_link": "link"})
    if "link" not in table:
        # `livekit, 4 s` is a variant of a system.
        names = table["system"].str.partition(", ")
        table["system"], table["link"] = names[0], names[2].where(names[2] != "", "as deployed")
    table["meeting"] = sweep.resolve().name.removeprefix("scalable-")
    return table[[*KEYS, "repetition", "metric", "value"]]


def key_pictures(run: Path) -> float:
    """Key pictures a minute of a publisher, in the mean; those of one stream have all its layers, an encoding's are its own."""
    sent = read_csv(table_path(run, "sent"))
    counts = sent.groupby(["source", "layer"])["key_frames_encoded"].sum().reset_index()
    layered = counts["layer"].str.fullmatch(r"s\d")
    sources = [counts[layered].groupby("source")["key_frames_encoded"].max(),
               counts[~layered].groupby("source")["key_frames_encoded"].sum()]
    return float(pd.concat(sources).mean() * 60 / sent["time_s"].max())


def media_table(runs: pd.DataFrame, baseline: str) -> pd.DataFrame:
    """Means and half-widths, and differences from a medium through the same SFU, paired by repetition."""
    if baseline not in set(runs["media"]):
        raise PlotError(f"there is no medium '{baseline}'; there are {', '.join(dict.fromkeys(runs['media']))}")
    series = by_repetition(runs, [*KEYS, "metric"])
    nothing = pd.Series(dtype=float)
    rows = []
    for key in dict.fromkeys(runs[KEYS].itertuples(index=False, name=None)):
        row: dict[str, object] = dict(zip(KEYS, key, strict=True))
        row["n"] = len(series.get((*key, "screen"), nothing))
        for metric in METRICS:
            values = series.get((*key, metric), nothing)
            pairs = (values - series.get((*key[:3], baseline, metric), nothing)).dropna()
            row |= mean_cells(metric, values) | mean_cells(f"{metric}_diff", pairs)
        rows.append(row)
    return pd.DataFrame(rows)


def media_chart(table: pd.DataFrame, metric: str = "screen") -> alt.TopLevelMixin:
    """Meetings by links; in each panel a row for each medium, with a dot and an interval for each SFU."""
    if metric not in METRICS:
        raise PlotError(f"there is no metric '{metric}'; there are {', '.join(METRICS)}")
    meaning, unit = METRICS[metric]
    drawn = table[[*KEYS, metric]].rename(columns={metric: "mean"}).dropna(subset=["mean"])
    half = table.loc[drawn.index, f"{metric}_ci"].fillna(0)
    drawn["low"], drawn["high"] = (drawn["mean"] - half).clip(lower=0), drawn["mean"] + half
    if unit == "%":
        drawn["high"] = drawn["high"].clip(upper=100)
    if drawn.empty:
        raise PlotError(f"no run has a value of {metric}")
    systems, order = list(dict.fromkeys(drawn["system"])), list(dict.fromkeys(drawn["media"]))
    links = list(dict.fromkeys(drawn["link"]))
    colour = alt.Color(
        "system:N", title="SFU", scale=alt.Scale(domain=systems, range=COLOURS[: len(systems)]),
        legend=alt.Legend(symbolType="circle"),
    )
    panels = []
    for meeting in dict.fromkeys(drawn["meeting"]):
        # Data differ by meeting, shares do not.
        top = 100.0 if unit == "%" else 1.05 * float(drawn.loc[drawn["meeting"] == meeting, "high"].max()) or 1.0
        scale = alt.Scale(domain=[0, top], nice=False)
        for place, link in enumerate(links):
            part = drawn[(drawn["meeting"] == meeting) & (drawn["link"] == link)]
            axis = alt.Axis(labels=place == 0, ticks=place == 0, title=None, grid=True)
            base = alt.Chart(part).encode(
                y=alt.Y("media:N", sort=order, scale=alt.Scale(domain=order), axis=axis),
                yOffset=alt.YOffset("system:N", sort=systems, scale=alt.Scale(domain=systems, paddingOuter=1)), color=colour,
            )
            dots = base.mark_point(filled=True, size=30, opacity=1).encode(
                x=alt.X("mean:Q", scale=scale, title=labelled(metric, unit))
            )
            intervals = base.mark_rule(strokeWidth=1.5, clip=True).encode(x="low:Q", x2="high:Q")
            panels.append((intervals + dots).properties(width=190, height=32 * len(order), title=f"{meeting}, {link}"))
    chart = alt.concat(*panels, columns=len(links), spacing={"row": 58, "column": 16}, bounds="flush")
    return dressed(
        chart, "Simulcast, or one scalable stream",
        [meaning, f"mean over {repetitions(table)} with common random numbers, {LEVEL:.0%} Student-t intervals"],
    )


def media_rows(table: pd.DataFrame) -> str:
    """The means over meetings and links by SFU and medium, as a Markdown table."""
    titles = {metric: labelled(metric, unit) for metric, (_, unit) in METRICS.items()}
    lines = [f"| SFU | media | {' | '.join(titles.values())} |", "|---" * (len(titles) + 2) + "|"]
    means = table.groupby(["system", "media"], sort=False)[list(METRICS)].mean()
    for (system, media), row in means.iterrows():
        cells = ["" if math.isnan(row[metric]) else f"{row[metric]:.{2 if metric == 'utility' else 1}f}" for metric in METRICS]
        lines.append(f"| {system} | {media} | {' | '.join(cells)} |")
    return "\n".join(lines)
