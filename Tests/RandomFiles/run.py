#!/usr/bin/env python3
"""Damages files of all kinds that meetsim reads: each is read, or refused with a position in it, in bounded time and memory.

A case is drawn by its number: one of the seeds, changed in one to three places as bytes, as a table or as JSON, and now
and then grown to some megabytes. The folder of a seed below `seeds` determines what is done with it: `trace` is `trace info` and
`trace convert`; `frames` is played by the camera of a scenario; any other, such as `getstats`, is `import` of that kind,
whose scenario has to be valid. Failures are written to the folder, with the reason, and can be repeated by number.

  Tests/RandomFiles/run.py [--first 0] [--count 1000] [--kind trace] [-j 2] [-o FOLDER]

The program is .build/release/meetsim, or that of the environment variable MEETSIM. Exits with 1 if something failed.
"""

import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from damage import Damage

ROOT = Path(__file__).resolve().parents[2]
MEETSIM = os.environ.get("MEETSIM", str(ROOT / ".build/release/meetsim"))
SEEDS = Path(__file__).resolve().parent / "seeds"
SCRATCH = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
#: Time limit for a file [s].
LONGEST = 30
#: Memory limit: more than any small file takes, plus this many times the size of the file and of the output.
BASE = 40 << 20
FACTOR = 64
ERROR = re.compile(rb"^(.*?):(\d+):(\d+): error: .", re.MULTILINE)
CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")


#: A scenario whose camera plays a list of frames.
FRAMES = """\
name: frames
duration: 2s
participants:
  - {{id: a, publish: {{camera: {{frames: {{file: {}, fps: 30, encodings: {{f: 640x360}}}}}}}}}}
"""


def commands(kind, name):
    if kind == "frames":
        return [["validate", "frames.yaml"]]
    if kind == "trace":
        return [["trace", "info", name], ["trace", "convert", name, "-o", "out.csv"]]
    return [["import", kind, name, "-o", "out.yaml"]]


def run(arguments, folder):
    """Returns exit code (None on timeout), standard error, peak memory [B]."""
    with tempfile.TemporaryFile(dir=folder) as errors:
        process = subprocess.Popen(
            [MEETSIM, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
            env={**os.environ, "NO_COLOR": "1", "CI": "1"},
        )  # fmt: skip
        end = time.monotonic() + LONGEST
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > end:
                process.kill()
                os.wait4(process.pid, 0)
                process.returncode = -9
                return None, b"", 0
            time.sleep(0.002)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        return process.returncode, errors.read(), usage.ru_maxrss * 1024


def problem(kind, path, folder):
    """Returns what is wrong with how a file was handled, and the memory beyond the base per byte of the file."""
    size = path.stat().st_size
    content = path.read_bytes()
    lines = len(re.findall(rb"\r\n|\r|\n", content)) + 1
    worst = 0.0
    for arguments in commands(kind, path.name):
        code, errors, memory = run(arguments, folder)
        # Sparse traces are written with one row per 100 ms.
        written = sum(path.stat().st_size for path in Path(folder).glob("out.*"))
        worst = max(worst, (memory - BASE) / max(size + written, 1))
        if code is None:
            return f"{arguments}: more than {LONGEST} s", worst
        if code not in (0, 2):
            return f"{arguments}: exit {code}: {errors[-300:]!r}", worst
        if memory > BASE + FACTOR * (size + written):
            return f"{arguments}: {memory >> 20} MB for {size} bytes and {written} written", worst
        if CONTROL.search(errors):
            return f"{arguments}: prints {CONTROL.search(errors).group()!r}", worst
        places = ERROR.findall(errors)
        if code == 2 and not places:
            return f"{arguments}: an error without its place: {errors[-300:]!r}", worst
        for _, line, column in places:
            if not (1 <= int(line) <= lines and int(column) >= 1):
                return f"{arguments}: line {line.decode()} of {lines}: {errors[-300:]!r}", worst
        if code == 0 and arguments[0] == "import":
            valid, text, _ = run(["validate", "out.yaml"], folder)
            if valid != 0:
                return f"{arguments}: an invalid scenario: {text[-300:]!r}", worst
    return "", worst


def damaged(kind, seed, number):
    damage = Damage(kind, number)
    whole = seed.read_bytes()
    if kind == "rtc-event-log":
        content = damage.of_bytes(whole)
        return content * (max(1, (1 << 20) // max(len(content), 1)) if damage.draw.random() < 0.02 else 1)
    text = whole.decode()
    draw = damage.draw.random()
    if seed.suffix == ".csv" and draw < 0.5:
        text = damage.of_table(text)
    elif seed.suffix == ".json" and draw < 0.6:
        text = damage.of_json(text)
    else:
        text = damage.of_text(text)
    if damage.draw.random() < 0.02:
        text *= min(2000, max(1, (1 << 20) // max(len(text), 1)))
    return text.encode(errors="surrogatepass")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--kind", help="one folder of seeds; all by default")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("-o", "--output", type=Path, default=Path("failed-files"))
    options = parser.parse_args()
    seeds = [(folder.name, seed) for folder in sorted(SEEDS.iterdir()) for seed in sorted(folder.iterdir())]
    seeds = [entry for entry in seeds if options.kind in (None, entry[0])]

    def case(number):
        kind, seed = seeds[number % len(seeds)]
        with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
            path = Path(folder) / seed.name
            path.write_bytes(damaged(kind, seed, number))
            if kind == "frames":
                (Path(folder) / "frames.yaml").write_text(FRAMES.format(seed.name), encoding="utf-8")
            found, worst = problem(kind, path, folder)
            if found:
                options.output.mkdir(exist_ok=True)
                shutil.copy(path, options.output / f"{number}-{seed.name}")
            return number, kind, found, worst if path.stat().st_size > 100_000 else 0.0

    counts = collections.Counter()
    worst = 0.0
    failed = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        last = options.first + options.count
        # A few at a time: a process starts with the memory of this one, which its peak includes.
        for first in range(options.first, last, 200):
            for number, kind, found, memory in pool.map(case, range(first, min(first + 200, last))):
                counts[kind] += 1
                worst = max(worst, memory)
                if found:
                    failed += 1
                    print(f"{number} {kind}: {found}", flush=True)
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
    print(f"{sum(counts.values())} files ({kinds}): {failed} failed; at most {worst:.0f} bytes of memory for each of a file")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
