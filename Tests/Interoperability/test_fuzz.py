"""Damaged sweeps, traces, recordings and result directories: read, or refused with a position; never a crash.

CI runs some of each; for more, `MEETSIM_FUZZ=5000 pytest Tests/Interoperability/test_fuzz.py -s`. Failures are named by
their kind and number, by which they can be repeated: `MEETSIM_FUZZ=sweep:4711`.
"""

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import MEETSIM, ROOT, meetsim

sys.path.append(str(ROOT / "Tests/RandomFiles"))
from damage import Damage  # noqa: E402

SETTING = os.environ.get("MEETSIM_FUZZ", "60")
#: More memory than a machine has, which no small file should take [B].
MEMORY = 4 << 30
SEEDS = ROOT / "Tests/RandomFiles/seeds"
TRACES = {path.name: path.read_bytes().decode() for path in sorted((SEEDS / "trace").iterdir())}
GETSTATS = (SEEDS / "getstats/short.csv").read_text(encoding="utf-8")
FRAMES = (ROOT / "Tests/Interoperability/whole/frames.csv").read_text(encoding="utf-8")
DUMPS = sorted((ROOT / "Tests/CallStatisticsTests/Dumps").glob("*.json"))


def run(*arguments, folder):
    """Runs a command with bounds on time and memory; returns what is wrong with how it ended, or nothing."""
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
    """The damaged files, and the commands that read them."""

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
        # The damage to a table may be accompanied by a matching manifest.
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
