"""The colours of every picture; apart from Altair's theme because it takes a second to import."""

# Okabe and Ito's colours without black, which is the link's; the yellow is darkened for white paper.
COLOURS = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#A89A00", "#8A6FDF"]
OTHERS = "#999999"
LINK = "#222222"
#: Limits of a share [%] and the colours between them, from bad to good.
SHARES = ([20, 40, 60, 80, 95, 100], ["#67001f", "#b2532b", "#e0944a", "#f2cd7d", "#c7dfd9", "#74aecb", "#2b6ea6"])


def luminance(colour: str) -> float:
    """How light a colour is (WCAG's relative luminance)."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
