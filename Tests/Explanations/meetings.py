"""Small random meetings of every system, as scenarios whose causes of trouble can be removed one by one."""

import copy
import json
import random

SYSTEMS = [
    "bluejeans", "agora", "stream", "vonage", "janus", {"name": "janus", "allocation": True}, "livekit", "jitsi",
    "mediasoup", "signal", "gso", "best",
]  # fmt: skip
AMPLE = {"capacity": "200 Mbps", "delay": "10 ms"}
DURATION = 20
SIZES = ["160x90", "320x180", "426x240", "640x360", "960x540", "1280x720"]


def name_of(system):
    return system if isinstance(system, str) else "janus-allocation"


def meeting(number):
    """Returns the scenario with a number from 0; consecutive numbers cycle through all systems."""
    draw = random.Random(number)
    system = SYSTEMS[number % len(SYSTEMS)]
    senders = [f"p{place}" for place in range(1, 2 + draw.randrange(5))]
    viewers = [f"v{place}" for place in range(1, 2 + draw.randrange(2))]
    people = [sender(draw, id, system) for id in senders] + [viewer(draw, id, system, senders) for id in viewers]
    late = [person["id"] for person in people if "join" in person]
    shares = [person["id"] for person in people if "screen" in person["publish"]]
    estimators = ["gcc", "gcc", "oracle"]
    if system == "livekit":
        estimators += ["remb", {"up": "gcc", "down": "livekit-send"}]
    return {
        "name": "random",
        "duration": f"{DURATION}s",
        "seed": number + 1,
        "policy": system,
        "estimator": draw.choice(estimators),
        "speech": draw.choice(["timeline", "talk-spurts"]),
        "participants": people,
        "timeline": timeline(draw, senders, viewers, shares, late),
    }


# Systems that forward scalable streams, and modes that all of them accept.
SCALABLE = ["janus", "livekit", "jitsi", "mediasoup", "stream", "best"]
MODES = ["L3T3_KEY", "L3T3", "L2T3_KEY", "L2T2", "L1T3"]


def scalable_meeting(number):
    """Returns the meeting with some cameras as scalable streams in VP9 and AV1, if its system forwards those."""
    scenario = meeting(number)
    draw = random.Random(1_000_000 + number)
    for own in scenario["participants"]:
        camera = own["publish"].get("camera") if isinstance(own["publish"], dict) else None
        if camera and scenario["policy"] in SCALABLE and draw.randrange(2) == 0:
            codec, mode = draw.choice(["vp9", "av1"]), draw.choice(MODES)
            own["publish"]["camera"] = {"capture": camera["capture"], "codec": codec, "scalability-mode": mode}
    return scenario


def link(draw, capacities):
    own = {"capacity": f"{draw.choice(capacities)} kbps", "delay": f"{draw.choice([5, 20, 60])} ms"}
    if draw.randrange(6) == 0:
        own["loss"] = f"{draw.choice([1, 3])} %"
    return own


def sender(draw, id, system):
    camera = {"capture": draw.choice(["720p30", "720p30", "720p30", "360p30", "640x360@15", "1080p30"])}
    ladders = [None, None, "webrtc-vp8"]
    if system == "bluejeans":
        ladders += ["bluejeans-thumbnails", "bluejeans-classic"]
    if system not in ("gso", "agora"):
        ladders.append("single")
    if ladder := draw.choice(ladders):
        camera["ladder"] = ladder
    publish = {"camera": camera, "audio": draw.randrange(2) == 0}
    if draw.randrange(6) == 0:
        publish["screen"] = {"capture": "1080p15", "on": draw.randrange(2) == 0}
    person = {"id": id, "publish": publish, "up": link(draw, [20000, 20000, 3000, 1500, 800, 400])}
    person["down"] = dict(AMPLE)
    if draw.randrange(8) == 0:
        person["join"] = f"{draw.randrange(2, 9)}s"
    return person


def viewer(draw, id, system, senders):
    capabilities = {"receive-720p": draw.randrange(3) > 0}
    if draw.randrange(5) == 0:
        capabilities["receive-cap"] = f"{draw.choice([300, 800, 1500])} kbps"
    if draw.randrange(5) == 0:
        limits = [{"streams": 2}, {"pixels-per-second": 10000000}, {"pixels-per-second": 30000000}]
        capabilities["decode"] = draw.choice(limits)
    return {
        "id": id,
        "publish": "audio-only",
        "up": dict(AMPLE),
        "down": link(draw, [50000, 8000, 4000, 2500, 1500, 1000, 600, 300]),
        "capabilities": capabilities,
        "view": view(draw, system, senders),
    }


def view(draw, system, senders):
    kind = draw.randrange(5)
    if system == "bluejeans" and kind < 3:
        qualities = ["720p30", "720p15", "360p30", "360p15", "180p30", "180p15", "90p15", "90p7"]
        entries = [{"quality": draw.choice(qualities), "participant": id} for id in senders]
        if draw.randrange(2):
            for entry in entries:
                entry["priority"] = draw.choice(["high", "medium", "low"])
        return {"request": entries}
    if system == "vonage" and kind == 0:
        preferred = [{"participant": draw.choice(senders), "size": draw.choice(SIZES)}]
        return {"everybody": draw.choice(SIZES), "preferred": preferred}
    if system in ("agora", "stream") and kind == 0:
        return {"grid": "agora-squares" if system == "agora" else "stream-grid", "screen": "390x844@2"}
    if kind <= 1:
        return {"everybody": draw.choice(SIZES)}
    if kind == 2 and len(senders) > 1:
        tiles = {id: draw.choice(SIZES[:3]) for id in senders[1:]}
        return {"stage": {"participant": senders[0], "size": draw.choice(SIZES[3:])}, "tiles": tiles}
    own = {"tiles": [{"participant": id, "size": draw.choice(SIZES)} for id in senders]}
    if draw.randrange(4) == 0:
        own["per-page"] = max(1, len(senders) - 1)
    return own


def timeline(draw, senders, viewers, shares, late):
    entries = []
    for _ in range(draw.randrange(5)):
        at = {"at": f"{draw.randrange(2000, 17000)} ms"}
        who = draw.choice(senders)
        kind = draw.randrange(6)
        if kind == 0:
            entries.append(at | {"participant": who, "mute": "video"})
        elif kind == 1 and who not in late:
            entries.append(at | {"participant": who, "speaks": "2s"})
        elif kind == 2 and shares:
            entries.append(at | {"participant": draw.choice(shares), "share": draw.choice(["screen", "none"])})
        elif kind == 3:
            entries.append(at | {"link": f"{who}/up", "capacity": f"{draw.choice([300, 1000, 5000])} kbps"})
        else:
            rate = draw.choice([200, 500, 1000, 3000, 10000])
            entries.append(at | {"link": f"{draw.choice(viewers)}/down", "capacity": f"{rate} kbps"})
    return sorted(entries, key=lambda entry: int(entry["at"].split()[0]))


def text(scenario):
    """Returns the scenario as YAML, of which JSON is a subset."""
    return json.dumps(scenario, indent=1)


# Functions that remove a cause. Each returns a copy.


def person(scenario, id):
    return next(own for own in scenario["participants"] if own["id"] == id.split("/")[0])


def ample_links(scenario, roles, estimates="oracle"):
    """Makes the links 'ID/up' and 'ID/down' carry anything, with estimators that know it."""
    changed = copy.deepcopy(scenario)
    for role in roles:
        id, direction = role.split("/")
        person(changed, id)[direction] = dict(AMPLE)
    changed["timeline"] = [entry for entry in changed["timeline"] if entry.get("link") not in roles]
    if estimates:
        before = scenario["estimator"]
        both = before if isinstance(before, dict) else {"up": "gcc" if before == "remb" else before, "down": before}
        directions = {role.split("/")[1] for role in roles}
        changed["estimator"] = both | {direction: estimates for direction in directions}
    return changed


def all_links(scenario):
    return [f"{own['id']}/{direction}" for own in scenario["participants"] for direction in ("up", "down")]


def without_caps(scenario, id):
    """Removes gates and receive caps, including the system's own."""
    changed = copy.deepcopy(scenario)
    own = person(changed, id)
    own["capabilities"].pop("receive-cap", None)
    own["capabilities"]["receive-720p"] = True
    own["view"].pop("preferred", None)
    if changed["policy"] == "bluejeans":
        changed["policy"] = {"name": "bluejeans", "receive-cap": "none"}
    if changed["policy"] == "signal":
        changed["policy"] = {"name": "signal", "default-max-rate": "100 Mbps", "receive-rate": "100 Mbps"}
    if changed["policy"] == "jitsi":
        changed["policy"] = {"name": "jitsi", "full-resolution-participants": -1}
    return changed


def without_waiting(scenario):
    """Makes the system `best` decide at once, without hysteresis."""
    return scenario | {"policy": {"name": "best", "switching-cost": "0 %", "decision-spacing": "20 ms"}}


def without_decode_limit(scenario, id):
    changed = copy.deepcopy(scenario)
    person(changed, id)["capabilities"].pop("decode", None)
    return changed


def larger_camera(scenario, source, capture="1080p30", ladder="webrtc-vp8"):
    """Enlarges a camera or a screen beyond the request, with a ladder up to it.

    A single encoding stays one, and keeps its size whatever its quality.
    """
    changed = copy.deepcopy(scenario)
    publish = person(changed, source)["publish"]
    own = publish["screen" if source.endswith("/screen") else "camera"]
    own["capture"] = capture
    own["ladder"] = "single" if own.get("ladder") == "single" else ladder
    if own["ladder"] == "single":
        own["degradation"] = "maintain-resolution"
    return changed


def at_full_rate(scenario, source):
    """Captures a camera or a screen at its size and 30 frames/s."""
    publish = person(scenario, source)["publish"]
    capture = publish["screen" if source.endswith("/screen") else "camera"]["capture"]
    return capture.split("@")[0] + "@30" if "@" in capture else capture.split("p")[0] + "p30"


def larger_wish(scenario, id, source):
    """Makes the viewer request the largest picture of the source, if its view names the source."""
    changed = copy.deepcopy(scenario)
    own = person(changed, id)["view"]
    for entry in own.get("request", []):
        if entry["participant"] == source:
            entry["quality"] = "720p30"
    if "everybody" in own:
        own["everybody"] = "1920x1080"
    if isinstance(own.get("tiles"), dict) and source in own["tiles"]:
        own["tiles"][source] = "1920x1080"
    elif isinstance(own.get("tiles"), list):
        for tile in own["tiles"]:
            if tile["participant"] == source:
                tile["size"] = "1920x1080"
    if isinstance(own.get("stage"), dict) and own["stage"]["participant"] == source:
        own["stage"]["size"] = "1920x1080"
    return changed
