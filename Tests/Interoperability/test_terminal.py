"""The summary of a run in a terminal: widths, colours and pipes; `python3 test_terminal.py` rewrites the texts."""

import csv
import fcntl
import io
import json
import os
import pty
import re
import struct
import subprocess
import termios
from pathlib import Path

import pytest
from conftest import MEETSIM, meetsim

FOLDER = Path(__file__).parent / "summaries"
MEETINGS = ("pair", "classroom", "gallery", "webinar")
WIDTHS = (60, 80, 120, 200)
CODES = re.compile("\x1b\\[\\d+m")


def environment(**more):
    """Returns this process's environment without the variables that determine width and colour."""
    kept = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR", "TERM", "CI")}
    return kept | more


def without_notes(text):
    """Returns the errors printed, without the note that an estimator is not the system's own."""
    messages = text.replace("\n    ", " ").splitlines(keepends=True)
    return "".join(message for message in messages if ": note: " not in message)


def piped(meeting, *arguments, **variables):
    done = meetsim("run", FOLDER / f"{meeting}.yaml", *arguments, env=environment(**variables))
    assert (done.returncode, without_notes(done.stderr)) == (0, "")
    return done.stdout


def on_terminal(meeting, width, **variables):
    """Returns what the program writes to a terminal of this width."""
    own, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    with subprocess.Popen(
        [MEETSIM, "run", FOLDER / f"{meeting}.yaml"],
        stdout=its, stderr=subprocess.DEVNULL, env=environment(**{"TERM": "xterm"} | variables),
    ) as process:
        os.close(its)
        text = b""
        while True:
            try:
                part = os.read(own, 65536)
            except OSError:  # Linux reports no end of file on a terminal whose other side is closed.
                break
            if not part:
                break
            text += part
    os.close(own)
    assert process.returncode == 0
    return text.decode().replace("\r\n", "\n")


def expected(meeting, width, kind="txt"):
    return (FOLDER / f"{meeting}-{width}.{kind}").read_text(encoding="utf-8")


@pytest.mark.parametrize("meeting", MEETINGS)
@pytest.mark.parametrize("width", WIDTHS)
def test_a_summary_has_the_width_of_the_terminal(meeting, width):
    text = piped(meeting, COLUMNS=str(width))
    assert text == expected(meeting, width)
    assert max(map(len, text.splitlines()[2:])) <= width


@pytest.mark.parametrize("meeting", MEETINGS)
def test_bad_rows_are_coloured(meeting):
    """Yellow below 90 % of the pixels and after a freeze, red below 50 %, bold for headings."""
    text = on_terminal(meeting, 80)
    assert text == expected(meeting, 80, "ansi")
    assert CODES.sub("", text) == expected(meeting, 80)
    for line in text.splitlines():
        shares = re.findall(r" (\d+) %", line)
        if shares and "more" not in line:
            assert line.startswith("\x1b[31m") == (int(shares[0]) < 50)


def test_no_colour_when_not_wanted():
    assert on_terminal("pair", 80, NO_COLOR="1") == expected("pair", 80)
    assert on_terminal("pair", 80, TERM="dumb") == expected("pair", 80)


def test_a_pipe_has_100_columns_and_columns_count_before_the_terminal():
    assert piped("pair") == piped("pair", COLUMNS="100")
    assert piped("pair", COLUMNS="20") == expected("pair", 60)
    assert on_terminal("pair", 120, COLUMNS="60", NO_COLOR="1") == expected("pair", 60)


def test_a_thousand_watchers_are_few_lines_and_all_of_them_records():
    assert len(expected("webinar", 80).splitlines()) < 20
    rows = list(csv.DictReader(io.StringIO(piped("webinar", "--by", "viewer", "--format", "csv"))))
    assert len(rows) == 1000
    assert json.loads(piped("webinar", "--viewer", "phone-7", "--format", "json"))[0]["viewer"] == "phone-7"


def test_records_and_table_agree():
    """The phone's tiles, worst first, as the table shows them at 200 columns."""
    rows = json.loads(piped("classroom", "--viewer", "phone", "--format", "json"))
    teacher = next(row for row in rows if row["source"] == "teacher")
    line = next(line for line in expected("classroom", 200).splitlines() if re.match("phone +teacher", line))
    assert f" {int(teacher['pixels_of_screen_frac'] * 100)} % " in line and teacher["main_reason"] in line
    assert f"{teacher['requested_height_px']}p30 " in line and f" {teacher['frame_height_px']}p" in line
    assert len(rows) == 24


def test_hidden_and_muted_tiles_are_never_bad():
    """Tiles on a page not yet turned to (rows show the end of their second), and the camera that is off."""
    rows = {row["source"]: row for row in json.loads(piped("gallery", "--format", "json"))}
    seconds = {name: row["visible_s"] for name, row in rows.items()}
    # The first page appears when its viewer has heard of the others, within 60 ms of the start.
    times = (seconds["person-1"], seconds["person-2"], seconds["person-5"])
    assert times == pytest.approx((3.94, 1.94, 4), abs=0.01)
    assert list(rows) == [f"person-{number}" for number in range(1, 9)]


def test_an_unknown_viewer_is_an_error():
    done = meetsim("run", FOLDER / "pair.yaml", "--viewer", "docto")
    assert done.returncode == 2
    assert without_notes(done.stderr) == "error: --viewer 'docto': there is no such participant: did you mean 'doctor'?\n"


MANY = """
name: many
duration: 12s
policy: stream
estimator: gcc
participants:
  - {id: speaker, publish: {camera: 720p30}}
  - {id: desk, count: 6, view: {everybody: 640x360}}
  - {id: phone, count: 24, down: {capacity: 350 kbps, delay: 20 ms, loss: 2 %}, view: {everybody: 640x360}}
"""


def test_alike_viewers_are_one_line_where_there_are_too_many(tmp_path):
    """Nobody is left out: each phone loses different packets, and the desks are the best."""
    (tmp_path / "many.yaml").write_text(MANY, encoding="utf-8")

    def viewers(*arguments):
        done = meetsim("run", tmp_path / "many.yaml", *arguments, env=environment())
        assert done.returncode == 0, done.stderr
        return done.stdout.split("\n\n")[1].splitlines()[1:]

    rows, all_rows = viewers(), viewers("--all")
    assert len(all_rows) > 9 > len(rows)
    found = [re.search(r"\((\d+)\)", row) for row in rows]
    counts = [int(one[1]) if one else 1 for one in found]
    assert sum(counts) == 30 and rows[-1].startswith("desk-1…6 (6) ")
    shares = [list(map(int, re.search(r" (\d+)(?:…(\d+))? %", row).groups(default="0"))) for row in rows]
    assert all(most == 0 or most - least <= 3 for least, most in shares) and any(most for _, most in shares)


if __name__ == "__main__":
    for one in MEETINGS:
        for columns in WIDTHS:
            (FOLDER / f"{one}-{columns}.txt").write_text(piped(one, COLUMNS=str(columns)), encoding="utf-8")
        (FOLDER / f"{one}-80.ansi").write_text(on_terminal(one, 80), encoding="utf-8")
