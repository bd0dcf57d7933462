"""Values that hold over intervals, as the rows of a result table do, made ready to be drawn."""

import altair as alt
import pandas as pd

from meetsim_plots.palette import LINK

GROUND = "#e4e4e4"


def periods(times: pd.Series, values: pd.Series, interval: float) -> pd.DataFrame:
    """Neighbouring intervals of one value made one: `from_s`, `to_s`, `value`. A row's time is its interval's end."""
    table = pd.DataFrame({"to_s": times.to_numpy(), "value": values.to_numpy()})
    before = table["value"].shift()
    is_new = ~((table["value"] == before) | (table["value"].isna() & before.isna()))
    is_new.iloc[:1] = True
    merged = table.groupby(is_new.cumsum(), sort=False).agg(to_s=("to_s", "last"), value=("value", "first"))
    first = max(float(table["to_s"].iloc[0]) - interval, 0.0)
    merged.insert(0, "from_s", merged["to_s"].shift(fill_value=first))
    return merged.reset_index(drop=True)


def corners(spans: pd.DataFrame) -> pd.DataFrame:
    """The points of a line through periods, to be drawn with `step-after`: `time_s`, `value`."""
    points = spans.rename(columns={"from_s": "time_s"})[["time_s", "value"]]
    last = pd.DataFrame({"time_s": [spans["to_s"].iloc[-1]], "value": [spans["value"].iloc[-1]]})
    return pd.concat([points, last], ignore_index=True)


def time_axis(first: float, last: float, title: str | None = None) -> alt.X:
    """Time from a picture's beginning to its end; without a title only the grid is drawn."""
    axis = alt.Axis(tickCount=8, labelOverlap=True) if title else alt.Axis(labels=False, ticks=False, tickCount=8)
    scale = alt.Scale(domain=[first, last], nice=False)
    return alt.X("time_s:Q", title=title, scale=scale, axis=axis)


def spanning(x: alt.X) -> dict[str, alt.X | alt.X2]:
    """The same axis for marks that reach from `from_s` to `to_s`."""
    across = x.copy()
    across.shorthand = "from_s:Q"
    return {"x": across, "x2": alt.X2("to_s:Q")}


def heading(text: str, width: float) -> alt.Chart:
    """A row of a grid that names the panels below it."""
    return (
        alt.Chart(pd.DataFrame({"text": [text]}))
        .mark_text(align="left", baseline="bottom", x=0, y=20, fontSize=12, fontWeight="bold")
        .encode(text="text:N")
        .properties(width=width, height=20, view=alt.ViewConfig(stroke=None))
    )


def above_frame(
    lines: pd.DataFrame, top: float, width: float, first: float, last: float, unit: str = "Mbit/s"
) -> pd.DataFrame:
    """A text for each time in which a line (`line`, `from_s`, `to_s`, `value`) leaves the frame: `time_s`, `text`, `row`.

    Each line has a row of its own; where the text would lie on its predecessor a shorter one stands.
    """
    texts = []
    for row, (line, spans) in enumerate(lines.groupby("line", sort=False)):
        is_above = spans["value"] > top
        free_from = first
        for _, part in spans[is_above].groupby((is_above != is_above.shift()).cumsum()[is_above]):
            low, high = part["value"].min(), part["value"].max()
            amount = f"{rounded(low)}" if high - low < 0.005 * high else f"{rounded(low)} to {rounded(high)}"
            for text in [f"↑ {str(line).split()[-1]} {amount} {unit}, above the frame", f"↑ {amount} {unit}", "↑"]:
                half = len(text) * 5.6 / 2 / width * (last - first)
                middle = float(part["from_s"].iloc[0] + part["to_s"].iloc[-1]) / 2
                middle = min(max(middle, first + half), last - half)
                if middle - half >= free_from:
                    texts.append({"time_s": middle, "text": text, "row": row})
                    free_from = middle + half
                    break
    return pd.DataFrame(texts, columns=["time_s", "text", "row"])


def above_texts(texts: pd.DataFrame, x: alt.X, y: float) -> alt.LayerChart:
    """The texts of `above_frame` in a row, over lines that cross them."""
    base = alt.Chart(texts[["time_s", "text"]]).encode(x=x, text="text:N")
    return alt.layer(
        base.mark_text(
            baseline="top", fontSize=11, y=y, color="white", stroke="white", strokeWidth=4, strokeJoin="round"
        ),
        base.mark_text(baseline="top", fontSize=11, y=y, color=LINK),
    )


def rounded(value: float) -> str:
    """Three digits, or all before the point."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
