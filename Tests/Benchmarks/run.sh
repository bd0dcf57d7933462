#!/usr/bin/env bash
# Builds the benchmark and, where their sources are present, the C++ references, and prints one table.
# REFERENCE is the folder of forward.cpp and hold.cpp; without it the table has our figures alone.
set -eu
cd "$(dirname "$0")/../.."
build=.build-bench
MEETSIM_BENCHMARKS=1 swift build -c release --scratch-path "$build" --product meetsim-bench >&2
reference=${REFERENCE:-../shared/bench/native}
if [ -d "$reference" ] && command -v g++ >/dev/null; then
  for program in forward hold; do
    g++ -std=c++17 -O3 -o "$build/$program" "$reference/$program.cpp"
  done
  exec "$build/release/meetsim-bench" table "$build"
fi
exec "$build/release/meetsim-bench" table
