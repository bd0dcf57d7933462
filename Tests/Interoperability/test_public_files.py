"""Files read by GitHub and for citation, workflows and CITATION.cff, checked with the tools that know their rules."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, load_yaml, meetsim

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
FIRST, SECOND = ('bash -ec "$(.ci/readme 1)"', 'bash -ec "$(.ci/readme 2)"')


def ran(*command):
    """Returns the output of a command, which has to succeed."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def scripts(job):
    """Returns the commands of a job's steps."""
    return [step["run"] for step in job["steps"] if "run" in step]


def test_workflows_follow_their_schema():
    assert [path.name for path in WORKFLOWS] == ["ci.yml", "release.yml"]
    ran(sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", *WORKFLOWS)


def zizmor(*paths):
    program = Path(sys.executable).with_name("zizmor")
    return subprocess.run(
        [program, "--offline", "--no-progress", "--persona", "auditor", *paths], capture_output=True, text=True,
        check=False,
    )  # fmt: skip


def test_workflows_are_audited(tmp_path):
    done = zizmor(ROOT / ".github")
    assert done.returncode == 0 and "No findings" in done.stdout, done.stdout + done.stderr
    careless = tmp_path / "ci.yml"
    text = WORKFLOWS[0].read_text(encoding="utf-8")
    careless.write_text(text.replace("persist-credentials: false", "fetch-depth: 1"), encoding="utf-8")
    assert "artipacked" in zizmor(careless).stdout


@pytest.mark.parametrize("number", [1, 2])
def test_the_commands_are_those_of_the_readme(number):
    blocks = re.findall(r"^```sh\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)
    assert ran(ROOT / ".ci/readme", number) == blocks[number - 1]
    assert ("run scenarios" in blocks[0], "swift test" in blocks[1]) == (True, True)


def test_ci_runs_the_readme_on_ubuntu_and_macos_and_everything_on_debian():
    jobs = load_yaml(ROOT / ".github/workflows/ci.yml")["jobs"]
    systems = jobs["readme"]["strategy"]["matrix"]["system"]
    assert {re.sub(r"-.*", "", system) for system in systems} == {"ubuntu", "macos"}
    assert scripts(jobs["readme"]) == [FIRST, SECOND]
    assert scripts(jobs["everything"])[-1] == ".ci/run"
    assert jobs["everything"]["container"].startswith("debian:12@sha256:")


def test_a_release_has_the_archive_and_its_checksum():
    workflow = load_yaml(ROOT / ".github/workflows/release.yml")
    assert workflow["on"] == {"push": {"tags": ["v*"]}}
    archive, release = workflow["jobs"]["archive"], workflow["jobs"]["release"]
    order = [scripts(archive).index(one) for one in (FIRST, "bash .ci/package")]
    assert order == sorted(order) and any("test_package.py" in one for one in scripts(archive))
    assert archive["permissions"] == {"contents": "read"} and release["needs"] == "archive"
    assert "sha256sum -c" in scripts(release)[0] and "gh release upload" in scripts(release)[0]


@pytest.fixture(scope="module")
def cffconvert(tmp_path_factory):
    """Runs in a separate environment, as it needs an older jsonschema than the other tools."""
    folder = tmp_path_factory.mktemp("citation")
    wanted = Path(__file__).with_name("requirements-citation.txt")
    for command in (
        [sys.executable, "-m", "venv", folder],
        [folder / "bin/pip", "install", "-q", "--disable-pip-version-check", "-r", wanted],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            pytest.skip(f"cffconvert can't be installed here: {(done.stdout + done.stderr).strip()[-300:]}")
    return folder / "bin/cffconvert"


def test_the_citation_is_valid(cffconvert, tmp_path):
    assert "valid according to schema version 1.2.0" in ran(cffconvert, "--validate", "-i", ROOT / "CITATION.cff")
    assert "title = {meetsim" in ran(cffconvert, "-f", "bibtex", "-i", ROOT / "CITATION.cff")
    broken = tmp_path / "CITATION.cff"
    broken.write_text("cff-version: 1.2.0\ntitle: meetsim\n", encoding="utf-8")
    done = subprocess.run([cffconvert, "--validate", "-i", broken], capture_output=True, text=True, check=False)
    assert done.returncode != 0


def test_the_citation_is_of_this_version():
    citation = load_yaml(ROOT / "CITATION.cff")
    assert citation["version"] == meetsim("--version").stdout.strip()
    assert citation["license"] == "MIT" and (ROOT / "LICENSE").read_text().startswith("MIT License")
