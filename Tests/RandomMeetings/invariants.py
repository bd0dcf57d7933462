"""Invariants of every run's tables, whatever the meeting: by their own description, and by the meaning of columns."""

import csv
import json
import re

INTEGER = re.compile(r"-?[0-9]+")
NUMBER = re.compile(r"-?[0-9]+\.[0-9]+(e[+-]?[0-9]+)?")
LAYER = re.compile(r"[A-Za-z0-9_.-]+\.[0-9]+")
TABLES = ["streams", "sent", "audio", "participants", "links", "decisions", "events", "layout", "scalars"]
# All other columns have no negative values: a tile wider than its screen starts left of it.
SIGNED = {("audio", "packets_lost"), ("scalars", "value"), ("layout", "x_px"), ("layout", "y_px")}
SIGNED_METRICS = ("gap_",)
SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "min": 60}


def seconds(text):
    number, unit = re.fullmatch(r" *([0-9.e+-]+) *(\S+) *", text).groups()
    return float(number) * SECONDS[unit]


class Tables:
    """A run's tables, with numbers in place of their texts; an empty field is `None`."""

    def __init__(self, out, scenario, interval):
        self.out = out
        self.scenario = scenario
        self.interval = round(seconds(interval), 3)
        self.duration = round(seconds(scenario.get("duration", "60 s")), 3)
        self.description = json.loads((out / "datapackage.json").read_text(encoding="utf-8"))
        self.rows = {}
        self.people = []
        #: Participants whose media use TCP.
        self.streamed = set()
        for own in scenario["participants"]:
            count = own.get("count")
            people = [own["id"]] if count is None else [f"{own['id']}-{place}" for place in range(1, count + 1)]
            self.people += people
            if own.get("transport") == "tcp":
                self.streamed |= set(people)

    def length(self, time):
        """Returns the length of the interval that ends at a time."""
        if time < self.duration:
            return self.interval
        before = (round(self.duration * 1000) - 1) // round(self.interval * 1000)
        return self.duration - before * self.interval

    def ends(self):
        count = -(-round(self.duration * 1000) // round(self.interval * 1000))
        return [min(place * round(self.interval * 1000), round(self.duration * 1000)) for place in range(1, count + 1)]

    def bits(self, row, column):
        return round(row[column] * self.length(row["time_s"]))


def broken(out, scenario, interval):
    """Returns the invariants that a result directory breaks: pairs of a name and what is wrong."""
    tables = Tables(out, scenario, interval)
    found = list(described(tables))
    if found:
        return found
    for check in CHECKS:
        for text in check(tables):
            found.append((check.__name__, text))
            if len(found) > 200:
                return found
    return found


def converted(text, field):
    """Returns a field's value; raises `ValueError` if it does not have its type."""
    kind = field["type"]
    if text == "":
        if field.get("constraints", {}).get("required"):
            raise ValueError("empty")
        return None
    if kind == "integer":
        if not INTEGER.fullmatch(text):
            raise ValueError("no integer")
        return int(text)
    if kind == "number":
        if not NUMBER.fullmatch(text):
            raise ValueError("no number with a point")
        return float(text)
    if kind == "boolean" and text not in ("true", "false"):
        raise ValueError("neither true nor false")
    return text


def described(tables):
    """Each table has the columns, types, words, keys and references that `datapackage.json` states."""
    resources = {resource["name"]: resource for resource in tables.description["resources"]}
    missing = set(TABLES) - set(resources)
    if missing:
        yield "described", f"without {missing}"
    for name, resource in resources.items():
        raw = (tables.out / resource["path"]).read_bytes()
        if b"\r" in raw or not raw.endswith(b"\n"):
            yield "described", f"{name}: lines do not end with a line feed alone"
        lines = list(csv.reader(raw.decode("utf-8").splitlines()))
        fields = resource["schema"]["fields"]
        columns = [field["name"] for field in fields]
        if lines[0] != columns:
            yield "described", f"{name}: columns {lines[0]}"
            continue
        rows = []
        for line in lines[1:]:
            if len(line) != len(columns):
                yield "described", f"{name}: {line}"
                continue
            row = {}
            for text, field in zip(line, fields, strict=True):
                try:
                    row[field["name"]] = converted(text, field)
                except ValueError as error:
                    yield "described", f"{name}.{field['name']}: {error}: {line}"
                words = field.get("constraints", {}).get("enum")
                if words and text and text not in words:
                    yield "described", f"{name}.{field['name']}: '{text}' is none of its words"
            rows.append(row)
        tables.rows[name] = rows
        key = resource["schema"].get("primaryKey")
        if key and len({tuple(row[column] for column in key) for row in rows}) != len(rows):
            yield "described", f"{name}: rows have the same {key}"
    for name, resource in resources.items():
        for reference in resource["schema"].get("foreignKeys", []):
            other = reference["reference"]
            known = {tuple(row[column] for column in other["fields"]) for row in tables.rows[other["resource"]]}
            for row in tables.rows[name]:
                own = tuple(row[column] for column in reference["fields"])
                if None not in own and own not in known:
                    yield "described", f"{name}: {own} is not in {other['resource']}"


def numbers_have_their_range(tables):
    """Only values that may be negative are, fractions are fractions, times are within the meeting and in order."""
    for name, rows in tables.rows.items():
        fractions = [column for column in rows[0] if column.endswith("_frac")] if rows else []
        last = 0
        for row in rows:
            for column, value in row.items():
                if isinstance(value, (int, float)) and value < 0 and (name, column) not in SIGNED:
                    yield f"{name}.{column} is negative: {row}"
            for column in fractions:
                if row[column] is not None and row[column] > 1:
                    yield f"{name}.{column} is above 1: {row}"
            if "time_s" in row:
                if row["time_s"] < last or row["time_s"] > tables.duration + 1e-9:
                    yield f"{name}: after {last}: {row}"
                last = row["time_s"]
    for row in tables.rows["scalars"]:
        value = row["value"]
        if value is not None and value < 0 and not row["metric"].startswith(SIGNED_METRICS):
            yield f"negative: {row}"
        if row["unit"] == "1" and value is not None and value > 1 and row["metric"] in FRACTIONS:
            yield f"above 1: {row}"


FRACTIONS = {
    "requested_height_share", "pixels_of_screen", "pixels_of_request", "jain_index", "audio_concealed_frac",
}


def every_interval_has_its_rows(tables):
    """Links have a row for each interval, as do participants while present, and each tile that has one keeps it."""
    ends = tables.ends()
    names = {f"{id}/{way}" for id in tables.people for way in ("up", "down")}
    names |= {f"{id}/{way}" for id in tables.scenario.get("shared-links", {}) for way in ("up", "down")}
    by_link = {}
    for row in tables.rows["links"]:
        by_link.setdefault(row["link"], []).append(round(row["time_s"] * 1000))
    if not set(by_link) <= names:
        yield f"unknown links {set(by_link) - names}"
    for link in names:
        if by_link.get(link) != ends:
            yield f"{link}: {by_link.get(link)}"
    present = presence(tables)
    by_time = {}
    for row in tables.rows["participants"]:
        by_time.setdefault(round(row["time_s"] * 1000), {})[row["participant"]] = row
    if not set(by_time) <= set(ends):
        yield f"participants at {set(by_time) - set(ends)}"
    for end in ends:
        for id in tables.people:
            row = by_time.get(end, {}).get(id)
            is_present = present[id](end)
            if is_present and row is None:
                yield f"{id} has no row at {end} ms"
            if row and is_present != (row["connection_quality"] is not None):
                yield f"{id} {'is' if is_present else 'is not'} in the meeting at {end} ms: {row}"
    views = {own["id"] for own in tables.scenario["participants"] if "view" in own}
    before = set()
    for end in ends:
        tiles = {(row["viewer"], row["source"]) for row in tables.rows["streams"] if round(row["time_s"] * 1000) == end}
        for viewer, source in before - tiles:
            if "/" not in source and present[viewer](end) and present[source](end):
                yield f"{viewer} has no row of {source} at {end} ms"
        for viewer, _ in tiles:
            if viewer not in views and re.sub(r"-[0-9]+$", "", viewer) not in views:
                yield f"{viewer} has rows without a view"
        before = tiles


def presence(tables):
    """Returns whether each participant is in the meeting at a time [ms]."""
    changes = {}
    for own in tables.scenario["participants"]:
        ids = [own["id"]] if "count" not in own else [f"{own['id']}-{place}" for place in range(1, own["count"] + 1)]
        for id in ids:
            changes[id] = [(seconds(own.get("join", "0s")), True)]
    for entry in tables.scenario.get("timeline", []):
        for word in ("join", "leave"):
            if word in entry:
                changes[entry["participant"]].append((seconds(entry["at"]), word == "join"))

    def of(id):
        # The first entry starts the meeting: a participant who only rejoins by the timeline is there from the start.
        own = sorted(changes[id], key=lambda change: change[0])

        def is_present(end):
            state = False
            for time, joins in own:
                if time * 1000 <= end + 1e-6:
                    state = joins
            return state

        return is_present

    return {id: of(id) for id in changes}


def budgets_add_up(tables):
    """A budget is what the estimate leaves after its reserves, within the cap, to the bit."""
    for row in tables.rows["decisions"]:
        estimate, cap, budget = row["estimate_bps"], row["cap_bps"], row["budget_bps"]
        left = None
        if estimate is not None:
            left = estimate
            for column in ("voice_reserve_bps", "padding_bps", "header_bps", "repair_bps"):
                left -= row[column]
        values = [value for value in (left, cap) if value is not None]
        if budget != (min(values) if values else None):
            yield f"{row}"


def decisions_are_decisions(tables):
    """Layers have names, ranks start at 1, nobody watches themselves, and a grant is the next row's previous one."""
    given = {}
    leaves = {}
    for row in tables.rows["events"]:
        if row["event"] == "leave" and row["result"] == "ok":
            leaves[row["participant"]] = [*leaves.get(row["participant"], []), row["time_s"]]
    for row in tables.rows["decisions"]:
        for column in ("wanted", "given", "previous"):
            if row[column] is not None and not LAYER.fullmatch(row[column]):
                yield f"{column}: {row}"
        if row["viewer"] == row["source"].split("/")[0]:
            yield f"oneself: {row}"
        if row["rank"] is not None and row["rank"] < 1:
            yield f"rank: {row}"
        tile = row["viewer"], row["source"]
        before, since = given.get(tile, (None, 0))
        # A participant who returns is granted nothing at first.
        people = row["viewer"], row["source"].split("/")[0]
        is_new = any(since <= time <= row["time_s"] for id in people for time in leaves.get(id, []))
        if row["previous"] != before and not (is_new and row["previous"] is None):
            yield f"{before} was given before: {row}"
        given[tile] = row["given"], row["time_s"]


def links_carry_no_more_than_they_can(tables):
    """A link has carried at most its capacity so far; a bucket may add its depth."""
    carried, possible = {}, {}
    bucketed = any("bucket" in profile for profile in profiles(tables.scenario))
    for row in tables.rows["links"]:
        link = row["link"]
        carried[link] = carried.get(link, 0) + tables.bits(row, "throughput_bps")
        possible[link] = possible.get(link, 0) + row["capacity_bps"] * tables.length(row["time_s"])
        # Rates are whole bits per second, transmission times whole nanoseconds.
        if not bucketed and carried[link] > possible[link] * (1 + 1e-6) + 100:
            yield f"{carried[link]} of {possible[link]:.0f} bits: {row}"
        mean, most = row["queue_delay_mean_s"], row["queue_delay_max_s"]
        if mean is not None and mean > most + 1e-6:
            yield f"mean above the maximum: {row}"


def paths_are_their_links(tables):
    """A path of one link has that link's capacity, and carries at most what it delivers."""
    shared = {own["id"] for own in tables.scenario["participants"] if "shared" in own}
    capacities = {(row["time_s"], row["link"]): row["capacity_bps"] for row in tables.rows["links"]}
    for row in tables.rows["participants"]:
        id = row["participant"]
        if id in shared or re.sub(r"-[0-9]+$", "", id) in shared:
            continue
        for way in ("up", "down"):
            if row[f"{way}_capacity_bps"] != capacities[row["time_s"], f"{id}/{way}"]:
                yield f"{way}: {capacities[row['time_s'], f'{id}/{way}']} of the link: {row}"


def profiles(scenario):
    """Returns every link profile of a scenario."""
    ends = [own.get(way) for own in scenario["participants"] for way in ("up", "down")]
    ends += [own.get(way) for own in scenario.get("shared-links", {}).values() for way in ("up", "down")]
    return [end for end in [*ends, *scenario.get("links", {}).values()] if isinstance(end, dict)]


def all_that_is_received_is_video_or_voice(tables):
    """Video and voices are parts of what a participant receives, which its links have delivered."""
    video = {}
    frames = {}
    for row in tables.rows["streams"]:
        key = row["time_s"], row["viewer"]
        video[key] = video.get(key, 0) + tables.bits(row, "bitrate_bps")
        frames[key] = frames.get(key, 0) + (row["frames_per_second"] > 0)
    delivered = {}
    for row in tables.rows["links"]:
        delivered[row["time_s"], row["link"]] = tables.bits(row, "throughput_bps")
    totals = {}
    for row in tables.rows["participants"]:
        key = row["time_s"], row["participant"]
        own = video.pop(key, 0) + tables.bits(row, "audio_bitrate_bps")
        if own > tables.bits(row, "down_bitrate_bps") + 8:
            yield f"{own} bits of video and voices: {row}"
        if frames.get(key, 0) != row["videos_received"]:
            yield f"{frames.get(key, 0)} tiles with frames: {row}"
        if (row["decoded_pixels_per_s"] > 0) != (row["videos_received"] > 0):
            yield f"pixels without videos, or videos without pixels: {row}"
        for way in ("up", "down"):
            path = row["participant"], way
            totals[path] = totals.get(path, 0) + tables.bits(row, f"{way}_bitrate_bps")
    if video:
        yield f"video of those who received nothing: {video}"
    carried = {}
    for (_, link), bits in delivered.items():
        carried[link] = carried.get(link, 0) + bits
    for (id, way), bits in totals.items():
        # TCP carries several packets in one segment, which are counted with separate headers: 28 bytes, of 24 and more.
        most = carried.get(f"{id}/{way}", 0) * (2 if id in tables.streamed else 1)
        if bits > most + 8 * len(tables.ends()):
            yield f"{id} {way}: {bits} bits arrived of {carried.get(f'{id}/{way}')} delivered"


def tiles_are_whole(tables):
    """Related columns are empty together, and sizes, rates, scores and freezes are plausible."""
    frozen, shown = {}, {}
    limits = captures(tables.scenario)
    keys = {}
    for row in tables.rows["scalars"]:
        if row["metric"] == "key_frames_decoded":
            keys[row["viewer"], row["source"]] = row["value"]
    for row in tables.rows["streams"]:
        tile = row["viewer"], row["source"]
        if row["viewer"] == row["source"].split("/")[0]:
            yield f"oneself: {row}"
        for a, b in (("tile_width_px", "tile_height_px"), ("requested_height_px", "requested_fps"),
                     ("frame_width_px", "frame_height_px")):  # fmt: skip
            if (row[a] is None) != (row[b] is None):
                yield f"{a} without {b}: {row}"
        if (row["frame_height_px"] is None) != (row["frames_per_second"] == 0):
            yield f"frames without a size, or a size without frames: {row}"
        if row["mos"] is not None and not 1 <= row["mos"] <= 5:
            yield f"score: {row}"
        if row["freeze_count"] == 0 and row["freezes_duration_s"] > 0:
            yield f"frozen without a freeze: {row}"
        if row["requested_height_px"] is None and row["target_height_px"] > 0:
            yield f"given and not asked for: {row}"
        frozen[tile] = frozen.get(tile, 0) + row["freezes_duration_s"]
        if frozen[tile] > row["time_s"] + 1e-3 * len(tables.ends()):
            yield f"frozen for {frozen[tile]:.3f} s: {row}"
        shown[tile] = shown.get(tile, 0) + row["frames_per_second"] * tables.length(row["time_s"])
        if limit := limits.get(row["source"]):
            width, height, rate = limit
            # A server that switches encodings shows a moment twice.
            most = rate * row["time_s"] + 2 + keys.get(tile, 0) + 0.01 * len(tables.ends())
            if shown[tile] > most:
                yield f"{shown[tile]:.1f} frames of {most:.1f}: {row}"
            # Pictures may be rotated, and those of low streams have a different aspect ratio.
            if (row["frame_width_px"] or 0) * (row["frame_height_px"] or 0) > width * height:
                yield f"larger than captured ({width}x{height}): {row}"


NAMED = {"90p": (160, 90), "180p": (320, 180), "270p": (480, 270), "360p": (640, 360), "540p": (960, 540),
         "720p": (1280, 720), "1080p": (1920, 1080)}  # fmt: skip


def captured(text):
    """Returns width, height and rate of `720p30` or `640x360@15`."""
    if match := re.fullmatch(r"([0-9]+)x([0-9]+)@([0-9.]+)", text):
        return int(match[1]), int(match[2]), float(match[3])
    match = re.fullmatch(r"([0-9]+p)([0-9.]+)", text)
    return (*NAMED[match[1]], float(match[2]))


def captures(scenario):
    """Returns what cameras and screens capture; nothing for an app's own frames, and no size for recordings."""
    found = {}
    pushing = {entry["participant"] for entry in scenario.get("timeline", []) if "push-frames" in entry}
    for own in scenario["participants"]:
        publish = own.get("publish")
        if not isinstance(publish, dict):
            continue
        for key, suffix in (("camera", ""), ("screen", "/screen")):
            source = publish.get(key)
            if key == "camera" and own["id"] in pushing:
                continue
            if isinstance(source, dict):
                # The levels of a controller have their own sizes.
                source = source.get("capture") if "levels" not in source else None
            if isinstance(source, str):
                found[own["id"] + suffix] = captured(source)
    return found


def words_suit_the_rows(tables):
    """States and limitations agree with the other columns."""
    for row in tables.rows["streams"]:
        state, word = row["state"], row["limitation"]
        target, asked = row["target_height_px"], row["requested_height_px"]
        if state in ("receiving", "waiting-for-keyframe") and target == 0:
            yield f"nothing is given: {row}"
        if state in ("paused", "absent", "hidden") and target > 0:
            yield f"something is given: {row}"
        if state in ("receiving", "paused", "waiting-for-keyframe") and asked is None:
            yield f"nothing is asked for: {row}"
        if word == "none" and (target == 0 or asked is None):
            yield f"as asked, without anything: {row}"
        if state == "muted" and word != "muted":
            yield f"muted: {row}"
        # A system may grant something even off the screen, and a refused source has no tile.
        if state == "hidden" and word != "off-screen" and row["tile_width_px"] is not None:
            yield f"hidden on the screen: {row}"


def utilities_add_up(tables):
    """The parts of a viewer's gap add up to it, and the worst seat is the worst."""
    values = {}
    for row in tables.rows["scalars"]:
        values[row["scope"], row["viewer"], row["source"], row["metric"], row["stat"]] = row["value"]
    parts = ("gap_estimate", "gap_reserve", "gap_rule", "gap_switching", "gap_loss")
    for (scope, viewer, source, metric, _), value in values.items():
        own = {name: values.get((scope, viewer, source, name, "mean")) for name in ("utility", "utility_ratio", *parts)}
        if metric == "optimum" and value is not None and None not in own.values():
            gap = sum(own[part] for part in parts)
            # Each of seven values is rounded to a millionth.
            if abs(value - own["utility"] - gap) > 4e-6:
                yield f"{viewer}: {value} - {own['utility']} is not {gap:.6f}"
            if value > 0 and abs(own["utility_ratio"] - own["utility"] / value) > 1e-4 + 1e-6 / value:
                yield f"{viewer}: {own['utility_ratio']} is not {own['utility']} of {value}"
    ratios = [
        value for (_, _, _, metric, _), value in values.items() if metric == "utility_ratio" and value is not None
    ]
    for (_, viewer, _, metric, _), value in values.items():
        if metric == "worst_seat" and value is not None and (not ratios or abs(value - min(ratios)) > 1e-6):
            yield f"worst seat {viewer}: {value}, of {sorted(ratios)[:3]}"


def totals_are_those_of_the_tables(tables):
    """The totals in `scalars.csv` are the sums over the intervals."""
    values = {}
    for row in tables.rows["scalars"]:
        values[row["viewer"], row["source"], row["metric"], row["stat"]] = row["value"]
    dropped, carried, longest = {}, {}, {}
    for row in tables.rows["links"]:
        link = row["link"]
        dropped[link] = dropped.get(link, 0) + row["packets_dropped"]
        carried[link] = carried.get(link, 0) + tables.bits(row, "throughput_bps")
        longest[link] = max(longest.get(link, 0), row["queue_delay_max_s"])
    # Rates are rounded down to bits per second.
    slack = tables.duration + len(tables.ends())
    for link in dropped:
        drops, rate, delay = (values[None, link, *name] for name in LINK_TOTALS)
        if drops != dropped[link]:
            yield f"{link}: {dropped[link]} packets dropped, in all {drops}"
        if abs(rate * tables.duration - carried[link]) > slack:
            yield f"{link}: {carried[link]} bits, in all {rate * tables.duration:.0f}"
        if abs(delay - longest[link]) > 1.5e-6:
            yield f"{link}: queued for {longest[link]} s, in all {delay}"
    received = {}
    for row in tables.rows["participants"]:
        for way in ("up", "down"):
            key = row["participant"], way
            received[key] = received.get(key, 0) + tables.bits(row, f"{way}_bitrate_bps")
    for (id, way), bits in received.items():
        value = values.get((id, None, f"data_{way}", "total"))
        # Thousands of bytes; a participant who was absent at the end of every interval has none.
        if value is not None and abs(value * 8e6 - bits) > 8000 + len(tables.ends()):
            yield f"{id} {way}: {bits} bits, in all {value} MB"
    frozen, still = {}, {}
    for row in tables.rows["streams"]:
        tile = row["viewer"], row["source"]
        count, time, lost = frozen.get(tile, (0, 0, 0))
        frozen[tile] = count + row["freeze_count"], time + row["freezes_duration_s"], lost + row["packets_lost"]
        # A picture that stands still until it leaves the screen, or to the end, counts in the totals.
        runs, intervals, is_still = still.get(tile, (0, 0, False))
        stands = row["frames_per_second"] == 0 and row["state"] in ("receiving", "waiting-for-keyframe")
        still[tile] = runs + (stands and not is_still), intervals + stands, stands
    for (viewer, source), (count, time, lost) in frozen.items():
        own = [values.get((viewer, source, name, "total")) for name in TILE_TOTALS]
        runs, intervals, _ = still[viewer, source]
        # A pause of the browser's is known to the frame: parts of an interval before and after it count as well.
        most = time + (intervals + 2 * runs) * tables.interval + 1e-3 * len(tables.ends())
        if own[0] is not None and (own[0] > count + runs or own[1] > most or own[2] > lost):
            yield f"{viewer} {source}: {count} freezes of {time:.3f} s, {lost} lost, in all {own}"


LINK_TOTALS = (("packets_dropped", "total"), ("throughput", "mean"), ("queue_delay", "max"))
TILE_TOTALS = ("freeze_count", "freezes_duration", "packets_lost")


def events_are_complete(tables):
    """Every entry of the timeline is in the events, at its time."""
    seen = {}
    for row in tables.rows["events"]:
        if row["participant"] is not None and row["participant"] not in tables.people:
            yield f"unknown: {row}"
        key = row["participant"], row["event"]
        seen.setdefault(key, []).append(row["time_s"])
    for entry in tables.scenario.get("timeline", []):
        at = seconds(entry["at"])
        for name in entry:
            if name in ("at", "participant", "link", "push-frames", "speaks") or name.endswith("-traffic"):
                continue
            times = seen.get((entry.get("participant"), name), [])
            if not any(abs(time - at) <= 0.00101 for time in times):
                yield f"{entry}: {name} at {times[:20]}"


def screens_are_whole(tables):
    """A tile on a screen has a position and a size, a removed one has neither."""
    columns = ("x_px", "y_px", "width_px", "height_px")
    for row in tables.rows["layout"]:
        if row["source"] is None:
            if row["area"] is not None or any(row[column] is None for column in columns):
                yield f"screen: {row}"
        elif row["area"] is None:
            if row["visible_frac"] != 0 or any(row[column] is not None for column in columns):
                yield f"gone: {row}"
        elif row["area"] not in ("grid", "stage", "share", "window") or any(row[column] is None for column in columns):
            yield f"tile: {row}"


def senders_are_whole(tables):
    """An encoding that is off has no target, one without frames no size, and every retransmission answers a NACK."""
    asked = {}
    for row in tables.rows["sent"]:
        if row["active"] == "false" and row["target_bitrate_bps"] != 0:
            yield f"off: {row}"
        if (row["frames_per_second"] == 0) != (row["frame_width_px"] is None):
            yield f"frames: {row}"
        if row["frames_per_second"] == 0 and row["key_frames_encoded"] != 0:
            yield f"key frames: {row}"
        key = row["source"], row["layer"]
        asked[key] = asked.get(key, 0) + row["nack_count"]
        if row["retransmitted_packets_sent"] > 33 * asked[key]:
            yield f"repairs: {row}"


CHECKS = [
    numbers_have_their_range, every_interval_has_its_rows, budgets_add_up, decisions_are_decisions,
    links_carry_no_more_than_they_can, paths_are_their_links, all_that_is_received_is_video_or_voice, tiles_are_whole,
    words_suit_the_rows, utilities_add_up, totals_are_those_of_the_tables, events_are_complete, screens_are_whole,
    senders_are_whole,
]  # fmt: skip
