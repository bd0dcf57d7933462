#!/usr/bin/env bash
# Runs a day of a meeting of two and eight hours of a meeting of 25, and prints how much memory each took beside a tenth
# and a hundredth of its length: it must not grow. Takes a quarter of an hour on an idle core.
#   Tests/Long/run.sh [DAY [SHIFT]]   other lengths in minutes, instead of 1440 and 480
set -eu
cd "$(dirname "$0")/../.."
meetsim=${MEETSIM:-.build/release/meetsim}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

run() { # SCENARIO MINUTES
  "$meetsim" run "$1" --set "duration=$2 min" --interval 10s -o "$folder/out" --force --quiet
  python3 - "$folder/out/manifest.json" "$1" <<'PYTHON'
import json, sys
run = json.load(open(sys.argv[1]))
rows = sum(table["rows"] for table in run["tables"])
print(
    f"{sys.argv[2]}: {run['simulated_s'] / 60:.1f} min in {run['wall_s']:.1f} s, {run['packet_hop_count'] / 1e6:.1f} M "
    f"packet-hops, {rows} rows, peak memory {run['peak_memory_bytes'] / 1e6:.1f} MB"
)
PYTHON
}

for part in 100 10 1; do run scenarios/one-to-one.yaml $((${1:-1440} / part)); done
for part in 100 10 1; do run scenarios/full-house.yaml $((${2:-480} / part)); done
