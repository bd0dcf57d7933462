"""Every command keeps to the width of the terminal, as does its help.

Lines for other programs (CSV, JSON, YAML) are exempt, as are longer words, such as a position in a file.
"""

import os
import re
import shlex
import unicodedata

import pytest
from conftest import ROOT, meetsim
from test_words import SCENARIO, SWEEP

COMMANDS = [
    "run", "sweep", "status", "merge", "slurm", "compare", "check", "what-if", "report", "table", "steady", "validate",
    "list", "trace info", "trace convert", "trace generate", "allocate", "explain", "init", "import getstats",
    "import webrtc-internals", "import rtcstats", "import rtc-event-log", "export getstats", "export webrtc-internals",
    "fit camera", "reference", "schema", "verify",
]  # fmt: skip
LISTS = [
    "policies", "links", "ladders", "estimators", "disciplines", "keys", "events", "metrics", "limitations", "rules", "words",
]  # fmt: skip
WIDTHS = (60, 80, 100)
# Names of 40 or more characters, in every part of a scenario and of a sweep.
LONG = """
name: long
title: 一人の教授と二人の参加者、長い題名の会議、ホテルの回線、リスボンからの列車
duration: 6s
policy: livekit
links: {the-narrow-link-of-the-hotel-in-lisbon: {capacity: 900 kbps, delay: 40 ms, loss: 2 %}}
participants:
  - {id: professor-maximiliane-von-und-zu-hohenstein-the-third, publish: {camera: 720p30}, view: {everybody: 320x180}}
  - {id: another-participant-with-quite-a-long-identifier, publish: {camera: 720p30}, view: {everybody: 320x180}}
  - id: someone-travelling-by-train-from-porto-to-lisbon
    down: the-narrow-link-of-the-hotel-in-lisbon
    publish: {camera: 720p30}
    view: {stage: professor-maximiliane-von-und-zu-hohenstein-the-third, everybody: 320x180}
expect:
  - viewer: someone-travelling-by-train-from-porto-to-lisbon
    source: professor-maximiliane-von-und-zu-hohenstein-the-third
    metric: mos
    is: ">= 3"
"""
LONG_SWEEP = """
name: long-sweep
scenario: long.yaml
variables:
  capacity_of_the_hotel: {path: links.the-narrow-link-of-the-hotel-in-lisbon.capacity, values: [500 kbps, 1 Mbps, 2 Mbps]}
  pausing:
    path: policy
    values: [{label: どのトラックも一時停止しない, value: livekit}, {label: with pausing, value: {name: livekit, allow-pause: true}}]
repetitions: 2
expect:
  - viewer: someone-travelling-by-train-from-porto-to-lisbon
    source: professor-maximiliane-von-und-zu-hohenstein-the-third
    metric: mos
    is: ">= 3"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("widths")
    (folder / "words.yaml").write_text(SCENARIO, encoding="utf-8")
    (folder / "sweep.yaml").write_text(SWEEP, encoding="utf-8")
    (folder / "long.yaml").write_text(LONG, encoding="utf-8")
    (folder / "long-sweep.yaml").write_text(LONG_SWEEP, encoding="utf-8")
    (folder / "trace.csv").write_bytes((ROOT / "scenarios/traces/lte-drive.csv").read_bytes())
    (folder / "dump.json").write_bytes((ROOT / "Tests/CallStatisticsTests/Dumps/constant-1000.json").read_bytes())
    for arguments in (
        "run words.yaml -q -o a", "run words.yaml -q -o b --set policy=jitsi", "run words.yaml -q -o c --set duration=60s",
        "sweep sweep.yaml -q -o s", "run long.yaml -q -o l", "run long.yaml -q -o l2 --set policy=jitsi",
        "sweep long-sweep.yaml -q -o ls",
    ):  # fmt: skip
        done = meetsim(*arguments.split(), cwd=folder)
        assert done.returncode == 0, done.stderr
    return folder


def too_long(folder, width, arguments):
    done = meetsim(*arguments, cwd=folder, env=os.environ | {"COLUMNS": str(width)})
    assert done.returncode in (0, 1), (arguments, done.stderr)
    lines = done.stdout.splitlines() + [line for line in done.stderr.splitlines() if " " in line.strip()]
    # Commands and keys to be copied are on one line, as is the output for a valid file.
    lines = [line for line in lines if not re.match(r"  meetsim |USAGE: |\S+\.yaml: ok, |trace.csv: |  [\w\[\]-]+(\.[\w\[\]-]+)+(=\S+)?$", line)]
    return [(" ".join(arguments), columns(line), line) for line in lines if columns(line) > width]


def columns(text):
    """Returns the number of terminal columns that a text takes."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("command", COMMANDS)
def test_help_keeps_to_the_width(folder, width, command):
    assert too_long(folder, width, [*command.split(), "--help"]) == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "line",
    [
        "run words.yaml", "run words.yaml --all", "run words.yaml --repetitions 2", "run words.yaml --by source",
        "run long.yaml --repetitions 2", "run long.yaml --by viewer", "run long.yaml --by source",
        "sweep long-sweep.yaml -o none --dry-run", "table l events", "table l layout", "table ls runs",
        "allocate words.yaml --viewer bob --budget 0bps..3Mbps/100kbps --format table",
        "sweep sweep.yaml -o none --dry-run", "status s", "check a", "check s", "check s --all",
        "compare a b", "compare a b --by viewer", "compare s s --base-where policy=livekit --new-where policy=jitsi",
        "what-if words.yaml --metric mos --viewer bob --source ann --limit 10 --suggest",
        "table a streams", "table a decisions --viewer bob", "table a events", "table a scalars", "table s summary",
        "explain a --worst 2 --repetitions 1", "steady c bitrate_bps --viewer bob --source ann",
        "trace info trace.csv", "import webrtc-internals dump.json -o call.yaml --force --compare", "init",
        "run long.yaml", "run long.yaml --all", "check l", "check ls", "check ls --all", "compare l l2", "status ls",
        "compare ls ls --base-where capacity_of_the_hotel=500kbps --new-where capacity_of_the_hotel=2Mbps",
        "explain l --worst 1 --repetitions 1", "table l streams", "table l decisions", "table ls summary",
        "what-if long.yaml --metric mos --viewer someone-travelling-by-train-from-porto-to-lisbon --limit 10 --suggest "
        "--with 'とても長い名前のとても長い変更、さらに長い: duration=5s' "
        "--with links.the-narrow-link-of-the-hotel-in-lisbon.capacity=5Mbps",
        "allocate long.yaml --viewer someone-travelling-by-train-from-porto-to-lisbon --budget 0bps..3Mbps/100kbps "
        "--format table",
        "validate words.yaml sweep.yaml", "verify --only delay- --only goog-cc-loss",
        *(f"list {name}" for name in LISTS),
        *(f"reference {name}" for name in ("capacity", "mos", "bandwidth", "policy", "livekit", "freeze", "f.2", "bitrate")),
        f"sweep {ROOT}/scenarios/sweeps/nine-party-policies.yaml -o none --dry-run",
    ],
)  # fmt: skip
def test_output_keeps_to_the_width(folder, width, line):
    found = too_long(folder, width, shlex.split(line))
    # Examples are the contents of files.
    assert [one for one in found if not one[2].startswith("    ")] == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "line",
    [
        "validate broken.yaml", "run broken.yaml", "sweep broken.yaml -o none", "explain nowhere --worst 1",
        "what-if words.yaml --metric mos --viewer nobody-whom-anyone-has-ever-heard-of-in-this-meeting --suggest",
        "run words.yaml --set participants.nobody-whom-anyone-has-ever-heard-of-in-this-meeting.view.everybody=320x180",
        "reference nothing-that-this-program-has-ever-printed-or-read-in-any-of-its-files", "table l streams --columns a",
    ],
)  # fmt: skip
def test_messages_keep_to_the_width(folder, width, line):
    (folder / "broken.yaml").write_text(
        "name: broken\nduration: 2m\nparticipants:\n  - {id: ann, view: {everybody: 1, speaker: ann}, link: home}\n"
    )
    done = meetsim(*shlex.split(line), cwd=folder, env=os.environ | {"COLUMNS": str(width)})
    assert done.returncode == 2 and done.stderr
    assert [one for one in done.stderr.splitlines() if columns(one) > width and " " in one.strip()] == []
