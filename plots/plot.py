"""Draws pictures of a result directory: `python plots/plot.py --help`."""

import sys

from meetsim_plots.command import main

if __name__ == "__main__":
    sys.exit(main())
