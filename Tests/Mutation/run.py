#!/usr/bin/env python3
"""Tests the tests: puts small faults into a copy of the sources and looks whether a test fails with each.

All mutants of mutants.txt are compiled at once, and an environment variable selects one of them at run time, so that one
build serves. The tests of a mutant's own module run first, and the others only if it has survived these. Comparisons
with committed results count apart: whoever regenerates the results would lose them.

    Tests/Mutation/run.py --outcomes mutants.csv   # all of them: hours; again, what is missing in that file
    Tests/Mutation/run.py Network 12 40            # those of a module, and two by number
    Tests/Mutation/run.py --list
"""

import argparse
import csv
import os
import re
import resource
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VARIABLE = "MEETSIM_MUTANT"
# Modules that another module's tests cover.
OWN_TESTS = {
    "YAML": "Scenario", "Layout": "Systems", "Allocation": "(Allocation|Systems)", "meetsim": "Command",
    "Plan": "(Scenario|Meeting)", "Endpoint": "Meeting", "Publishing": "(Publishing|Meeting)",
    "Serving": "(Serving|Meeting)", "Viewing": "(Viewing|Meeting)",
}
# Tests that compare with committed results.
GOLDEN = {"theCommittedSummariesAreWhatTheCommandMakes()"}
SELECTOR = """\
#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The mutant that this run shows; 0 for none.
@usableFromInline
enum Mutant {
  @usableFromInline static let active = getenv("%s").map { atoi($0) } ?? 0
}
"""


class Mutant:
    def __init__(self, number, file, fragment):
        match = re.search(r"\[\[(.*?) => (.*?)\]\](?!\])", fragment)
        if not match:
            sys.exit(f"no [[old => new]] in: {fragment}")
        self.number = number
        self.file = file
        self.old, self.new = match.groups()
        # A condition chooses between the two: operators and statements alone do not compile.
        if re.match(r"[-+*/%<>=!&|^]+\s|(break|continue|return|throw)\b", self.old):
            sys.exit(f"no expression: {fragment}")
        self.before, self.after = fragment[: match.start()], fragment[match.end() :]
        self.equivalence = None

    @property
    def module(self):
        return self.file.split("/")[0]

    def is_in_its_file(self):
        path = ROOT / "Sources" / self.file
        return path.is_file() and path.read_text().count(self.before + self.old + self.after) == 1

    def __str__(self):
        return f"{self.number:3} {self.file}: {self.old} => {self.new}"


def read_mutants():
    mutants = []
    for line in (ROOT / "Tests/Mutation/mutants.txt").read_text().splitlines():
        if line.startswith("="):
            mutants[-1].equivalence = line[1:].strip()
        elif line and not line.startswith("#"):
            file, fragment = line.split(" | ", 1)
            mutants.append(Mutant(len(mutants) + 1, file, fragment))
    return mutants


def mutated(file, text, mutants):
    """A source with all of its mutants; several of one expression become a chain of conditions."""
    places = {}
    for mutant in mutants:
        whole = mutant.before + mutant.old + mutant.after
        if text.count(whole) != 1:
            sys.exit(f"{mutant}: occurs {text.count(whole)} times")
        start = text.index(whole) + len(mutant.before)
        places.setdefault((start, start + len(mutant.old)), []).append(mutant)
    last = len(text)
    for (start, end), group in sorted(places.items(), reverse=True):
        if end > last:
            sys.exit(f"{file}: mutants {[m.number for m in group]} overlap with others")
        choices = "".join(f"Mutant.active == {m.number} ? ({m.new}) : " for m in group)
        text = text[:start] + f"({choices}({text[start:end]}))" + text[end:]
        last = start
    return text


def prepare(scratch, mutants):
    """Copies the repository; files that are the same already keep their times, so that builds are incremental."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True)
    by_file = {}
    for mutant in mutants:
        by_file.setdefault("Sources/" + mutant.file, []).append(mutant)
    contents = {}
    for name in listed.stdout.decode().splitlines():
        if (ROOT / name).is_file():
            contents[name] = (ROOT / name).read_bytes()
    # Where packages come from is a setting of the machine, not of the repository.
    for path in (ROOT / ".swiftpm").rglob("*"):
        if path.is_file():
            contents[str(path.relative_to(ROOT))] = path.read_bytes()
    for name, group in by_file.items():
        contents[name] = mutated(name, contents[name].decode(), group).encode()
    for module in {m.module for m in mutants}:
        contents[f"Sources/{module}/Mutant.swift"] = (SELECTOR % VARIABLE).encode()
    for name, content in contents.items():
        path = scratch / name
        if path.is_file() and path.read_bytes() == content:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod((ROOT / name).stat().st_mode if (ROOT / name).exists() else 0o644)


def build(scratch):
    """Builds the package with its tests: the program that runs them."""
    options = ["-c", "release", "--disable-xctest", "--disable-testable-imports"]
    built = subprocess.run(["swift", "test", *options, "--filter", "^NoTests$"], cwd=scratch, capture_output=True)
    if built.returncode != 0:
        sys.exit((built.stdout + built.stderr).decode(errors="replace")[-4000:])
    path = subprocess.run(["swift", "build", "-c", "release", "--show-bin-path"], cwd=scratch, capture_output=True)
    return Path(path.stdout.decode().strip()) / "meetsimPackageTests.xctest"


def run_tests(program, scratch, number, arguments, known=frozenset(), limit=None):
    """Runs tests until one of them fails that is not known to: the names of those that failed, or None where the run
    crashed or took more than so many seconds of CPU; and those that it took."""

    def confine():
        if limit:
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(
        [program, "--testing-library", "swift-testing", *arguments],
        cwd=scratch, env=dict(os.environ, **{VARIABLE: str(number), "SWIFT_BACKTRACE": "enable=no"}),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        start_new_session=True, preexec_fn=confine,
    )  # fmt: skip
    # A test that waits for ever takes no CPU.
    watchdog = threading.Timer(20 * limit if limit else 7200, os.killpg, [process.pid, 9])
    watchdog.start()
    failed, is_stopped = set(), False
    for line in process.stdout:
        line = re.sub(r"\x1b\[[0-9;]*m", "", line)
        match = re.match(r". Test (.+?)(?: with \d+ test cases?)? failed after", line)
        if match and not match[1].startswith("run with "):
            failed.add(match[1])
            if limit and failed - known - GOLDEN:
                is_stopped = True
                os.killpg(process.pid, 9)
                break
    process.stdout.close()
    code = process.wait()
    watchdog.cancel()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (None if code != 0 and not failed and not is_stopped else failed), seconds


class Outcomes:
    """What became of each mutant, in a file to which every one is added as soon as it is known."""

    COLUMNS = ["mutant", "outcome", "detail"]

    def __init__(self, path):
        self.path = path
        self.known = {}
        if path and path.is_file():
            with path.open(newline="", encoding="utf-8") as file:
                self.known = {row["mutant"]: row for row in csv.DictReader(file)}

    def key(self, mutant):
        return f"{mutant.file}: {mutant.before}[[{mutant.old} => {mutant.new}]]{mutant.after}"

    def find(self, mutant):
        row = self.known.get(self.key(mutant))
        return row and (row["outcome"], row["detail"])

    def add(self, mutant, outcome, detail):
        if not self.path:
            return
        is_new = not self.path.exists()
        with self.path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            if is_new:
                writer.writerow(self.COLUMNS)
            writer.writerow([self.key(mutant), outcome, detail])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("selection", nargs="*", help="modules and numbers")
    parser.add_argument("--list", action="store_true", help="prints the mutants, and fails if one is not in its file")
    parser.add_argument("--own", action="store_true", help="runs the tests of a mutant's own module alone")
    parser.add_argument("--outcomes", type=Path, help="a CSV file that keeps what is known; its mutants are not run again")
    parser.add_argument("--scratch", type=Path, default=Path(tempfile.gettempdir()) / "meetsim-mutation")
    options = parser.parse_args()
    mutants = read_mutants()
    chosen = [
        m for m in mutants if not options.selection or {m.module, str(m.number)} & set(options.selection)
    ]
    if options.list:
        print("\n".join(map(str, chosen)))
        missing = [m for m in mutants if not m.is_in_its_file()]
        sys.exit("\n".join(["these do not occur once in their files:", *map(str, missing)]) if missing else 0)
    prepare(options.scratch, mutants)
    print("building", flush=True)
    program = build(options.scratch)
    known, limits = {}, {}
    kept = Outcomes(options.outcomes)
    outcomes = {}

    def failures(number, name, arguments):
        """What fails with a mutant and not without."""
        if name not in known:
            failed, seconds = run_tests(program, options.scratch, 0, arguments)
            known[name], limits[name] = failed or set(), int(4 * seconds) + 60
            print(f"    {name} without a mutant: {seconds:.0f} s of CPU, fails: {sorted(known[name])}", flush=True)
        failed, _ = run_tests(program, options.scratch, number, arguments, known[name], limits[name])
        return None if failed is None else failed - known[name]

    def judge(mutant):
        """A mutant's outcome, and the reason for it or the test that noticed."""
        if mutant.equivalence:
            return "equivalent", mutant.equivalence
        own = f"^{OWN_TESTS.get(mutant.module, mutant.module)}Tests\\."
        failed = failures(mutant.number, own, ["--filter", own])
        if failed is not None and not failed - GOLDEN and not options.own:
            others = failures(mutant.number, "others than " + own, ["--skip", own])
            failed = None if others is None else failed | others
        if failed is None:
            return "killed", "crashed or did not end"
        if failed - GOLDEN:
            return "killed", ", ".join(sorted(failed - GOLDEN)[:3])
        return ("golden only" if failed else "survived"), ""

    for mutant in chosen:
        outcome, detail = kept.find(mutant) or (None, None)
        if outcome is None:
            outcome, detail = judge(mutant)
            kept.add(mutant, outcome, detail)
        outcomes.setdefault(outcome, []).append(mutant)
        print(f"{outcome:11} {mutant}" + (f"  [{detail}]" if detail else ""), flush=True)
    print(", ".join(f"{len(group)} {outcome}" for outcome, group in outcomes.items()))


if __name__ == "__main__":
    main()
