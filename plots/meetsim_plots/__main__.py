"""The same as `plot.py`, for `python -m meetsim_plots`."""

import sys

from meetsim_plots.command import main

sys.exit(main())
