#!/usr/bin/env python3
"""Time and memory of a meeting by the numbers of publishers and of watchers.

Runs every combination once, prints a Markdown table with the fitted exponents, and writes results/scale.csv, from which
`plots/plot.py scale` draws the picture. Ten minutes on an idle core; `--seconds 5` takes a tenth of it.
"""

import argparse
import csv
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WATCHERS = [100, 1000, 10000]
PUBLISHERS = [2, 5, 10, 25]
# 25 x 10,000 tiles fill every downlink and take an hour.
MOST_TILES = 60_000
COLUMNS = ["estimator", "publishers", "watchers", "simulated_s", "packet_hops", "cpu_s", "ns_per_hop", "peak_memory_bytes",
           "needed_memory_bytes"]


def scenario(publishers: int, watchers: int, estimator: str, seconds: int) -> str:
    """Everybody publishes 720p from a home, and watchers show all in tiles of 320x180."""
    return f"""name: scale
duration: {seconds}s
policy: stream
estimator: {estimator}
links: {{home: {{capacity: 8 Mbps, delay: 20 ms, queue: 300 ms}}}}
participants:
  - {{id: pub, count: {publishers}, up: home, down: home, publish: {{camera: 720p30}}, view: {{everybody: 320x180}}}}
  - {{id: w, count: {watchers}, up: home, down: home, view: {{everybody: 320x180}}}}
"""


def run(meetsim: str, publishers: int, watchers: int, estimator: str, seconds: int) -> dict:
    """Runs once; returns the figures of its manifest and of the operating system."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "scale.yaml")
        file.write_text(scenario(publishers, watchers, estimator, seconds))
        stated = subprocess.run([meetsim, "validate", file], check=True, capture_output=True, text=True).stdout
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([meetsim, "run", file, "-o", f"{folder}/out", "--quiet"], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        manifest = json.loads(Path(folder, "out", "manifest.json").read_text())
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    hops = manifest["packet_hop_count"]
    amount, unit = stated.rsplit(" of memory", 1)[0].split()[-2:]
    return {
        "estimator": estimator, "publishers": publishers, "watchers": watchers, "simulated_s": seconds,
        "packet_hops": hops, "cpu_s": round(cpu, 2), "ns_per_hop": round(cpu / hops * 1e9, 1),
        "peak_memory_bytes": manifest["peak_memory_bytes"],
        "needed_memory_bytes": int(amount) * {"MB": 10**6, "GB": 10**9}[unit],
    }


def exponent(points: list[tuple[float, float]]) -> float:
    """Returns the slope of a straight line through logarithms: 1 if a value is proportional to its cause."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    x = sum(a for a, _ in logs) / len(logs)
    y = sum(b for _, b in logs) / len(logs)
    return sum((a - x) * (b - y) for a, b in logs) / sum((a - x) ** 2 for a, _ in logs)


def table(rows: list[dict]) -> str:
    """Returns the rows in Markdown, followed by the growth of time and memory with watchers and with publishers."""
    lines = [
        "| estimator | publishers | watchers | packet-hops | CPU [s] | ns per packet-hop | peak memory [MB] | stated [MB] |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        lines.append(
            f"| {row['estimator']} | {row['publishers']} | {row['watchers']} | {row['packet_hops'] / 1e6:.1f} M "
            f"| {row['cpu_s']:.1f} | {row['ns_per_hop']:.0f} | {row['peak_memory_bytes'] / 1e6:.0f} "
            f"| {row['needed_memory_bytes'] / 1e6:.0f} |"
        )
    lines.append("")
    for estimator in sorted({row["estimator"] for row in rows}):
        own = [row for row in rows if row["estimator"] == estimator]
        for publishers in PUBLISHERS:
            same = [row for row in own if row["publishers"] == publishers]
            if len(same) < 2:
                continue
            time = exponent([(row["watchers"], row["cpu_s"]) for row in same])
            memory = exponent([(row["watchers"], row["peak_memory_bytes"]) for row in same])
            lines.append(
                f"{estimator}, {publishers} publishers: time grows as watchers to the power of {time:.2f}, memory {memory:.2f}"
            )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=20, help="simulated seconds of each run (20)")
    parser.add_argument("--estimator", action="append", help="may be repeated (oracle and gcc)")
    parser.add_argument("--most-tiles", type=int, default=MOST_TILES, help=f"leaves out larger runs ({MOST_TILES})")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "results" / "scale.csv")
    options = parser.parse_args()
    meetsim = os.environ.get("MEETSIM", str(ROOT / ".build" / "release" / "meetsim"))
    rows = []
    for estimator in options.estimator or ["oracle", "gcc"]:
        for publishers in PUBLISHERS:
            for watchers in WATCHERS:
                if publishers * watchers > options.most_tiles:
                    continue
                rows.append(run(meetsim, publishers, watchers, estimator, options.seconds))
                print(f"{estimator}: {publishers} + {watchers} took {rows[-1]['cpu_s']} s", file=sys.stderr)
    with open(options.output, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
