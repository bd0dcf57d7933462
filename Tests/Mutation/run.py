#!/usr/bin/env python3
"""Tests the tests: puts small faults into a copy of the sources and checks that a test fails with each.

All mutants of mutants.txt are compiled at once, and an environment variable selects one of them at run time, so that one
build serves. Each suite first runs once without a fault, and notes which of them it reaches; then the suites that reach a
mutant run until a test fails, those of its own module first and the fastest first. Comparisons with committed results count
separately: regenerating the results would hide the faults.

    Tests/Mutation/run.py --outcomes mutants.csv   # all of them; when repeated, those missing in that file
    Tests/Mutation/run.py Network 12 40            # those of a module, and two by number
    Tests/Mutation/run.py --list
"""

import argparse
import csv
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VARIABLE = "MEETSIM_MUTANT"
REACHED = "MEETSIM_MUTANTS_REACHED"
# Modules that another module's tests cover.
OWN_TESTS = {
    "YAML": "(YAML|Scenario)", "Layout": "Systems", "Vendors": "Systems", "Allocation": "(Allocation|Systems)", "meetsim": "Command",
    "Plan": "(Decision|Scenario|Meeting)", "Endpoint": "(Endpoint|Meeting)", "Publishing": "(Publishing|Meeting)",
    "Serving": "(Serving|Meeting)", "Viewing": "(Viewing|Meeting)",
}
NO_EXPRESSION = re.compile(r"^$|^[-+*/%<>=!&|^?]+(\s|$)|[-+*/%<=&|^?]$|^(break|continue|return|throw)\b|^\w+: ")
# Tests that compare with committed results.
GOLDEN = {"theCommittedSummariesAreWhatTheCommandMakes()"}
SELECTOR = """\
#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@usableFromInline
enum Mutant {
  /// The mutant that this run shows; none where it notes which it reaches.
  private static let active = getenv("%s").map { atoi($0) } ?? 0
  private static let reached = getenv("%s").map { open($0, O_WRONLY | O_CREAT | O_APPEND, 0o644) } ?? -1
  nonisolated(unsafe) private static let isNoted: UnsafeMutablePointer<Bool> = {
    let marks = UnsafeMutablePointer<Bool>.allocate(capacity: 4096)
    marks.initialize(repeating: false, count: 4096)
    return marks
  }()

  @usableFromInline
  static func isActive(_ number: Int32) -> Bool {
    if reached >= 0, !isNoted[Int(number)] {
      isNoted[Int(number)] = true
      var line = Array("\\(number)\\n".utf8)
      _ = write(reached, &line, line.count)
    }
    return active == number
  }
}
""" % (VARIABLE, REACHED)


class Mutant:
    def __init__(self, number, file, fragment):
        match = re.search(r"\[\[(.*?) => (.*?)\]\](?!\])", fragment)
        if not match:
            sys.exit(f"no [[old => new]] in: {fragment}")
        self.number = number
        self.file = file
        self.old, self.new = match.groups()
        self.before, self.after = fragment[: match.start()], fragment[match.end() :]
        # A condition selects one of the two: operators, members, patterns and statements alone do not compile.
        if self.before.endswith(".") or any(NO_EXPRESSION.search(part) for part in (self.old, self.new)):
            sys.exit(f"no expression: {fragment}")
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
    """Returns a source with all of its mutants; several mutants of an expression become a chain of conditions."""
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
        choices = "".join(f"Mutant.isActive({m.number}) ? ({m.new}) : " for m in group)
        text = text[:start] + f"({choices}({text[start:end]}))" + text[end:]
        last = start
    return text


def prepare(scratch, mutants):
    """Copies the repository; files that are the same already keep their times, so that builds are incremental, and those
    of an earlier state go."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True)
    by_file = {}
    for mutant in mutants:
        by_file.setdefault("Sources/" + mutant.file, []).append(mutant)
    contents = {}
    for name in listed.stdout.decode().splitlines():
        if (ROOT / name).is_file():
            contents[name] = (ROOT / name).read_bytes()
    # The source of packages is a setting of the machine, not of the repository.
    for path in (ROOT / ".swiftpm").rglob("*"):
        if path.is_file():
            contents[str(path.relative_to(ROOT))] = path.read_bytes()
    for name, group in by_file.items():
        contents[name] = mutated(name, contents[name].decode(), group).encode()
    for module in {m.module for m in mutants}:
        contents[f"Sources/{module}/Mutant.swift"] = SELECTOR.encode()
    for folder in ("Sources", "Tests"):
        for path in (scratch / folder).rglob("*.swift"):
            if str(path.relative_to(scratch)) not in contents:
                path.unlink()
    for name, content in contents.items():
        path = scratch / name
        if path.is_file() and path.read_bytes() == content:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod((ROOT / name).stat().st_mode if (ROOT / name).exists() else 0o644)


def build(scratch):
    """Builds the package with its tests; returns the program that runs them."""
    options = ["-c", "release", "--disable-xctest", "--disable-testable-imports"]
    built = subprocess.run(["swift", "test", *options, "--filter", "^NoTests$"], cwd=scratch, capture_output=True)
    if built.returncode != 0:
        sys.exit((built.stdout + built.stderr).decode(errors="replace")[-4000:])
    path = subprocess.run(["swift", "build", "-c", "release", "--show-bin-path"], cwd=scratch, capture_output=True)
    return Path(path.stdout.decode().strip()) / "meetsimPackageTests.xctest"


def list_suites(program, scratch):
    """Returns the names of all suites, as Module.Suite."""
    listed = subprocess.run(
        ["swift", "test", "list", "-c", "release", "--disable-xctest", "--disable-testable-imports", "--skip-build"],
        cwd=scratch, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return sorted({line.split("/")[0] for line in listed.stdout.splitlines() if "/" in line})


def run_tests(program, scratch, number, suite, known=frozenset(), limit=None, reached=None):
    """Runs a suite until a test fails that is not known to: the names of those that failed, or None where the run
    crashed or took more than so many seconds of CPU; and those that it took."""

    def confine():
        # A shell ignores these for what it starts in the background.
        for number in signal.SIGHUP, signal.SIGINT:
            signal.signal(number, signal.SIG_DFL)
        if limit:
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))

    environment = dict(os.environ, **{VARIABLE: str(number), "SWIFT_BACKTRACE": "enable=no"})
    if reached:
        environment[REACHED] = str(reached)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(
        [program, "--testing-library", "swift-testing", "--filter", f"^{re.escape(suite)}/"],
        cwd=scratch, env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        start_new_session=True, preexec_fn=confine,
    )  # fmt: skip
    # A test that waits forever takes no CPU.
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


class Suite:
    """A test suite run without a fault: its CPU seconds, the tests that fail all the same, the mutants it reaches."""

    def __init__(self, name, seconds, failed, reached):
        self.name = name
        self.seconds = seconds
        self.failed = set(failed)
        self.reached = set(reached)

    @property
    def limit(self):
        return int(4 * self.seconds) + 60


def measure_suites(program, scratch):
    """Runs each suite alone without a fault, and stores the findings for this build."""
    kept = scratch / "suites.json"
    if kept.is_file() and kept.stat().st_mtime > program.stat().st_mtime:
        return [Suite(**suite) for suite in json.loads(kept.read_text())]
    suites = []
    note = scratch / "reached.txt"
    for name in list_suites(program, scratch):
        note.unlink(missing_ok=True)
        failed, seconds = run_tests(program, scratch, 0, name, reached=note)
        reached = sorted({int(line) for line in note.read_text().split()}) if note.exists() else []
        suites.append({"name": name, "seconds": seconds, "failed": sorted(failed or ()), "reached": reached})
        if failed is None or failed:
            print(f"    without a fault, {name} fails: {sorted(failed or ['as a whole'])}", flush=True)
    kept.write_text(json.dumps(suites))
    return [Suite(**suite) for suite in suites]


class Outcomes:
    """The outcome of each mutant, in a file to which each is added as soon as it is known."""

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
    suites = measure_suites(program, options.scratch)
    print(f"{len(suites)} suites, {sum(s.seconds for s in suites):.0f} s of CPU without a fault", flush=True)
    kept = Outcomes(options.outcomes)
    outcomes = {}

    def judge(mutant):
        """Returns a mutant's outcome, and the reason for it or the test that failed."""
        if mutant.equivalence:
            return "equivalent", mutant.equivalence
        own = re.compile(f"{OWN_TESTS.get(mutant.module, mutant.module)}Tests\\.")
        reaching = [s for s in suites if mutant.number in s.reached and (own.match(s.name) or not options.own)]
        changes_results = False
        for suite in sorted(reaching, key=lambda s: (not own.match(s.name), s.seconds)):
            failed, _ = run_tests(
                program, options.scratch, mutant.number, suite.name, suite.failed, suite.limit)
            if failed is None:
                return "killed", f"{suite.name} crashed or did not end"
            failed -= suite.failed
            if failed - GOLDEN:
                return "killed", ", ".join(f"{suite.name}/{test}" for test in sorted(failed - GOLDEN)[:3])
            changes_results = changes_results or bool(failed)
        return ("golden only" if changes_results else "survived"), f"{len(reaching)} suites"

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
