#!/usr/bin/env python3
"""Draws tiles of random meetings of every system and prints every `limitation` that is not true.

A limitation is checked against the run's other tables and against runs without its cause: larger cameras,
ample links, no caps, no decode limit. With --explain, what `explain` says of the tiles is checked as well: its waterfall
to the bit, and each change of the scenario in ten runs with other seeds, of which eight have to agree, or else 24 of 30.
With --states, which has scalable streams as well, `explain` is held against the tables of the second, every freeze of
at least 200 ms has to be told with a cause that goes where its links carry anything, and no two lines may contradict
each other.

  Tests/Explanations/run.py [--tiles 200] [--first 0] [--jobs 2] [--explain] [--states]

The program is .build/release/meetsim, or that of the environment variable MEETSIM. Exits with 1 if something is not
true.
"""

import argparse
import collections
import os
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import counterfactuals
import meetings
import states
import words

ROOT = Path(__file__).resolve().parents[2]
MEETSIM = os.environ.get("MEETSIM", str(ROOT / ".build/release/meetsim"))
PER_MEETING = 3
# Nothing would have to change, or nothing in the scenario.
NOT_EXPLAINED = ("none", "off-screen", "muted", "switching", "hold")


def tiles(number, scenario=None):
    """Returns tiles of a meeting with different limitations, the rare ones first."""
    run = words.Run(MEETSIM, scenario or meetings.meeting(number))
    draw = random.Random(number)
    rows = [row for row in run.rows("streams") if float(row["time_s"]) >= 2]
    draw.shuffle(rows)
    counts = collections.Counter(row["limitation"] for row in rows)
    chosen = {}
    for row in rows:
        chosen.setdefault(row["limitation"], row)
    order = sorted(chosen, key=lambda word: counts[word])
    return [words.Tile(MEETSIM, run, chosen[word]) for word in order[:PER_MEETING]]


def check(number, explains):
    """Returns the problems of a meeting's tiles: the kind, the tile, its limitation, and what contradicts it."""
    system = meetings.name_of(meetings.meeting(number)["policy"])
    found = []
    for tile in tiles(number):
        problems = tile.problems()
        if explains and tile.word not in NOT_EXPLAINED:
            problems += counterfactuals.problems(MEETSIM, tile)
        found.append((f"meeting {number} ({system}): {tile}", tile.word, problems))
    return found


def check_states(number):
    """Returns what is false in the explanations of a meeting's tiles, and of those that froze."""
    scenario = meetings.scalable_meeting(number)
    system = meetings.name_of(scenario["policy"])
    found = []
    for tile in tiles(number, scenario):
        found.append((f"meeting {number} ({system}): {tile}", tile.word, states.problems(tile)))
    for tile in states.frozen(MEETSIM, scenario):
        said = tile.explained(repetitions=0)
        problems = states.problems(tile) + (list(states.cause_problems(MEETSIM, tile, said)) if said else [])
        found.append((f"meeting {number} ({system}): {tile}", "freeze", problems))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tiles", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="number of the first meeting")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--explain", action="store_true", help="checks what explain says too")
    parser.add_argument("--states", action="store_true", help="checks only what explain says of moments and freezes")
    options = parser.parse_args()
    numbers = range(options.first, options.first + -(-options.tiles // PER_MEETING))
    seen = collections.Counter()
    false = collections.Counter()
    with ThreadPoolExecutor(options.jobs) as pool:
        checked = check_states if options.states else lambda number: check(number, options.explain)
        for found in pool.map(checked, numbers):
            for tile, word, problems in found:
                seen[word] += 1
                false[word] += bool(problems)
                for problem in problems:
                    print(f"{tile}: {problem}", flush=True)
    for word in sorted(seen):
        print(f"{word:14} {seen[word]:4} tiles, {false[word]} false")
    return 1 if any(false.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
