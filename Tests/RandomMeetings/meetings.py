"""Random meetings of every system, drawn from the schema's ranges, with times to the microsecond."""

import json
import random
import re

from values import USUAL, Schema, Values

BLUEJEANS_QUALITIES = [
    "90p3", "90p7", "90p15", "180p7", "180p15", "180p30", "360p7", "360p15", "360p30", "720p7", "720p15", "720p30",
]  # fmt: skip
ENCODINGS = ["q", "h", "f"]
USUAL_ACTIONS = ("mute", "unmute", "speaks", "share", "background", "signals", "page") * 2
# Parts composed in this file; the rest of a scenario is drawn from its schema.
COMPOSED = {
    "$schema", "name", "title", "duration", "seed", "policy", "estimator", "links", "shared-links", "participants",
    "cross-traffic", "timeline", "expect",
}  # fmt: skip
ARRANGEMENTS = ["request", "layout", "grid", "tiles", "everybody", "container", "signals", "stage"]


class Catalogue:
    """The offerings of `meetsim schema`: systems, estimators, links, actions."""

    def __init__(self, document):
        self.schema = Schema(document)
        self.scenario = document["properties"]
        definitions = self.schema.definitions
        self.systems = self.words(self.scenario["policy"])
        both = [node for node in self.scenario["estimator"]["anyOf"] if node.get("type") == "object"]
        ups, downs = (self.words(both[0]["properties"][way]) for way in ("up", "down"))
        self.estimators = [None, *downs, *({"up": up, "down": down} for up in ups for down in downs)]
        self.participant = definitions["participant"]
        self.link = definitions["link"]
        self.entry = definitions["timeline-entry"]
        own = {name: self.schema.allowed(self.entry, {"at": "0s", name: "a"}) for name in ("link", "participant")}
        self.link_changes = sorted(own["link"] - {"at", "link"})
        self.actions = sorted(own["participant"] - {"at", "participant"})

    def words(self, node):
        """Returns the names that a node can have, alone or as `name`."""
        node = self.schema.resolved(node)
        found = list(node.get("enum", []))
        for part in node.get("anyOf", []):
            found += self.words(part)
        return list(dict.fromkeys(found))


class Place:
    """The position of a value, and the names that it can refer to."""

    # Texts whose meaning is not in the schema.
    OWN = {"quality", "trace", "file", "up", "down", "view", "shared", "link"}

    def __init__(self, meeting, own=None):
        self.meeting = meeting
        self.own = own

    def takes(self, key, node):
        """Indicates whether something suits the meeting's system and purpose."""
        system = self.meeting.system
        texts = [node.get("description", "")]
        properties = node.get("properties", {})
        texts += [properties[name].get("description", "") for name in node.get("required", []) if name in properties]
        for text in texts:
            if match := re.match(r"(?:Signals of p|P)olicy ([a-z0-9-]+)[:.]", text):
                if match[1] != system:
                    return False
            if re.match("Dual stream|.*dual-stream ladder", text) and system != "agora" and self.meeting.chance(0.9):
                return False
            if "for 'meetsim allocate'" in text:
                return False
        if key == "signals" and "anyOf" in node:
            return any(self.takes("", part) for part in node["anyOf"])
        if key in ("grid", "layout", "request") and self.meeting.chance(0.3):
            return system in ("agora", "stream", "bluejeans")
        return True

    def others(self):
        return [id for id in self.meeting.ids if id != self.own] or list(self.meeting.ids)

    def sources(self):
        found = []
        for id in self.others():
            if id in self.meeting.publishers:
                found += [id] + [f"{id}/screen"] * (id in self.meeting.shares)
        return found or self.others()

    def name(self, values, key, node, text):
        draw = self.meeting.draw
        if key == "quality":
            return draw.choice(BLUEJEANS_QUALITIES) if self.meeting.system == "bluejeans" else values.capture()
        if key in ("up", "down"):
            return draw.choice([*self.meeting.links, *node.get("examples", [])])
        if key == "trace":
            return self.meeting.trace()
        if key == "file":
            return self.meeting.recording()
        if key == "link":
            return draw.choice(self.meeting.roles)
        if key == "shared":
            return draw.choice(self.meeting.shared) if self.meeting.shared else None
        if key == "view":
            return draw.choice(["main", "side"])
        special = [word for word in node.get("examples", []) if word.startswith("@")]
        if special and draw.random() < 0.2:
            return draw.choice(special)
        if "/screen" in text or key in ("source", "on-stage", "selected"):
            return draw.choice(self.sources())
        return draw.choice(self.others())

    def names(self, values, key, node):
        draw = self.meeting.draw
        if key == "encodings":
            return self.meeting.columns
        names = self.sources() if "/screen" in node["propertyNames"]["pattern"] else self.others()
        return draw.sample(names, draw.randrange(1, min(len(names), 12) + 1))


class Meeting:
    """The meeting with a number; consecutive numbers cycle through all systems and all estimators."""

    def __init__(self, catalogue, number):
        self.catalogue = catalogue
        self.number = number
        self.draw = draw = random.Random(number)
        self.values = Values(catalogue.schema, draw)
        self.system = catalogue.systems[number % len(catalogue.systems)]
        estimators = catalogue.estimators
        self.estimator = estimators[number // len(catalogue.systems) % len(estimators)]
        self.files = {}
        self.links = {}
        self.shared = []
        self.shape()
        self.scenario = self.composed()
        shortest = 500 if self.crowd else 10
        self.interval = draw.choice(["1s"] * 4 + ["500 ms", "2 s", f"{draw.randrange(shortest, 3000)} ms"])

    def chance(self, share):
        return self.draw.random() < share

    def shape(self):
        """Draws the number of people and the duration."""
        draw = self.draw
        kind = draw.random()
        publishers, watchers = draw.randrange(1, 5), draw.randrange(0, 3)
        self.seconds = draw.uniform(4, 10)
        if kind < 0.03:
            publishers, watchers = draw.randrange(10, 26), draw.randrange(0, 4)
            self.seconds = draw.uniform(2, 5)
        elif kind < 0.05:
            publishers, watchers = draw.randrange(1, 4), round(self.values.log_uniform(30, 300))
            self.seconds = draw.uniform(2, 4)
        elif kind < 0.1:
            self.seconds = draw.uniform(0.1, 3)
        elif kind < 0.13:
            self.seconds = draw.uniform(12, 30)
        self.seconds = round(self.seconds, 3)
        self.crowd = watchers if watchers > 4 else 0
        # Work for everybody at the shortest intervals takes long.
        if self.crowd or publishers > 5:
            self.values.extreme, self.values.usual = 0, USUAL | {"time": (2e7, 1e10)}
        self.publishers = [f"p{place}" for place in range(1, publishers + 1)]
        self.watchers = [f"v{place}" for place in range(1, watchers - self.crowd + 1)]
        self.ids = self.publishers + self.watchers + [f"w-{place}" for place in range(1, self.crowd + 1)]
        self.shares = [id for id in self.publishers if self.chance(0.25)]
        draw.shuffle(self.ids) if not self.crowd and self.chance(0.3) else None

    # Files

    def recording(self):
        """Draws a table of frames, as written by an encoder."""
        name = f"frames-{len(self.files)}.csv"
        group, layers = self.draw.choice([4, 32, 80]), self.draw.choice([[0], [0, 1], [0, 2, 1, 2]])
        self.columns = ENCODINGS[: self.draw.randrange(1, 4)]
        rows = [",".join(["frame", "temporal_id", "keyframe", *(f"{column}_bytes" for column in self.columns)])]
        for frame in range(self.draw.choice([1, 32, 120])):
            key = frame % group == 0
            sizes = [round(self.values.log_uniform(1, 400) * 4**place * (5 if key else 1)) + 1 for place in range(3)]
            sizes = sizes[: len(self.columns)]
            rows.append(",".join(map(str, [frame, layers[frame % len(layers)], int(key), *sizes])))
        self.files[name] = "\n".join(rows) + "\n"
        return name

    def trace(self):
        """Draws a capacity trace in one of the formats, which is detected."""
        name = f"trace-{len(self.files)}.csv"
        times, time = [], 0.0
        for _ in range(self.draw.randrange(2, 30)):
            times.append(time)
            time += self.draw.choice([0.001, 0.2, 1, self.draw.uniform(0.01, 2)])
        rates = [0 if self.chance(0.05) else self.values.log_uniform(2e4, 1e8) for _ in times]
        rates[0] = rates[0] or 1e6
        kind = self.draw.randrange(4)
        if kind == 0:
            rows = ["t_s,rate_bps"] + [f"{at:.3f},{rate:.0f}" for at, rate in zip(times, rates, strict=True)]
        elif kind == 1:
            rows = [f"{at:.3f} {rate / 1e6:.6f}" for at, rate in zip(times, rates, strict=True)]
        elif kind == 2:
            rows = [f"{rate / 1e6:.3f},Mbits/sec" for rate in rates]
        else:
            stamps = sorted(self.draw.randrange(1, 3000) for _ in range(round(self.values.log_uniform(2, 3000))))
            rows = [str(stamp) for stamp in stamps]
        self.files[name] = "\n".join(rows) + "\n"
        return name

    # Links

    def profile(self):
        draw, values = self.draw, self.values
        if self.chance(0.55):
            delay = values.quantity("time", {"examples": ["20 ms"]}, "up to 60 s")
            own = {"capacity": values.quantity("rate", {}, ""), "delay": delay}
            if self.chance(0.3):
                own["capacity"] = self.steps()
            return own
        place = Place(self)
        own = None
        while own is None:
            known = [draw.choice(["capacity"] * 5 + ["trace"])]
            given = {name: values.value(self.catalogue.link["properties"][name], place, name) for name in known}
            own = values.mapping(self.catalogue.link, place, given=given)
        if "capacity" in own and not isinstance(own["capacity"], str):
            own["capacity"] = self.steps()
        own.pop("format", None)
        return own

    def steps(self):
        count = self.draw.randrange(0, 6)
        times = sorted({round(self.draw.uniform(0, self.seconds) * 1e6) for _ in range(count)} - {0})
        starts = ["0s", *(f"{time} us" for time in times)]
        return [{"at": at, "to": self.values.quantity("rate", {}, "")} for at in starts]

    def end(self):
        """Draws a link's name, preset or profile, usually one that carries something."""
        if self.chance(0.3):
            return "ample"
        if self.chance(0.3):
            return self.profile()
        examples = self.catalogue.participant["properties"]["up"]["anyOf"][0]["examples"]
        return self.draw.choice([*self.links] * 3 + examples if self.chance(0.5) else examples)

    # The parts

    def composed(self):
        draw, values = self.draw, self.values
        has_traffic = self.chance(0.2)
        if has_traffic:
            # A transfer fills its link, and each of its packets is simulated.
            self.values.extreme = 0
        for place in range(draw.randrange(0, 4)):
            self.links[f"link-{place}"] = self.profile()
        if self.chance(0.25):
            self.shared = [f"house-{place}" for place in range(1, draw.randrange(2, 4))]
        self.roles = [f"{id}/{way}" for id in [*self.ids, *self.shared] for way in ("up", "down")]
        scenario = {
            "name": f"random-{self.number}",
            "duration": f"{round(self.seconds * 1e3)} ms",
            "seed": draw.choice([1, self.number, draw.randrange(2**31), 2**63 - 1 - draw.randrange(2)]),
            "policy": self.policy(),
        }
        if self.estimator is not None:
            scenario["estimator"] = self.estimated()
        for key, node in self.catalogue.scenario.items():
            if key not in COMPOSED and self.chance(0.3):
                scenario[key] = values.value(node, Place(self), key)
        if self.links:
            scenario["links"] = self.links
        if self.shared:
            scenario["shared-links"] = {name: {way: self.end() for way in ("up", "down")} for name in self.shared}
        scenario["participants"] = [self.participant(id) for id in self.publishers + self.watchers]
        if not self.crowd:
            scenario["participants"].sort(key=lambda own: self.ids.index(own["id"]))
        else:
            scenario["participants"].append(self.participant("w") | {"count": self.crowd})
        self.views = {own["id"]: own.get("view") or {} for own in scenario["participants"]}
        self.joins = {own["id"]: own["join"] for own in scenario["participants"] if "join" in own}
        self.flows = []
        if has_traffic:
            scenario["cross-traffic"] = self.traffic()
        scenario["timeline"] = self.timeline()
        return scenario

    def policy(self):
        node = next(node for node in self.catalogue.scenario["policy"]["anyOf"] if node.get("type") == "object")
        if self.chance(0.25):
            return self.system
        return self.values.mapping(node, Place(self), given={"name": self.system})

    def estimated(self):
        """Returns the estimator for the number, alone or with parameters."""
        node = self.catalogue.scenario["estimator"]

        def one(name, node):
            own = next(part for part in node["anyOf"] if part.get("type") == "object" and "name" in part["properties"])
            return self.values.mapping(own, Place(self), given={"name": name}) if self.chance(0.4) else name

        if isinstance(self.estimator, str):
            return one(self.estimator, node["anyOf"][0])
        ways = next(part for part in node["anyOf"] if "up" in part.get("properties", {}))["properties"]
        return {way: one(name, ways[way]) for way, name in self.estimator.items()}

    def participant(self, id):
        draw, values = self.draw, self.values
        own = {"id": id, "up": self.end(), "down": self.end()}
        properties = self.catalogue.participant["properties"]
        place = Place(self, id)
        for key, node in properties.items():
            share = {"publish": 0, "view": 0.9, "capabilities": 0.3}.get(key, 0.15)
            if key in ("id", "count", "up", "down", "join", "shared") or not self.chance(share):
                continue
            value = self.view(place) if key == "view" else values.value(node, place, key)
            if value is not None:
                own[key] = value
        if self.shared and self.chance(0.6):
            own["shared"] = draw.sample(self.shared, draw.randrange(1, len(self.shared) + 1))
        if self.chance(0.3):
            own["join"] = self.moment()
        if id in self.publishers:
            own["publish"] = self.published(place)
        elif self.chance(0.5):
            own["publish"] = "audio-only"
        return own

    def published(self, place):
        """Draws a camera or custom frames, and perhaps a screen; sometimes nothing special."""
        kinds = self.catalogue.participant["properties"]["publish"]["anyOf"]
        node = next(node for node in kinds if "properties" in node)
        properties = node["properties"]
        key = self.draw.choice(["camera"] * 4 + ["custom"])
        self.values.custom = key == "custom"
        given = {key: self.values.value(properties[key], place, key)}
        self.values.custom = False
        if self.chance(0.3):
            given = {"camera": self.draw.choice(["720p30", "360p30", "1080p30"])}
        if place.own in self.shares:
            given["screen"] = self.values.value(properties["screen"], place, "screen")
        found = self.values.mapping(node, place, "publish", given=given) or given
        for source in found.values():
            if isinstance(source, dict):
                self.settle(source)
        return found if place.own in self.shares else {name: value for name, value in found.items() if name != "screen"}

    def settle(self, source):
        """Makes a source's keys suit its ladder."""
        if "degradation" in source:
            source["ladder"] = "single"
        if "low" in source:
            source["ladder"] = "agora-dual"
        if "minimum" in source:
            source["minimum"] = self.values.written("rate", self.values.log_uniform(1, 6e4))
        if "start" in source.get("frames", {}):
            source["frames"]["start"] = min(source["frames"]["start"], self.draw.choice([0, 0, 20]))

    def view(self, place):
        node = self.catalogue.schema.definitions["view"]
        names = [name for name in ARRANGEMENTS if name in node["properties"]]
        names = [name for name in names if place.takes(name, node["properties"][name])]
        weights = [4 if name in ("tiles", "everybody", "signals") else 2 for name in names]
        name = self.draw.choices(names, weights)[0]
        value = self.values.value(node["properties"][name], place, name)
        if name == "request" and self.chance(0.95):
            value = self.consistent(value)
        return self.values.mapping(node, place, "view", given={name: value}) if value else None

    def consistent(self, request):
        """Makes a request valid for its client: all entries with a priority or none, nobody twice."""
        entries = {entry.get("participant", str(place)): entry for place, entry in enumerate(request)}
        ranked = self.chance(0.5) or any("participant" not in entry for entry in request)
        for entry in entries.values():
            entry.pop("priority", None)
            if ranked:
                entry["priority"] = self.draw.choice(["high", "medium", "low"])
            if "participant" in entry:
                entry.pop("count", None)
            elif "count" in entry:
                entry["count"] = min(entry["count"], 4)
        return list(entries.values())

    def traffic(self):
        node = self.catalogue.schema.definitions["cross-traffic"]
        found = []
        for number in range(self.draw.randrange(1, 4)):
            own = self.values.mapping(node, Place(self), given={"name": f"flow-{number}"})
            if own is None:
                continue
            # Each of its packets is simulated, which would take too long at a terabit per second.
            if "rate" in own:
                own["rate"] = self.values.written("rate", self.values.log_uniform(1, 2e7))
            if own.get("count", 1) > 10:
                own["count"] = self.draw.randrange(1, 11)
            times = sorted(self.draw.uniform(0, self.seconds) for _ in range(2))
            for key, time in zip(("start", "stop"), times, strict=True):
                if key in own:
                    own[key] = f"{round(time * 1e6)} us"
            if "busy" in own:
                own["busy"] = min(own["busy"], own.get("count", 1))
            found.append(own)
            if "count" not in own:
                self.flows.append(own["name"])
        return found

    # The timeline

    def moment(self):
        return f"{min(round(self.draw.uniform(0, self.seconds) * 1e6), round(self.seconds * 1e6) - 1)} us"

    def timeline(self):
        draw, values = self.draw, self.values
        most = round(self.seconds * 1e6) - 1
        entries, times = [], []

        def at():
            if times and self.chance(0.3):
                time = draw.choice(times) + round(values.log_uniform(1, 2e5)) * draw.choice([-1, 0, 1, 1])
            else:
                time = round(draw.uniform(0, most))
            times.append(max(0, min(most, time)))
            return times[-1]

        for _ in range(draw.choice([0, 2, 5, 8, 8, 12, 20, 40])):
            kind = draw.random()
            time = at()
            if kind < 0.22:
                who = draw.choice(self.ids)
                entries.append((time, {"participant": who, "leave": True}))
                back = time + round(values.log_uniform(1e3, 5e6))
                if back <= most and self.chance(0.85):
                    entries.append((back, {"participant": who, "join": True}))
            elif kind < 0.42:
                entries.append((time, self.link_change()))
            elif kind < 0.46 and self.flows:
                entries.append((time, {draw.choice(["start-traffic", "stop-traffic"]): draw.choice(self.flows)}))
            elif action := self.action():
                entries.append((time, action))
        if self.chance(0.7):
            entries.sort(key=lambda entry: entry[0])
        return [{"at": f"{time} us"} | entry for time, entry in entries]

    def link_change(self):
        properties = self.catalogue.entry["properties"]
        entry = {"link": self.draw.choice(self.roles)}
        for key in self.draw.sample(self.catalogue.link_changes, self.draw.choice([1, 1, 1, 2, 3])):
            own = Place(self)
            own.OWN = Place.OWN - {"down"}
            entry[key] = self.values.value(properties[key], own, key)
        return entry

    def action(self):
        who = self.draw.choice(self.ids)
        place = Place(self, who)
        names = [name for name in self.catalogue.actions if place.takes(name, self.catalogue.entry["properties"][name])]
        # Turning a page needs pages, signals need a view with signals, and nobody speaks before joining.
        view = self.views.get(who) or self.views.get(who.split("-")[0], {})
        needs = {"page": "per-page" in view, "signals": "signals" in view, "speaks": who not in self.joins}
        names = [name for name in names if needs.get(name, True)]
        name = self.draw.choice(names + [name for name in USUAL_ACTIONS if name in names])
        self.values.custom = name == "push-frames"
        value = self.values.value(self.catalogue.entry["properties"][name], place, name)
        self.values.custom = False
        return None if value is None else {"participant": who, name: value}


# Files for the reader


def lines(value, path=(), indent=0):
    """Returns the lines of a document as JSON, which is YAML, each with the path of what starts there."""
    pad = " " * indent
    if isinstance(value, (dict, list)) and value:
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        yield "{" if isinstance(value, dict) else "[", path
        for place, (key, child) in enumerate(pairs):
            inner = list(lines(child, (*path, key), indent + 1))
            head = f"{pad} {json.dumps(key)}: " if isinstance(value, dict) else f"{pad} "
            inner[0] = (head + inner[0][0], inner[0][1])
            if place < len(value) - 1:
                inner[-1] = (inner[-1][0] + ",", inner[-1][1])
            yield from inner
        yield pad + ("}" if isinstance(value, dict) else "]"), path
    else:
        yield json.dumps(value), path


def leave_out(document, path):
    """Removes the key or element at a path from a document; returns whether there was one."""
    parent = document
    for step in path[:-1]:
        if not has(parent, step):
            return False
        parent = parent[step]
    if not has(parent, path[-1]):
        return False
    del parent[path[-1]]
    return True


def has(parent, step):
    return step in parent if isinstance(parent, dict) else isinstance(parent, list) and step < len(parent)


def written(scenario, files, folder):
    """Writes a scenario with the files it names; returns its path and each line's path in the document."""
    numbered = list(lines(scenario))
    file = folder / "scenario.yaml"
    file.write_text("\n".join(text for text, _ in numbered) + "\n", encoding="utf-8")
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8")
    return file, [path for _, path in numbered]


def refused(path):
    """Returns the path of what to remove if a value is refused: an entry of the timeline, a flow, or a key."""
    if path[0] in ("timeline", "cross-traffic") and len(path) > 1:
        return path[:2]
    if path[0] == "participants" and len(path) == 2:
        return (*path, "join")
    return path
