"""The colours of every picture; apart from Altair's theme because it takes a second to import."""

# Okabe and Ito's colours without black, which is the link's; the yellow is darkened for white paper.
COLOURS = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#A89A00", "#8A6FDF"]
OTHERS = "#999999"
LINK = "#222222"
