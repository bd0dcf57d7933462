"""Checks the limitation that a run gives for a tile against the run's other tables and runs without the cause."""

import csv
import json
import subprocess
import tempfile
from pathlib import Path

import meetings

# Shortest freeze that is explained [s].
LEAST_FREEZE = 0.2


def moments_after(time):
    return [f"{float(time) + later:.3f}" for later in range(6)]


class Run:
    """The tables of a scenario's run."""

    def __init__(self, meetsim, scenario, seed=None):
        self.scenario = scenario
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)
        file = self.path / "scenario.yaml"
        file.write_text(meetings.text(scenario), encoding="utf-8")
        options = ["--seed", str(seed)] if seed is not None else []
        done = subprocess.run(
            [meetsim, "run", file, "-o", self.path / "out", "--quiet", *options],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(done.stderr)
        self.directory = self.path / "out"
        self._tables = {}

    def rows(self, table):
        if table not in self._tables:
            with (self.directory / f"{table}.csv").open(encoding="utf-8", newline="") as file:
                self._tables[table] = list(csv.DictReader(file))
        return self._tables[table]

    def tile(self, viewer, source, time):
        """Returns the tile's row at the end of an interval; None without one."""
        for row in self.rows("streams"):
            if (row["viewer"], row["source"], row["time_s"]) == (viewer, source, time):
                return row
        return None

    def decisions(self, viewer, source, time):
        """Returns the tile's rows of decisions up to a moment."""
        return [
            row
            for row in self.rows("decisions")
            if (row["viewer"], row["source"]) == (viewer, source) and float(row["time_s"]) <= float(time)
        ]

    def given(self, viewer, source, time):
        """Returns the grant at a moment in comparable form: lines, then the temporal layer."""
        row = self.tile(viewer, source, time)
        rows = self.decisions(viewer, source, time)
        if row is None or not rows or not rows[-1]["given"]:
            return (0, -1)
        return (int(row["target_height_px"]), int(rows[-1]["given"].rsplit(".", 1)[1]))

    def shown(self, viewer, source, time):
        row = self.tile(viewer, source, time)
        return (int(row["frame_height_px"] or 0), float(row["frames_per_second"])) if row else (0, 0.0)

    def frozen(self, viewer, source, time):
        """Returns the time in freezes that ended in the interval, if they are long enough to be explained."""
        row = self.tile(viewer, source, time)
        duration = float(row["freezes_duration_s"]) if row else 0.0
        return duration if duration >= LEAST_FREEZE else 0.0

    def best_shown(self, viewer, source, time):
        """Returns the best shown at the moment or in the five seconds that encoders take to follow."""
        return max(self.shown(viewer, source, moment) for moment in moments_after(time))

    def best_given(self, viewer, source, time):
        """Returns the best grant at the moment or in the five seconds that encodings take to start."""
        return max(self.given(viewer, source, moment) for moment in moments_after(time))

    def place(self, viewer, source, time):
        """Returns the tile's last layout row up to a moment; None without one."""
        own = None
        for row in self.rows("layout"):
            if (row["viewer"], row["source"]) == (viewer, source) and float(row["time_s"]) <= float(time):
                own = row
        return own


class Tile:
    """A tile of a run at the end of an interval, with the run's limitation for it."""

    def __init__(self, meetsim, run, row):
        self.meetsim = meetsim
        self.run = run
        self.row = row
        self.viewer, self.source, self.time = row["viewer"], row["source"], row["time_s"]
        self.word = row["limitation"]
        self.at = (self.viewer, self.source, self.time)

    def __str__(self):
        return f"{self.viewer} sees {self.source} at {self.time}: {self.word}"

    def problems(self):
        """Returns what contradicts the limitation; nothing if it is true."""
        return list(getattr(self, "check_" + self.word.replace("-", "_"))())

    def explained(self, repetitions):
        """Returns `explain`'s account of the tile; None if nothing was decided on it."""
        done = subprocess.run(
            [self.meetsim, "explain", self.run.directory, "--viewer", self.viewer, "--source", self.source,
             "--at", f"{self.time}s", "--repetitions", str(repetitions), "--format", "json"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode == 2 and "does not subscribe" in done.stderr:
            return None
        if done.returncode:
            raise RuntimeError(done.stderr)
        return json.loads(done.stdout)[0]

    def gets_more(self, scenario, *, shown=False):
        """Indicates whether the tile is granted or shown more in a run of another scenario."""
        return self.has_more(self.run, Run(self.meetsim, scenario), shown=shown)

    def has_more(self, before, after, *, shown):
        """Indicates whether the tile is granted or shown more in one of two runs; a surplus over this request is ignored."""
        # A tile whose track is still being negotiated requests nothing yet.
        lines, rate = int(self.row["requested_height_px"] or 10000), float(self.row["requested_fps"] or 60)
        if shown:
            old, new = (
                [min(value, limit) for value, limit in zip(best, (lines, rate), strict=True)]
                for best in (before.shown(*self.at), after.best_shown(*self.at))
            )
            # Frames just outside the interval.
            if new[0] > old[0] or new[0] == old[0] and new[1] > old[1] + 1:
                return True
        old, new = ((min(given[0], lines), given[1]) for given in (before.given(*self.at), after.given(*self.at)))
        return new > old

    # The scenario around the tile.

    @property
    def scenario(self):
        return self.run.scenario

    @property
    def down(self):
        return f"{self.viewer}/down"

    @property
    def up(self):
        return f"{self.source.split('/')[0]}/up"

    def ample(self, scenario=None):
        return meetings.ample_links(scenario or self.scenario, meetings.all_links(self.scenario))

    def is_off(self):
        """Indicates whether the timeline has turned the source off."""
        own = meetings.person(self.scenario, self.source)
        if self.source.endswith("/screen"):
            state, key, on = own["publish"]["screen"].get("on", True), "share", "screen"
        else:
            state, key, on = True, "mute", None
        if float(own.get("join", "0s")[:-1]) > float(self.time):
            return True
        for entry in self.scenario["timeline"]:
            if entry.get("participant") == own["id"] and key in entry:
                if int(entry["at"].split()[0]) / 1000 <= float(self.time):
                    state = entry[key] == on
        return not state

    # One check for each word of `meetsim list limitations`.

    def check_off_screen(self):
        place = self.run.place(*self.at)
        if place is not None and float(place["visible_frac"] or 0) >= 0.5 and not self.is_off():
            rows = self.run.decisions(*self.at)
            yield f"on the screen, last decision {rows[-1] if rows else None}"

    def check_muted(self):
        if not self.is_off():
            yield "the source is on"

    def free(self, scenario):
        """Removes every cause that ranks below the sender's uplink: device, caps and bandwidth."""
        return self.ample(meetings.without_caps(meetings.without_decode_limit(scenario, self.viewer), self.viewer))

    def captured(self):
        """Returns the lines and frames per second that the source captures."""
        publish = meetings.person(self.scenario, self.source)["publish"]
        capture = publish["screen" if self.source.endswith("/screen") else "camera"]["capture"]
        size, rate = capture.split("@") if "@" in capture else capture.split("p")
        return int(size.split("x")[-1]), float(rate)

    def check_sender(self):
        asked = int(self.row["requested_height_px"]), float(self.row["requested_fps"])
        if all(own >= wanted for own, wanted in zip(self.captured(), asked, strict=True)):
            # Otherwise it is the ladder, whatever the links and the time.
            known = Run(self.meetsim, self.free(self.scenario) | {"estimator": "oracle"})
            lines, rate = max(known.shown(self.viewer, self.source, row["time_s"]) for row in self.later(known))
            if lines >= asked[0] and rate >= asked[1] - 1:
                yield "the same camera shows what was asked for on ample links"
            if float(self.row["frames_per_second"]) == 0 and self.losses()[1] > 0.1:
                yield "the downlink loses all of it"
        # Their ladders have other sizes, one of which may suit the tile.
        captures = ("1080p30", "720p30", meetings.at_full_rate(self.scenario, self.source))
        cameras = [meetings.larger_camera(self.scenario, self.source, capture) for capture in captures]
        # A publisher's own limit may not carry several encodings of a screen.
        if self.source.endswith("/screen"):
            cameras.append(meetings.larger_camera(self.scenario, self.source, captures[-1], ladder="single"))
        if not any(self.gets_more(self.free(larger), shown=True) for larger in cameras):
            yield "a larger camera gives no more"

    def later(self, run):
        """Returns the tile's rows of a run from the moment on."""
        return [
            row
            for row in run.rows("streams")
            if (row["viewer"], row["source"]) == self.at[:2] and float(row["time_s"]) >= float(self.time)
        ]

    def losses(self):
        """Returns the shares of the interval's packets that the sender's uplink and the viewer's downlink lost."""
        rows = {row["participant"]: row for row in self.run.rows("participants") if row["time_s"] == self.time}
        sender, viewer = (rows.get(id, {}) for id in (self.source.split("/")[0], self.viewer))
        return float(sender.get("up_loss_frac") or 0), float(viewer.get("down_loss_frac") or 0)

    def check_sender_uplink(self):
        # A single encoding that started small is slow to grow, whatever the uplink.
        grown = meetings.larger_camera(self.scenario, self.source)
        if not self.gets_more(self.free(self.scenario), shown=True) and not self.gets_more(
            self.free(grown), shown=True
        ):
            yield "an ample uplink gives no more"

    def next_budget(self):
        """Returns the waterfall of the last decision, if the rule alone grants more with a larger budget in the same state."""
        said = self.explained(repetitions=0)
        return said if said and said.get("next") else None

    def link_carries_next(self):
        said = self.next_budget()
        if said is None:
            return False
        rates = {step["label"]: step["rate_bps"] for step in said["steps"]}
        return said["missing_bps"] <= rates[f"capacity of {self.down}"] - rates["estimate"]

    def check_starting(self):
        known = meetings.without_decode_limit(self.scenario, self.viewer) | {"estimator": "oracle"}
        if (
            not self.gets_more(known, shown=True)
            and not self.gets_more(meetings.ample_links(known, [self.up, self.down], None), shown=True)
            # A single encoding that started small is slow to grow.
            and not self.gets_more(self.free(meetings.larger_camera(self.scenario, self.source)), shown=True)
            and not self.link_carries_next()
        ):
            yield "estimators that know the links give no more"

    def check_device(self):
        if "decode" not in meetings.person(self.scenario, self.viewer)["capabilities"]:
            yield "no limit is stated"
        # A single encoding shows it only in its pictures.
        elif not self.gets_more(self.free(self.scenario), shown=True):
            yield "a device without a limit gives no more"

    def check_request_cap(self):
        if not self.gets_more(self.ample(meetings.without_caps(self.scenario, self.viewer)), shown=True):
            yield "without caps it gets no more"

    def check_layer_missing(self):
        if self.gets_more(self.ample()):
            yield "ample links give more"
        larger = meetings.larger_wish(self.scenario, self.viewer, self.source)
        # Requests stop at 720p, which may be less than everything that is sent.
        asks_enough = "request" not in meetings.person(self.scenario, self.viewer)["view"] or self.captured()[0] <= 720
        if larger != self.scenario and asks_enough:
            other = Run(self.meetsim, self.free(larger))
            row = other.tile(*self.at)
            # A client may request no more than it did, whatever the tile.
            asks_more = row and int(row["requested_height_px"]) > int(self.row["requested_height_px"])
            if asks_more and other.best_given(*self.at) <= self.run.given(*self.at):
                yield "a larger wish gives no more"

    def check_bandwidth(self):
        if not self.run.decisions(*self.at)[-1]["missing_bps"]:
            yield "missing_bps is empty"
        # With an ample downlink all tiles request more, and the senders' uplinks may carry less.
        if self.gets_more(meetings.ample_links(self.scenario, [self.down]), shown=True) or self.next_budget():
            return
        if self.is_made_smaller():
            grown = meetings.larger_camera(self.scenario, self.source)
            if self.gets_more(meetings.ample_links(grown, [self.down]), shown=True):
                return
        yield "an ample downlink gives no more"

    def is_made_smaller(self):
        """Indicates whether an encoder produces less than granted: once it may grow it waits, unless its size is pinned."""
        return self.run.shown(*self.at)[0] < int(self.row["target_height_px"])

    def check_hold(self):
        held = self.scenario
        if self.gets_more(meetings.ample_links(held, [self.down])):
            return
        # Beyond the layer that the rule waits for, a cap may be the next limit.
        decided = self.run.decisions(*self.at)[-1]
        if decided["cap_bps"] and int(decided["budget_bps"]) < int(decided["cap_bps"]):
            if self.gets_more(meetings.ample_links(meetings.without_caps(held, self.viewer), [self.down])):
                return
        # The layer that the rule waits for with any budget may also need more than there is.
        waitless = [meetings.without_waiting(held), meetings.without_waiting(meetings.ample_links(held, [self.down]))]
        if held["policy"] == "best" and any(map(self.gets_more, waitless)):
            return
        grown = self.free(meetings.larger_camera(held, self.source))
        if self.is_made_smaller() and (self.grows() or self.gets_more(grown, shown=True)):
            return
        # An encoding that comes and goes with its uplink never becomes old enough.
        if not self.gets_more(meetings.ample_links(held, [self.up, self.down])):
            yield "an ample downlink gives no more, nor does a rule that does not wait"

    def grows(self):
        """Indicates whether its encoder produces more in the following seconds, on unchanged links."""
        later = [entry for entry in self.scenario["timeline"] if int(entry["at"].split()[0]) / 1000 > float(self.time)]
        return self.run.best_shown(*self.at) > self.run.shown(*self.at) and not any("link" in entry for entry in later)

    def check_switching(self):
        height, rate = self.run.shown(*self.at)
        # The picture stays until the key frame of a lower layer arrives.
        if int(self.row["target_height_px"]) < int(self.row["requested_height_px"]):
            return
        # Frames of a lower layer may fill the interval's start, or those of the new one its end.
        if height >= int(self.row["requested_height_px"]) and rate >= float(self.row["requested_fps"]) - 1:
            yield f"shown {height} lines at {rate}"

    def check_policy(self):
        if self.gets_more(meetings.ample_links(self.scenario, [self.up, self.down])):
            yield "ample links give more"

    def check_none(self):
        asked, rate = int(self.row["requested_height_px"]), float(self.row["requested_fps"])
        target = int(self.row["target_height_px"])
        if target < asked:
            yield f"given {target} lines of {asked}"
        height, shown = self.run.shown(*self.at)
        if 0 < height < asked:
            yield f"shown {height} lines of {asked}"
        if shown < 0.7 * rate and not self.suffers() or shown < 0.5 * rate - 1 and not self.has_changed():
            yield f"shown {shown} frames of {rate}"

    def suffers(self):
        """Indicates whether packets are lost, late or queued, which no limitation covers, or the interval had a change."""
        rows = [row for row in self.run.rows("participants") if row["time_s"] == self.time]
        own = [row for row in rows if row["participant"] in (self.viewer, self.source.split("/")[0])]
        losses = [float(row[column] or 0) for row in own for column in ("up_loss_frac", "down_loss_frac")]
        delays = [float(row[column] or 0) for row in own for column in ("up_queue_delay_s", "down_queue_delay_s")]
        return max(losses) > 0 or max(delays) > 0.1 or self.has_changed()

    def has_changed(self):
        """Indicates whether the decision is no older than the interval."""
        changed = self.run.decisions(*self.at)[-1]["time_s"]
        return float(changed) > float(self.time) - 1.5
