"""A few tiles of random meetings of every system: their limitations and `explain`'s accounts of them are true."""

import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "Tests" / "Explanations"))

import counterfactuals  # noqa: E402
import meetings  # noqa: E402
import run  # noqa: E402
import states  # noqa: E402


@pytest.mark.parametrize("number", range(2 * len(meetings.SYSTEMS)))
def test_no_limitation_is_false(number):
    for tile in run.tiles(number):
        assert tile.problems() == [], str(tile)


def test_explanations_add_up_and_their_changes_help():
    """One tile with an explanation for each of three systems."""
    said = 0
    for number in (0, 2, 7):
        for tile in run.tiles(number):
            if tile.word in run.NOT_EXPLAINED:
                continue
            explanation = tile.explained(repetitions=0)
            if explanation is not None:
                assert list(counterfactuals.steps_problems(tile, explanation)) == [], str(tile)
                said += 1
    assert said >= 3


def test_explanations_are_of_their_second_and_never_contradict_themselves():
    """Thirty tiles or more, of every system; 300 with `Tests/Explanations/run.py --states --tiles 300`."""
    seen = 0
    for number in range(len(meetings.SYSTEMS)):
        scenario = meetings.scalable_meeting(number)
        for tile in run.tiles(number, scenario) + states.frozen(run.MEETSIM, scenario):
            assert states.problems(tile) == [], str(tile)
            seen += 1
    assert seen >= 30


def test_a_false_state_is_found():
    """The state of another second, a wrong sum, an unreported freeze, and a remedy that failed."""
    tile = next(tile for number in range(24) for tile in states.frozen(run.MEETSIM, meetings.meeting(number)))
    said = tile.explained(repetitions=0)
    assert states.problems(tile) == []
    wrong = said | {"state": said["state"] | {"estimate_bps": said["state"]["estimate_bps"] + 1}}
    assert list(states.state_problems(tile, wrong))
    moved = [dict(step) for step in said["steps"]]
    moved[-1]["rate_bps"] += 1
    assert list(states.state_problems(tile, said | {"steps": moved}))
    assert list(states.freeze_problems(tile, said | {"freezes": []}))
    assert list(states.contradictions(said | {"sentences": []}))
    fine = {"limitation": "none", "freezes": [], "sentences": ["there is nothing to complain about."]}
    dark = {name: value for name, value in said.items() if name not in ("shown", "next")} | fine
    assert list(states.contradictions(dark)) and not list(states.contradictions(dark | {"shown": "720p30"}))


def test_a_false_word_is_found():
    """One tile's limitation is not true of another that has everything it requested."""
    tile = next(
        tile
        for number in range(12)
        for tile in run.tiles(number)
        if tile.word == "none" and float(tile.row["frames_per_second"]) >= float(tile.row["requested_fps"])
    )
    for word in ("bandwidth", "device", "request-cap", "sender-uplink", "starting", "muted"):
        tile.word = word
        assert tile.problems(), word
