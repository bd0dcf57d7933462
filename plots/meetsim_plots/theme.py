"""What all pictures share: fonts, sizes and files."""

import zlib
from pathlib import Path

import altair as alt

from meetsim_plots.results import PlotError

# An hour's meeting has more rows than Altair takes without being told.
alt.data_transformers.disable_max_rows()

#: Three fonts of the same widths.
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
FORMATS = (".png", ".svg", ".pdf")


def dressed(chart: alt.TopLevelMixin, title: str, subtitle: str | list[str]) -> alt.TopLevelMixin:
    """The chart with a title and the common looks."""
    return (
        chart.properties(
            title=alt.TitleParams(
                title, subtitle=subtitle, anchor="start", fontSize=18, subtitleFontSize=13,
                subtitleColor="#555555", offset=14, frame="bounds",
            ),
            background="white",
            # Room for the wider letters of another sans-serif, where none of the named fonts is.
            padding={"left": 18, "top": 18, "bottom": 18, "right": 44},
        )
        .configure(font=FONT)
        .configure_view(stroke="#dddddd")
        .configure_axis(
            labelFontSize=12, titleFontSize=12, titleFontWeight="normal", titleColor="#333333",
            gridColor="#eeeeee", domainColor="#888888", tickColor="#888888",
        )
        .configure_header(labelFontSize=13, titleFontSize=13)
        .configure_legend(
            labelFontSize=12, titleFontSize=12, symbolStrokeWidth=3, symbolSize=260, labelLimit=260
        )
    )


def check_format(output: Path) -> None:
    """Refuses a file whose suffix names no format, before anything is read."""
    if output.suffix not in FORMATS:
        raise PlotError(f"'{output}' must end in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")


def save(chart: alt.TopLevelMixin, output: Path, scale: float = 1.5) -> Path:
    """Writes the chart in the format that the suffix names; a PNG has `scale` pixels by point."""
    check_format(output)
    if not 0.1 <= scale <= 10:
        raise PlotError(f"--scale must be 0.1 to 10, not {scale:g}")
    try:
        if output.suffix == ".png":
            chart.save(str(output), scale_factor=scale)
            output.write_bytes(repacked(output.read_bytes()))
        else:
            chart.save(str(output))
    except OSError as error:
        raise PlotError(f"cannot write '{output}': {error.strerror}") from error
    return output


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
