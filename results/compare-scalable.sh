#!/usr/bin/env bash
# Runs simulcast and scalable streams through four SFUs in four meetings behind three links, and viewers who share key
# pictures, and writes their tables and pictures: results/compare-scalable.sh [FOLDER]. Sweeps that an interruption left
# unfinished are resumed; docs/svc.md says what is compared.
set -eu
cd "$(dirname "$0")/.."
folder=${1:-results}
meetsim=${MEETSIM:-.build/release/meetsim}
python=${PYTHON:-.venv/bin/python}
mkdir -p "$folder"
sweeps=()
for meeting in scalable-stage scalable-gallery scalable-mixed-links scalable-switching shared-key-pictures; do
  sweep="out/$meeting"
  mode=--force
  [ -e "$sweep" ] && [ ! -e "$sweep/summary.csv" ] && mode=--resume
  # A run without a result (exit code 3) costs its own row only.
  "$meetsim" sweep "scenarios/sweeps/$meeting.yaml" -o "$sweep" "$mode" || [ $? -eq 3 ]
  [ "$meeting" = shared-key-pictures ] || sweeps+=("$sweep")
done
"$python" plots/plot.py media "${sweeps[@]}" --table "$folder/scalable.csv" -o "$folder/scalable.png"
"$python" plots/plot.py media out/shared-key-pictures --seat ample --metric key_pictures \
  --table "$folder/shared-key-pictures.csv" -o "$folder/shared-key-pictures.png"
