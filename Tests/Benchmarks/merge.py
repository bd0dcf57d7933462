#!/usr/bin/env python3
"""Time, memory and files of `meetsim merge` over 100,000 and a million runs.

The runs are synthetic: one meeting is simulated, and its file copied under the id of every run of the sweep, with the
checksum that belongs to it. Prints a Markdown table. A million runs fill 12 GB and take some minutes. Needs numpy, which the
plots bring.
"""

import argparse
import csv
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REPETITIONS = 100
SHARDS = 2
SWEEP = """name: synthetic
scenario:
  name: pair
  duration: 1s
  links: {{home: {{capacity: 3 Mbps, delay: 20 ms}}}}
  participants:
    - {{id: ann, publish: {{camera: 360p30}}}}
    - {{id: ben, down: home, view: {{request: [{{quality: 360p30, participant: ann}}]}}}}
variables: {{capacity: {{path: links.home.capacity, range: {{from: 1 Mbps, to: 10 Mbps, count: {points}}}}}}}
repetitions: {repetitions}
"""


def plan(meetsim: str, sweep: Path, shard: int, output: Path) -> list[str]:
    """Starts a shard, ends it when its plan and a first run are written, and returns the ids of all runs."""
    command = [meetsim, "sweep", sweep, "-o", output, "--shard", f"{shard}/{SHARDS}", "-j", "1", "-q"]
    process = subprocess.Popen(command)
    while process.poll() is None and not list(output.glob("runs/*/r*.run")):
        time.sleep(0.2)
    process.kill()
    process.wait()
    with open(output / "plan.csv", newline="") as file:
        return [row["run_id"] for row in csv.DictReader(file)]


def hashes(texts: list[bytes]) -> list[str]:
    """Returns FNV-1a hashes of texts of equal length."""
    import numpy

    columns = numpy.frombuffer(b"".join(texts), numpy.uint8).reshape(len(texts), -1).T.astype(numpy.uint64)
    value = numpy.full(len(texts), 0xCBF29CE484222325, numpy.uint64)
    for column in columns:
        value ^= column
        value *= numpy.uint64(0x100000001B3)
    return [f"{one:016x}" for one in value]


def fill(output: Path, ids: list[str]) -> int:
    """Writes a file for each run that has none; returns the size of one."""
    example = next(output.glob("runs/*/r*.run"))
    form, _, status, cause, _, rows = example.read_bytes().split(b"\n", 5)
    for folder in sorted({name[1:3] for name in ids}):
        (output / "runs" / folder).mkdir(exist_ok=True)
    for begin in range(0, len(ids), 10_000):
        names = [name.encode() for name in ids[begin:begin + 10_000]]
        bodies = [rows.replace(example.stem.encode(), name) for name in names]
        heads = [b"\n".join([name, status, cause, b""]) for name in names]
        checksums = hashes([head + body for head, body in zip(heads, bodies)])
        for name, head, checksum, body in zip(names, heads, checksums, bodies):
            path = output / "runs" / name[1:3].decode() / f"{name.decode()}.run"
            path.write_bytes(form + b"\n" + head + checksum.encode() + b"\n" + body)
    return example.stat().st_size


def prepare(meetsim: str, sweep: Path, shard: int, output: Path) -> tuple[int, int]:
    """Creates a shard; returns the number of the sweep's runs and the size of a file."""
    ids = plan(meetsim, sweep, shard, output)
    return len(ids), fill(output, ids[shard - 1::SHARDS])


def measure(meetsim: str, count: int, folder: Path) -> str:
    """Merges the shards of a sweep with this many runs; returns a row of the table."""
    sweep = folder / "sweep.yaml"
    sweep.write_text(SWEEP.format(points=count // REPETITIONS, repetitions=REPETITIONS))
    parts = [folder / f"part-{shard}" for shard in range(1, SHARDS + 1)]
    for shard, part in enumerate(parts, 1):
        # In a separate process, as the peak memory of a child starts with that of its parent.
        with multiprocessing.Pool(1) as pool:
            count, size = pool.apply(prepare, (meetsim, sweep, shard, part))
    os.sync()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    merge = subprocess.Popen([meetsim, "merge", *parts, "-o", folder / "out", "-q"])
    _, status, usage = os.wait4(merge.pid, 0)
    wall = time.monotonic() - start
    assert status == 0, status
    files = max(len(list(entry.iterdir())) for entry in (folder / "out" / "runs").iterdir())
    tables = sum(path.stat().st_size for path in (folder / "out").glob("*.csv"))
    return (f"| {count:,} | {size} | {usage.ru_utime:.1f} | {usage.ru_stime:.1f} | {wall:.0f} "
            f"| {usage.ru_maxrss / 1024:.0f} | {files:,} | {tables / 1e6:.0f} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, action="append", help="may be repeated (100,000 and 1,000,000)")
    parser.add_argument("--folder", type=Path, help="where the runs are written and removed (the system's own)")
    options = parser.parse_args()
    meetsim = os.environ.get("MEETSIM", str(ROOT / ".build" / "release" / "meetsim"))
    columns = [
        "runs", "bytes per run", "user [s]", "system [s]", "wall [s]", "peak memory [MiB]", "most files in a folder",
        "tables [MB]",
    ]
    print("| " + " | ".join(columns) + " |")
    print("|---" * len(columns) + "|")
    for count in options.runs or [100_000, 1_000_000]:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            print(measure(meetsim, count, Path(folder)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
