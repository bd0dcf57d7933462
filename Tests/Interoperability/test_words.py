"""Every word, column head and label that commands print is in `meetsim reference`, in the singular and the plural."""

import csv
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
SWEEP = """
name: words
scenario: words.yaml
set: {duration: 4s}
variables: {policy: [livekit, jitsi]}
repetitions: 3
"""


def known(word):
    return meetsim("reference", word).returncode == 0


# Columns of a sweep's own variables are not words of the program.
VARIABLES = re.compile(r"p_\w+|[a-z]+_frac")


def heads(output, first):
    """The column heads of tables whose first column is one of these."""
    found = set()
    for line in output.splitlines():
        cells = [cell for cell in re.split(r"\s{2,}", line.strip()) if cell]
        if cells and cells[0] in first and len(cells) > 2:
            # Behind the last head is the axis of time.
            found |= {cell for cell in cells if not re.fullmatch(r"[\d. ]+ s|0", cell)}
    return found


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """Words by the command that printed them."""
    folder = tmp_path_factory.mktemp("words")
    (folder / "words.yaml").write_text(SCENARIO, encoding="utf-8")
    (folder / "sweep.yaml").write_text(SWEEP, encoding="utf-8")

    def run(*arguments):
        done = meetsim(*arguments)
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    words = {}
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
    words["sweeps compared"] = heads(out, {"verdict"}) | {"not shown", "not enough runs", "better", "worse"}
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
    return words


def other_commands(run, folder):
    """Words of the commands that are not about one run."""
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
    words["what-if"] |= {"as it is"} | set(re.findall(r"no longer shown", out))
    for table in ("streams", "decisions", "scalars"):
        lines = run("table", folder / "a", table).splitlines()
        # Heads over their units, or over the first row.
        words[f"table {table}"] = set(lines[0].split()) | set(re.findall(r"\[(\S+)\]", lines[1]))
    out = run("trace", "info", ROOT / "scenarios/traces/lte-drive.csv")
    words["trace info"] = {word for word in ("mean", "percentiles", "p5", "p50", "p95", "longest outage") if word in out}
    out = run("verify", "--only", "goog-cc-remb", "--csv")
    words["verify"] = set(out.splitlines()[0].split(",")) | {row["verdict"] for row in csv.DictReader(out.splitlines())}
    dump = ROOT / "Tests/CallStatisticsTests/Dumps/constant-1000.json"
    out = run("import", "webrtc-internals", dump, "-o", folder / "call.yaml", "--compare")
    words["import"] = heads(out, {"published"}) | set(re.findall(r"^  (\w+) of ", out, re.MULTILINE))
    out = run("steady", folder / "r60", "bitrate_bps", "--viewer", "bob", "--source", "ann")
    words["steady"] = {line.split()[0] for line in out.splitlines()} | {"autocorrelation"}
    for subject in ("metrics", "events", "limitations", "rules", "words"):
        words[f"list {subject}"] = set(run("list", subject, "--short").split())
    return words


def label_of(text):
    """The fixed part of a waterfall's label; nothing for a stream."""
    if re.match(r"\d+\. ", text):
        return None
    text = re.sub(r"^capacity of .*", "capacity", text)
    text = re.sub(r"^left for .*", "left for", text)
    return re.sub(r"^\d+ more", "more", text)


def test_every_printed_word_is_known(printed):
    unknown = [(command, word) for command, words in printed.items() for word in sorted(words) if not known(word)]
    assert unknown == []
    assert all(printed.values()), {command for command, words in printed.items() if not words}
    assert sum(map(len, printed.values())) > 200


def test_numbers_units_and_names_of_webrtc_stats():
    for word in ("pixel", "pixels", "delivery", "deliveries", "freeze", "freezes", "f.2", "Mpx", "height [px]", "p (Holm)"):
        assert known(word), word
    assert "streams.freezes_duration_s" in meetsim("reference", "totalFreezesDuration").stdout
    assert "getStats  qualityLimitationReason" in meetsim("reference", "sent.quality_limitation_reason").stdout
    assert not known("frobnicate")


def test_lists_have_a_short_form_and_filters():
    names = meetsim("list", "metrics", "--short", "freeze").stdout.split()
    assert names == ["freeze_count", "freezes_duration"]
    assert "per-page" in meetsim("list", "keys", "page").stdout
    assert len(meetsim("list", "policies", "--short").stdout.split()) >= 11
