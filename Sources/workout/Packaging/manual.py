#!/usr/bin/env python3
"""Writes manual pages from a command's help: manual.py COMMAND FOLDER. There is one page for the command and one for each subcommand.
ArgumentParser's own plugin does the same (--experimental-dump-help) but needs a second build. This runs the installed command, so the
pages are those of that command. Variables come from README's table."""

import json
import os
import pathlib
import re
import subprocess
import sys
import time

MARK = '.\\" Written by make install of OpenHealthKit'


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def quoted(text):
    return '"' + escaped(text).replace('"', "\\(dq") + '"'


def paragraphs(text):
    """Lines that begin with spaces stay unchanged."""
    for part in re.split(r"\n\s*\n", text.strip("\n")):
        lines = part.split("\n")
        if any(line.startswith(" ") for line in lines):
            yield ["", ".nf", *map(escaped, lines), ".fi"]
        else:
            yield [".PP", *map(escaped, lines)]


def spelled(name):
    return ("--" if name["kind"] == "long" else "-") + name["name"]


def value(argument):
    return f"\\fI{escaped(argument.get('valueName') or 'value')}\\fR"


def shown(arguments):
    return [one for one in arguments if one.get("shouldDisplay", True)]


def usage(argument):
    if argument["kind"] == "positional":
        text = value(argument)
    else:
        text = f"\\fB{escaped(spelled(argument['preferredName']))}\\fR"
        if argument["kind"] == "option":
            text += " " + value(argument)
    if argument.get("isRepeating"):
        text += " ..."
    return f"[{text}]" if argument.get("isOptional") else text


def option(argument):
    if argument["kind"] == "positional":
        heading = value(argument)
    else:
        names = sorted(argument["names"], key=lambda name: name["kind"] == "long")
        heading = ", ".join(f"\\fB{escaped(spelled(name))}\\fR" for name in names)
        if argument["kind"] == "option":
            heading += " " + value(argument)
    lines = [".TP", heading]
    # ArgumentParser does not describe its own flags.
    text = argument.get("abstract") or {"help": "Show help information.", "version": "Show the version."}.get(
        argument.get("valueName") or argument.get("preferredName", {}).get("name"), "")
    if argument.get("allValues"):
        text += f" (values: {', '.join(argument['allValues'])})"
    if argument.get("defaultValue"):
        text += f" (default: {argument['defaultValue']})"
    return lines + [escaped(text.strip() or "No description.")]


def variables(readme):
    """The rows of README's table of variables: names and descriptions."""
    for line in readme.splitlines():
        if match := re.match(r"\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \| (.*) \| (.*) \|$", line):
            plain = [cell.replace("`", "") for cell in match.groups()]
            yield plain[0], f"{plain[1]}. Default: {plain[2]}."


def page(command, path, version, date, readme):
    name = "-".join(path)
    abstract = command.get("abstract", "").rstrip(".")
    lines = [MARK, f".TH {quoted(name.upper())} 1 {quoted(date)} {quoted(version)} {quoted('OpenHealthKit')}"]
    lines += [".SH NAME", f"{escaped(name)} \\- {escaped(abstract[:1].lower() + abstract[1:])}"]
    arguments = shown(command.get("arguments", []))
    children = [one for one in command.get("subcommands", []) if one["commandName"] != "help"]
    words = [f"\\fB{escaped(' '.join(path))}\\fR"] + (["\\fIsubcommand\\fR"] if children else [])
    options = [one for one in arguments if one["kind"] != "positional"]
    positional = [one for one in arguments if one["kind"] == "positional"]
    lines += [".SH SYNOPSIS", " ".join(words + [usage(one) for one in options + positional])]
    if command.get("discussion"):
        lines += [".SH DESCRIPTION"] + [line for part in paragraphs(command["discussion"]) for line in part]
    if arguments:
        lines.append(".SH OPTIONS")
        for one in positional + options:
            lines += option(one)
    if children:
        lines.append(".SH COMMANDS")
        for child in children:
            lines += [".TP", f"\\fB{escaped(name + '-' + child['commandName'])}\\fR(1)", escaped(child["abstract"])]
    if len(path) == 1:
        lines.append(".SH ENVIRONMENT")
        for names, text in variables(readme):
            lines += [".TP", f"\\fB{escaped(names)}\\fR", escaped(text)]
        lines += [
            ".SH FILES", ".TP", "\\fI$XDG_DATA_HOME/healthkit/health.sqlite\\fR", "The store.", ".TP",
            "\\fI$XDG_CONFIG_HOME/healthkit/config.json\\fR", "The same settings as the variables, and a profile.",
        ]
    else:
        lines += [".SH SEE ALSO", f"\\fB{escaped('-'.join(path[:-1]))}\\fR(1)"]
    return name, "\n".join(lines) + "\n"


def pages(command, path, *rest):
    yield page(command, path, *rest)
    for child in command.get("subcommands", []):
        if child["commandName"] != "help":
            yield from pages(child, path + [child["commandName"]], *rest)


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    says = lambda *words: subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout
    root = pathlib.Path(__file__).resolve().parents[3]
    readme = (root / "README.md").read_text(encoding="utf-8")
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    date = time.strftime("%Y-%m-%d", time.gmtime(int(epoch))) if epoch else ""
    command = json.loads(says("--experimental-dump-help"))["command"]
    for name, text in pages(command, [command["commandName"]], says("--version").strip(), date, readme):
        (folder / f"{name}.1").write_text(text, encoding="utf-8")


main()
