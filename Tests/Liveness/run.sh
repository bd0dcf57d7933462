#!/usr/bin/env bash
# Runs the liveness grid and prints its table: does every allocating system keep a picture on every ladder, whatever the
# downlink? Arguments choose a part, such as: ladders=single people=2 losses=0 delays=10 seeds=2
set -eu
cd "$(dirname "$0")/../.."
MEETSIM_LIVENESS=1 swift build -c release --product meetsim-liveness >&2
exec "$(MEETSIM_LIVENESS=1 swift build -c release --show-bin-path)/meetsim-liveness" "$@"
