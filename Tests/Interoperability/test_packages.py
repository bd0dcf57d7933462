"""Frictionless accepts result directories, with every row of every table."""

import csv
import json
import shutil

import pytest
from conftest import ROOT, meetsim
from frictionless import Package, system


def problems(directory):
    with system.use_context(trusted=True):
        report = Package(str(directory / "datapackage.json")).validate()
    return report, [e.message for task in report.tasks for e in task.errors] + [e.message for e in report.errors]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run") / "out"
    done = meetsim("run", ROOT / "scenarios/one-to-one.yaml", "-q", "-o", folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def sweep(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sweep") / "out"
    done = meetsim("sweep", ROOT / "scenarios/sweeps/smoke.yaml", "-q", "-o", folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("kind", ["run", "sweep"])
def test_every_table_of_a_directory_is_described(kind, request):
    directory = request.getfixturevalue(kind)
    report, errors = problems(directory)
    assert report.valid and errors == []
    described = {task.place: task.stats["rows"] for task in report.tasks}
    tables = {p.name for p in directory.glob("*.csv")}
    assert set(described) == tables
    for name, rows in described.items():
        with open(directory / name, newline="", encoding="utf-8") as file:
            assert rows == sum(1 for _ in csv.reader(file)) - 1
    assert described["scalars.csv"] > 10


def test_compressed_tables_are_described(tmp_path):
    done = meetsim("run", ROOT / "scenarios/one-to-one.yaml", "-q", "-o", tmp_path / "out", "--compress")
    assert done.returncode == 0, done.stderr
    report, errors = problems(tmp_path / "out")
    assert report.valid and errors == []
    rows = {task.place: task.stats["rows"] for task in report.tasks}
    assert rows["streams.csv.gz"] > 10 and rows["scalars.csv"] > 10
    assert set(rows) == {path.name for path in (tmp_path / "out").glob("*.csv*")}


def test_a_damaged_table_is_found(run, tmp_path):
    """Otherwise acceptance would prove nothing."""
    copy = tmp_path / "copy"
    shutil.copytree(run, copy)
    table = copy / "scalars.csv"
    table.write_text(table.read_text().replace(",px,bigger,", ",px,bigger,x", 1))
    report, errors = problems(copy)
    assert not report.valid and any("number" in e for e in errors)


def test_a_word_that_is_none_and_a_row_without_its_interval_are_found(run, tmp_path):
    """Enums and keys are checked, not merely stated."""
    copy = tmp_path / "copy"
    shutil.copytree(run, copy)
    table = copy / "streams.csv"
    table.write_text(table.read_text().replace(",receiving,", ",recieving,", 1))
    report, errors = problems(copy)
    assert not report.valid and any("enum" in e for e in errors), errors
    shutil.copy(run / "streams.csv", table)
    people = copy / "participants.csv"
    lines = people.read_text().splitlines(keepends=True)
    people.write_text("".join(lines[:1] + lines[2:]))
    report, errors = problems(copy)
    assert not report.valid and any("foreign key" in e for e in errors), errors
    people.write_text("".join(lines[:2] + lines[1:]))
    report, errors = problems(copy)
    assert not report.valid and any("primary key" in e for e in errors), errors


def test_an_event_of_nobody_who_was_there_is_found(run, tmp_path):
    """An event of a link has no participant, and none is missing."""
    copy = tmp_path / "copy"
    shutil.copytree(run, copy)
    table = copy / "events.csv"
    text = table.read_text()
    run_id = text.splitlines()[1].split(",")[0]
    table.write_text(text + f"{run_id},1.000,,capacity,,ok\n")
    report, errors = problems(copy)
    assert report.valid and errors == []
    table.write_text(text + f"{run_id},1.000,stranger,speaks,,ok\n")
    report, errors = problems(copy)
    assert not report.valid and any("foreign key" in e for e in errors), errors


def test_columns_carry_their_meaning(run):
    package = json.loads((run / "datapackage.json").read_text())
    assert {r["name"] for r in package["resources"]} >= {"streams", "participants", "links", "scalars"}
    for resource in package["resources"]:
        assert all(field["description"] for field in resource["schema"]["fields"])
        assert resource["schema"]["missingValues"] == [""]
