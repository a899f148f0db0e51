#!/usr/bin/env python3
"""Makes the documentation as a site: docs.py MODULES OUTPUT. MODULES is where `swift build` put its modules. What the compiler knows
of their public symbols (swift-symbolgraph-extract) goes into DocC (docc) together with the articles; both are beside swift. A link
that leads nowhere is an error. Prints, of each module, how many of its public symbols have a comment."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

# Module → the modules whose symbols an app sees as its own.
MODULES = {
    "HealthKit": ["HealthData", "HealthStore"],
    "HealthKitTesting": [],
    "CoreLocation": [],
    "UniformTypeIdentifiers": [],
    "Recordings": [],
}


def said(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def tool(name):
    swift = pathlib.Path(shutil.which(os.environ.get("SWIFT") or "swift")).resolve()
    found = swift.parent / name
    if not found.exists():
        sys.exit(f"docs: {found} is not there: it comes with Swift's toolchain; install that of swift.org")
    return str(found)


def search_paths(modules):
    """Where modules of Swift and of C are found."""
    yield "-I", str(modules)
    checkouts = modules.resolve().parents[2] / "checkouts"
    for pattern in ("*/Sources/*/include", "*/Sources/*/module.modulemap"):
        for found in sorted(checkouts.glob(pattern)):
            yield "-I", str(found if found.is_dir() else found.parent)
    # OpenCombine has no module map of its own: SwiftPM writes one.
    for found in sorted(modules.resolve().parent.glob("COpenCombineHelpers.build/module.modulemap")):
        yield "-I", str(found.parent)
    for found in sorted(pathlib.Path("Sources").glob("*/module.modulemap")):
        yield "-I", str(found.parent)
    yield from ((flag,) for flag in said("pkg-config", "--cflags", "dbus-1", "zlib").split())


def symbols(module, seen, modules, folder):
    """Writes a module's symbol graph. Returns how many symbols have a comment, and how many there are."""
    target = json.loads(said(tool("swift"), "-print-target-info"))["target"]["triple"]
    command = [tool("swift-symbolgraph-extract"), "-module-name", module, "-target", target, "-output-dir", str(folder)]
    command += ["-minimum-access-level", "public", "-skip-inherited-docs"]
    if seen:
        command.append("-experimental-allowed-reexported-modules=" + ",".join(seen))
    said(*command, *(flag for flags in search_paths(modules) for flag in flags))
    own = [
        symbol
        for file in sorted(folder.glob("*.symbols.json"))
        for symbol in json.loads(file.read_text())["symbols"]
        # What conformances give, such as != of Equatable.
        if "::SYNTHESIZED::" not in symbol["identifier"]["precise"]
    ]
    return [symbol for symbol in own if "docComment" in symbol], own


def main():
    modules, output = map(pathlib.Path, sys.argv[1:])
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    (output / "archives").mkdir()
    archives, shares, failed = [], [], False
    for module, seen in MODULES.items():
        graphs = output / "symbols" / module
        graphs.mkdir(parents=True)
        commented, own = symbols(module, seen, modules, graphs)
        shares.append(f"docs: {module}: {len(commented)} of {len(own)} public symbols have a comment"
                      f" ({100 * len(commented) // len(own)} %)")
        missing = sorted({".".join(symbol["pathComponents"]) for symbol in own if "docComment" not in symbol})
        (output / f"{module}.missing").write_text("".join(name + "\n" for name in missing))
        archive = output / "archives" / f"{module}.doccarchive"
        catalog = pathlib.Path("Sources", module, f"{module}.docc")
        command = [tool("docc"), "convert", *([str(catalog)] if catalog.exists() else [])]
        command += ["--additional-symbol-graph-dir", str(graphs), "--output-path", str(archive), "--ide-console-output"]
        command += ["--fallback-display-name", module, "--fallback-bundle-identifier", module]
        # Parameters whose names say it all have no line.
        command += ["--disable-parameters-and-returns-validation", "--warnings-as-errors"]
        converted = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if converted.returncode:
            failed = True
            print("".join(line + "\n" for line in converted.stdout.splitlines() if re.search("(error|warning): ", line)))
        archives.append(str(archive))
    print("\n".join(shares))
    if failed:
        sys.exit("docs: DocC does not like the lines above")
    site = output / "site"
    said(tool("docc"), "merge", *archives, "--synthesized-landing-page-name", "OpenHealthKit",
         "--synthesized-landing-page-kind", "Package", "--output-path", str(site))
    print(f"docs: {site} is the site; to look at it: python3 -m http.server -d {site}, then "
          "http://localhost:8000/documentation/")


main()
