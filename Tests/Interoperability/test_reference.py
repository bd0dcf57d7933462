"""The reference has every key, column, metric and event; its pages are what the program writes, its examples valid."""

import csv
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import MEETSIM, ROOT, meetsim

PAGES = ROOT / "docs/reference"
ENTRY = re.compile(r"^### `([^`]+)`\n(.*?)(?=^### |^## |\Z)", re.MULTILINE | re.DOTALL)


def entries(page):
    return ENTRY.findall((PAGES / page).read_text(encoding="utf-8"))


def facts(text):
    """Returns the labels of an entry with the text after them."""
    return dict(re.findall(r"^- ([a-z ]+):(.*(?:\n  - .*)*)", text, re.MULTILINE))


def test_the_pages_are_what_the_program_writes(tmp_path):
    assert meetsim("reference", "--markdown", tmp_path).returncode == 0
    written = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    kept = {path.name: path.read_text(encoding="utf-8") for path in PAGES.glob("*.md")}
    assert set(written) == set(kept)
    different = [name for name in sorted(kept) if written[name] != kept[name]]
    assert not different, "run: meetsim reference --markdown docs/reference"


def paths(schema, root, seen, path=""):
    """Returns every key of a schema, with each definition only at its first place."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        # A sweep's scenario has the keys of scenarios, which have a separate page.
        if name in seen or name == "varied-scenario":
            return
        seen.add(name)
        schema = root["definitions"][name]
    for part in schema.get("anyOf", []) + [p for p in schema.get("allOf", []) if "$ref" in p]:
        yield from paths(part, root, seen, path)
    for key, value in schema.get("properties", {}).items():
        inner = f"{path}.{key}" if path else key
        yield inner
        yield from paths(value, root, seen, inner)
    if isinstance(schema.get("items"), dict):
        yield from paths(schema["items"], root, seen, path + "[]")
    if isinstance(schema.get("additionalProperties"), dict):
        yield from paths(schema["additionalProperties"], root, seen, path + ".NAME")


@pytest.mark.parametrize("kind", ["scenario", "sweep"])
def test_every_key_of_the_schema_has_an_entry(kind):
    """test_schema looks for keys that the reader knows beyond the schema."""
    schema = json.loads(meetsim("schema", kind).stdout)
    # Parameters are the same for both directions of an estimator.
    wanted = {re.sub(r"^estimator\.(up|down)\.", "estimator.", path) for path in paths(schema, schema, set())}
    found = dict(entries(f"{kind}.md"))
    assert set(found) == wanted and len(found) > (500 if kind == "scenario" else 30)
    for key, text in found.items():
        stated = facts(text)
        assert re.match(r"\n\S", text) and {"type", "systems"} <= set(stated), key
        example = re.search(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        last = re.escape(key.rsplit(".", 1)[-1])
        assert example and re.search(rf"(^|[ {{]|- ){last}:|\"{last}\":", example[1], re.MULTILINE), key


def test_examples_are_valid_and_need_no_advice(tmp_path):
    for file in (PAGES / "files").iterdir():
        shutil.copy(file, tmp_path)
    names = {}
    for page in ("scenario.md", "sweep.md"):
        for key, text in entries(page):
            name = f"{len(names)}.yaml"
            names[name] = key
            example = re.search(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[1]
            (tmp_path / name).write_text(example, encoding="utf-8")
    done = subprocess.run(
        [MEETSIM, "validate", *names], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    said = [line for line in done.stderr.splitlines() if ": note: " not in line]
    problems = [f"{names.get(line.split(':')[0])}: {line}" for line in said]
    assert done.returncode == 0 and not problems, "\n".join(problems)


def test_each_limitation_has_a_meeting_that_shows_it(tmp_path):
    """One of Bob's tiles has the limitation for some time, as the page says."""
    words = entries("limitations.md")
    assert len(words) == 13
    for word, text in words:
        file = tmp_path / f"{word}.yaml"
        file.write_text(re.search(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[1], encoding="utf-8")
        done = meetsim("run", file, "-q", "-o", tmp_path / word)
        assert done.returncode == 0, done.stderr
        with open(tmp_path / word / "streams.csv", newline="", encoding="utf-8") as table:
            found = {row["limitation"] for row in csv.DictReader(table) if row["viewer"] == "bob"}
        assert word in found, (word, found)


def test_every_entry_has_an_example_that_is_valid(tmp_path):
    """The pages have the examples of keys; `meetsim reference NAME...` prints all others."""
    index = meetsim("reference").stdout
    rest = index[index.index("\nEvents\n") :]
    names = sorted({word for line in rest.splitlines() if line.startswith(" ") for word in line.split()})
    files = {}
    # A heading with an indented body, or a line of a list if too many entries have the name.
    shown = re.findall(r"^\S.*\n(?:  .*\n|\n)*", meetsim("reference", *names).stdout, re.MULTILINE)
    assert len(shown) >= len(names)
    for entry in shown:
        examples = re.findall(r"^  example\n((?:    .*\n|\n)+)", entry, re.MULTILINE)
        assert examples or re.match(r"\S+ \([^)]*\): ", entry), entry
        for example in examples:
            files.setdefault(re.sub(r"^    ", "", example, flags=re.MULTILINE).strip() + "\n", entry)
    for file in (PAGES / "files").iterdir():
        shutil.copy(file, tmp_path)
    for number, example in enumerate(files):
        (tmp_path / f"{number}.yaml").write_text(example, encoding="utf-8")
    done = subprocess.run(
        [MEETSIM, "validate", *(f"{number}.yaml" for number in range(len(files)))],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0 and len(files) > 150, done.stderr


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Results that together have most events and all metrics."""
    folder = tmp_path_factory.mktemp("runs")
    files = [ROOT / f"docs/documents/{name}.yaml" for name in ("request-errors", "custom-states", "audio-fallback")]
    files += [ROOT / "scenarios/picture-in-picture.yaml", ROOT / "docs/yardstick/two-viewers.yaml"]
    for file in files:
        done = meetsim("run", file, "-q", "-o", folder / file.stem)
        assert done.returncode == 0, done.stderr
    return folder


def rows(runs, table):
    for path in sorted(Path(runs).glob(f"*/{table}.csv")):
        with open(path, newline="", encoding="utf-8") as file:
            yield from csv.DictReader(file)


def test_every_metric_that_a_run_writes_is_declared(runs):
    page = (PAGES / "metrics.md").read_text(encoding="utf-8")
    declared = set()
    for scope, table in re.findall(r"^### (\w+)\n\n(.*?)(?=\n###|\Z)", page, re.MULTILINE | re.DOTALL):
        for line in table.splitlines()[2:]:
            name, _, stat, unit, better, *_ = [cell.strip(" `") for cell in line.strip("|").split("|")]
            declared.add((scope, name, stat, unit, better))
    found = {(r["scope"], r["metric"], r["stat"], r["unit"], r["direction"]) for r in rows(runs, "scalars")}
    assert found == declared


def test_every_event_that_a_run_writes_is_declared(runs):
    declared = {}
    for name, text in entries("events.md"):
        results = re.findall(r"^- result: ([\w-]+):|^  - ([\w-]+): ", text, re.MULTILINE)
        declared.setdefault(name, set()).update(one or other for one, other in results)
    found = {(r["event"], r["result"].split(":")[0]) for r in rows(runs, "events")}
    assert len(found) > 20 and {e for e, r in found if r not in declared.get(e, ())} == set()


def test_columns_are_those_of_the_tables(runs):
    package = json.loads(next(Path(runs).glob("*/datapackage.json")).read_text())
    listed = meetsim("reference", "streams").stdout
    for resource in package["resources"]:
        for field in resource["schema"]["fields"]:
            done = meetsim("reference", f"{resource['name']}.{field['name']}") if field["name"] == "state" else None
            assert done is None or all(word in done.stdout for word in field["constraints"]["enum"])
            assert resource["name"] != "streams" or field["name"] in listed


def test_names_are_found_by_their_last_parts():
    pin = meetsim("reference", "view.pin")
    assert pin.returncode == 0 and pin.stdout.startswith("participants[].view.pin\n")
    both = meetsim("reference", "limitation").stdout
    assert "streams.limitation\n" in both and "sender-uplink: " in both
    assert meetsim("reference", "sender-uplink").stdout.startswith("sender-uplink\n  limitation\n")
    many = meetsim("reference", "size").stdout
    entries_found = [line for line in many.splitlines() if not line.startswith("    ")]
    assert all(re.match(r"\S+ \([^)]*\): ", line) for line in entries_found) and len(entries_found) > 8


def test_several_names_are_explained_in_turn():
    both = meetsim("reference", "sender-uplink", "view.pin")
    parts = [meetsim("reference", name).stdout for name in ("sender-uplink", "view.pin")]
    assert (both.returncode, both.stdout) == (0, "\n".join(parts))
    with_unknown = meetsim("reference", "sender-uplink", "limitaton", "view.pin")
    assert (with_unknown.returncode, with_unknown.stdout) == (2, both.stdout)
    assert with_unknown.stderr.startswith("error: the reference has no 'limitaton': ")


def test_a_value_leads_to_the_keys_that_take_it():
    shown = meetsim("reference", "short-tcp").stdout
    assert shown.startswith("cross-traffic[].kind\n") and "one of tcp, short-tcp, constant, on-off" in shown
    both = meetsim("reference", "tcp").stdout
    assert "cross-traffic[].kind\n" in both and "participants[].transport\n" in both
    assert meetsim("reference", "one").returncode == 2


def test_a_part_of_a_name_leads_to_the_whole():
    assert "did you mean 'cross-traffic'" in meetsim("reference", "cross").stderr
    assert "did you mean 'share: screen'" in meetsim("reference", "screen share").stderr


def test_an_unknown_name_gets_its_neighbours():
    done = meetsim("reference", "limitaton")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: the reference has no 'limitaton': did you mean ")
    assert "'limitation'" in done.stderr


def test_the_index_names_everything():
    index = meetsim("reference").stdout
    for word in ("participants[].view.pin", "streams.limitation", "gap_rule", "setVideoSource", "sender-uplink", "jitsi"):
        assert re.search(rf"(^|\s){re.escape(word)}(\s|$)", index), word


@pytest.mark.parametrize("subject", ["keys", "events", "metrics", "limitations"])
def test_lists_are_aligned(subject):
    lines = meetsim("list", subject).stdout.splitlines()
    starts = {re.match(r" *\S+(?: \(\w+\))?( +)", line).end() for line in lines if re.match(r" *\S+(?: \(\w+\))?  ", line)}
    assert len(lines) > 10 and len(starts) <= 2, starts
