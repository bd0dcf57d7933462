"""RTC event logs of both versions, from a separate encoder: each scenario is that of the call."""

import gzip
import re

import event_logs
import pytest
from conftest import meetsim


def imported(folder, content, *options):
    (folder / "event.log").write_bytes(content)
    done = meetsim("import", "rtc-event-log", "event.log", *options, cwd=folder)
    return done.returncode, done.stdout, done.stderr


def facts(scenario):
    steps = [int(rate) for _, rate in re.findall(r"at: (\d+)s, to: (\d+) kbps", scenario)]
    loss = re.search(r"loss: ([\d.]+) %", scenario)
    return steps, float(loss.group(1)) if loss else 0.0, float(re.search(r"delay: ([\d.]+) ms", scenario).group(1))


@pytest.mark.parametrize("write", [event_logs.version1, event_logs.version2])
def test_the_path_of_a_log_is_that_of_the_call(tmp_path, write):
    code, scenario, said = imported(tmp_path, write(event_logs.made(lost_every=50)))
    assert code == 0, said
    capacities, loss, delay = facts(scenario)
    assert len(capacities) == 1 and abs(capacities[0] / 1000 - 1) < 0.10
    # One packet in 50 is lost; a round trip is 50 ms, plus less than 10 ms until the next packet.
    assert abs(loss - 2) < 0.5 and 25 <= delay <= 30
    assert "speaks: 60s" in scenario and scenario.count("capture:") == 1
    assert "no sizes of pictures" in said and "probes: 1, with a result: 1, the largest 2000 kbps" in said
    assert "for 7 s the application limited the sender" in said


def test_both_versions_of_a_call_are_one_scenario(tmp_path):
    call = event_logs.made(shares=(0.08, 0.25, 0.67))
    scenarios = [imported(tmp_path, write(call))[1] for write in (event_logs.version1, event_logs.version2)]
    # The notes and thus the comments name the version.
    one, other = (re.sub(r"^# .*\n", "", text, flags=re.M) for text in scenarios)
    assert one == other and "webrtc-vp8" in one


def test_streams_are_known_without_their_ssrc(tmp_path):
    for shares in ((1.0,), (0.08, 0.25, 0.67)):
        call = event_logs.made(shares=shares)
        named, other = (imported(tmp_path, event_logs.version2(call, named=named)) for named in (True, False))
        assert named == other and named[0] == 0


def test_streams_that_were_configured_together_are_one_camera(tmp_path):
    call = event_logs.made(shares=(0.08, 0.25, 0.67))
    _, _, said = imported(tmp_path, event_logs.version2(call))
    assert "3 video streams that were configured together are taken for encodings of one source" in said
    code, scenario, _ = imported(tmp_path, event_logs.version2(call), "--camera", str(event_logs.VIDEO[2]))
    assert code == 0 and "ladder: single" in scenario


@pytest.mark.parametrize("write", [event_logs.version1, event_logs.version2])
def test_a_log_that_was_cut_off_is_read_to_its_last_event(tmp_path, write):
    whole = write(event_logs.made())
    code, scenario, said = imported(tmp_path, whole[: len(whole) * 2 // 3])
    assert code == 0 and "the log ends within an event, which is left out" in said
    assert abs(facts(scenario)[0][0] / 1000 - 1) < 0.10


def test_a_packed_log_is_read(tmp_path):
    code, scenario, _ = imported(tmp_path, gzip.compress(event_logs.version2(event_logs.made())))
    assert code == 0 and abs(facts(scenario)[0][0] / 1000 - 1) < 0.10


def test_what_is_no_log_is_refused_at_its_byte(tmp_path):
    whole = event_logs.version2(event_logs.made(seconds=20))
    assert imported(tmp_path, b"\x00\x01\x02\x03")[::2] == (
        2, "event.log:1:1: error: this is no RTC event log of libwebrtc, version 1 or 2\n",
    )  # fmt: skip
    # Field 0, which no message has, after the first event.
    code, _, said = imported(tmp_path, whole[:15] + b"\x02\x01" + whole[15:])
    assert code == 2 and f"event.log:1:16: error: the RTC event log is damaged here, at byte 15 of {len(whole) + 2}" in said
    code, _, said = imported(tmp_path, b'{"PeerConnections": {}}')
    assert code == 2 and "it looks like a file for 'meetsim import webrtc-internals'" in said
    # An unknown version.
    code, _, said = imported(tmp_path, whole.replace(event_logs.number(2, 2), event_logs.number(2, 3), 1))
    assert code == 2 and "damaged here" in said
    # More events than the bytes can hold.
    many = event_logs.text(4, event_logs.number(1, 10_000) + event_logs.number(3, 2**31))
    code, _, said = imported(tmp_path, whole + many)
    assert code == 2 and "damaged here" in said


def test_other_commands_name_the_one_for_logs(tmp_path):
    (tmp_path / "event.log").write_bytes(event_logs.version1(event_logs.made(seconds=20)))
    for kind in ("getstats", "webrtc-internals", "rtcstats"):
        done = meetsim("import", kind, "event.log", cwd=tmp_path)
        assert done.returncode == 2 and "meetsim import rtc-event-log" in done.stderr, kind


def test_a_log_without_video_says_so(tmp_path):
    call = event_logs.made(seconds=20)
    call.videos = ()
    code, _, said = imported(tmp_path, event_logs.version2(call))
    assert code == 2 and "no configuration of a video stream that was sent" in said
