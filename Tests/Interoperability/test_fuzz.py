"""Damaged sweeps, traces, recordings and result directories: read, or refused with a place; never a crash.

Some of each in CI; for longer, `MEETSIM_FUZZ=5000 pytest Tests/Interoperability/test_fuzz.py -s`. What fails is named by
its kind and number and can be repeated with them: `MEETSIM_FUZZ=sweep:4711`.
"""

import csv
import io
import json
import os
import random
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import MEETSIM, ROOT, meetsim

SETTING = os.environ.get("MEETSIM_FUZZ", "60")
#: More than a machine has, which no small file is worth [B].
MEMORY = 4 << 30
HOSTILE = [
    "", "-1", "0", "1e308", "-1e-308", "nan", "inf", "9223372036854775807", "9223372036854775808", "-9223372036854775809",
    "0x10", "1_0", "+1", ".5", "5.", "1,5", "\t", "'", '"', '"a', "\u0000", "\u001b[2J", "::error::x", "=1+1", "\ufeff",
    "\u202e", "𝄞", "a" * 70_000, "true", "null", "~", "[]", "{}", "[", "}", "&a x", "*a", "!!x y", "| ", "<<", "# ", "%",
    "1e9 Gbps", "0 bps", "1 ns", "24h", "25h", "720p30", "@", "../../etc/passwd", "/dev/zero", "-", "--", "\\", "${HOME}",
]  # fmt: skip
TRACES = {
    "rate.csv": "t_s,rate_bps\n0,1000000\n2,500000\n3.5,0\n5,2000000\n",
    "delay.csv": "t_s,rate_bps,delay_ms,loss_frac\n0,1000000,20,0\n2,500000,30,0.01\n4,1,40,0.5\n",
    "mahimahi": "1\n4\n4\n9\n12\n20\n",
    "pensieve": "0.5\t1.5\n1.0\t3\n2.5\t0\n",
    "lines.csv": "14.4,Mbits/sec\r\n500,Kbits/sec\r\n",
    "six": "1 1500 51.0 3.7 125000 500\n2 2500 51.0 3.7 125000 1000\n",
    "gnettrack.csv": "Timestamp,Speed,DL_bitrate\n2019.12.31_23.59.58,1,800\n2019.12.31_23.59.59,1,900\n2020.01.01_00.00.03,1,-\n",
    "oboe": "0 1000\n4000 1000\n5000 2000\n9000 2000\n",
    "alphartc.json": '{"uplink": {"trace_pattern": [{"duration": 60, "capacity": 300, "loss": 0.1}, {"duration": 40}]}}',
}
GETSTATS = "t,bwe_kbps,recv_bytes,rtt_ms,lost,h\n" + "".join(f"{t},1500,{t * 1000},20,0,360\n" for t in range(12))
FRAMES = (ROOT / "Tests/Interoperability/whole/frames.csv").read_text(encoding="utf-8")
DUMPS = sorted((ROOT / "Tests/CallStatisticsTests/Dumps").glob("*.json"))


class Damage:
    """Changes in one to three places, drawn from one case's own random numbers."""

    def __init__(self, kind, number):
        self.draw = random.Random(f"{kind} {number}")

    def of_text(self, text):
        """Bytes, lines and words, for formats of any kind."""
        for _ in range(self.draw.randint(1, 3)):
            place = self.draw.randrange(len(text) + 1)
            match self.draw.randrange(6):
                case 0:
                    text = text[:place] + self.draw.choice(HOSTILE) + text[place:]
                case 1:
                    text = text[:place] + text[place + self.draw.randrange(30) :]
                case 2:
                    text = text[:place]
                case 3:
                    lines = text.split("\n")
                    line = self.draw.randrange(len(lines))
                    lines[line : line + 1] = [lines[self.draw.randrange(len(lines))]] * self.draw.choice([0, 2, 40])
                    text = "\n".join(lines)
                case 4:
                    words = list(re.finditer(r"[^\s,:{}\[\]\"]+", text))
                    if words:
                        word = self.draw.choice(words)
                        text = text[: word.start()] + self.draw.choice(HOSTILE) + text[word.end() :]
                case _:
                    text = text[:place] + text[place : place + 40] * self.draw.choice([2, 50]) + text[place:]
        return text

    def of_table(self, text):
        """Cells, columns and rows of a CSV, which stays one."""
        rows = list(csv.reader(io.StringIO(text)))
        for _ in range(self.draw.randint(1, 3)):
            row = self.draw.randrange(len(rows))
            column = self.draw.randrange(max(1, len(rows[0])))
            match self.draw.randrange(5):
                case 0 | 1:
                    if column < len(rows[row]):
                        rows[row][column] = self.draw.choice(HOSTILE)
                case 2:
                    rows = [[c for n, c in enumerate(r) if n != column] for r in rows]
                case 3:
                    rows[row:row] = [rows[self.draw.randrange(len(rows))]] * self.draw.choice([1, 30])
                case _:
                    del rows[row : row + self.draw.randint(1, 3)]
            rows = rows or [[]]
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows(rows)
        return out.getvalue()

    def of_json(self, text):
        """Values and keys, to which strings with JSON in them belong."""
        document = json.loads(text)
        for _ in range(self.draw.randint(1, 3)):
            places = list(self._places(document))
            if not places:
                break
            holder, key = self.draw.choice(places)
            match self.draw.randrange(4):
                case 0:
                    holder[key] = self.draw.choice(HOSTILE)
                case 1:
                    holder[key] = self.draw.choice([None, True, -1, 0, 1e308, 2**63, [], {}, [[]], [None] * 50])
                case 2:
                    del holder[key]
                case _:
                    holder[key] = {"x": holder[key]} if self.draw.random() < 0.5 else [holder[key]] * 20
        return json.dumps(document, ensure_ascii=False)

    def _places(self, value):
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, child in items:
            yield value, key
            yield from self._places(child)


def run(*arguments, folder):
    """Runs a command with bounds of time and memory; gives what is wrong with how it ended, or nothing."""
    limit = f"ulimit -v {MEMORY >> 10}; exec \"$@\""
    try:
        done = subprocess.run(
            ["bash", "-c", limit, "bash", MEETSIM, *map(str, arguments)], capture_output=True, cwd=folder, timeout=60,
            stdin=subprocess.DEVNULL, check=False, env={**os.environ, "NO_COLOR": "1", "CI": "1"},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"{arguments}: more than a minute"
    output = done.stdout.decode(errors="surrogateescape") + done.stderr.decode(errors="surrogateescape")
    if done.returncode not in (0, 1, 2, 3):
        return f"{arguments}: exit {done.returncode}: {output[-400:]}"
    if done.returncode and not output.strip():
        return f"{arguments}: exit {done.returncode} without a word"
    if done.returncode == 2 and not re.search(rb"[Ee]rror: ", done.stderr):
        return f"{arguments}: exit 2 without an error: {output[-400:]}"
    control = re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\udc80-\udcff]", output)
    return f"{arguments}: prints {control.group()!r}" if control else None


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"fnv1a64:{value:016x}"


class Cases:
    """What is damaged, and what is then done with it."""

    def __init__(self, folder):
        self.results = folder / "results"
        self.results.mkdir()
        (self.results / "s.yaml").write_text(
            "name: s\nduration: 4s\nestimator: oracle\nparticipants:\n  - {id: ann, publish: {camera: 360p30}}\n"
            "  - {id: bob, down: {capacity: 700 kbps}, view: {everybody: 360p}}\ntimeline:\n"
            "  - {at: 1s, participant: ann, speaks: 2s}\nexpect:\n"
            '  - {viewer: bob, source: ann, metric: frame_height, stat: p50, is: ">= 90"}\n',
            encoding="utf-8",
        )
        (self.results / "w.yaml").write_text(
            "name: w\nscenario: s.yaml\nset: {duration: 2s, expect: []}\nrepetitions: 2\nvariables:\n"
            "  capacity: {path: participants.bob.down.capacity, values: [500 kbps, 1 Mbps]}\n",
            encoding="utf-8",
        )
        for arguments in (["run", "s.yaml", "-q", "-o", "run"], ["sweep", "w.yaml", "-q", "-o", "sweep"]):
            assert meetsim(*arguments, cwd=self.results).returncode == 0

    def sweep(self, damage, folder):
        sweeps = sorted((ROOT / "scenarios/sweeps").glob("*.yaml")) + sorted(
            (ROOT / "Tests/Interoperability/whole").glob("sweep*.yaml")
        )
        text = damage.draw.choice(sweeps).read_text(encoding="utf-8")
        for name in ("scenarios", "traces"):
            (folder / name).symlink_to(ROOT / "scenarios" / ("" if name == "scenarios" else name))
        text = text.replace("../", "scenarios/")
        (folder / "f.yaml").write_text(damage.of_text(text), encoding="utf-8", errors="surrogatepass")
        yield ["validate", "f.yaml"]

    def trace(self, damage, folder):
        name, text = damage.draw.choice(list(TRACES.items()))
        text = damage.of_table(text) if name.endswith("csv") and damage.draw.random() < 0.5 else damage.of_text(text)
        (folder / name).write_text(text, encoding="utf-8")
        (folder / "f.yaml").write_text(
            f"name: f\nduration: 20s\nlinks: {{l: {{trace: {name}}}}}\nparticipants:\n"
            "  - {id: ann, up: l, down: l, publish: audio-only}\n",
            encoding="utf-8",
        )
        yield ["trace", "info", name]
        yield ["trace", "convert", name, "--to", damage.draw.choice(["rate-csv", "mahimahi"]), "-o", "converted"]
        yield ["run", "f.yaml", "-q", "-o", "out"]

    def recording(self, damage, folder):
        match damage.draw.randrange(3):
            case 0:
                damaged = damage.of_table(FRAMES) if damage.draw.random() < 0.5 else damage.of_text(FRAMES)
                (folder / "frames.csv").write_text(damaged, encoding="utf-8")
                (folder / "f.yaml").write_text(
                    "name: f\nduration: 3s\nparticipants:\n  - id: ann\n    publish: {camera: {frames: {file: frames.csv, "
                    "fps: 30, encodings: {q: 320x180, h: 640x360}}}}\n  - {id: bob, view: {everybody: 360p}}\n",
                    encoding="utf-8",
                )
                yield ["run", "f.yaml", "-q", "-o", "out"]
            case 1:
                damaged = damage.of_table(GETSTATS) if damage.draw.random() < 0.5 else damage.of_text(GETSTATS)
                (folder / "call.csv").write_text(damaged, encoding="utf-8")
                yield ["import", "getstats", "call.csv", "-o", "out"]
            case _:
                text = damage.draw.choice(DUMPS).read_text(encoding="utf-8")
                damaged = damage.of_json(text) if damage.draw.random() < 0.7 else damage.of_text(text)
                (folder / "dump.json").write_text(damaged, encoding="utf-8", errors="surrogatepass")
                yield ["import", "webrtc-internals", "dump.json", "-o", "out"]

    def result(self, damage, folder):
        kind = damage.draw.choice(["run", "sweep"])
        shutil.copytree(self.results / kind, folder / "r")
        files = sorted(path for path in (folder / "r").rglob("*") if path.is_file())
        path = damage.draw.choice(files)
        text = path.read_text(encoding="utf-8")
        change = {".csv": damage.of_table, ".json": damage.of_json}.get(path.suffix, damage.of_text)
        path.write_text((change if damage.draw.random() < 0.7 else damage.of_text)(text), encoding="utf-8")
        # Whoever damages a table may know what its manifest says of it.
        manifest = folder / "r/manifest.json"
        if path.suffix == ".csv" and damage.draw.random() < 0.7:
            text = manifest.read_text(encoding="utf-8")
            name = re.escape(str(path.relative_to(folder / "r")))
            text = re.sub(
                rf'("path"\s*:\s*"{name}"[^}}]*"hash"\s*:\s*")[^"]*', rf"\g<1>{fnv1a(path.read_bytes())}", text
            )
            manifest.write_text(text, encoding="utf-8")
        yield ["check", "r"]
        yield ["compare", self.results / kind, "r"]
        if kind == "run":
            yield ["explain", "r", "--worst", "2"]
            yield ["explain", "r", "--viewer", "bob", "--source", "ann", "--at", "2s"]
            yield ["steady", "r", "bitrate_bps", "--viewer", "bob", "--source", "ann", "--batches", "3"]
        else:
            yield ["status", "r"]
            yield ["merge", "r", "-q", "-o", "m"]
            yield ["sweep", "results/w.yaml", "-q", "-o", "r", "--resume"]


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    return Cases(tmp_path_factory.mktemp("fuzz"))


@pytest.mark.parametrize("kind", ["sweep", "trace", "recording", "result"])
def test_damaged_files_are_read_or_refused(cases, tmp_path, kind):
    only, _, number = SETTING.rpartition(":")
    if only not in ("", kind):
        pytest.skip("another kind")
    numbers = [int(number)] if only else range(int(number))

    def look(number):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "results").symlink_to(cases.results)
        found = [run(*a, folder=folder) for a in getattr(cases, kind)(Damage(kind, number), folder)]
        if not only:
            shutil.rmtree(folder)
        return [f"{kind}:{number}: {text}" for text in found if text]

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [text for found in pool.map(look, numbers) for text in found]
    assert not wrong, f"{len(wrong)} of {len(numbers)}\n" + "\n".join(wrong[:12])
