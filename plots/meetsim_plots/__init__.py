"""meetsim's results as data frames, and pictures of them."""

from meetsim_plots.frames import results, run

__all__ = ["results", "run"]
