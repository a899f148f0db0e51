#!/usr/bin/env python3
"""Prints modules and folders with what they use, and the circles of more than three files. With --check it only prints
problems, and fails if there are any: a circle of more than three files, or two folders that use each other, that circles.txt
does not name with a reason; an exemption there that nothing needs; and an upward arrow between folders of a layered module.

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
    code = re.sub(r"//.*|^.*\bimport \w+$", "", file.read_text(), flags=re.M)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', code)


def circles(uses, least=4):
    """Tarjan's strongly connected components of at least this size, without recursion."""
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
                    work.append((other, iter(uses.get(other, ()))))
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
                    if len(circle) >= least:
                        found.append(circle)
    return found


def allowed():
    """Module → the files that may form a circle; the pairs of folders that may use each other; and the layered modules."""
    files, pairs, layered = collections.defaultdict(set), set(), set()
    for line in (pathlib.Path(__file__).resolve().parent / "circles.txt").read_text().splitlines():
        words = line.split("#")[0].split()
        if words[:1] == ["layered"]:
            layered.update(words[1:])
        elif words[:1] == ["both"]:
            pairs.add((words[1], frozenset(words[2:])))
        elif words:
            files[words[0]].update(words[1:])
    return files, pairs, layered


def main():
    is_check = "--check" in sys.argv
    exceptions, pairs, layered = allowed()
    found = set()
    problems = []
    show = (lambda *words: None) if is_check else print
    for module in sorted(path for path in sources.iterdir() if path.is_dir()):
        # A file that replaces others without a trait declares the same names.
        files = sorted(file for file in module.rglob("*.swift") if not file.read_text().startswith("#if !"))
        if not files:
            continue
        codes = {file: text(file) for file in files}
        imports = sorted({name for code in codes.values() for name in re.findall(r"^(?:\S+ )*import (\w+)", code, re.M)})
        show(f"{module.name} ({len(files)} files) -> {' '.join(imports)}")
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
            show(f"    {folder.relative_to(module)} -> {to}")
        for circle in circles(uses):
            names = sorted(str(file.relative_to(module)) for file in circle)
            show(f"    circle of {len(circle)} files: {' '.join(names)}")
            known = exceptions[module.name]
            if "*" not in known and not {pathlib.Path(name).stem for name in names} <= known:
                problems.append(f"{module.name}: circle of {len(circle)} files: {' '.join(names)}")
        if module.name in layered:
            for circle in circles(arrows, 2):
                names = " ".join(sorted(str(folder.relative_to(module)) for folder in circle))
                problems.append(f"{module.name}: folders that use each other: {names}")
        for folder in arrows:
            for other in arrows[folder]:
                if folder in arrows.get(other, ()):
                    names = frozenset(str(each.relative_to(module)) for each in (folder, other))
                    found.add((module.name, names))
    for module, names in sorted(pairs - found, key=str):
        problems.append(f"circles.txt: not needed any more: both {module} {' '.join(sorted(names))}")
    for module, names in sorted(found - pairs, key=str):
        problems.append(f"{module}: folders that use each other: {' '.join(sorted(names))}")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


sys.exit(main())
