"""Random meetings of every system under every estimator: none traps, hangs or breaks an invariant of the tables."""

import json
import subprocess
import sys

from conftest import MEETSIM, ROOT

FOLDER = ROOT / "Tests/RandomMeetings"
COUNT = 300


def test_random_meetings_run_and_keep_the_invariants(tmp_path):
    command = [sys.executable, FOLDER / "run.py", "--count", str(COUNT), "--output", tmp_path / "failed"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (tmp_path / "failed").exists()


def test_they_have_every_system_under_every_estimator():
    sys.path.insert(0, str(FOLDER))
    try:
        import meetings
    finally:
        sys.path.pop(0)
    catalogue = meetings.Catalogue(json.loads(subprocess.check_output([MEETSIM, "schema", "scenario"])))
    drawn = [meetings.Meeting(catalogue, number) for number in range(COUNT)]
    cells = {(meeting.system, json.dumps(meeting.estimator)) for meeting in drawn}
    assert len(cells) == len(catalogue.systems) * len(catalogue.estimators)
    # The same number gives the same meeting.
    assert drawn[7].scenario == meetings.Meeting(catalogue, 7).scenario
