#!/usr/bin/env python3
"""Checks the texts that users read: words.py [FILE ...]. Finds spelling mistakes, dead links and phrases that need a second reading in
the README, the documentation, the web pages and the texts of the Swift sources (help, messages, labels). Prints FILE:LINE for each, and
exits with 1 if there are any. Spelling needs codespell and is skipped without it."""

import html
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGING = pathlib.Path(__file__).resolve().parent
# Each phrase, and what to write instead.
HABITS = [
    (r"not to be had\b", "say why it can't be computed, or 'not found'"),
    (r"\b(is|are|was|be) (said|told)\b", "shows, prints, warns, reports"),
    (r"\b(is|are) there already\b|\bthere already\b", "already exists, already stored"),
    (r"\bthat (is|are) there\b", "existing"),
    (r"\bhow (that|it) is (said|told)\b", "how to alert, how it is shown"),
    (r"\bas much of (its|their) beginnings?\b", "a unique prefix"),
    (r"\bwhere there is (one|none|no)\b", "if there is one, if there is none"),
    (r"\bmay be (had|asked)\b", "is available"),
    (r"\bof a fault of its own\b", "internal error"),
    (r"\bNobody (can be|was) asked\b", "say who has to do what"),
    (r"\bin the way\b", "problem"),
    (r"\bone JSON object a \w+", "one JSON object per ..."),
    (r"\bis taken for unsaid\b|\btaken for unsaid\b", "ignored"),
    (r"\basked (for again|about anew)\b", "again"),
    (r"\bby hand it\b", "by hand"),
    (r"\bfor ever\b", "forever"),
    (r"\btakes? part with\b", "use"),
    (r"\bthe way of (a|the) ", "how ... travels"),
    (r"\bOWNER\b", "a real address"),
]
# A line of Swift with text that users do not see: SQL, formats, identifiers.
SKIPPED_SWIFT = re.compile(r"\b(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|JOIN|PRAGMA)\b|precondition|fatalError")


def literals(source):
    """The string literals of a Swift file with their first lines, without comments and interpolations."""
    at = 0
    while at < len(source):
        if source.startswith("//", at):
            at = source.find("\n", at)
            if at < 0:
                return
        elif source.startswith('"""', at):
            end = source.find('"""', at + 3)
            while end > 0 and source[end - 1] == "\\":
                end = source.find('"""', end + 3)
            if end < 0:
                return
            yield source.count("\n", 0, at) + 1, re.sub(r"\\\n\s*", "", source[at + 3 : end])
            at = end + 3
        elif source[at] == '"':
            end, depth = at + 1, 0
            while end < len(source) and source[end] != "\n":
                if source.startswith("\\(", end):
                    depth, end = depth + 1, end + 2
                elif depth:
                    depth += {"(": 1, ")": -1}.get(source[end], 0)
                    end += 1
                elif source[end] == "\\":
                    end += 2
                elif source[end] == '"':
                    break
                else:
                    end += 1
            yield source.count("\n", 0, at) + 1, re.sub(r"\\\((?:[^()]|\([^()]*\))*\)", "…", source[at + 1 : end])
            at = end + 1
        else:
            at += 1


def texts(path):
    """The texts of a file that people read, as (line, text)."""
    content = path.read_text(encoding="utf-8")
    if path.suffix == ".swift":
        for line, text in literals(content):
            if " " in text and not SKIPPED_SWIFT.search(text):
                yield line, text
    elif path.suffix == ".md":
        # Text below the latest changes is history.
        lines = content.split("\n")
        fenced = False
        for number, line in enumerate(lines, 1):
            if path.name == "CHANGELOG.md" and number > 1 and line.startswith("## ") and "Unreleased" not in line:
                return
            if line.lstrip().startswith("```"):
                fenced = not fenced
            elif not fenced and line.strip():
                # The last column of the glossary lists words to avoid.
                is_glossary = path.name == "CONTRIBUTING.md" and line.startswith("|")
                yield number, line.rsplit("|", 2)[0] if is_glossary else line
    elif path.suffix == ".html":
        for number, line in enumerate(content.split("\n"), 1):
            yield number, html.unescape(re.sub(r"<[^>]*>", " ", line))


def read_by_users():
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in sorted(filter(None, tracked.split("\0"))):
        path = ROOT / name
        if not path.is_file():
            continue
        if name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md") or ".docc/" in name and path.suffix == ".md":
            yield path
        elif name.startswith("Sources/") and (path.suffix == ".swift" or name.endswith(".html") and "/Pages/" in name):
            yield path


def habits(path):
    for line, text in texts(path):
        # Code in a text is a quotation.
        plain = re.sub(r"`+[^`]*`+", "`", text)
        for pattern, instead in HABITS:
            found = re.search(pattern, plain, re.IGNORECASE if pattern.islower() else 0)
            if found:
                yield line, f"'{found.group(0)}': {instead}"


def anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def dead_links(path):
    content = path.read_text(encoding="utf-8")
    for match in re.finditer(r"\[[^\]]*\]\(([^)\s]+)\)", content):
        target = match.group(1)
        line = content.count("\n", 0, match.start()) + 1
        if re.match(r"[a-z]+:", target):
            continue
        name, _, fragment = target.partition("#")
        file = (path.parent / name).resolve() if name else path
        # DocC names pictures without their extension.
        if not file.exists() and not list(file.parent.glob(file.name + ".*")):
            yield line, f"dead link: {target}"
        elif fragment and file.suffix == ".md":
            headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
            if fragment not in map(anchor, headings):
                yield line, f"dead link: {target} (no such heading)"


def codespell():
    found = shutil.which("codespell")
    if found:
        return [found]
    venv = ROOT / ".build" / "codespell"
    if not (venv / "bin" / "codespell").exists():
        made = subprocess.run([sys.executable, "-m", "venv", venv], capture_output=True)
        if made.returncode == 0:
            subprocess.run([venv / "bin" / "pip", "install", "-q", "codespell==2.4.1"], capture_output=True)
    return [str(venv / "bin" / "codespell")] if (venv / "bin" / "codespell").exists() else None


def misspelled(paths):
    command = codespell()
    if command is None:
        print("words: spelling is skipped: codespell is not installed and cannot be fetched", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as folder:
        # One line of text for each line of a file, so that codespell's line numbers are the file's.
        names = {}
        for number, path in enumerate(paths):
            rows = {}
            for line, text in texts(path):
                rows[line] = rows.get(line, "") + " " + re.sub(r"`+[^`]*`+", "", text.replace("\n", " "))
            if rows:
                copy = pathlib.Path(folder) / f"{number}.txt"
                copy.write_text("\n".join(rows.get(row, "") for row in range(1, max(rows) + 1)), encoding="utf-8")
                names[str(copy)] = path
        result = subprocess.run(
            command + ["-I", str(PACKAGING / "words.txt"), folder], capture_output=True, text=True)
        for row in result.stdout.splitlines():
            copy, line, text = row.split(":", 2)
            yield names[copy], int(line), f"spelling: {text.strip()}"


def main():
    paths = [pathlib.Path(name).resolve() for name in sys.argv[1:]] or list(read_by_users())
    faults = [(path, line, text) for path in paths for line, text in habits(path)]
    faults += [(path, line, text) for path in paths if path.suffix == ".md" for line, text in dead_links(path)]
    faults += misspelled(paths)
    for path, line, text in faults:
        name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        print(f"{name}:{line}: {text}")
    print(f"words: {len(paths)} files, {len(faults)} to mend")
    return 1 if faults else 0


sys.exit(main())
