"""A run, and what its tables say, cell by cell as in a notebook: notebook.py SCENARIO VIEWER."""

import sys

import meetsim_plots

# %% Run the scenario with two seeds.
scenario, viewer = sys.argv[1], sys.argv[2]
runs = {seed: meetsim_plots.run(scenario, seed=seed) for seed in (1, 2)}

# %% What the viewer got of each source: medians over the time in which a picture was asked for.
for seed, results in runs.items():
    streams = results.streams
    mine = streams[(streams["viewer"] == viewer) & (streams["requested_height_px"] > 0)]
    columns = ["frame_height_px", "frames_per_second", "bitrate_bps"]
    medians = mine.groupby("source")[columns].median()
    units = streams.attrs["units"]
    print(f"seed {seed}: {', '.join(f'{name} [{units[name]}]' for name in columns)}")
    print(medians.to_string())

# %% The difference that the seed makes for the viewer's score.
scores = {
    seed: results.scalars.query("scope == 'participant' and metric == 'mos' and viewer == @viewer")["value"].iloc[0]
    for seed, results in runs.items()
}
print(f"mos: {scores[1]:.2f} and {scores[2]:.2f}")
