#!/usr/bin/env python3
"""Prints modules and folders with what they use, and the circles of more than three files.

A file uses another one when it names a type that the other declares; so extensions and functions are not seen, and a name
that stands for two types may show an arrow too many."""

import collections
import pathlib
import re
import sys

sources = pathlib.Path(__file__).resolve().parent.parent.parent / "Sources"
modifiers = r"(?:@\w+(?:\([^)]*\))?\s+|public |package |internal |open |final |indirect |nonisolated )*"
declaration = re.compile(rf"^{modifiers}(?:class|struct|enum|protocol|actor|typealias) (\w+)", re.M)


def text(file):
    code = re.sub(r"//.*", "", file.read_text())
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', code)


def circles(uses):
    """Tarjan's strongly connected components, without recursion."""
    index, low, stack, on, found = {}, {}, [], set(), []
    for root in uses:
        if root in index:
            continue
        work = [(root, iter(uses[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on.add(root)
        while work:
            file, rest = work[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on.add(other)
                    work.append((other, iter(uses[other])))
                    break
                if other in on:
                    low[file] = min(low[file], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[file])
                if low[file] == index[file]:
                    circle = []
                    while not circle or circle[-1] != file:
                        circle.append(stack.pop())
                        on.discard(circle[-1])
                    if len(circle) > 3:
                        found.append(circle)
    return found


def main():
    for module in sorted(path for path in sources.iterdir() if path.is_dir()):
        files = sorted(module.rglob("*.swift"))
        if not files:
            continue
        codes = {file: text(file) for file in files}
        imports = sorted({name for code in codes.values() for name in re.findall(r"^(?:\S+ )*import (\w+)", code, re.M)})
        print(f"{module.name} ({len(files)} files) -> {' '.join(imports)}")
        declared = {}
        for file, code in codes.items():
            for name in declaration.findall(code):
                declared.setdefault(name, file)
        uses = {
            file: {declared[name] for name in re.findall(r"\b[A-Z]\w+", code) if declared.get(name, file) != file}
            for file, code in codes.items()
        }
        arrows = collections.defaultdict(collections.Counter)
        for file, others in uses.items():
            for other in others:
                if file.parent != other.parent:
                    arrows[file.parent][other.parent] += 1
        for folder in sorted(arrows):
            to = ", ".join(f"{other.relative_to(module)} {count}" for other, count in sorted(arrows[folder].items()))
            print(f"    {folder.relative_to(module)} -> {to}")
        for circle in circles(uses):
            names = " ".join(sorted(str(file.relative_to(module)) for file in circle))
            print(f"    circle of {len(circle)} files: {names}")


sys.exit(main())
