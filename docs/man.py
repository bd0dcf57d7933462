#!/usr/bin/env python3
"""Writes the manual page of meetsim from its own help: docs/man.py [PROGRAM] > meetsim.1"""

import json
import re
import subprocess
import sys


def escaped(text):
    """Text as roff takes it: in ASCII, without escapes, and with no request at the beginning of a line."""
    text = re.sub(r"^(?=[.'])", r"\\&", text.replace("\\", r"\e"), flags=re.MULTILINE).replace("-", r"\-")
    return re.sub(r"[^\x00-\x7f]", lambda match: rf"\[u{ord(match[0]):04X}]", text)


def paragraphs(text):
    """A help text, with its indented lines (examples and tables) as they are."""
    lines, keeps = [], False
    for line in re.sub("\n\n(?=[A-Z]+\n)", "\n", text).splitlines():
        indented = line.startswith("  ")
        if line.strip() and indented != keeps:
            lines.append(".RS 2\n.nf" if indented else ".fi\n.RE")
            keeps = indented
        if re.fullmatch("[A-Z]+", line):
            lines += [".PP", rf"\fB{line}\fR", ".br"]
        elif line.strip():
            lines.append(escaped(line))
        else:
            lines.append("" if keeps else ".PP")
    return "\n".join([*lines, *([".fi\n.RE"] if keeps else [])])


def option(name):
    """An option as it is typed."""
    return ("-" if name["kind"] == "short" else "--") + name["name"]


def placeholder(argument):
    """What stands for an argument's value; nothing for a flag."""
    return rf"\fI{escaped(argument['valueName'])}\fR" if argument["kind"] != "flag" else ""


def described(argument):
    """An argument's names, what it does, its values and its default."""
    names = ", ".join(rf"\fB{escaped(option(one))}\fR" for one in argument.get("names", []))
    text = argument.get("abstract", "")
    if values := argument.get("allValues"):
        text += f" One of {', '.join(values)}."
    if default := argument.get("defaultValue"):
        text += f" Default: {default}."
    return f".TP\n{' '.join(part for part in (names, placeholder(argument)) if part)}\n{escaped(text)}"


def synopsis(path, arguments):
    """How a command is called."""
    words = [rf"\fB{escaped(' '.join(path))}\fR"]
    if any(one["kind"] != "positional" for one in arguments):
        words.append(r"[\fIoptions\fR]")
    for one in arguments:
        if one["kind"] == "positional":
            word = placeholder(one) + (" ..." if one["isRepeating"] else "")
            words.append(f"[{word}]" if one["isOptional"] else word)
    return " ".join(words)


def shown(entries):
    """Those that help shows."""
    return [one for one in entries if one.get("shouldDisplay", True)]


def commands(command, path):
    """The sections of a command's subcommands, each followed by its own."""
    for one in shown(command.get("subcommands", [])):
        if one["commandName"] == "help":
            continue
        own = [*path, one["commandName"]]
        arguments = [a for a in shown(one.get("arguments", [])) if a["valueName"] not in ("help", "version")]
        yield f".SS {escaped(' '.join(own[1:]))}\n{synopsis(own, arguments)}\n.PP\n{escaped(one['abstract'])}"
        if discussion := one.get("discussion"):
            yield ".PP\n" + paragraphs(discussion)
        yield from map(described, arguments)
        yield from commands(one, own)


def page(help_text, version):
    """The parts of the page, from the help as the program dumps it."""
    command = help_text["command"]
    title = command["commandName"]
    yield f'.TH {title.upper()} 1 "" "{title} {version}" "User Commands"'
    yield f".SH NAME\n{title} \\- {escaped(command['abstract'].rstrip('.'))}"
    yield f".SH SYNOPSIS\n\\fB{title}\\fR \\fIcommand\\fR [\\fIarguments\\fR]"
    yield ".SH DESCRIPTION\n" + paragraphs(command.get("discussion", ""))
    yield ".SH COMMANDS"
    yield from commands(command, [title])
    yield ".SH EXIT STATUS"
    for code, meaning in (
        ("0", "success"),
        ("1", "an expectation failed, a metric regressed or a validation check failed"),
        ("2", "bad usage or an invalid file"),
        ("3", "runs crashed or are missing, or results or standard output could not be written"),
        ("129, 130, 143", "after SIGHUP, SIGINT and SIGTERM"),
    ):
        yield f".TP\n{code}\n{meaning}"
    yield ".SH ENVIRONMENT"
    for variable, meaning in (
        ("COLUMNS", "the width of tables, 60 to 200, in place of the terminal's"),
        ("NO_COLOR", "if set, no colours and no bold type"),
        ("CI", "if set, no progress on the terminal"),
    ):
        yield f".TP\n.B {variable}\n{meaning}"


def main(program="meetsim"):
    def output(*arguments):
        return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout

    print("\n".join(page(json.loads(output("--experimental-dump-help")), output("--version").strip())))


if __name__ == "__main__":
    main(*sys.argv[1:])
