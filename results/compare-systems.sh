#!/usr/bin/env bash
# Runs all systems in five meetings behind five links, and writes their table and picture: results/compare-systems.sh
# [FOLDER]. Sweeps that an interruption left unfinished are resumed; docs/systems.md says what is compared.
set -eu
cd "$(dirname "$0")/.."
folder=${1:-results}
meetsim=${MEETSIM:-.build/release/meetsim}
mkdir -p "$folder"
sweeps=()
for meeting in stage gallery classroom screen-share mixed-links; do
  sweep="out/compare-$meeting"
  mode=--force
  [ -e "$sweep" ] && [ ! -e "$sweep/summary.csv" ] && mode=--resume
  # A run without a result (exit code 3) costs its own row only.
  "$meetsim" sweep "scenarios/sweeps/compare-$meeting.yaml" -o "$sweep" "$mode" || [ $? -eq 3 ]
  sweeps+=("$sweep")
done
"${PYTHON:-.venv/bin/python}" plots/plot.py systems "${sweeps[@]}" --table "$folder/systems.csv" -o "$folder/systems.png"
