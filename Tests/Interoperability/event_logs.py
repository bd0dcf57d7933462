"""Writes libwebrtc RTC event logs, versions 1 and 2, of handmade calls: a separate encoder for tests of the reader.

Field numbers are those of logging/rtc_event_log/rtc_event_log.proto and rtc_event_log2.proto, deltas those of
logging/rtc_event_log/encoder/delta_encoding.cc.
"""

import struct
from dataclasses import dataclass, field

VIDEO, AUDIO = (0x1111, 0x2222, 0x3333), 0x9999
EPOCH = 1_700_000_000_000
EXTENSION = 5


@dataclass
class Call:
    """A handmade call: packets (ms, SSRC, bytes, sequence or None), RTCP (ms, incoming, bytes), estimates (ms, bit/s, kind)."""

    videos: tuple = VIDEO[:1]
    packets: list = field(default_factory=list)
    controls: list = field(default_factory=list)
    estimates: list = field(default_factory=list)
    probes: list = field(default_factory=list)
    limits: list = field(default_factory=list)


def made(seconds=60, capacity=1000, lost_every=50, trip=50, shares=(1.0,)):
    """Makes a path that is full every eight seconds: the estimate climbs from 0.85 to 1.08 of the capacity [kbps]."""
    call = Call(videos=VIDEO[: len(shares)])
    start, sequence, number = 10_000, 0, 0
    debts = [0.0] * len(shares)
    pending = []
    for tick in range(seconds * 100):
        now = start + tick * 10
        phase = (tick % 800) / 800
        rate = capacity * (0.85 + 0.23 * phase)
        if tick % 20 == 0:
            call.estimates.append((now, int(rate * 1000), "loss"))
            call.estimates.append((now + 1, int(rate * 1100), "delay"))
        for place, share in enumerate(shares):
            debts[place] += min(rate - 40, capacity * 0.97 - 40) * share * 10 / 8
            while debts[place] >= 1100:
                debts[place] -= 1100
                call.packets.append((now, call.videos[place], 1100, sequence % 65536))
                number += 1
                pending.append((now, sequence, lost_every and number % lost_every == 0))
                sequence += 1
        if tick % 2 == 0:
            call.packets.append((now, AUDIO, 90, None))
        if tick % 10 == 9:
            ready = [one for one in pending if one[0] <= now - trip]
            pending = pending[len(ready) :]
            if ready:
                call.controls.append((now, True, feedback([(n % 65536, not lost) for _, n, lost in ready])))
    call.limits += [(start + 4000, 1), (start + 11_000, 0)]
    call.probes.append((start + 3000, 3 * capacity * 1000, 2 * capacity * 1000))
    return call


def feedback(packets):
    """Returns transport-wide feedback on packets in order: (sequence number, arrived)."""
    chunks = b""
    for first in range(0, len(packets), 7):
        symbols = [1 if arrived else 0 for _, arrived in packets[first : first + 7]]
        symbols += [0] * (7 - len(symbols))
        word = 0b11
        for symbol in symbols:
            word = word << 2 | symbol
        chunks += struct.pack(">H", word)
    body = struct.pack(">IIHHI", 1, 2, packets[0][0], len(packets), 0) + chunks
    body += bytes(sum(arrived for _, arrived in packets))
    body += bytes(-len(body) % 4)
    return struct.pack(">BBH", 0x80 | 15, 205, len(body) // 4) + body


def varint(value):
    value &= (1 << 64) - 1
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def number(tag, value):
    return varint(tag << 3) + varint(value)


def fixed(tag, value):
    return varint(tag << 3 | 5) + struct.pack("<I", value)


def text(tag, value):
    return varint(tag << 3 | 2) + varint(len(value)) + value


# Version 1


def version1(call):
    events = [(10_000, 1, b"")]
    extension = text(1, b"http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01") + number(2, EXTENSION)
    config = b"".join(number(1, ssrc) for ssrc in call.videos) + text(2, extension)
    events.append((10_000, 9, text(9, config)))
    events.append((10_000, 11, text(11, number(1, AUDIO))))
    for now, ssrc, size, sequence in call.packets:
        header = struct.pack(">BBHII", 0x80 if sequence is None else 0x90, 96, 7, now * 90 & 0xFFFFFFFF, ssrc)
        if sequence is not None:
            # A one-byte header extension, preceded by one of another kind.
            header += struct.pack(">HHBBBHB", 0xBEDE, 2, 3 << 4, 1, EXTENSION << 4 | 1, sequence, 0) + b"\0\0"
        events.append((now, 3, text(3, number(1, 0) + number(3, size) + text(4, header))))
    for now, incoming, packet in call.controls:
        events.append((now, 4, text(4, number(1, incoming) + text(3, packet))))
    for now, rate, kind in call.estimates:
        events.append((now, 6 if kind == "loss" else 7, text(6 if kind == "loss" else 7, number(1, rate))))
    for now, asked, found in call.probes:
        events.append((now, 17, text(17, number(1, 1) + number(2, asked))))
        events.append((now + 200, 18, text(18, number(1, 1) + number(2, 0) + number(3, found))))
    for now, begins in call.limits:
        events.append((now, 19, text(19, number(1, begins))))
    out = b""
    for now, kind, member in sorted(events, key=lambda event: event[0]):
        out += text(1, number(1, now * 1000) + number(2, kind) + member)
    return out


# Version 2


def deltas(base, values):
    """Returns differences of a fixed width, signed if that is narrower; empty if all equal the base."""
    if all(value == base for value in values):
        return b""
    known = [value for value in values if value is not None]
    before, rising = base or 0, True
    for value in known:
        rising, before = rising and value >= before, value
    width = 64 if rising else max(max(known), base or 0, 1).bit_length()
    mask = (1 << width) - 1
    steps, before, first = [], base, None
    for value in known:
        if before is None:
            first = value
        else:
            steps.append((value - before) & mask)
        before = value
    plain = max([1] + [step.bit_length() for step in steps])
    both = [step if step < (-step & mask) else -(-step & mask) for step in steps]
    narrow = max([1] + [1 + (step if step >= 0 else -step - 1).bit_length() for step in both])
    signed, optional = narrow < plain, base is None or len(known) < len(values)
    size = narrow if signed else plain
    simple = not signed and not optional and width == 64
    bits = f"{0 if simple else 1:02b}{size - 1:06b}"
    if not simple:
        bits += f"{int(signed)}{int(optional)}{width - 1:06b}"
    if optional:
        bits += "".join("0" if value is None else "1" for value in values)
    if first is not None:
        bits += "".join(f"{byte:08b}" for byte in varint(first))
    for step, pair in zip(steps, both, strict=True):
        bits += f"{(pair if signed else step) & ((1 << size) - 1):0{size}b}"
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[place : place + 8], 2) for place in range(0, len(bits), 8))


def batch(columns, counter):
    """Returns a batch: columns of (tag, tag of its differences, values, writer)."""
    out = b""
    count = len(columns[0][2])
    for tag, _, values, write in columns:
        if values[0] is not None:
            out += write(tag, values[0])
    if count > 1:
        out += number(counter, count - 1)
        for _, tag, values, _ in columns:
            more = deltas(values[0], values[1:])
            if more:
                out += text(tag, more)
    return out


def version2(call, size=500, named=True):
    """Returns batches of at most five seconds, one for each stream, as libwebrtc writes them; Chromium configures video streams
    without their SSRC."""
    out = text(16, number(1, 10_000) + number(2, 2) + number(3, EPOCH + 10_000))
    for ssrc in call.videos:
        out += text(104, number(1, 10_000) + number(2, ssrc if named else 0) + number(3, ssrc + 1))
    out += text(102, number(1, 10_000) + number(2, AUDIO))
    streams = (*call.videos, AUDIO)
    for first in range(10_000, max(now for now, *_ in call.packets) + 1, 5000):
        within = lambda entries: [entry for entry in entries if first <= entry[0] < first + 5000]
        for ssrc in streams:
            own = [entry for entry in within(call.packets) if entry[1] == ssrc]
            if own:
                payload = [entry[2] - 20 for entry in own]
                columns = [
                    (1, 101, [e[0] for e in own], number), (6, 106, [ssrc] * len(own), fixed), (8, 108, payload, number),
                    (9, 109, [20] * len(own), number), (10, 110, [0] * len(own), number),
                    (15, 115, [e[3] for e in own], number),
                ]  # fmt: skip
                out += text(3, batch(columns, 11))
        own = within(call.controls)
        if own:
            blobs = [packet for _, _, packet in own[1:]]
            rest = b"".join(varint(len(blob)) for blob in blobs) + b"".join(blobs)
            body = batch([(1, 101, [now for now, *_ in own], number)], 3) + text(2, own[0][2])
            out += text(4, body + (text(102, rest) if blobs else b""))
        for kind, tag, counter in (("loss", 18, 5), ("delay", 19, 4)):
            own = [entry for entry in within(call.estimates) if entry[2] == kind]
            columns = [(1, 101, [e[0] for e in own], number), (2, 102, [e[1] for e in own], number)]
            if own:
                out += text(tag, batch(columns, counter))
    for now, asked, found in call.probes:
        out += text(21, number(1, now) + number(2, 1) + number(3, asked))
        out += text(22, number(1, now + 200) + number(2, 1) + number(3, found))
    for now, begins in call.limits:
        out += text(24, number(1, now) + number(2, begins))
    return out + text(17, number(1, 70_000))
