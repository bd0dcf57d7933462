"""Checks that `explain`'s account of a moment matches the tables, adds up, and does not contradict itself."""

import meetings
import words

LEAST_FREEZE = words.LEAST_FREEZE
# Where the frames of a freeze were held up, and whose links have to be ample for it to disappear.
UP = ("encoder", "uplink")


def added(steps):
    """Returns contradictions in a waterfall, where every subtotal but the first is what the previous steps leave."""
    left = None
    for step in steps:
        if step["kind"] == "change":
            left += step["rate_bps"]
            continue
        if left is not None and step["rate_bps"] != left:
            yield f"{step['label']}: {step['rate_bps']} after {left}"
        left = step["rate_bps"]
    labels = [step["label"] for step in steps]
    if steps and labels[-1] != ("given beyond the budget" if left < 0 else "left over"):
        yield f"ends with {labels[-1]} at {left}"


def state_problems(tile, said):
    """Returns what contradicts the state at the moment in the rows of that second."""
    state = said["state"]
    yield from (f"state: {problem}" for problem in added(state["steps"]))
    yield from (f"decision: {problem}" for problem in added(said["steps"]))
    row = next(
        row
        for row in tile.run.rows("participants")
        if row["time_s"] == tile.time and row["participant"] == tile.viewer
    )
    if state["estimate_bps"] != int(row["down_estimate_bps"]):
        yield f"estimate {state['estimate_bps']}, in the table {row['down_estimate_bps']}"
    if not changes_capacity(tile) and state.get("capacity_bps") != int(row["down_capacity_bps"]):
        yield f"capacity {state.get('capacity_bps')}, in the table {row['down_capacity_bps']}"
    if state.get("arriving_bps") != int(tile.row["bitrate_bps"]):
        yield f"arriving {state.get('arriving_bps')}, in the table {tile.row['bitrate_bps']}"
    if said["limitation"] != tile.row["limitation"]:
        yield f"limitation {said['limitation']}, in the table {tile.row['limitation']}"


def changes_capacity(tile):
    """Indicates whether the viewer's downlink changes in the second before the moment, whose mean the table has."""
    at = [
        int(entry["at"].split()[0]) / 1000
        for entry in tile.scenario["timeline"]
        if entry.get("link") == tile.down
    ]
    return any(float(tile.time) - 1 < moment <= float(tile.time) for moment in at)


def freeze_problems(tile, said):
    """Returns contradictions in the freezes: all those of the interval are reported, each with a cause."""
    ended = [
        freeze
        for freeze in said["freezes"]
        if "end_s" in freeze and float(tile.time) - 1 < freeze["end_s"] <= float(tile.time) + 0.5
    ]
    told = sum(freeze["end_s"] - freeze["begin_s"] for freeze in ended)
    whole, count = float(tile.row["freezes_duration_s"]), int(tile.row["freeze_count"])
    short = max(count - len(ended), 0)
    if whole > LEAST_FREEZE * count and whole - told > LEAST_FREEZE * short + 0.002:
        yield f"freezes of {whole} s, of which {told:.3f} s are told"
    for freeze in said["freezes"]:
        if not freeze["cause"]:
            yield f"no cause: {freeze}"


def contradictions(said):
    """Returns lines of an explanation that exclude each other."""
    sentences = " ".join(said["sentences"])
    if not said["sentences"]:
        yield "no last sentence"
    fine = "nothing to complain about" in sentences
    if fine and (said["limitation"] != "none" or said["freezes"] or "With " in sentences):
        yield f"nothing to complain about, but {said['limitation']}, {said['freezes']}"
    if fine and "shown" not in said:
        yield "nothing to complain about, but nothing is shown"
    if said["limitation"] == "none" and said.get("next"):
        yield "none, but the rule lacks budget"
    if said.get("next") and said["limitation"] not in ("bandwidth", "starting"):
        yield f"{said['limitation']}, but the rule lacks budget"
    helped = {remedy["change"] for remedy in said["remedies"]}
    if helped & set(said["failed"]):
        yield f"helped and failed: {helped & set(said['failed'])}"
    if "none helped reliably" in sentences and helped:
        yield "none helped, but some did"
    if said["state"].get("has_given_up") and said["limitation"] == "none":
        yield "given up, but none"
    for freeze in said["freezes"]:
        if freeze.get("end_s", float("inf")) <= freeze["begin_s"]:
            yield f"ends before it begins: {freeze}"
        if freeze["begin_s"] > said["at_s"]:
            yield f"begins after the moment: {freeze}"


def cause_problems(meetsim, tile, said):
    """Returns freezes that persist even if the links said to hold the frames up carry anything."""
    for freeze in said["freezes"]:
        both, own = [tile.up, tile.down], tile
        if "end_s" not in freeze or freeze["end_s"] - freeze["begin_s"] < LEAST_FREEZE:
            continue
        roles = [tile.up] if freeze["cause"] in UP else [tile.down] if freeze["cause"] == "downlink" else both
        if freeze["cause"] == "server" or freeze["is_resized"]:
            # A cap may withhold a layer from everybody, or ask for another one, whatever the links.
            own = words.Tile(meetsim, words.Run(meetsim, meetings.without_caps(tile.scenario, tile.viewer)), tile.row)
        if freeze["cause"] == "slow-receiver":
            both = meetings.all_links(own.scenario)
            roles = [role for role in both if role.endswith("/down")]
        other = words.Run(meetsim, meetings.ample_links(own.scenario, roles))
        has_more = any(
            other.given(own.viewer, own.source, moment) > own.run.given(own.viewer, own.source, moment)
            for moment in (f"{int(freeze['begin_s']):.3f}", f"{int(freeze['begin_s']) + 1:.3f}")
        )
        # A larger picture may exceed what the other links carry.
        if roles != both and has_more:
            other = words.Run(meetsim, meetings.ample_links(own.scenario, both))
        # Without more frames, their rate remains as low.
        if freeze["cause"] == "frame-rate" and not has_more:
            continue
        time, causes = frozen_time(meetsim, own, other, freeze)
        # If another link would have held them up as well, both have to carry anything.
        if roles != both and causes and freeze["cause"] not in causes:
            other = words.Run(meetsim, meetings.ample_links(own.scenario, both))
            time, causes = frozen_time(meetsim, own, other, freeze)
        if time > (freeze["end_s"] - freeze["begin_s"]) / 2:
            yield f"{freeze['sentence']} With ample {' and '.join(roles)} still {time:.3f} s"


def frozen_time(meetsim, tile, other, freeze):
    """Returns how long of a freeze the tile is frozen in another run, and why."""
    found = set()
    for row in other.rows("streams"):
        same = (row["viewer"], row["source"]) == (tile.viewer, tile.source)
        if not same or not float(row["freezes_duration_s"]) or float(row["time_s"]) < freeze["begin_s"]:
            continue
        told = words.Tile(meetsim, other, row).explained(repetitions=0) or {"freezes": []}
        found |= {(own["begin_s"], own["end_s"], own["cause"]) for own in told["freezes"] if "end_s" in own}
        if float(row["time_s"]) > freeze["end_s"] + 1:
            break
    spans = [
        (min(end, freeze["end_s"]) - max(begin, freeze["begin_s"]), cause)
        for begin, end, cause in sorted(found)
        if end > freeze["begin_s"] and begin < freeze["end_s"]
    ]
    return sum(length for length, _ in spans), {cause for _, cause in spans}


def problems(tile):
    """Returns everything that is false in a tile's explanation, without changes to the scenario."""
    said = tile.explained(repetitions=0)
    if said is None:
        return []
    return list(state_problems(tile, said)) + list(freeze_problems(tile, said)) + list(contradictions(said))


def frozen(meetsim, scenario):
    """Returns tiles of a meeting in seconds in which a freeze of at least 200 ms ended."""
    run = words.Run(meetsim, scenario)
    rows = [row for row in run.rows("streams") if float(row["freezes_duration_s"]) >= LEAST_FREEZE]
    return [words.Tile(meetsim, run, row) for row in rows[:3]]
