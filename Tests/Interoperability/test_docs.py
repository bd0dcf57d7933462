"""The pages on allocations, views, the yardstick and result files: their commands run as written, and print the output shown after them."""

import json
import os
import re
import subprocess
import textwrap

import pytest
from conftest import MEETSIM, ROOT, load_yaml, meetsim

PAGES = [
    ROOT / "docs" / name
    for name in ("allocate.md", "views.md", "yardstick.md", "which-file.md", "explain.md")
]
PROGRAM = ".build/release/meetsim"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
# Outside a terminal, lines have the lengths shown in the documentation, whatever the shell exports.
AS_SHOWN = {key: value for key, value in os.environ.items() if key != "COLUMNS"}


def blocks(page, kind):
    return [text for word, text in BLOCK.findall(page.read_text(encoding="utf-8")) if word == kind]


def commands():
    """Returns every command on the pages."""
    return [(page, block) for page in PAGES for block in blocks(page, "sh")]


def name(value):
    """Returns a page's name, for the name of a case."""
    return getattr(value, "stem", "block")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A folder with the files that the pages name, where 'out' can be written."""
    folder = tmp_path_factory.mktemp("checkout")
    for part in ("docs", "scenarios"):
        (folder / part).symlink_to(ROOT / part)
    (folder / PROGRAM).parent.mkdir(parents=True)
    (folder / PROGRAM).symlink_to(MEETSIM)
    (folder / "out").mkdir()
    return folder


@pytest.mark.parametrize(("page", "block"), commands(), ids=name)
def test_commands_print_what_the_page_shows(page, block, checkout):
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block], cwd=checkout, capture_output=True, text=True, check=False,
        env=AS_SHOWN,
    )
    assert (done.returncode, done.stderr) == (0, "")
    if not any(f"{PROGRAM} {command}" in block for command in ("allocate", "explain")):
        return
    text = page.read_text(encoding="utf-8")
    rest = text[text.index(f"```sh\n{block}```\n") + len(block) :]
    shown = rest[rest.index("```\n") + 4 :].removeprefix("\n").removeprefix("```csv\n").removeprefix("```\n")
    assert shown.startswith(done.stdout) and (done.stdout or " -o out/" in block)


def test_the_scenario_of_the_readme_and_that_of_the_help_run_as_they_are(tmp_path):
    help_text = meetsim("init", "--help").stdout.split("can say:\n")[1].split("EXAMPLES")[0]
    readme = list(blocks(ROOT / "README.md", "yaml"))
    assert len(readme) == 1
    for place, text in enumerate([*readme, textwrap.dedent(help_text)]):
        (tmp_path / f"own-{place}.yaml").write_text(text, encoding="utf-8")
        done = meetsim("run", tmp_path / f"own-{place}.yaml", "-q", "--check")
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("page", ["ci", "documents", "livekit-first-seconds"])
def test_commands_of_other_pages_run(page, tmp_path):
    """These pages do not show the output of their commands."""
    for part in ("docs", "scenarios"):
        (tmp_path / part).symlink_to(ROOT / part)
    (tmp_path / PROGRAM).parent.mkdir(parents=True)
    for place in (PROGRAM, "meetsim"):
        (tmp_path / place).symlink_to(MEETSIM)
    if page != "documents":
        (tmp_path / "out").mkdir()
    found = blocks(ROOT / f"docs/{page}.md", "sh")
    for block in found:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", f"PATH=$PWD:$PATH\n{block}"],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )
        assert done.returncode == 0, done.stderr
    assert found


def test_the_pages_have_commands():
    """Otherwise the test above would have nothing to run."""
    assert len(commands()) >= 15
    assert {page.name for page, _ in commands()} == {"allocate.md", "yardstick.md", "which-file.md", "explain.md"}


SCENARIOS = [(page, block) for page in PAGES for block in blocks(page, "yaml")]


@pytest.mark.parametrize(("page", "block"), SCENARIOS, ids=name)
def test_scenarios_on_the_pages_are_valid(page, block, tmp_path):
    file = tmp_path / "page.yaml"
    file.write_text(block, encoding="utf-8")
    done = meetsim("validate", file)
    assert done.returncode == 0 and "warning" not in done.stderr, done.stderr


def systems():
    """Returns the ids of all policies."""
    return set(re.findall(r"^([a-z]+): ", meetsim("list", "policies").stdout, re.MULTILINE))


def view_of(schema):
    return schema["definitions"]["view"]


def test_the_table_of_signals_is_that_of_the_schema():
    schema = json.loads(meetsim("schema", "scenario").stdout)
    declared = {
        re.fullmatch(r"Signals of policy (\w+)\.", one["description"])[1]: list(one["properties"])
        for one in view_of(schema)["properties"]["signals"]["anyOf"]
    }
    page = (ROOT / "docs/allocate.md").read_text(encoding="utf-8").split("\n## Signals\n")[1]
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", page, re.MULTILINE)
    assert {system: re.findall(r"`([a-z-]+)`", keys) for system, keys in rows} == declared
    without = set(re.findall(r"`(\w+)`", re.search(r"^(.*) take no signals", page, re.MULTILINE)[1]))
    assert without | set(declared) == systems() and not without & set(declared)


def test_the_table_of_views_has_every_arrangement():
    schema = json.loads(meetsim("schema", "scenario").stdout)
    stated = re.search(r"exactly one of ([^:]*), or a stage alone", view_of(schema)["description"])[1].split(", ")
    page = (ROOT / "docs/views.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ((?:`[a-z-]+`(?:, )?)+) \|", page, re.MULTILINE)
    named = {key for row in rows for key in re.findall(r"`([a-z-]+)`", row)}
    assert set(stated) | {"stage", "share", "page", "per-page", "pin", "screen", "weight"} <= named
    assert named - {"weight"} <= set(view_of(schema)["properties"]) | systems()


def test_the_table_of_the_yardstick_is_what_a_run_writes(tmp_path):
    file = ROOT / "docs/yardstick/two-viewers.yaml"
    assert meetsim("validate", file).returncode == 0 and load_yaml(file)["name"] == "two-viewers"
    page = (ROOT / "docs/yardstick.md").read_text(encoding="utf-8")
    stated = set()
    for metrics, stats, unit, better in re.findall(
        r"^\| ((?:`\w+`(?:, )?)+) \| ([a-z, ]+) \| (\w+) \| [^|]* \| (\w*) ?\|", page, re.MULTILINE
    ):
        stated |= {
            (metric, stat, unit, better or "neither")
            for metric in re.findall(r"`(\w+)`", metrics)
            for stat in stats.split(", ")
        }
    found = {}
    for flag in ("true", "false"):
        done = meetsim("run", file, "-q", "-o", tmp_path / flag, "--set", f"yardstick={flag}")
        assert done.returncode == 0, done.stderr
        rows = [line.split(",") for line in (tmp_path / flag / "scalars.csv").read_text().splitlines()[1:]]
        found[flag] = {(r[4], r[5], r[6], r[7]) for r in rows}
    assert found["true"] - found["false"] == stated


def test_parts_of_the_gap_add_up(tmp_path):
    """The sum is exact to the last digit, as the page says."""
    done = meetsim("run", ROOT / "docs/yardstick/two-viewers.yaml", "-q", "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    values = {}
    for line in (tmp_path / "out/scalars.csv").read_text().splitlines()[1:]:
        row = line.split(",")
        if row[1] == "participant" and row[8] and row[6] == "1":
            values.setdefault(row[2], {})[row[4]] = round(float(row[8]) * 1_000_000)
    for viewer in ("v", "w"):
        own = values[viewer]
        parts = sum(own[f"gap_{part}"] for part in ("estimate", "reserve", "rule", "switching", "loss"))
        assert parts == own["optimum"] - own["utility"]


def test_the_tutorial_prints_what_it_shows(tmp_path):
    """Its commands run in order, in a separate folder; '…' on the page stands for any text."""
    (tmp_path / PROGRAM).parent.mkdir(parents=True)
    (tmp_path / PROGRAM).symlink_to(MEETSIM)
    (tmp_path / "out").mkdir()
    page = (ROOT / "docs/tutorial.md").read_text(encoding="utf-8")
    printed, shown = "", 0
    for kind, block in BLOCK.findall(page):
        if kind == "sh":
            done = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", f"exec 2>&1; {block}"],
                cwd=tmp_path, capture_output=True, text=True, check=False, env=AS_SHOWN,
            )
            assert done.returncode == 0, done.stdout
            printed = done.stdout
        else:
            # Progress of long work is printed first, or not at all if it is quick.
            begins = "(.|\n)*" if block.startswith("…\n") else ""
            lines = begins + "(.|\n)*".join(map(re.escape, block.removeprefix("…\n").rstrip("\n").split("…")))
            assert re.fullmatch(lines, printed.rstrip("\n")), f"shown:\n{block}\nprinted:\n{printed}"
            shown += 1
    assert shown >= 6
