"""Every word, column head and label that commands print is in `meetsim reference`, in the singular and the plural."""

import re

import pytest
from conftest import meetsim

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
    decisions = (folder / "a" / "decisions.csv").read_text(encoding="utf-8").splitlines()
    place = decisions[0].split(",").index("rule")
    words["rules"] = {row.split(",")[place] for row in decisions[1:]}
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
    assert sum(map(len, printed.values())) > 40


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
