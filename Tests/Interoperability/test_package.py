"""The archive of '.ci/package', unpacked where there is only a C library."""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import tarfile
from pathlib import Path

import pytest
from conftest import MEETSIM, ROOT, meetsim

ARCHIVES = sorted((ROOT / ".build/package").glob("meetsim-*-linux-*.tar.gz"))
C_LIBRARY = re.compile(r"(libc|libm|libdl|libpthread|librt|ld-linux[-_a-z0-9]*)\.so\.\d+")
SUMMARY = ROOT / "results/remote-education.txt"


def commit(archive):
    """Returns the commit of the sources in the archive."""
    with tarfile.open(archive) as whole:
        name = next(one for one in whole.getnames() if re.search(r"/source/meetsim-[^/]*\.tar\.gz$", one))
        with tarfile.open(fileobj=whole.extractfile(name)) as source:
            return source.pax_headers["comment"]


@pytest.fixture(scope="module")
def archive():
    if not ARCHIVES:
        pytest.skip("there is no archive: 'bash .ci/package' makes one where Swift has static libraries")
    assert len(ARCHIVES) == 1
    head = subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    if commit(ARCHIVES[0]) != head.stdout.strip():
        pytest.skip("the archive in .build/package is of another commit: 'bash .ci/package' makes it again")
    return ARCHIVES[0]


@pytest.fixture(scope="module")
def folder(archive, tmp_path_factory):
    """The folder in which the archive is unpacked, in a separate root."""
    place = tmp_path_factory.mktemp("root") / "some where"
    place.mkdir()
    subprocess.run(["tar", "-xzf", archive, "-C", place], check=True)
    return place / archive.name.removesuffix(".tar.gz")


def needed(program):
    """Returns the paths of the shared libraries that a program needs, and of their own."""
    text = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    return [Path(place) for place in re.findall(r"(/\S+) \(0x", text)]


@pytest.fixture(scope="module")
def inside(folder):
    """Runs the program in the root, without /proc, /dev or an environment."""
    root = folder.parents[1]
    for library in needed(folder / "bin/meetsim"):
        assert C_LIBRARY.fullmatch(library.name), library
        copy = root / library.relative_to("/")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(library, copy)
    place = f"/{folder.relative_to(root)}"
    if os.geteuid() == 0:

        def enter():
            os.chroot(root)
            os.chdir(place)

        command, options = ["bin/meetsim"], {"preexec_fn": enter}
    else:
        command, options = ["unshare", "--map-root-user", "--root", str(root), "--wd", place, "bin/meetsim"], {}

    def run(*arguments, **variables):
        try:
            return subprocess.run(
                [*command, *map(str, arguments)], env=variables, capture_output=True, text=True, check=False, **options
            )
        except (subprocess.SubprocessError, OSError) as error:
            pytest.skip(f"no other root may be entered here: {error}")

    first = run("--version")
    if first.returncode != 0 and first.stderr.startswith("unshare:"):
        pytest.skip(f"no other root may be entered here: {first.stderr.strip()}")
    return run


def test_the_checksum_is_that_of_the_archive(archive):
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    assert Path(f"{archive}.sha256").read_text() == f"{digest}  {archive.name}\n"


def test_the_archive_says_nothing_of_who_packed_it(archive):
    with tarfile.open(archive) as whole:
        members = whole.getmembers()
    assert {(one.uid, one.gid, one.uname, one.gname) for one in members} == {(0, 0, "", "")}
    assert len({one.mtime for one in members}) == 1
    assert [one.name for one in members] == sorted(one.name for one in members)
    assert {one.mode for one in members if one.isfile() and "/bin/" not in one.name} == {0o644}


def test_the_folder_has_all_that_goes_with_the_program(folder):
    assert {path.name for path in folder.iterdir()} == {"README", "bin", "licences", "scenarios", "share", "source"}
    version = meetsim("--version").stdout.strip()
    assert folder.name == f"meetsim-{version}-linux-{os.uname().machine}"
    for shell, place in (
        ("bash", "bash-completion/completions/meetsim"),
        ("zsh", "zsh/site-functions/_meetsim"),
        ("fish", "fish/vendor_completions.d/meetsim.fish"),
    ):
        script = meetsim("--generate-completion-script", shell).stdout
        assert (folder / "share" / place).read_text(encoding="utf-8") == script
    page = subprocess.run(["python3", ROOT / "docs/man.py", MEETSIM], capture_output=True, text=True, check=True).stdout
    assert (folder / "share/man/man1/meetsim.1").read_text(encoding="ascii") == page
    packed, ours = (
        {path.relative_to(top): path.read_bytes() for path in (top / "scenarios").rglob("*") if path.is_file()}
        for top in (folder, ROOT)
    )
    assert packed == ours and len(ours) > 30


def test_licences_and_sources_go_along(folder):
    readme = (folder / "README").read_text(encoding="utf-8")
    licences = {path.name: path.read_text(encoding="utf-8") for path in (folder / "licences").iterdir()}
    assert "GNU GENERAL PUBLIC LICENSE\n                       Version 3" in licences["GPL-3.0.txt"]
    assert licences["meetsim.txt"] == (ROOT / "LICENSE").read_text()
    for name, words in (
        ("swift.txt", "Apache"),
        ("swift-argument-parser.txt", "Runtime Library Exception to the Apache 2.0 License"),
        ("libgsl-dev.txt", "GPL"), ("libyaml-dev.txt", "Kirill Simonov"), ("zlib1g-dev.txt", "Jean-loup Gailly"),
    ):  # fmt: skip
        assert words in licences[name]
    named = set(re.findall(r"licences/([\w.+-]+\.txt)", readme)) | {
        f"{package}.txt" for package in re.findall(r"^  (\S+): https://\S+/\S+$", readme, re.MULTILINE)
    }
    assert named == set(licences)
    assert ("icu.txt" in licences) == (re.search(rb"icudt\d", (folder / "bin/meetsim").read_bytes()) is not None)
    sources = sorted(path.name for path in (folder / "source").iterdir())
    assert len(sources) == 2 and re.fullmatch(r"swift-argument-parser-[\d.]+\.tar\.gz", sources[1])
    with tarfile.open(folder / "source" / sources[0]) as source:
        for name in ("Package.swift", ".ci/package", "Sources/meetsim/Meetsim.swift"):
            text = source.extractfile(f"{sources[0].removesuffix('.tar.gz')}/{name}").read()
            assert text == (ROOT / name).read_bytes()


def test_the_program_is_stripped_and_needs_only_the_c_library(folder):
    program = folder / "bin/meetsim"
    assert b"\0.symtab\0" not in program.read_bytes()
    names = [library.name for library in needed(program)]
    assert names and all(C_LIBRARY.fullmatch(name) for name in names)


def test_a_meeting_runs_where_nothing_else_is(inside, folder, tmp_path):
    done = inside("run", "scenarios/remote-education.yaml", "-o", "out", COLUMNS="100")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == SUMMARY.read_text(encoding="utf-8") + "\nresults in out\n"
    ordinary = meetsim("run", "scenarios/remote-education.yaml", "-q", "-o", tmp_path / "out", cwd=ROOT)
    assert ordinary.returncode == 0
    tables = {path.name: path.read_bytes() for path in (folder / "out").iterdir()}
    ours = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert set(tables) == set(ours) and len(tables) > 8
    # The cost of a run is not part of its result.
    measured = re.compile(rb'"(wall_s|peak_memory_bytes)": [\d.e-]+')
    assert [name for name in ours if measured.sub(b"", tables[name]) != measured.sub(b"", ours[name])] == []
    assert inside("check", "out").returncode == 0
    here = inside("explain", "out", "--worst", 1)
    assert here.returncode == 0 and here.stdout == meetsim("explain", tmp_path / "out", "--worst", 1, env={}).stdout


def test_other_commands_run_where_nothing_else_is(inside, folder):
    for command in (["--version"], ["list", "policies"], ["list", "metrics"], ["schema", "scenario"]):
        here, there = inside(*command), meetsim(*command, env={})
        assert (here.returncode, here.stderr) == (0, "")
        assert here.stdout.splitlines() == there.stdout.splitlines()
    assert inside("init", "pair").returncode == 0 and (folder / "pair.yaml").exists()
    scenarios = [f"scenarios/{path.name}" for path in sorted((folder / "scenarios").glob("*.yaml"))]
    done = inside("validate", "pair.yaml", *scenarios)
    assert (done.returncode, done.stderr) == (0, "")
    wrong = inside("run", "nowhere.yaml")
    assert wrong.returncode == 2 and "no such file" in wrong.stderr


def test_the_processes_of_a_sweep_find_the_program(inside, folder, tmp_path):
    """Without /proc they are started by the name by which the program was called."""
    done = inside("sweep", "scenarios/sweeps/smoke.yaml", "-q", "-o", "swept")
    assert (done.returncode, done.stderr) == (0, "")
    assert meetsim("sweep", ROOT / "scenarios/sweeps/smoke.yaml", "-q", "-o", tmp_path / "swept").returncode == 0
    for table in ("runs.csv", "scalars.csv"):
        assert (folder / "swept" / table).read_bytes() == (tmp_path / "swept" / table).read_bytes()


def test_a_crash_does_not_ask_for_what_is_not_packed(folder):
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([folder / "bin/meetsim", "run", "-"], env={}, **pipes) as process:
        process.send_signal(signal.SIGILL)
        _, errors = process.communicate(timeout=60)
    assert process.returncode != 0 and b"swift-backtrace" not in errors
