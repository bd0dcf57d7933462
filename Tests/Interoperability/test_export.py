"""Runs as reported by a browser: in standard form, and importing them returns the scenario."""

import collections
import csv
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import meetsim

CALL = """\
name: call
duration: {duration}s
policy: janus
links:
  path: {{capacity: {capacity}, delay: 20 ms, queue: 300 ms, bucket: 5 kB, loss: {loss} %}}
participants:
  - {{id: ann, up: path, publish: {{camera: {{capture: 720p30, ladder: single, content: rich}}}}}}
  - {{id: bob, view: {{request: [{{quality: 720p30, priority: high, participant: ann}}]}}}}
timeline:
  - {{at: 0s, participant: ann, speaks: {duration}s}}
"""
TWO_SOURCES = """\
name: two
duration: 20s
policy: livekit
participants:
  - {id: ann, publish: {camera: 720p30, screen: 1080p5}}
  - {id: bob, publish: {camera: 360p30}, view: {tiles: {ann: 1280x720, ann/screen: 1920x1080}}}
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    def make(text, *options):
        folder = tmp_path_factory.mktemp("run")
        (folder / "s.yaml").write_text(text, encoding="utf-8")
        done = meetsim("run", "s.yaml", "-q", "-o", "out", *options, cwd=folder)
        assert (done.returncode, done.stderr) == (0, "")
        return folder

    return make


def export(folder, *arguments):
    done = meetsim("export", *arguments, cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def imported(folder, kind, text):
    """Returns the capacities with their times, and the loss, of the scenario imported from an export."""
    (folder / "exported").write_text(text, encoding="utf-8")
    done = meetsim("import", kind, "exported", "-o", "again.yaml", "--force", cwd=folder)
    assert done.returncode == 0, done.stderr
    valid = meetsim("validate", "again.yaml", cwd=folder)
    assert valid.returncode == 0, valid.stderr
    scenario = (folder / "again.yaml").read_text(encoding="utf-8")
    steps = re.findall(r"at: (\d+)s, to: (\d+) kbps", scenario)
    loss = re.search(r"loss: ([\d.]+) %", scenario)
    return [(int(at), int(rate)) for at, rate in steps], float(loss.group(1)) if loss else 0.0, scenario


@pytest.mark.parametrize("kind", ["getstats", "webrtc-internals"])
@pytest.mark.parametrize(
    "steps, loss",
    [([(0, 800)], 0), ([(0, 2000), (45, 700)], 1), ([(0, 600), (40, 1500)], 0)],
    ids=["constant", "fall", "rise"],
)
def test_what_is_imported_again_is_the_scenario(run, kind, steps, loss):
    capacity = "[" + ", ".join(f"{{at: {at}s, to: {rate} kbps}}" for at, rate in steps) + "]"
    folder = run(CALL.format(duration=90, capacity=capacity, loss=loss))
    options = ["--format", "csv"] if kind == "getstats" else []
    found, lost, scenario = imported(folder, kind, export(folder, kind, "out", "--participant", "ann", *options))
    # A call starts below the link's capacity while its estimate runs ahead, as in recorded calls.
    started = [step for step in found if step[0] <= 20]
    found = [(0, started[-1][1]), *found[len(started) :]]
    assert len(found) == len(steps), found
    for (at, rate), (when, inferred) in zip(steps, found, strict=True):
        assert abs(inferred / rate - 1) < 0.10, found
        assert abs(when - at) <= 4, found
    assert abs(lost - loss) < 0.5
    assert "speaks: 91s" in scenario
    if kind == "webrtc-internals":
        # One camera, at the largest picture size that it sent.
        assert re.findall(r"capture: (\w+)", scenario) in (["720p30"], ["540p30"])


ENCODINGS = CALL.replace("ladder: single, content: rich", "ladder: webrtc-vp8, content: {content}")


@pytest.mark.parametrize("kind", ["getstats", "getstats csv", "webrtc-internals"])
@pytest.mark.parametrize(
    "steps, loss, content",
    [
        ([(0, 3000), (45, 1200)], 1, "rich"), ([(0, 800), (40, 2500)], 0, "rich"), ([(0, 1300)], 2, "talking-head"),
        ([(0, 8000)], 0, "talking-head"),
    ],
    ids=["fall", "rise", "two-of-three", "ample"],
)  # fmt: skip
def test_several_encodings_are_imported_again_as_one_camera(run, kind, steps, loss, content):
    capacity = "[" + ", ".join(f"{{at: {at}s, to: {rate} kbps}}" for at, rate in steps) + "]"
    folder = run(ENCODINGS.format(duration=90, capacity=capacity, loss=loss, content=content))
    kind, *table = kind.split()
    options = ["--format", "csv"] if table else []
    found, lost, scenario = imported(folder, kind, export(folder, kind, "out", "--participant", "ann", *options))
    assert len(found) == len(steps), found
    for (at, rate), (when, inferred) in zip(steps, found, strict=True):
        # The capacity of a path that was never full is assumed.
        assert abs(inferred / rate - 1) < 0.10 or (rate == 8000 and inferred < rate), found
        assert abs(when - at) <= 4, found
    assert abs(lost - loss) < 0.5
    assert re.findall(r"camera: {capture: (\w+), ladder: ([\w-]+)", scenario) == [("720p30", "webrtc-vp8")]
    assert "screen" not in scenario and "speaks: 91s" in scenario
    # A shortfall caused by the path is not a limit of the sender.
    assert ("maximum" in scenario) == (rate == 8000)


def test_a_path_that_was_never_full_has_at_least_what_arrived(run):
    """1200 kbps of content on 3 Mbps: nothing shows what the path carries, and both the scenario and the terminal say so."""
    text = CALL.format(duration=60, capacity="3 Mbps", loss=0).replace("content: rich", "content: 1200 kbps")
    folder = run(text)
    (folder / "exported").write_text(export(folder, "getstats", "out", "--participant", "ann"), encoding="utf-8")
    done = meetsim("import", "getstats", "exported", "-o", "again.yaml", cwd=folder)
    said = re.search(r"\(assumed: the path was never full, and has at least (\d+) kbps\)", " ".join(done.stdout.split()))
    assert said, done.stdout
    assert 1000 < int(said.group(1)) < 1500
    assert f"kbps}}  # assumed, never full: the largest estimate; at least {said.group(1)} kbps, which arrived\n" in (
        folder / "again.yaml"
    ).read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", ["getstats", "getstats csv", "webrtc-internals"])
@pytest.mark.parametrize("content, capacity", [(1200, "6 Mbps"), (5000, "1200 kbps")], ids=["ample", "full"])
def test_a_cameras_content_is_found_again(run, kind, content, capacity):
    """From rates below the target within 8 %; from the sizes over time of a call on a full path within 30 %."""
    text = CALL.format(duration=60, capacity=capacity, loss=0).replace("content: rich", f"content: {content} kbps")
    folder = run(text)
    kind, *table = kind.split()
    options = ["--format", "csv"] if table else []
    (folder / "exported").write_text(export(folder, kind, "out", "--participant", "ann", *options), encoding="utf-8")
    done = meetsim("fit", "camera", "exported", "--capture", "720p30", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    found = re.match(r"publish: {camera: {capture: 720p30, ladder: single, content: (\d+) kbps}}\n", done.stdout)
    assert found, done.stdout
    assert abs(int(found.group(1)) / content - 1) < (0.08 if content == 1200 else 0.3), done.stdout
    # Valid in a scenario, including the comments.
    camera = done.stdout.replace("\n", "\n    ")
    fitted = re.sub(r"participants:\n  - .*\n", f"participants:\n  - id: ann\n    up: path\n    {camera}\n", text)
    (folder / "fitted.yaml").write_text(fitted, encoding="utf-8")
    valid = meetsim("validate", "fitted.yaml", cwd=folder)
    assert valid.returncode == 0, valid.stderr


@pytest.mark.parametrize(
    "table, message",
    [
        ("t,bwe_kbps\n0,1\n20,1\n", "call.csv:1:1: error: there is no column 'bytesReceived', 'recv_bytes',"),
        ("t,sent_bytes\n0,0\n1,1000\n2,2000\n", "call.csv:1:1: error: a call must last at least 10 s: this one has 2 s"),
        (
            "t,sent_bytes\n" + "".join(f"{t},0\n" for t in range(20)),
            "call.csv:1:1: error: the call has no video: its camera never sent a byte",
        ),
        ("", "call.csv:1:1: error: "),
    ],
    ids=["columns", "short", "no-video", "empty"],
)
def test_a_call_that_tells_nothing_of_a_camera_is_refused(tmp_path, table, message):
    (tmp_path / "call.csv").write_text(table, encoding="utf-8")
    done = meetsim("fit", "camera", "call.csv", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith(message), done.stderr


@pytest.mark.parametrize("codec, layers", [("vp9", "L3T3_KEY"), ("av1", "L2T1"), ("vp9", "L2T2")])
def test_a_scalable_stream_is_one_and_comes_back(run, codec, layers):
    """Its layers are one stream in getStats(), whose rate is recovered with the same codec and mode."""
    coded = f"codec: {codec}, scalability-mode: {layers}, content: 900 kbps"
    text = CALL.replace("ladder: single, content: rich", coded).format(duration=60, capacity="8 Mbps", loss=0)
    folder = run(text)
    reports = export(folder, "getstats", "out", "--participant", "ann")
    last = json.loads(reports.splitlines()[-1]).values()
    (sent,) = [e for e in last if e["type"] == "outbound-rtp" and e["kind"] == "video"]
    (types,) = [e["mimeType"] for e in last if e["id"] == sent["codecId"]]
    assert (sent["scalabilityMode"], types, sent["frameHeight"]) == (layers, f"video/{codec.upper()}", 720)
    _, _, scenario = imported(folder, "getstats", reports)
    content = re.search(rf"codec: {codec}, scalability-mode: {layers}, content: (\d+) kbps", scenario)
    assert content and abs(int(content.group(1)) / 900 - 1) < 0.1, scenario


def test_two_encodings_have_limits_of_their_own(run):
    text = ENCODINGS.replace("720p30", "360p30").format(duration=40, capacity="8 Mbps", loss=0, content="talking-head")
    folder = run(text)
    _, _, scenario = imported(folder, "getstats", export(folder, "getstats", "out", "--participant", "ann"))
    assert re.search(r"capture: 360p30.*content", scenario)
    assert re.search(r"maximum: {q: \d+ kbps, h: \d+ kbps}", scenario)


def test_padding_is_the_encodings_and_not_the_voices(run):
    """A voice of 32 kbps in packets of 20 ms has 28 bytes of header in each, 43.2 kbps; everything else pads the video."""
    folder = run(ENCODINGS.format(duration=40, capacity="500 kbps", loss=0, content="talking-head"))
    reports = [json.loads(line) for line in export(folder, "getstats", "out", "--participant", "ann").splitlines()]
    with (folder / "out/participants.csv").open(encoding="utf-8") as table:
        rows = [row for row in csv.DictReader(table) if row["participant"] == "ann"]
    wire = sum(float(row["up_bitrate_bps"]) for row in rows) / 8
    last = reports[-1].values()
    sent = [entry for entry in last if entry["type"] == "outbound-rtp"]
    (voice,) = [entry["bytesSent"] for entry in sent if entry["kind"] == "audio"]
    assert 0 < voice <= 40 * 43_200 / 8
    headers = sum(entry.get("headerBytesSent", 0) for entry in sent)
    assert headers > 5 * 24 * sum(entry.get("packetsSent", 0) for entry in sent)
    assert sum(entry["bytesSent"] for entry in sent) + headers == pytest.approx(wire * 1100 / 1138, rel=0.001)


def test_reports_are_standard_objects_whose_references_exist(run):
    folder = run(TWO_SOURCES)
    reports = [json.loads(line) for line in export(folder, "getstats", "out", "--participant", "ann").splitlines()]
    # One when the participant joins, and one at the end of each second.
    assert len(reports) == 21
    counters = {}
    for number, report in enumerate(reports):
        for key, entry in report.items():
            assert entry["id"] == key and entry["type"] and entry["timestamp"] == 1767225600000 + 1000 * number
            for member in ("mediaSourceId", "remoteId", "codecId", "localId", "transportId", "selectedCandidatePairId"):
                assert member not in entry or entry[member] in report
            for member in ("bytesSent", "packetsSent", "packetsLost", "framesEncoded", "bytesReceived", "framesDecoded"):
                if member in entry:
                    assert entry[member] >= counters.get((key, member), 0)
                    counters[key, member] = entry[member]
    last = reports[-1].values()
    media = {e["trackIdentifier"]: (e["width"], e["height"]) for e in last if e["type"] == "media-source"}
    assert media == {"camera": (1280, 720), "screen": (1920, 1080)}
    sent = {e["mediaSourceId"] for e in last if e["type"] == "outbound-rtp" and e["kind"] == "video" and e["bytesSent"] > 0}
    assert len(sent) == 2
    received = [e for e in last if e["type"] == "inbound-rtp"]
    assert received == []
    screens = [e["mediaSourceId"] for e in last if e.get("contentType") == "screenshare"]
    assert screens and set(screens) == {"SV2"}


ABSENCE = """name: absence
duration: 20s
policy: mediasoup
participants:
  - {id: ann, publish: {audio: false, camera: 360p30}}
  - {id: bob, publish: {audio: false}, view: {stage: ann}}
timeline:
  - {at: 8s, participant: ann, leave: true}
  - {at: 14s, participant: ann, join: true}
"""


def test_nothing_is_sent_during_an_absence(run):
    """Counters grow by what the rows of each interval have, and each frame takes at least a packet."""
    folder = run(ABSENCE)
    reports = [json.loads(line) for line in export(folder, "getstats", "out", "--participant", "ann").splitlines()]
    last = [e for e in reports[-1].values() if e["type"] == "outbound-rtp" and e["kind"] == "video"]
    with (folder / "out/sent.csv").open(encoding="utf-8") as table:
        frames = collections.Counter()
        for row in csv.DictReader(table):
            frames[row["layer"]] += float(row["frames_per_second"])
    assert {e["rid"]: e["framesEncoded"] for e in last} == {layer: round(count) for layer, count in frames.items()}
    assert all(e["packetsSent"] >= e["framesEncoded"] for e in last)
    assert any(e["packetsSent"] == e["framesEncoded"] for e in last)


#: Sources of pion/webrtc, as Debian and Ubuntu have them for Go.
PION = Path("/usr/share/gocode/src/github.com/pion/webrtc")


@pytest.mark.skipif(not (shutil.which("go") and PION.exists()), reason="needs Go and golang-github-pion-webrtc.v3-dev")
def test_reports_are_read_by_pion(run, tmp_path):
    """Another implementation of webrtc-stats reads every object into its own types, and finds what was written."""
    folder = run(ENCODINGS.format(duration=30, capacity="2 Mbps", loss=1, content="rich"))
    text = export(folder, "getstats", "out", "--participant", "ann")
    done = subprocess.run(
        ["go", "run", Path(__file__).with_name("pion") / "main.go"], input=text, capture_output=True, text=True, check=False,
        env={**os.environ, "GO111MODULE": "off", "GOPATH": f"{tmp_path}:/usr/share/gocode", "GOCACHE": f"{tmp_path}/cache",
             "GOFLAGS": ""},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    expected = []
    for line in text.splitlines():
        for entry in json.loads(line).values():
            names = {
                "outbound-rtp": ["kind", "ssrc", "bytesSent", "packetsSent", "pliCount", "nackCount", "remoteId"],
                "remote-inbound-rtp": ["kind", "ssrc", "packetsLost", "roundTripTime", "localId"],
                "candidate-pair": ["nominated", "availableOutgoingBitrate", "currentRoundTripTime"],
            }.get(entry["type"])
            if names:
                expected.append([entry["id"], *(entry.get(name, "" if name.endswith("Id") else 0) for name in names)])
    read = [line.split(" ") for line in done.stdout.splitlines()]
    assert len(read) == len(expected) > 100

    def plain(row):
        return [str(float(v)) if re.fullmatch(r"-?[\d.]+(e[+-]?\d+)?", str(v)) else str(v).lower() for v in row if v != ""]

    assert sorted(map(plain, read)) == sorted(map(plain, expected))


def test_a_viewer_has_what_it_received(run):
    folder = run(TWO_SOURCES)
    last = json.loads(export(folder, "getstats", "out", "--participant", "bob").splitlines()[-1])
    received = {e["trackIdentifier"]: e for e in last.values() if e["type"] == "inbound-rtp"}
    assert set(received) == {"ann", "ann/screen"}
    assert all(e["framesDecoded"] > 0 and e["packetsReceived"] > 0 for e in received.values())


def test_a_sample_a_second_whatever_the_interval_of_the_tables(run):
    text = CALL.format(duration=20, capacity="1 Mbps", loss=0)
    whole, fine = run(text), run(text, "--interval", "100ms")
    lines = [export(f, "getstats", "out", "--participant", "ann", "--format", "csv").splitlines() for f in (whole, fine)]
    assert len(lines[0]) == 22 and 21 <= len(lines[1]) <= 22
    assert [line.split(",")[0] for line in lines[0][1:]] == [str(second) for second in range(21)]
    # The bytes of all seconds, apart from what the last interval of 100 ms adds or omits.
    sent = [int(line[-1].split(",")[2]) for line in lines]
    assert abs(sent[1] / sent[0] - 1) < 0.07


def test_a_dump_has_series_with_their_times(run):
    folder = run(TWO_SOURCES)
    dump = json.loads(export(folder, "webrtc-internals", "out", "--participant", "ann"))
    (connection,) = dump["PeerConnections"].values()
    for name, series in connection["stats"].items():
        values = json.loads(series["values"])
        assert series["endTime"] == "2026-01-01T00:00:20.000Z" and series["statsType"]
        assert len(values) == 20 - int(series["startTime"][17:19]) + 1, name
    assert json.loads(connection["stats"]["CP1-timestamp"]["values"])[0] == 1767225600000


def test_samples_are_dated_as_they_were_and_end_with_the_stay(run):
    """A camera that sends from the start until 20 s has the bytes of ten seconds at 10 s, and no more after 20 s; who leaves
    at 30 s has no later sample."""
    text = CALL.format(duration=40, capacity="8 Mbps", loss=0).replace("content: rich", "content: 1000 kbps")
    text += "  - {at: 20s, participant: ann, mute: video}\n  - {at: 30s, participant: ann, leave: true}\n"
    folder = run(text)
    rows = list(csv.DictReader(export(folder, "getstats", "out", "--participant", "ann", "--format", "csv").splitlines()))
    sent = {int(row["time_s"]): int(row["bytesSent"]) for row in rows}
    assert list(sent) == list(range(31))
    assert sent[0] == 0 and sent[19] < sent[20] <= sent[21] == sent[30]
    with (folder / "out/sent.csv").open(encoding="utf-8") as table:
        ten = sum(float(row["bitrate_bps"]) / 8 for row in csv.DictReader(table) if float(row["time_s"]) <= 10)
    # Up to 16 bytes of padding a packet count as its header; each of the 300 frames has a packet or two.
    assert ten <= sent[10] <= ten + 16 * 400
    found, _, scenario = imported(folder, "getstats", export(folder, "getstats", "out", "--participant", "ann"))
    assert "{at: 20s, participant: sender, mute: video}" in scenario, scenario


def test_the_same_run_gives_the_same_bytes(run):
    text = CALL.format(duration=10, capacity="1 Mbps", loss=2)
    one, other = (export(run(text), "webrtc-internals", "out", "--participant", "ann") for _ in range(2))
    assert one == other


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["out", "--participant", "carol"], "there is no participant 'carol'"),
        (["nowhere", "--participant", "ann"], "there is no such directory"),
    ],
)
def test_what_cannot_be_exported_is_said(run, arguments, message):
    folder = run(CALL.format(duration=5, capacity="1 Mbps", loss=0))
    done = meetsim("export", "getstats", *arguments, cwd=folder)
    assert done.returncode == 2 and message in done.stderr
