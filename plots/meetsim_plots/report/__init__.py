"""Reports: one HTML file that shows a result directory and needs nothing else."""
