"""The output of 'meetsim check' for CI systems, and the workflow in the documentation."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import MEETSIM, ROOT, load_yaml, meetsim
from junitparser import Error, Failure, JUnitXml, Skipped

WORKFLOW = ROOT / "docs/examples/meetsim.yml"
SWEEP = """
name: gate
scenario: one.yaml
set: {{duration: 8s, timeline: [], estimator: oracle}}
variables: {{capacity: {{path: links.home.capacity, values: [300 kbps, 3 Mbps]}}}}
repetitions: 3
expect:
  - {{viewer: patient, source: doctor, metric: frame_height, stat: p50, is: ">= {height}"}}
"""


def made_sweep(folder, height):
    scenario = (ROOT / "scenarios/one-to-one.yaml").read_text(encoding="utf-8")
    (folder / "one.yaml").write_text(scenario, encoding="utf-8")
    (folder / "gate.yaml").write_text(SWEEP.format(height=height), encoding="utf-8")
    done = subprocess.run(
        [MEETSIM, "sweep", "gate.yaml", "-q", "-o", "out"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_junit_is_read_back(tmp_path):
    made_sweep(tmp_path, 720)
    done = subprocess.run(
        [MEETSIM, "check", "out", "--junit", "junit.xml"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    suite = next(iter(JUnitXml.fromfile(str(tmp_path / "junit.xml"))))
    assert (suite.name, suite.tests, suite.failures, suite.errors) == ("gate", 2, 1, 0)
    assert {p.name: p.value for p in suite.properties()} == {"version": "0.1.0", "repetitions": "3"}
    for case in suite:
        assert case._elem.get("file") == "gate.yaml" and case._elem.get("line") == "8"
        kinds = [type(r) for r in case.result]
        assert kinds == ([Failure] if "capacity 300 kbps]" in case.name else [])


def fnv1a64(data):
    """Returns the hash that manifests state for tables."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"fnv1a64:{value:016x}"


def test_missing_runs_are_errors_and_no_failures(tmp_path):
    made_sweep(tmp_path, 1)
    table = tmp_path / "out/runs.csv"
    rows = table.read_text().splitlines()
    lost = rows[-1].split(",")[0]
    table.write_text("\n".join(r.replace(",ok,", ",failed,trapped") if r.startswith(lost) else r for r in rows) + "\n")
    # A table modified by hand is refused, so the manifest has to match it.
    manifest = tmp_path / "out/manifest.json"
    content = json.loads(manifest.read_text())
    next(t for t in content["tables"] if t["path"] == "runs.csv")["hash"] = fnv1a64(table.read_bytes())
    manifest.write_text(json.dumps(content))
    done = subprocess.run(
        [MEETSIM, "check", "out", "--junit", "junit.xml"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 3
    suite = next(iter(JUnitXml.fromfile(str(tmp_path / "junit.xml"))))
    assert (suite.tests, suite.failures, suite.errors) == (3, 0, 1)
    assert [type(r) for case in suite for r in case.result] == [Error]
    assert not any(isinstance(r, Skipped) for case in suite for r in case.result)


def test_github_gets_an_annotation_on_the_line_and_a_summary(tmp_path):
    (tmp_path / "sweeps").mkdir()
    made_sweep(tmp_path / "sweeps", 720)
    summary = tmp_path / "summary.md"
    summary.write_text("what an earlier command wrote\n")
    done = subprocess.run(
        [MEETSIM, "check", "out", "--github", "-q"], cwd=tmp_path / "sweeps", capture_output=True, text=True,
        check=False,
        env={**os.environ, "GITHUB_WORKSPACE": str(tmp_path), "GITHUB_STEP_SUMMARY": str(summary)},
    )
    assert done.returncode == 1
    found = re.findall(r"^::error file=([^,]*),line=(\d+),title=([^:]*)::(.*)$", done.stdout, re.MULTILINE)
    assert len(found) == 1
    file, line, title, text = found[0]
    expected = (tmp_path / file).read_text().splitlines()[int(line) - 1]
    assert file == "sweeps/gate.yaml" and 'is: ">= 720"' in expected
    assert title == "gate%3A expectation failed" and "(95 %25, n = 3)" in text
    assert summary.read_text().startswith("what an earlier command wrote\n### meetsim: gate\n")
    assert "| fail | frame_height (p50) of doctor at patient >= 720 px | capacity 300 kbps |" in summary.read_text()


def test_the_documented_workflow_is_one():
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", str(WORKFLOW)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def commands(job):
    """Returns the command lines of a job that call meetsim."""
    for step in load_yaml(WORKFLOW)["jobs"][job]["steps"]:
        for line in step.get("run", "").splitlines():
            if line.strip().startswith("meetsim "):
                yield line.strip()


def test_the_commands_of_the_documented_workflow_do_what_it_says(tmp_path):
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "meetsim").symlink_to(Path(MEETSIM).resolve())
    (tmp_path / "scenarios").symlink_to(ROOT / "scenarios")
    workflow = load_yaml(WORKFLOW)
    environment = {
        **os.environ, **workflow["env"], "PATH": f"{tools}:{os.environ['PATH']}",
        "GITHUB_WORKSPACE": str(tmp_path), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
    }
    ran = []
    shards = workflow["jobs"]["sweep"]["strategy"]["matrix"]["shard"]
    for line in [c.replace("${{ matrix.shard }}", str(s)) for s in shards for c in commands("sweep")] + list(
        commands("check")
    ):
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", line], cwd=tmp_path, env=environment, capture_output=True, text=True,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        ran.append(line.split()[1])
    assert ran == ["sweep"] * len(shards) + ["merge", "check"]
    whole = meetsim("sweep", ROOT / workflow["env"]["SWEEP"], "-q", "-o", tmp_path / "whole")
    assert whole.returncode == 0
    for table in ["runs.csv", "scalars.csv", "summary.csv"]:
        assert (tmp_path / "whole" / table).read_bytes() == (tmp_path / "results" / table).read_bytes()
    assert (tmp_path / "junit.xml").exists() and (tmp_path / "summary.md").read_text().startswith("### meetsim:")
