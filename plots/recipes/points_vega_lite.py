"""A metric against the capacity for each policy, as a Vega-Lite chart with its data in it, and as SVG beside it:
points_vega_lite.py SWEEP METRIC CHART.vl.json.

The chart can be restyled at vega.github.io/editor; vl-convert draws it without a browser.
"""

import csv
import json
import sys
from pathlib import Path

import vl_convert

sweep, metric, chart = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
numbers = {"mean", "ci_lo", "ci_hi", "p_capacity_bps"}
with (sweep / "summary.csv").open(encoding="utf-8", newline="") as table:
    rows = [
        {name: float(text) if name in numbers and text else text for name, text in row.items()}
        for row in csv.DictReader(table)
        if row["scope"] == "tile" and row["metric"] == metric and row["stat"] != "max"
    ]
x = {"field": "p_capacity_bps", "type": "quantitative", "scale": {"type": "log"}, "title": "capacity [bit/s]"}
colour = {"field": "p_policy", "type": "nominal", "title": "policy"}
specification = {
    "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
    "data": {"values": rows},
    "facet": {
        "row": {"field": "viewer", "type": "nominal"},
        "column": {"field": "p_loss_frac", "title": "loss"},
    },
    "spec": {
        "layer": [
            {
                "mark": "errorbar",
                "encoding": {
                    "x": x,
                    "color": colour,
                    "y": {
                        "field": "ci_lo",
                        "type": "quantitative",
                        "scale": {"zero": False},
                        "title": metric,
                    },
                    "y2": {"field": "ci_hi"},
                },
            },
            {
                "mark": {"type": "line", "point": True},
                "encoding": {
                    "x": x,
                    "color": colour,
                    "y": {"field": "mean", "type": "quantitative", "title": metric},
                },
            },
        ]
    },
}
chart.write_text(json.dumps(specification, indent=2) + "\n", encoding="utf-8")
chart.with_suffix(".svg").write_text(vl_convert.vegalite_to_svg(specification), encoding="utf-8")
