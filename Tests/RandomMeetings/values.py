"""Values for a schema's places, drawn from their declared ranges: new keys need no change here."""

import math
import re

# Units to write values with, including all those that ranges use.
UNITS = {
    "time": ({"us": 1e3, "ms": 1e6, "s": 1e9},
             {"ns": 1, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9, "min": 6e10, "h": 3.6e12, "d": 8.64e13}),
    "rate": ({"bps": 1, "kbps": 1e3, "Mbps": 1e6}, {"bps": 1, "kbps": 1e3, "Mbps": 1e6, "Gbps": 1e9}),
    "size": ({"B": 1, "kB": 1e3}, {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}),
    "share": ({"%": 1}, {"%": 1}),
}  # fmt: skip
# The range of a place without a stated one.
LIMITS = {"time": (0, 8.64e13), "rate": (0, 1e12), "size": (0, 1e9), "share": (0, 100)}
# Beyond these, a value acts like the end of its range in meetings of a few seconds.
USUAL = {"time": (1e5, 1e10), "rate": (2e4, 1e8), "size": (100, 1e6), "share": (0.1, 100)}
NUMBER = r"([0-9.]+(?:e[+-]?[0-9]+)?)"
RANGE = re.compile(NUMBER + r"(?: ([a-zA-Zµ%]+))? to " + NUMBER + r" ([a-zA-Zµ%]+)")
UP_TO = re.compile(r"up to " + NUMBER + r" ([a-zA-Zµ%]+)")
SIZES = ["160x90", "320x180", "180p", "426x240", "480x270", "640x360", "960x540", "1280x720", "360x640", "640x480"]
CAPTURES = ["720p30", "720p30", "720p30", "360p30", "1080p30", "640x360@15", "180p15", "720x1280@24", "640x480@30"]
CUSTOM_SIZES = ["320x180", "640x360", "1280x720", "640x480", "160x120", "1920x1080", "180p", "720p"]
TYPES = {"string": str, "object": dict, "array": list, "integer": int, "number": (int, float), "boolean": bool}
EXTREME = 0.06


def flat(types):
    return [kind for one in types for kind in (one if isinstance(one, tuple) else (one,))]


class Schema:
    """A JSON schema; the keywords that meetsim's schema uses are understood."""

    def __init__(self, document):
        self.definitions = document["definitions"]

    def resolved(self, node):
        while True:
            if "$ref" in node:
                node = self.definitions[node["$ref"].rsplit("/", 1)[1]]
            elif len(node.get("allOf", [])) == 1 and "$ref" in node["allOf"][0]:
                node = node["allOf"][0]
            else:
                return node

    def holds(self, node, value):
        """Indicates whether a value obeys the rules on combinations of keys; texts and numbers are not checked."""
        node = self.resolved(node)
        mapping = isinstance(value, dict)
        types = [node["type"]] if isinstance(node.get("type"), str) else node.get("type", [])
        if types and not isinstance(value, tuple(flat(TYPES[name] for name in types))):
            return False
        if mapping and not set(node.get("required", [])) <= set(value):
            return False
        if "enum" in node and value not in node["enum"]:
            return False
        if mapping and "enum" in node.get("propertyNames", {}) and not set(value) <= set(node["propertyNames"]["enum"]):
            return False
        if "not" in node and self.holds(node["not"], value):
            return False
        if "anyOf" in node and not any(self.holds(n, value) for n in node["anyOf"]):
            return False
        if "oneOf" in node and sum(self.holds(n, value) for n in node["oneOf"]) != 1:
            return False
        if not all(self.holds(n, value) for n in node.get("allOf", [])):
            return False
        if "if" in node:
            branch = node.get("then" if self.holds(node["if"], value) else "else", {})
            if not self.holds(branch, value):
                return False
        if mapping and "type" not in node:
            own = node.get("properties", {})
            return all(self.holds(own[key], value[key]) for key in own if key in value)
        if isinstance(value, list) and isinstance(node.get("items"), dict) and "type" not in node:
            return all(self.holds(node["items"], element) for element in value)
        return True

    def allowed(self, node, value):
        """Returns the keys that an object can have in addition to those it has; `None` for any."""
        found = None
        parts = list(node.get("allOf", []))
        if "if" in node:
            parts.append(node.get("then" if self.holds(node["if"], value) else "else", {}))
        if "enum" in node.get("propertyNames", {}):
            found = set(node["propertyNames"]["enum"])
        for part in parts:
            names = self.allowed(part, value)
            if names is not None:
                found = names if found is None else found & names
        return found


class Values:
    """Draws values of a schema; a `place` knows the names that they can refer to."""

    def __init__(self, schema, draw):
        self.schema = schema
        self.draw = draw
        # Indicates whether sizes are those that an app can push.
        self.custom = False
        self.extreme, self.usual = EXTREME, USUAL

    def chance(self, share):
        return self.draw.random() < share

    def log_uniform(self, low, high):
        return math.exp(self.draw.uniform(math.log(low), math.log(high)))

    # Quantities

    def written(self, kind, value):
        """Returns a value as a text with a suitable unit, to a part in a million or exactly."""
        units, every = UNITS[kind]
        if kind == "time":
            value = round(value / 1e3) * 1e3 if value >= 1e3 else round(value)
            unit = self.draw.choice(list(units)) if 1e6 <= value < 1e11 else "s" if value >= 1e11 else "us"
            text = f"{value / every[unit]:.6f}" if unit != "us" else f"{value / 1e3:.3f}"
            return f"{text.rstrip('0').rstrip('.')} {unit}"
        if kind == "share":
            return f"{value:.4f}".rstrip("0").rstrip(".") + " %"
        unit = self.draw.choice([unit for unit in units if units[unit] <= max(1, value)])
        return f"{int(round(value)) / units[unit]:.6f}".rstrip("0").rstrip(".") + f" {unit}"

    def kind(self, pattern):
        for kind, word in (("rate", "kbps"), ("size", "kB"), ("time", "|min|"), ("share", "(%)")):
            if word in pattern:
                return kind
        return None

    def bounds(self, kind, text):
        low, high = LIMITS[kind]
        every = UNITS[kind][1]
        if match := RANGE.search(text):
            first, last = match[2] or match[4], match[4]
            if first in every and last in every:
                return float(match[1]) * every[first], float(match[3]) * every[last]
        if match := UP_TO.search(text):
            if match[2] in every:
                high = float(match[1]) * every[match[2]]
        return low, high

    def quantity(self, kind, node, text):
        """Draws a quantity near an example, anywhere in the usual part of the range, or at an end of it."""
        low, high = self.bounds(kind, text)
        if self.chance(self.extreme):
            anywhere = max(low, min(high, self.log_uniform(1, max(2, high))))
            return self.written(kind, self.draw.choice([low, high, anywhere]))
        usual_low, usual_high = self.usual[kind]
        least, most = max(low, min(usual_low, high)), min(high, max(usual_high, low))
        examples = [text for text in node.get("examples", []) if text.split()[-1] in UNITS[kind][1]]
        if examples and self.chance(0.4):
            number, unit = self.draw.choice(examples).split()
            value = float(number) * UNITS[kind][1][unit] * self.log_uniform(0.3, 3)
            return self.written(kind, max(low, min(high, value)))
        if least <= 0:
            least = min(1, most)
        return self.written(kind, self.log_uniform(least, most) if most > least > 0 else most)

    def time(self, low, high):
        """Draws a time in seconds, to the microsecond."""
        return self.written("time", round(self.draw.uniform(low, high) * 1e6) * 1e3)

    def number(self, node, whole):
        low, high = node.get("minimum", 0), node.get("maximum", 1e6)
        if self.chance(self.extreme):
            value = self.draw.choice([low, high])
        elif high - low > 50 and self.chance(0.8):
            value = low + self.log_uniform(1, min(high - low, 5000)) - 1
        else:
            value = self.draw.uniform(low, high)
        return int(round(value)) if whole else round(max(low, min(high, value)), 6)

    def pixels(self):
        if self.custom and self.chance(0.9):
            return self.draw.choice(CUSTOM_SIZES)
        if self.chance(0.75):
            return self.draw.choice(SIZES)
        if self.chance(self.extreme):
            return self.draw.choice(["16x16", "8192x8192", "16x8192", "8192x16"])
        return f"{round(self.log_uniform(16, 2000))}x{round(self.log_uniform(16, 2000))}"

    def capture(self):
        if self.custom and self.chance(0.9):
            size = self.draw.choice(CUSTOM_SIZES)
            return size + ("@" if "x" in size else "") + self.draw.choice(["30", "24", "5", "7.5", "60"])
        if self.chance(0.75):
            return self.draw.choice(CAPTURES)
        rate = self.draw.choice(["1", "60", "7.5", "29.97", "15", "24", "5"])
        if self.chance(self.extreme):
            return f"{self.draw.choice(['16x16', '8192x16', '3840x2160'])}@{rate}"
        return f"{round(self.log_uniform(16, 1920))}x{round(self.log_uniform(16, 1200))}@{rate}"

    # Any value

    def value(self, node, place, key="", text=""):
        """Draws a value for a place in the schema."""
        node = self.schema.resolved(node)
        text = node.get("description", text)
        if "const" in node:
            return node["const"]
        if "enum" in node:
            return self.draw.choice(node["enum"])
        for choice in ("anyOf", "oneOf"):
            if choice in node and "type" not in node:
                return self.alternative(node[choice], place, key, text)
        kind = node.get("type")
        if kind == "boolean":
            return self.chance(0.5)
        if kind in ("integer", "number"):
            return self.number(node, kind == "integer")
        if kind == "array":
            return self.array(node, place, key, text)
        if kind == "object":
            return self.mapping(node, place, key, text)
        return self.text(node, place, key, text)

    def alternative(self, nodes, place, key, text):
        usable = [node for node in map(self.schema.resolved, nodes) if place.takes(key, node)]
        return self.value(self.draw.choice(usable), place, key, text)

    def array(self, node, place, key, text):
        count = max(node.get("minItems", 0), min(node.get("maxItems", 6), round(self.log_uniform(0.6, 6))))
        found = []
        for _ in range(count):
            element = self.value(node["items"], place, key, text)
            if element is not None and element not in found:
                found.append(element)
        return ladder(found) if key == "layers" else found

    def text(self, node, place, key, text):
        pattern = node.get("pattern", "")
        if key in place.OWN:
            return place.name(self, key, node, text)
        if kind := self.kind(pattern):
            return self.quantity(kind, node, text)
        if "packets?" in pattern:
            return f"{round(self.log_uniform(1, 2000))} packets"
        if "8192" in str(node.get("description")) or "819[0-2]" in pattern:
            return self.capture() if "frame rate" in text or "@)" in pattern else self.pixels()
        if "[1-9][0-9]{2,3}" in pattern:
            size = f"{round(self.log_uniform(100, 3000))}x{round(self.log_uniform(100, 3000))}"
            return size + self.draw.choice(["", "@1", "@2", "@3", "@1.5", "@4"])
        return place.name(self, key, node, text)

    def mapping(self, node, place, key="", text="", given=()):
        """Draws an object: the keys it is given or requires, and some of those it can have."""
        properties = node.get("properties", {})
        given = dict(given)
        if "additionalProperties" in node and isinstance(node["additionalProperties"], dict) and not properties:
            names = place.names(self, key, node)
            return {name: self.value(node["additionalProperties"], place, key, text) for name in names}
        share = self.draw.choice([0.1, 0.2, 0.4]) if len(properties) > 12 else self.draw.choice([0.2, 0.5, 0.9])
        for attempt in range(60):
            found = dict(given)
            for name in node.get("required", []):
                if name not in found:
                    found[name] = self.value(properties[name], place, name, text)
            optional = [name for name in properties if name not in found and place.takes(name, properties[name])]
            self.draw.shuffle(optional)
            # Keys that determine which others are possible come first.
            optional.sort(key=lambda name: "enum" not in properties[name])
            for name in optional:
                if self.chance(share / (1 + attempt / 20)):
                    allowed = self.schema.allowed(node, found)
                    if allowed is None or name in allowed:
                        found[name] = self.value(properties[name], place, name, text)
            found = {name: value for name, value in found.items() if value is not None}
            if self.schema.holds(node, found):
                return found
        return None


def ladder(layers):
    """Draws layers that an encoder sends: numbered from 0 without gaps, at known frame rates, each larger than the last."""
    sizes = ["160x90", "320x180", "640x360", "1280x720"]
    layers = layers[: len(sizes)]
    for encoding, layer in enumerate(layers):
        layer.pop("spatial", None)
        layer.update(encoding=encoding, temporal=0, fps=30, size=sizes[encoding], bitrate=f"{50 * 4**encoding} kbps")
    return layers
