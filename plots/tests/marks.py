"""What a chart draws, read from its specification: marks, axes and the rows behind them."""

from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True)
class Mark:
    """One layer of a picture."""

    kind: str
    style: dict
    encoding: dict
    rows: pd.DataFrame
    title: str

    def axis(self, channel):
        """The title of an axis or a legend."""
        return self.encoding.get(channel, {}).get("title")

    def domain(self, channel):
        return self.encoding[channel]["scale"]["domain"]


def marks(chart):
    """All marks of a chart, in the order of the specification."""
    spec = chart.to_dict()
    return list(walk(spec, spec["datasets"], None, ""))


def walk(spec, datasets, data, title):
    data = spec.get("data", data)
    own = spec.get("title", title)
    title = own["text"] if isinstance(own, dict) else own
    if "mark" in spec:
        style = spec["mark"] if isinstance(spec["mark"], dict) else {"type": spec["mark"]}
        yield Mark(style["type"], style, spec.get("encoding", {}), pd.DataFrame(datasets[data["name"]]), title)
    for key in ("layer", "concat", "hconcat", "vconcat"):
        for part in spec.get(key, []):
            yield from walk(part, datasets, data, title)


def value_at(rows, time):
    """The value at the end of an interval of a line through corners (`time_s`, `value`), drawn with `step-after`."""
    before = rows[rows["time_s"] < time - 1e-9]
    return before["value"].iloc[-1]


def texts(found):
    """All words that text marks write."""
    return [text for mark in found if mark.kind == "text" for text in mark.rows.get("text", [])]
