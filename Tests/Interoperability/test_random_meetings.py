"""Random meetings of every system under every estimator: none traps, hangs or breaks an invariant of the tables."""

import json
import subprocess
import sys

from conftest import MEETSIM, ROOT

FOLDER = ROOT / "Tests/RandomMeetings"
COUNT = 300
# Other test folders have modules with the same names.
DRAWS = f"""
import json, sys
import meetings
catalogue = meetings.Catalogue(json.load(sys.stdin))
drawn = [meetings.Meeting(catalogue, number) for number in range({COUNT})]
again = meetings.Meeting(catalogue, 7)
print(json.dumps({{
  "systems": catalogue.systems, "estimators": catalogue.estimators,
  "drawn": [[meeting.system, meeting.estimator] for meeting in drawn],
  "repeats": drawn[7].scenario == again.scenario and drawn[7].files == again.files,
}}))
"""


def test_random_meetings_run_and_keep_the_invariants(tmp_path):
    command = [sys.executable, FOLDER / "run.py", "--count", str(COUNT), "--output", tmp_path / "failed"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (tmp_path / "failed").exists()


def test_they_have_every_system_under_every_estimator():
    schema = subprocess.check_output([MEETSIM, "schema", "scenario"])
    found = json.loads(subprocess.check_output([sys.executable, "-c", DRAWS], input=schema, cwd=FOLDER))
    cells = {json.dumps(cell) for cell in found["drawn"]}
    assert len(cells) == len(found["systems"]) * len(found["estimators"])
    assert found["repeats"]
