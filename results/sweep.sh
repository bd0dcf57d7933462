#!/usr/bin/env bash
# Runs the sweep of 2048 nine-party meetings and writes its summary and its picture: results/sweep.sh [FOLDER]
set -eu
cd "$(dirname "$0")/.."
folder=${1:-results}
meetsim=${MEETSIM:-.build/release/meetsim}
name=nine-party-policies
mkdir -p "$folder"
"$meetsim" sweep "scenarios/sweeps/$name.yaml" -o "out/$name" --force
cp "out/$name/summary.csv" "$folder/$name.csv"
"${PYTHON:-.venv/bin/python}" plots/plot.py sweep "out/$name" --metric bitrate --metric frame_height \
  -o "$folder/$name.png"
