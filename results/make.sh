#!/usr/bin/env bash
# Writes the summary table of every scenario: results/make.sh [FOLDER]
set -eu
cd "$(dirname "$0")/.."
folder=${1:-results}
meetsim=${MEETSIM:-.build/release/meetsim}
mkdir -p "$folder"
for scenario in scenarios/*.yaml; do
  COLUMNS=100 NO_COLOR=1 "$meetsim" run "$scenario" > "$folder/$(basename "$scenario" .yaml).txt"
done
