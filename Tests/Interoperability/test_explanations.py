"""A few tiles of random meetings of every system: their words are true, and what `explain` says of them."""

import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "Tests" / "Explanations"))

import counterfactuals  # noqa: E402
import meetings  # noqa: E402
import run  # noqa: E402


@pytest.mark.parametrize("number", range(2 * len(meetings.SYSTEMS)))
def test_no_limitation_is_false(number):
    for tile in run.tiles(number):
        assert tile.problems() == [], str(tile)


def test_explanations_add_up_and_their_changes_help():
    """One tile of which something is said for each of three systems."""
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


def test_a_false_word_is_found():
    """What limits one tile is no truth of another with all that it asked for."""
    tile = next(
        tile
        for number in range(12)
        for tile in run.tiles(number)
        if tile.word == "none" and float(tile.row["frames_per_second"]) >= float(tile.row["requested_fps"])
    )
    for word in ("bandwidth", "device", "request-cap", "sender-uplink", "starting", "muted"):
        tile.word = word
        assert tile.problems(), word
