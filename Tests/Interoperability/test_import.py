"""Imported calls receive what the real ones did: recordings beside the checkout, without their capacity columns."""

import csv
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import ROOT, meetsim

CALLS = Path(os.environ.get("MEETSIM_CALLS", ROOT / "../shared/calls"))
SEEDS = range(1, 11)
# RTP bytes over IP bytes: recordings count the former, result tables the latter.
RTP_SHARE = 1100 / 1138
# Times at which the link and the viewer's request had settled [s].
SETTLED = {
    "p2p-const-500": [(30, 44)],
    "p2p-const-1200": [(30, 44)],
    "p2p-const-4000": [(30, 44)],
    "p2p-rfc8867-51": [(25, 39), (55, 60), (70, 79), (90, 99)],
    "sim-up-450": [(10, 39)],
    "sim-up-1300": [(10, 39)],
    "sim-up-2600": [(10, 39)],
    "sim-switch": [(2, 9), (12, 19), (22, 29), (32, 39), (42, 49), (52, 59)],
}


def without_capacities(source, target):
    """Returns a copy of a recording with only what a browser knows."""
    with source.open(newline="") as file:
        rows = list(csv.DictReader(file))
    told = [name for name in rows[0] if name not in ("capacity_kbps", "up_kbps", "down_kbps")]
    assert len(told) < len(rows[0])
    with target.open("w", newline="") as file:
        writer = csv.DictWriter(file, told, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    return [(float(r["t"]), float(r["recv_bytes"])) for r in rows if r["recv_bytes"]]


def recorded(samples, begin, end):
    window = [s for s in samples if begin <= s[0] <= end + 0.5]
    return (window[-1][1] - window[0][1]) * 8 / 1000 / (window[-1][0] - window[0][0])


def simulated(scenario, seed, folder):
    """Returns the received rate in each second [kbps]."""
    out = folder / f"seed-{seed}"
    done = meetsim("run", scenario, "-q", "--seed", seed, "-o", out)
    assert (done.returncode, done.stderr) == (0, "")
    with (out / "streams.csv").open(newline="") as file:
        return [
            (float(r["time_s"]), float(r["bitrate_bps"] or 0) / 1000 * RTP_SHARE)
            for r in csv.DictReader(file)
            if r["viewer"] == "receiver"
        ]


def mean(values):
    return sum(values) / len(values)


def differences(name, folder):
    """Returns each settled stretch: start, end, recorded and simulated rate [kbps], and the capacities written."""
    table = folder / f"{name}.csv"
    samples = without_capacities(CALLS / f"{name}.csv", table)
    scenario = folder / f"{name}.yaml"
    done = meetsim("import", "getstats", table, "-o", scenario)
    assert (done.returncode, done.stderr) == (0, "")
    assert "warning" not in meetsim("validate", scenario).stderr
    with ThreadPoolExecutor(2) as pool:
        runs = list(pool.map(lambda seed: simulated(scenario, seed, folder), SEEDS))
    return [
        (
            begin,
            end,
            recorded(samples, begin, end),
            mean([mean([rate for time, rate in run if begin <= time < end]) for run in runs]),
        )
        for begin, end in SETTLED[name]
    ]


@pytest.mark.parametrize("name", SETTLED)
def test_settled_stretches_receive_what_the_real_call_did(name, tmp_path):
    if not (CALLS / f"{name}.csv").exists():
        pytest.skip(f"{CALLS} has no {name}.csv")
    for begin, end, real, ours in differences(name, tmp_path):
        assert abs(ours / real - 1) < 0.15, f"{begin} to {end} s: {real:.0f} recorded, {ours:.0f} simulated"
