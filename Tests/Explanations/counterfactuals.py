"""Checks that the changes `explain` suggests do help, by running the changed scenario with other seeds."""

import copy
import re

import meetings
import words

# Ten other seeds, and twenty more if fewer than eight of them agree, which may be chance.
SEEDS = range(1001, 1011)
MORE_SEEDS = range(1011, 1031)
AGREEING = 0.8


def change(scenario, text):
    """Returns the scenario with a change as worded by an explanation; None if it is not understood."""
    changed = copy.deepcopy(scenario)
    if text.endswith(" together"):
        for part in re.split(r", | and (?!jitter )", text.removesuffix(" together")):
            changed = changed and change(changed, part)
    elif match := re.fullmatch(r"(\d+) kbps more on (\S+)/(up|down)", text):
        more, id, direction = int(match[1]), match[2], match[3]
        own = meetings.person(changed, id)[direction]
        own["capacity"] = raised(own["capacity"], more)
        for entry in changed["timeline"]:
            if entry.get("link") == f"{id}/{direction}":
                entry["capacity"] = raised(entry["capacity"], more)
    elif text == "'audio.forward: 1'":
        changed["audio"] = {"forward": 1}
    elif match := re.fullmatch(r"'([\w-]+): (.+)'", text):
        own = changed["policy"] if isinstance(changed["policy"], dict) else {"name": changed["policy"]}
        changed["policy"] = own | {match[1]: yaml_value(match[2])}
    elif match := re.fullmatch(r"no loss and jitter on (\S+)/(up|down)", text):
        own = meetings.person(changed, match[1])[match[2]]
        own.pop("loss", None)
        own.pop("jitter", None)
    elif match := re.fullmatch(r"no cross traffic on (\S+)", text):
        changed["cross-traffic"] = [flow for flow in changed["cross-traffic"] if flow["link"] != match[1]]
    elif match := re.fullmatch(r"no receive cap of (\S+)", text):
        meetings.person(changed, match[1])["capabilities"].pop("receive-cap", None)
    elif match := re.fullmatch(r"720p enabled by (\S+)", text):
        meetings.person(changed, match[1])["capabilities"]["receive-720p"] = True
    elif match := re.fullmatch(r"a device of (\S+) without a decode limit", text):
        changed = meetings.without_decode_limit(changed, match[1])
    elif match := re.search(r"estimator: \{(up|down): oracle\}", text):
        before = changed["estimator"]
        both = before if isinstance(before, dict) else {"up": "gcc" if before == "remb" else before, "down": before}
        changed["estimator"] = both | {match[1]: "oracle"}
    elif match := re.fullmatch(r"(\S+) captured at (\S+) with the system's own ladder", text):
        recapture(changed, match[1], match[2])
    elif match := re.fullmatch(r"(\S+) with the system's own ladder", text):
        recapture(changed, match[1], None)
    else:
        return None
    return changed


def yaml_value(text):
    """Returns a scalar as YAML reads it, as far as settings of systems need it."""
    return {"true": True, "false": False}.get(text, text)


def change_view(scenario, viewer, text):
    """Returns the scenario with a change to the viewer's own view; None if it is not understood."""
    changed = copy.deepcopy(scenario)
    view = meetings.person(changed, viewer)["view"]
    if match := re.fullmatch(r"(\S+) at a low priority", text):
        next(entry for entry in view["request"] if entry["participant"] == match[1])["priority"] = "low"
    elif match := re.fullmatch(r"(\S+) in a tile of (\S+)", text):
        resize(view, match[1], match[2])
    elif match := re.fullmatch(r"pages of (\d+) tiles \('per-page: \d+'\)", text):
        view["per-page"] = int(match[1])
    elif re.fullmatch(r"only the stage \('view: \{stage: \S+\}'\)", text):
        for key in ("everybody", "tiles"):
            view.pop(key, None)
    else:
        return None
    return changed


def resize(view, source, size):
    if source == "everybody":
        view["everybody"] = size
    elif view.get("stage", {}).get("participant") == source:
        view["stage"]["size"] = size
    elif isinstance(view.get("tiles"), dict):
        view["tiles"][source] = size
    else:
        next(tile for tile in view["tiles"] if tile["participant"] == source)["size"] = size


def recapture(scenario, source, capture):
    publish = meetings.person(scenario, source)["publish"]
    own = publish["screen" if source.endswith("/screen") else "camera"]
    own.pop("ladder", None)
    if capture:
        own["capture"] = capture


def raised(capacity, more):
    value, unit = capacity.split()
    return f"{int(value) * (1000 if unit == 'Mbps' else 1) + more} kbps"


def steps_problems(tile, said):
    """Returns contradictions in the waterfall, whose steps add up to its subtotals and whose budget is the table's."""
    row = next(
        (
            row
            for row in reversed(tile.run.decisions(*tile.at))
            if abs(float(row["time_s"]) - said["decided_at_s"]) <= 0.001
        ),
        None,
    )
    if row is None:
        yield f"no decision at {said['decided_at_s']}"
        return
    left = None
    for step in said["steps"]:
        if step["kind"] == "subtotal":
            if left is not None and step["rate_bps"] != left:
                yield f"{step['label']}: {step['rate_bps']} after {left}"
            if step["label"] == "budget of the videos" and str(step["rate_bps"]) != row["budget_bps"]:
                yield f"budget {step['rate_bps']}, in the table {row['budget_bps']}"
            if step["label"].startswith("left for") and left is not None:
                budget, before = int(row["budget_bps"]), int(row["given_before_bps"])
                if step["rate_bps"] != budget - before:
                    yield f"left {step['rate_bps']} of {budget} after {before}"
            left = step["rate_bps"]
        else:
            left += step["rate_bps"]


def remedies(meetsim, tile, said):
    """Returns, for each suggested change, in how many of how many other seeds the tile improves; None if unknown."""

    def helps(changed, seed):
        """Indicates whether a seed's tile improves; None if it has nothing to mend, unlike the explained one."""
        before = words.Run(meetsim, tile.scenario, seed)
        if tile.has_more(tile.run, before, shown=True):
            return None
        after = words.Run(meetsim, changed, seed)
        return tile.has_more(before, after, shown=True) or is_smoother(tile, before, after)

    def is_smoother(tile, before, after):
        """Indicates whether there are as many lines, frozen for less than half as long; bursts after freezes still count."""
        same = before.shown(*tile.at)[0] <= after.shown(*tile.at)[0]
        return same and after.frozen(*tile.at) * 2 < before.frozen(*tile.at)

    def tried(changed, seeds):
        found = [helps(changed, seed) for seed in seeds]
        return [helped for helped in found if helped is not None]

    counts = []
    for remedy in said["remedies"]:
        text = remedy["change"]
        changed = change(tile.scenario, text) or change_view(tile.scenario, tile.viewer, text)
        if changed is None:
            counts.append((text, None))
            continue
        helped = tried(changed, SEEDS)
        if sum(helped) < AGREEING * len(helped):
            helped += tried(changed, MORE_SEEDS)
        counts.append((text, (sum(helped), len(helped))))
    return counts


def problems(meetsim, tile):
    """Returns what contradicts the explanation of a tile."""
    said = tile.explained(repetitions=10)
    if said is None:
        return []
    found = list(steps_problems(tile, said))
    for text, count in remedies(meetsim, tile, said):
        if count is None:
            found.append(f"unknown change '{text}'")
        elif count[0] < AGREEING * count[1]:
            found.append(f"with {text} it has more with {count[0]} of {count[1]} seeds")
    return found
