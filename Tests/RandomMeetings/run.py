#!/usr/bin/env python3
"""Runs random meetings of every system under every estimator: none may trap, hang or break an invariant of the tables.

A meeting is drawn by its number from the ranges that `meetsim schema` declares, with times to the microsecond. It has
to be valid, end in time, take no more than twice the memory that `validate` states, and keep what `invariants.py`
lists; every twentieth has to give the same bytes again, from the scenario in its manifest, whose keys are sorted.
Failures are written to the folder, with the scenario and the reason, and can be repeated and shrunk by number.

  Tests/RandomMeetings/run.py [--first 0] [--count 1000] [-j 2] [-o FOLDER]
  Tests/RandomMeetings/run.py --first 4711 --count 1
  Tests/RandomMeetings/run.py --shrink 4711

The program is .build/release/meetsim, or that of the environment variable MEETSIM. Exits with 1 if something failed.
"""

import argparse
import collections
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import invariants
import meetings

ROOT = Path(__file__).resolve().parents[2]
MEETSIM = os.environ.get("MEETSIM", str(ROOT / ".build/release/meetsim"))
# A meeting takes well under a second. Time spent waiting for the processor does not count.
MOST_PROCESSOR_TIME = 60
LONGEST = 20 * MOST_PROCESSOR_TIME
# 'validate' estimates the memory within a factor of two; beyond the other limit a run is stopped.
MEMORY_FACTOR = 2
MOST_MEMORY = 4 << 30
AGAIN = int(os.environ.get("AGAIN", 20))
# Results are synchronized to disk, if there is one.
SCRATCH = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
ERROR = re.compile(r"^.*?:(\d+):\d+: error: (.*)$", re.MULTILINE)
STATED = re.compile(r"(\d+) (MB|GB) of memory")
FRAME = re.compile(r"^ *\d+ .* at \S*/(Sources/\S+\.swift:\d+)", re.MULTILINE)
KINDS = ["trap", "hang", "memory", "error", "broken", "differs", "invalid"]


@dataclass
class Outcome:
    """The outcome of a meeting: `kind` is empty if all is well."""

    number: int
    system: str
    estimator: str
    kind: str = ""
    #: The place of the trap, or the broken invariant.
    place: str = ""
    message: str = ""
    #: Values of the first draw that the reader refused, and that were removed.
    refusals: list = field(default_factory=list)


@dataclass
class Ended:
    """A process that has ended."""

    code: int
    is_late: bool
    stdout: str
    stderr: str


def ended(arguments, folder):
    """Runs the program within its limits."""
    with (folder / "stdout").open("w+b") as stdout, (folder / "stderr").open("w+b") as stderr:
        environment = os.environ | {"SWIFT_BACKTRACE": "color=no,interactive=no,threads=crashed,limit=16"}
        process = subprocess.Popen(
            [MEETSIM, *map(str, arguments)], cwd=folder, stdout=stdout, stderr=stderr, env=environment
        )
        if hasattr(resource, "prlimit"):
            try:
                resource.prlimit(process.pid, resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
                resource.prlimit(process.pid, resource.RLIMIT_CPU, (MOST_PROCESSOR_TIME, MOST_PROCESSOR_TIME))
            except ProcessLookupError:
                pass
        timer = threading.Timer(LONGEST, process.kill)
        timer.start()
        process.wait()
        timer.cancel()
        texts = []
        for file in (stdout, stderr):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
    is_late = process.returncode in (-signal.SIGKILL, -signal.SIGXCPU)
    return Ended(process.returncode, is_late, *texts)


def trapped(process):
    """Returns where a run trapped, if it did: the first line of meetsim's sources, or its last output."""
    if process.code in (0, 1, 2):
        return None
    frame = FRAME.search(process.stderr)
    said = [line for line in process.stderr.splitlines() if line.strip()]
    return frame[1] if frame else f"{process.code}: {said[-1] if said else 'nothing said'}"


def peak(out):
    """Returns a run's peak memory; the kernel's figure for a child includes the parent's."""
    return json.loads((out / "manifest.json").read_text(encoding="utf-8"))["peak_memory_bytes"]


def valid(scenario, files, folder):
    """Removes from a scenario what the reader refuses; returns the last validation and what was removed."""
    refusals = []
    while True:
        file, paths = meetings.written(scenario, files, folder)
        process = ended(["validate", file.name], folder)
        found = ERROR.findall(process.stdout + process.stderr)
        if process.code != 2 or not found or len(refusals) > 300:
            return process, refusals
        own = {}
        for line, text in found:
            path = meetings.refused(paths[int(line) - 1])
            own[path] = text
        # Parts of a removed value go with it; list elements are removed from the end.
        paths = [path for path in own if not any(path[: len(other)] == other for other in own if other != path)]
        paths.sort(key=lambda path: [str(step).rjust(9, "0") for step in path], reverse=True)
        for path in paths:
            refusals.append(f"{'/'.join(map(str, path))}: {own[path]}")
            if not meetings.leave_out(scenario, path):
                return process, refusals


def label(scenario):
    """Returns the estimator, as the table's column."""
    estimator = scenario.get("estimator", "own")
    if isinstance(estimator, dict) and "name" not in estimator:
        return "up and down"
    return estimator if isinstance(estimator, str) else estimator["name"]


def judged(outcome, scenario, files, folder, interval, again=False):
    """Runs a valid scenario and returns what is wrong with it."""
    stated = STATED.search((folder / "validated").read_text())
    out = folder / "out"
    process = ended(["run", "scenario.yaml", "-o", "out", "--interval", interval], folder)
    if process.is_late:
        outcome.kind, outcome.place = "hang", "time"
        outcome.message = f"more than {MOST_PROCESSOR_TIME} s of processor time"
    elif place := trapped(process):
        outcome.kind, outcome.place, outcome.message = "trap", place, process.stderr
    elif process.code:
        outcome.kind, outcome.place, outcome.message = "error", f"exit {process.code}", process.stderr[-2000:]
    elif broken := invariants.broken(out, scenario, interval):
        outcome.kind, outcome.place = "broken", ", ".join(dict.fromkeys(name for name, _ in broken))
        outcome.message = "\n".join(f"{name}: {text}" for name, text in broken[:50])
    elif stated and peak(out) > MEMORY_FACTOR * int(stated[1]) * {"MB": 1e6, "GB": 1e9}[stated[2]]:
        outcome.kind, outcome.place = "memory", "peak"
        outcome.message = f"{peak(out) / 1e6:.0f} MB, {stated[0]} stated"
    elif again:
        manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
        (folder / "resolved.yaml").write_text(manifest["resolved_scenario"], encoding="utf-8")
        ended(["run", "resolved.yaml", "-o", "out-2", "--interval", interval], folder)
        for table in sorted(out.glob("*.csv")):
            other = folder / "out-2" / table.name
            if not other.exists() or other.read_bytes() != table.read_bytes():
                outcome.kind, outcome.place, outcome.message = "differs", table.name, "a run of the manifest's scenario gave other bytes"
                break
    for name in ("out", "out-2"):
        shutil.rmtree(folder / name, ignore_errors=True)
    return outcome


def check(catalogue, number):
    """Returns the outcome of a meeting, with the scenario that was run and its files."""
    meeting = meetings.Meeting(catalogue, number)
    outcome = Outcome(number, meeting.system, "")
    with tempfile.TemporaryDirectory(dir=SCRATCH) as name:
        folder = Path(name)
        process, outcome.refusals = valid(meeting.scenario, meeting.files, folder)
        outcome.estimator = label(meeting.scenario)
        if process.code:
            place = trapped(process)
            outcome.kind, outcome.place = ("trap", place) if place else ("invalid", "validate")
            outcome.message = process.stdout + process.stderr
            return outcome, meeting
        (folder / "validated").write_text(process.stdout)
        judged(outcome, meeting.scenario, meeting.files, folder, meeting.interval, number % AGAIN == 0)
    return outcome, meeting


def keep(outcome, meeting, folder):
    """Writes a failure, to be inspected and rerun."""
    place = re.sub(r"[^A-Za-z0-9]+", "-", outcome.place)[:60].strip("-")
    own = folder / f"{outcome.kind}-{place}" / str(outcome.number)
    own.mkdir(parents=True, exist_ok=True)
    meetings.written(meeting.scenario, meeting.files, own)
    (own / "message.txt").write_text(f"--interval '{meeting.interval}'\n{outcome.message}\n", encoding="utf-8")


# Smaller scenarios


def parts(value, path=()):
    """Returns every part that a scenario can do without, the largest first."""
    if isinstance(value, (dict, list)):
        pairs = list(value.items() if isinstance(value, dict) else enumerate(value))
        for key, _ in reversed(pairs):
            yield (*path, key)
        for key, child in pairs:
            yield from parts(child, (*path, key))


def shrunk(catalogue, number):
    """Returns the scenario with a number, without all parts that its failure does not need."""
    before, meeting = check(catalogue, number)
    if not before.kind:
        return before, meeting

    def fails(scenario):
        with tempfile.TemporaryDirectory(dir=SCRATCH) as name:
            folder = Path(name)
            meetings.written(scenario, meeting.files, folder)
            process = ended(["validate", "scenario.yaml"], folder)
            if process.code:
                return trapped(process) == before.place if before.kind == "trap" else False
            (folder / "validated").write_text(process.stdout)
            again = before.kind == "differs"
            now = judged(Outcome(number, "", ""), scenario, meeting.files, folder, meeting.interval, again)
            # Of several broken invariants, the first is pursued.
            return now.kind == before.kind and before.place.split(", ")[0] in now.place.split(", ")

    # Keys that the checks need are kept.
    needed = {("name",), ("participants",)}
    removed = True
    while removed:
        removed = False
        for path in list(parts(meeting.scenario)):
            smaller = json.loads(json.dumps(meeting.scenario))
            if path not in needed and meetings.leave_out(smaller, path) and fails(smaller):
                meeting.scenario, removed = smaller, True
    meeting.files = {name: text for name, text in meeting.files.items() if name in json.dumps(meeting.scenario)}
    return before, meeting


# The command


def table(outcomes):
    """Returns systems and estimators with the runs and failures of each."""
    columns = sorted({outcome.estimator for outcome in outcomes})
    rows = list(dict.fromkeys(outcome.system for outcome in outcomes))
    counts = collections.Counter((outcome.system, outcome.estimator) for outcome in outcomes)
    failed = collections.Counter((outcome.system, outcome.estimator) for outcome in outcomes if outcome.kind)
    kinds = collections.Counter((outcome.system, outcome.kind) for outcome in outcomes)
    heads = ["system", *columns, "all", *KINDS]
    lines = [heads]
    for row in [*rows, "all"]:
        systems = rows if row == "all" else [row]
        cells = [row]
        for column in columns:
            count, bad = (sum(counter[system, column] for system in systems) for counter in (counts, failed))
            cells.append(f"{count}" + (f" ({bad})" if bad else ""))
        cells.append(str(sum(counts[system, column] for system in systems for column in columns)))
        cells += [str(sum(kinds[system, kind] for system in systems)) for kind in KINDS]
        lines.append(cells)
    widths = [max(len(line[place]) for line in lines) for place in range(len(heads))]
    padded = [[cell.ljust(width) for cell, width in zip(line, widths, strict=True)] for line in lines]
    return "\n".join("  ".join(line).rstrip() for line in padded)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=0, help="number of the first meeting")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("-o", "--output", type=Path, default=Path("random-meetings"), help="folder for what fails")
    parser.add_argument("--shrink", type=int, metavar="NUMBER", help="makes the meeting smaller while it fails alike")
    options = parser.parse_args()
    catalogue = meetings.Catalogue(json.loads(subprocess.check_output([MEETSIM, "schema", "scenario"])))
    if options.shrink is not None:
        outcome, meeting = shrunk(catalogue, options.shrink)
        print(f"# {outcome.kind or 'fine'}: {outcome.place}, --interval '{meeting.interval}'")
        print("\n".join(text for text, _ in meetings.lines(meeting.scenario)))
        for name, content in meeting.files.items():
            print(f"# {name}\n{content}")
        return 1 if outcome.kind else 0
    outcomes = []
    with ThreadPoolExecutor(options.jobs) as pool:
        numbers = range(options.first, options.first + options.count)
        for outcome, meeting in pool.map(lambda number: check(catalogue, number), numbers):
            outcomes.append(outcome)
            if outcome.kind:
                keep(outcome, meeting, options.output)
                first = outcome.message.strip().splitlines()
                first = first[0] if first and outcome.kind != "trap" else ""
                print(f"{outcome.number} ({outcome.system}): {outcome.kind} {outcome.place} {first[:300]}", flush=True)
            # The output is not kept.
            outcome.message, outcome.refusals = "", outcome.refusals[:1]
            if len(outcomes) % 100 == 0:
                print(f"{len(outcomes)} of {options.count}", file=sys.stderr, flush=True)
    print(table(outcomes))
    places = collections.Counter((outcome.kind, outcome.place) for outcome in outcomes if outcome.kind)
    for (kind, place), count in places.most_common():
        numbers = [outcome.number for outcome in outcomes if (outcome.kind, outcome.place) == (kind, place)]
        print(f"{count} {kind} {place}: {', '.join(map(str, numbers[:8]))}")
    refused = sum(bool(outcome.refusals) for outcome in outcomes)
    print(f"{refused} of {len(outcomes)} draws had values that the reader refuses, which were left out")
    return 1 if places else 0


if __name__ == "__main__":
    sys.exit(main())
