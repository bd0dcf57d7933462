"""Results as data frames: `results("out").streams`, and `run("scenario.yaml", seed=3)`, which calls the program."""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pandas as pd

from meetsim_plots.results import PlotError, read_csv, table_path

ROOT = Path(__file__).parents[2]


class Results:
    """A result directory of a run or a sweep; its tables are attributes.

    A table's `attrs["units"]` has the unit of each column of numbers, `attrs["meanings"]` what each column says.
    """

    def __init__(self, directory: str | os.PathLike, temporary: tempfile.TemporaryDirectory | None = None) -> None:
        self.directory = Path(directory)
        # Kept for as long as these results are.
        self._temporary = temporary
        self._schemas = schemas(self.directory)
        self._tables: dict[str, pd.DataFrame] = {}

    @property
    def tables(self) -> list[str]:
        """The names of the tables."""
        return list(self._schemas)

    @property
    def manifest(self) -> dict:
        """Scenario, seed, version and more, as `manifest.json` has it."""
        return read_json(self.directory / "manifest.json")

    def __getattr__(self, name: str) -> pd.DataFrame:
        if name.startswith("_") or name not in self._schemas:
            known = "" if name.startswith("_") else f"; there are {', '.join(self._schemas)}"
            raise AttributeError(f"'{self.directory}' has no table '{name}'{known}")
        if name not in self._tables:
            self._tables[name] = read_frame(table_path(self.directory, name), self._schemas[name])
        return self._tables[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._schemas]

    def __repr__(self) -> str:
        return f"Results('{self.directory}': {', '.join(self._schemas)})"


def results(directory: str | os.PathLike) -> Results:
    """The results that `meetsim run -o` or `meetsim sweep -o` wrote."""
    return Results(directory)


def run(
    scenario: str | os.PathLike, seed: int | None = None, output: str | os.PathLike | None = None,
    settings: dict[str, object] | None = None, program: str | os.PathLike | None = None,
) -> Results:
    """Runs a scenario; without `output` the results last as long as the value returned.

    `settings` overrides values of the scenario by their paths: `{"links.home.capacity": "1 Mbps"}`.
    """
    temporary = None if output else tempfile.TemporaryDirectory(prefix="meetsim-")
    directory = Path(output) if output else Path(temporary.name) / "out"
    command = [str(program or find_program()), "run", str(scenario), "-q", "-o", str(directory)]
    if seed is not None:
        command += ["--seed", str(seed)]
    for path, value in (settings or {}).items():
        command += ["--set", f"{path}={value}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise PlotError(done.stderr.strip() or f"{command[0]} exited with {done.returncode}")
    return Results(directory, temporary)


def find_program() -> Path:
    """`$MEETSIM`, the program on the PATH, or the one built here."""
    named = os.environ.get("MEETSIM") or shutil.which("meetsim")
    paths = [Path(named)] if named else [ROOT / ".build" / kind / "meetsim" for kind in ("release", "debug")]
    for path in paths:
        if path.is_file():
            return path
    raise PlotError("there is no meetsim: build it, put it on the PATH, or name it with MEETSIM")


def schemas(directory: Path) -> dict[str, list[dict]]:
    """The columns of each table, by `datapackage.json`."""
    if not directory.is_dir():
        raise PlotError(f"'{directory}' is not a directory")
    package = read_json(directory / "datapackage.json")
    return {resource["name"]: resource["schema"]["fields"] for resource in package.get("resources", [])}


def read_json(path: Path) -> dict:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise PlotError(f"cannot read '{path}': is it in a result directory? {error}") from error


def read_frame(path: Path, fields: list[dict]) -> pd.DataFrame:
    """A table with the types of its columns; only an empty field is missing."""
    kinds = {"string": "str", "number": "float64", "integer": "float64", "boolean": "boolean"}
    frame = read_csv(
        path, dtype={field["name"]: kinds[field["type"]] for field in fields}, keep_default_na=False, na_values=[""]
    )
    for field in fields:
        name = field["name"]
        if field["type"] == "integer" and frame[name].notna().all():
            frame[name] = frame[name].astype("int64")
    frame.attrs["units"] = {field["name"]: field["unit"] for field in fields if "unit" in field}
    frame.attrs["meanings"] = {field["name"]: field.get("description", "") for field in fields}
    return frame
