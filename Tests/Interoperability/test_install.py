"""Completions and the manual page, installed with the commands of docs/commands.md."""

import os
import re
import shutil
import subprocess

import pytest
from conftest import MEETSIM, ROOT, meetsim


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A home folder after the page's commands, which run in a checkout with the program."""
    folder = tmp_path_factory.mktemp("home")
    (folder / ".build/release").mkdir(parents=True)
    (folder / ".build/release/meetsim").symlink_to(MEETSIM)
    (folder / "docs").symlink_to(ROOT / "docs")
    text = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    block = next(one for one in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) if "completion" in one)
    subprocess.run(
        ["bash", "-euc", block], cwd=folder, env=os.environ | {"HOME": str(folder)}, check=True, timeout=60
    )
    return folder / ".local/share"


def completed(home, *words):
    """Returns bash's completions of the last word."""
    script = """
      source "$1"; shift
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
      function=$(complete -p meetsim | sed 's/.*-F \\([^ ]*\\).*/\\1/')
      "$function" meetsim "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
    """
    done = subprocess.run(
        ["bash", "-c", script, "bash", home / "bash-completion/completions/meetsim", "meetsim", *words],
        capture_output=True, text=True, check=True,
    )
    return [word.strip() for word in done.stdout.split()]


def test_commands_options_and_values_are_completed(home):
    assert completed(home, "va") == ["validate"]
    assert "--repetitions" in completed(home, "run", "--rep")
    assert completed(home, "run", "x.yaml", "--format", "") == ["table", "json", "csv"]


def test_files_are_completed_where_nothing_else_is():
    """Bash's own file name completion takes over if the script proposes none."""
    script = meetsim("--generate-completion-script", "bash").stdout
    assert script.rstrip().endswith("\ncomplete -o default -F _meetsim meetsim")


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    """A folder with the program and its completions for zsh and fish."""
    folder = tmp_path_factory.mktemp("shells")
    (folder / "meetsim").symlink_to(MEETSIM)
    for shell, name in (("zsh", "_meetsim"), ("fish", "meetsim.fish")):
        done = meetsim("--generate-completion-script", shell)
        assert done.returncode == 0 and "repetitions" in done.stdout
        (folder / name).write_text(done.stdout, encoding="utf-8")
    return folder


def shell(folder, *command):
    """Returns the output of a command that finds the program in a folder."""
    path = f"{folder}:{os.environ['PATH']}"
    done = subprocess.run(
        command, env=os.environ | {"PATH": path, "HOME": str(folder), "TERM": "xterm"},
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    return done.stdout


def test_other_shells_have_completions_too(scripts):
    assert {path.name for path in scripts.iterdir()} == {"meetsim", "_meetsim", "meetsim.fish"}


@pytest.mark.skipif(not shutil.which("fish"), reason="fish is not installed")
def test_fish_completes_commands_options_and_values(scripts):
    def completed(line):
        text = shell(scripts, "fish", "--no-config", "-c", f"source $HOME/meetsim.fish; complete -C '{line}'")
        return [one.split("\t")[0] for one in text.splitlines()]

    assert completed("meetsim va") == ["validate"]
    assert "--repetitions" in completed("meetsim run --rep")
    assert completed("meetsim run x.yaml --format ") == ["table", "json", "csv"]


@pytest.mark.skipif(not shutil.which("zsh"), reason="zsh is not installed")
@pytest.mark.parametrize(
    ("line", "completed"), [("va", "validate"), ("run --repe", "run --repetition"), ("run x.yaml --format t",
                            "run x.yaml --format table")],
)  # fmt: skip
def test_zsh_completes_commands_options_and_values(scripts, line, completed):
    """As if typed: a shell in a separate terminal receives the line, a tab and a mark."""
    session = """
      zmodload zsh/zpty
      zpty session zsh -f -i
      zpty -w session "fpath=($HOME \\$fpath); autoload -Uz compinit; compinit -D -u; PS1=READY'>'"
      zpty -r session text '*READY>'
      zpty -w -n session "meetsim $1"$'\\t#'
      zpty -r session text '*#'
      print -r -- $text
    """
    text = shell(scripts, "zsh", "-f", "-c", session, "zsh", line)
    plain = re.sub("\x1b\\[[0-9;?]*[a-zA-Z]|\x07", "", text)
    assert f"meetsim {completed}" in plain, text


def test_the_manual_page_has_every_command_and_option(home):
    page = (home / "man/man1/meetsim.1").read_text(encoding="ascii")
    plain = page.replace("\\-", "-")
    commands = re.findall(r"^  ([a-z]+)  ", meetsim("--help").stdout, re.MULTILINE)
    assert "run" in commands and len(commands) > 12
    for command in commands:
        assert f"\n.SS {command}\n" in plain
        for option in re.findall(r"--[a-z][a-z-]+", meetsim(command, "--help").stdout.split("OPTIONS:")[-1]):
            assert option in ("--version", "--help") or f"\\fB{option}\\fR" in plain or option in plain
    requests = set(re.findall(r"^\.(\w+)", page, re.MULTILINE))
    assert requests == {"TH", "SH", "SS", "PP", "TP", "RS", "RE", "nf", "fi", "br", "B"}


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
def test_the_manual_page_is_sound(home):
    page = home / "man/man1/meetsim.1"
    done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", page], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "meetsim run [options] scenario" in re.sub("\x1b\\[[0-9;]*m|.\b", "", done.stdout)
