"""Every word, column head and label that commands print is in `meetsim reference`, in the singular and the plural."""

import csv
import json
import re

import pytest
from conftest import ROOT, meetsim

SCENARIO = """
name: words
duration: 12s
policy: livekit
links: {thin: {capacity: [{at: 0s, to: 2 Mbps}, {at: 6s, to: 300 kbps}], delay: 20 ms, loss: 3 %}}
participants:
  - {id: ann, publish: {camera: 720p30}}
  - {id: eve, publish: {camera: 720p30}}
  - {id: bob, down: thin, publish: {camera: 360p30}, view: {stage: ann, everybody: 320x180}}
expect:
  - {viewer: bob, source: ann, metric: mos, is: ">= 1"}
  - {viewer: every, source: every, metric: frame_height, stat: p50, is: ">= 2000"}
"""
# Layers of scalable streams have other names.
SCALABLE = """
name: scalable
duration: 6s
policy: livekit
links: {thin: {capacity: 900 kbps, delay: 20 ms}}
participants:
  - {id: ann, publish: {camera: {capture: 720p30, codec: vp9, scalability-mode: L3T3_KEY}}}
  - {id: bob, down: thin, view: {stage: ann}}
"""
SWEEP = """
name: words
scenario: words.yaml
set: {duration: 4s}
variables: {policy: [livekit, jitsi]}
repetitions: 3
"""


def unknown(words):
    """Returns the words that the reference lacks."""
    done = meetsim("reference", "--", *words)
    missing = set(re.findall(r"^error: the reference has no '(.*?)': ", done.stderr, re.MULTILINE))
    assert done.returncode == (2 if missing else 0)
    return missing


# Columns for a sweep's own variables are not words of the program.
VARIABLES = re.compile(r"p_\w+|[a-z]+_frac")


def heads(output, first):
    """Returns the column heads of tables whose first column is one of these."""
    found = set()
    for line in output.splitlines():
        cells = [cell for cell in re.split(r"\s{2,}", line.strip()) if cell]
        if cells and cells[0] in first and len(cells) > 2:
            # After the last head comes the time axis.
            found |= {cell for cell in cells if not re.fullmatch(r"[\d. ]+ s|0", cell)}
    return found


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """The words printed, by command."""
    folder = tmp_path_factory.mktemp("words")
    (folder / "words.yaml").write_text(SCENARIO, encoding="utf-8")
    (folder / "scalable.yaml").write_text(SCALABLE, encoding="utf-8")
    (folder / "sweep.yaml").write_text(SWEEP, encoding="utf-8")

    def run(*arguments):
        commands.add(arguments[0])
        done = meetsim(*arguments)
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    words, commands = {}, set()
    out = run("run", folder / "words.yaml", "-o", folder / "a")
    words["run"] = heads(out, {"viewer", "source"})
    rows = run("run", folder / "words.yaml", "-o", folder / "b", "--set", "policy=jitsi", "--format", "csv", "--by", "tile")
    reasons = {row.rsplit(",", 1)[-1] for row in rows.splitlines()[1:]} - {""}
    words["reasons"] = reasons
    run("run", folder / "words.yaml", "-q", "-o", folder / "r60", "--set", "duration=60s")
    out = run("run", folder / "words.yaml", "-o", folder / "r", "--repetitions", "2")
    words["repetitions"] = heads(out, {"viewer"})
    words["check"] = heads(run("check", folder / "a"), {"expectation"}) | {"pass", "fail", "inconclusive"}
    out = run("compare", folder / "a", folder / "b")
    words["compare"] = heads(out, {"change"}) | set(re.findall(r"^(quality|costs|causes)$", out, re.MULTILINE))
    words["compare"] |= {line.split()[0] for line in out.splitlines() if re.match(r"(worse|better|changed|appeared|vanished) ", line)}
    run("sweep", folder / "sweep.yaml", "-o", folder / "s", "-q")
    out = run("compare", folder / "s", folder / "s", "--base-where", "policy=livekit", "--new-where", "policy=jitsi")
    words["sweeps compared"] = heads(out, {"verdict"}) | {"not shown", "too small", "not enough runs", "better", "worse"}
    words["explain"] = set()
    for moment in ("5s", "8s", "11s"):
        out = run("explain", folder / "a", "--viewer", "bob", "--source", "ann", "--at", moment, "--repetitions", "0")
        labels = re.findall(r"^ *[-+]?[\d.]+ kbps +(.*)$", out, re.MULTILINE)
        words["explain"] |= {label for label in map(label_of, labels) if label}
        words["explain"] |= set(re.findall(r"s: ([a-z-]+): ", out))
        words["explain"] |= set(re.findall(r"by (\S+):", out))
    words |= other_commands(run, folder)
    decisions = (folder / "a" / "decisions.csv").read_text(encoding="utf-8").splitlines()
    place = decisions[0].split(",").index("rule")
    words["rules"] = {row.split(",")[place] for row in decisions[1:]}
    words |= records(run, folder)
    # None of these has words of its own.
    run("report", folder / "a", "-o", folder / "a.html", "-q")
    run("slurm", folder / "sweep.yaml", "--shards", "2")
    run("schema")
    run("init")
    run("validate", folder / "words.yaml")
    run("merge", folder / "s", "-o", folder / "merged")
    run("export", "getstats", folder / "a", "--participant", "bob")
    run("reference", "mos")
    listed = meetsim("--help").stdout.split("SUBCOMMANDS:")[1]
    assert set(re.findall(r"^  ([a-z][a-z-]*)", listed, re.MULTILINE)) == commands
    return words


def members(value):
    """Returns the names of all members of JSON."""
    if isinstance(value, dict):
        return set(value) | {name for inner in value.values() for name in members(inner)}
    return {name for inner in value for name in members(inner)} if isinstance(value, list) else set()


def records(run, folder):
    """Returns the words printed and written for programs."""
    words = {"run csv": set(run("run", folder / "words.yaml", "--format", "csv").split("\n")[0].split(","))}
    words["run json"] = members(json.loads(run("run", folder / "words.yaml", "--format", "json")))
    out = run("explain", folder / "a", "--viewer", "bob", "--source", "ann", "--at", "8s", "--repetitions", "2", "--format", "json")
    words["explain json"] = members(json.loads(out))
    words["compare csv"] = set(run("compare", folder / "a", folder / "b", "--csv").split("\n")[0].split(","))
    out = run("compare", folder / "s", folder / "s", "--base-where", "policy=livekit", "--new-where", "policy=jitsi", "--csv")
    words["sweeps compared csv"] = set(out.split("\n")[0].split(","))
    for directory in (folder / "a", folder / "s"):
        for path in directory.glob("*.csv"):
            words[f"{directory.name}/{path.name}"] = set(path.read_text(encoding="utf-8").split("\n")[0].split(","))
        words[f"{directory.name}/manifest.json"] = members(json.loads((directory / "manifest.json").read_text(encoding="utf-8")))
    run("run", folder / "scalable.yaml", "-q", "-o", folder / "v")
    for table, columns in (("sent", ["layer"]), ("decisions", ["wanted", "given", "previous", "rule"])):
        with (folder / "v" / f"{table}.csv").open(encoding="utf-8", newline="") as file:
            words[f"scalable {table}"] = {row[column] for row in csv.DictReader(file) for column in columns} - {""}
    for table in ("streams", "sent", "audio", "participants", "links", "decisions", "events", "layout", "scalars"):
        lines = run("table", folder / "a", table).splitlines()
        if len(lines) > 1:
            words[f"table {table}"] = set(lines[0].split()) | set(re.findall(r"\[(\S+)\]", lines[1]))
    return words


def other_commands(run, folder):
    """Returns the words of the commands that are not about a single run."""
    words = {}
    out = run("allocate", folder / "words.yaml", "--viewer", "bob", "--budget", "0bps..1Mbps/500kbps")
    words["allocate"] = set(out.splitlines()[0].split(","))
    out = run("allocate", folder / "words.yaml", "--viewer", "bob", "--budget", "0bps..1Mbps/500kbps", "--format", "table")
    words["allocate table"] = {cell.strip() for cell in out.splitlines()[0].strip("|").split("|")} - {"ann", "eve"}
    out = run("sweep", folder / "sweep.yaml", "-o", folder / "none", "--dry-run")
    words["dry run"] = {head for head in out.splitlines()[0].split() if not VARIABLES.fullmatch(head)} | {"probe runs"}
    out = run("status", folder / "s")
    words["grid"] = {"holds", "failed", "not decided", "no such point", "no run finished"}
    words["status"] = set(re.findall(r"\d+ (\w+)", out)) | {"failed", "missing", "invalid"}
    out = run(
        "what-if", folder / "words.yaml", "--metric", "mos", "--viewer", "bob", "--source", "ann", "--limit", "10",
        "--with", "only the stage: participants.bob.view={stage: ann}",
        "--with", "other: participants.ann.publish.camera=180p15", "--with", "alike: links.thin.delay=20 ms",
    )  # fmt: skip
    words["what-if"] = heads(out, {"variant"}) | set(re.findall(r"(clearly better|clearly worse|not shown|same in all runs)$", out, re.MULTILINE))
    words["what-if"] |= {"as it is", "shows less"} | set(re.findall(r"no longer shown", out))
    out = run("trace", "info", ROOT / "scenarios/traces/lte-drive.csv")
    words["trace info"] = {word for word in ("mean", "percentiles", "p5", "p50", "p95", "longest outage") if word in out}
    out = run("verify", "--only", "goog-cc-remb", "--csv")
    words["verify"] = set(out.splitlines()[0].split(",")) | {row["verdict"] for row in csv.DictReader(out.splitlines())}
    dump = ROOT / "Tests/CallStatisticsTests/Dumps/constant-1000.json"
    out = run("import", "webrtc-internals", dump, "-o", folder / "call.yaml", "--compare")
    words["import"] = heads(out, {"published"}) | set(re.findall(r"^  (\w+) of ", out, re.MULTILINE))
    out = run("fit", "camera", dump)
    words["fit"] = set(re.search(r"^# (from .*)  off  limited by$", out, re.MULTILINE).group(1).split()) | {word for word in ("off", "limited by") if word in out}
    out = run("steady", folder / "r60", "bitrate_bps", "--viewer", "bob", "--source", "ann")
    words["steady"] = {line.split()[0] for line in out.splitlines()} | {word for word in ("autocorrelation", "MSER-5", "lag-1") if word in out}
    for subject in ("metrics", "events", "limitations", "rules", "words"):
        words[f"list {subject}"] = set(run("list", subject, "--short").split())
    return words


def label_of(text):
    """Returns the fixed part of a waterfall's label; nothing for a stream."""
    if re.match(r"\d+\. ", text):
        return None
    text = re.sub(r"^capacity of .*", "capacity", text)
    text = re.sub(r"^left for .*", "left for", text)
    return re.sub(r"^\d+ more", "more", text)


def test_every_printed_word_is_known(printed):
    missing = unknown({word for words in printed.values() for word in words})
    assert [(command, word) for command, words in printed.items() for word in sorted(words & missing)] == []
    assert all(printed.values()), {command for command, words in printed.items() if not words}
    assert sum(map(len, printed.values())) > 500


def test_numbers_units_and_names_of_webrtc_stats():
    words = {"pixel", "pixels", "delivery", "deliveries", "freeze", "freezes", "f.2", "Mpx", "height [px]", "p (Holm)"}
    words |= {"2.1", "0.0", "h.1", "q.0", "s0", "s2", "360p15", "worst", "worst moments", "slowest", "total", "PLI", "SFU", "bit/s"}
    assert unknown(words | {"frobnicate"}) == {"frobnicate"}
    assert "streams.freezes_duration_s" in meetsim("reference", "totalFreezesDuration").stdout
    assert "getStats  qualityLimitationReason" in meetsim("reference", "sent.quality_limitation_reason").stdout


def test_lists_have_a_short_form_and_filters():
    names = meetsim("list", "metrics", "--short", "freeze").stdout.split()
    assert names == ["freeze_count", "freezes_duration"]
    assert "per-page" in meetsim("list", "keys", "page").stdout
    assert len(meetsim("list", "policies", "--short").stdout.split()) >= 11
