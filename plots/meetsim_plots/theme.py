"""What all pictures share: fonts, sizes and files."""

import zlib
from pathlib import Path

import altair as alt

from meetsim_plots.results import PlotError

# An hour's meeting has more rows than Altair takes without being told.
alt.data_transformers.disable_max_rows()


def dressed(chart: alt.TopLevelMixin, title: str, subtitle: str) -> alt.TopLevelMixin:
    """The chart with a title and the common looks."""
    return (
        chart.properties(
            title=alt.TitleParams(
                title, subtitle=subtitle, anchor="start", fontSize=18, subtitleFontSize=13,
                subtitleColor="#555555", offset=14, frame="bounds",
            ),
            background="white",
            padding=18,
        )
        .configure_view(stroke="#dddddd")
        .configure_axis(
            labelFontSize=12, titleFontSize=12, titleFontWeight="normal", titleColor="#333333",
            gridColor="#eeeeee", domainColor="#888888", tickColor="#888888",
        )
        .configure_legend(
            labelFontSize=12, titleFontSize=12, symbolStrokeWidth=3, symbolSize=260, labelLimit=220
        )
    )


def save(chart: alt.TopLevelMixin, output: Path, scale: float = 2) -> list[Path]:
    """Writes the chart as PNG and as SVG beside it."""
    if output.suffix not in (".png", ".svg"):
        raise PlotError(f"'{output}' must end in .png or .svg; both are written")
    paths = [output.with_suffix(".png"), output.with_suffix(".svg")]
    try:
        chart.save(str(paths[0]), scale_factor=scale)
        chart.save(str(paths[1]))
        paths[0].write_bytes(repacked(paths[0].read_bytes()))
    except OSError as error:
        raise PlotError(f"cannot write '{output}': {error.strerror}") from error
    return paths


def repacked(png: bytes) -> bytes:
    """The same picture with its pixels compressed as far as zlib goes: about a fifth of what the renderer writes."""
    signature, place, pixels, chunks = png[:8], 8, b"", []
    while place < len(png):
        length = int.from_bytes(png[place : place + 4])
        kind, data = png[place + 4 : place + 8], png[place + 8 : place + 8 + length]
        place += length + 12
        if kind == b"IDAT":
            pixels += data
            continue
        if kind == b"IEND":
            chunks.append((b"IDAT", zlib.compress(zlib.decompress(pixels), 9)))
        chunks.append((kind, data))
    return signature + b"".join(
        len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4) for kind, data in chunks
    )
