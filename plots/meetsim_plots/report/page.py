"""Puts a report's data, styles and scripts into one HTML file."""

import html
import json
from pathlib import Path

from meetsim_plots.results import PlotError

WEB = Path(__file__).parent / "web"
STYLES = ["page.css", "tile.css", "budget.css", "controls.css", "screen.css", "chart.css", "sweep.css"]
SCRIPTS = [
    "dom.js",
    "columns.js",
    "words.js",
    "run.js",
    "clock.js",
    "picture.js",
    "tile.js",
    "screen.js",
    "scale.js",
    "time-chart.js",
    "viewer-charts.js",
    "budget.js",
    "events.js",
    "moments.js",
    "controls.js",
    "theme.js",
    "difference.js",
    "run-page.js",
    "sweep.js",
    "xy-chart.js",
    "heat-map.js",
    "choices.js",
    "pairs.js",
    "pareto.js",
    "sweep-page.js",
    "main.js",
]
# Nothing is loaded, whatever a name in the data contains.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>
{styles}</style>
</head>
<body>
<div id="page"><noscript><p>The report is drawn by scripts within it; this browser runs none.</p></noscript></div>
<script type="application/json" id="data">{data}</script>
<script>
"use strict";
{scripts}</script>
</body>
</html>
"""


def page(title: str, data: dict) -> str:
    """The whole page."""
    # A '<' in the data could end the script that holds it.
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return PAGE.format(
        policy=POLICY, title=html.escape(title), styles=joined(STYLES), data=text, scripts=joined(SCRIPTS)
    )


def joined(names: list[str]) -> str:
    """Files one behind the other."""
    return "".join((WEB / name).read_text(encoding="utf-8") for name in names)


def write_page(output: Path, text: str) -> None:
    """Writes the page aside and renames it, so that it appears whole."""
    if output.suffix not in (".html", ".htm"):
        raise PlotError(f"'{output}' must end in .html")
    aside = output.with_name(f".{output.name}.part")
    try:
        aside.write_text(text, encoding="utf-8")
        aside.replace(output)
    except OSError as error:
        raise PlotError(f"cannot write '{output}': {error.strerror}") from error
