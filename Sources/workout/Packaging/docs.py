#!/usr/bin/env python3
"""Creates the documentation as a site: docs.py MODULES OUTPUT. MODULES is the folder of the modules that `swift build` created. Extracts
their public symbols with swift-symbolgraph-extract, and passes them to docc together with the articles. Both programs are beside swift.
A dead link is an error. Prints for each module how many of its public symbols are documented."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

# Module → the modules whose symbols it re-exports.
MODULES = {
    "HealthKit": ["HealthData", "HealthStore"],
    "HealthKitTesting": [],
    "CoreLocation": [],
    "UniformTypeIdentifiers": [],
    "SessionLog": [],
    "Recordings": [],
}

# Pages of HealthKit's reference and their public symbols: a symbol is on the page of the first matching pattern.
GROUPS = [
    ("The health store", r"HealthStore|Authorization|UpdateFrequency|HKError|HKSource$|HKSourceRevision$|HKDevice$"
                         r"|ObserverQueryCompletion|Attachment|DeletedObject"),
    ("Predicates", r"Predica|Operator|FormatArgument|SourceRevisionAny"),
    ("Queries", r"Query|HKAsync|HKStatistics|QueryResults|SortIdentifier|NoLimit|NoAnchor"),
    ("Workouts and sessions", r"HKWorkout|HKLive|CompanionSettings|SensorSpecification|Builder"),
    ("Metadata", r"MetadataKey|PropertyKey|MealTime|SensorLocation|PlacementSide|MotionContext|DeliveryReason|EstimationType"
                 r"|StrokeStyle|TestType|Salinity|WeatherCondition|AlgorithmVersion"),
    ("The user", r"BiologicalSex|BloodType|SkinType|Wheelchair|MoveMode|ActivitySummary|Characteristic"),
    ("Health records and mental health", r"Clinical|CDA|FHIR|Document|Verifiable|Audiogram|ECG|Electrocardiogram|Vision|Lens"
                                         r"|Glasses|Contacts|Prescription|Prism|Medication|Assessment|HealthConcept|StateOfMind"),
    ("Quantities and units", r"HKQuantity|HKUnit|HKMetricPrefix|HKCumulative|HKDiscrete"),
    ("Categories", r"Category|HKApple"),
    ("Types and samples", r""),
]
KINDS = {"class": "Classes", "struct": "Structures", "enum": "Enumerations", "protocol": "Protocols"}


def curated(catalog, own, folder):
    """A copy of a catalog with a page for each group of symbols, so that the landing page is no list of hundreds."""
    copy = folder / catalog.name
    shutil.copytree(catalog, copy)
    tops = sorted({(one["pathComponents"][0], one["kind"]["identifier"].removeprefix("swift."))
                   for one in own if len(one["pathComponents"]) == 1})
    pages = {title: {} for title, _ in GROUPS}
    for name, kind in tops:
        title = next(title for title, pattern in GROUPS if re.search(pattern, name))
        pages[title].setdefault(KINDS.get(kind, "Values and functions"), []).append(name)
    links = []
    for title, kinds in pages.items():
        name = "Reference-" + title.replace(" ", "-")
        links.append(f"- <doc:{name}>\n")
        text = f"# {title}\n\nPublic symbols of this part of HealthKit.\n\n## Topics\n"
        for heading in [*KINDS.values(), "Values and functions"]:
            if heading in kinds:
                text += f"\n### {heading}\n\n" + "".join(f"- ``{one}``\n" for one in kinds[heading])
        (copy / f"{name}.md").write_text(text, encoding="utf-8")
    landing = copy / f"{catalog.stem}.md"
    landing.write_text(landing.read_text(encoding="utf-8") + "\n### Reference\n\n" + "".join(links), encoding="utf-8")
    return copy


def said(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def tool(name):
    swift = pathlib.Path(shutil.which(os.environ.get("SWIFT") or "swift")).resolve()
    found = swift.parent / name
    if not found.exists():
        sys.exit(f"docs: {found} is missing; it comes with the Swift toolchain from swift.org")
    return str(found)


def search_paths(modules):
    """The search paths of Swift and C modules."""
    yield "-I", str(modules)
    checkouts = modules.resolve().parents[2] / "checkouts"
    for pattern in ("*/Sources/*/include", "*/Sources/*/module.modulemap"):
        for found in sorted(checkouts.glob(pattern)):
            yield "-I", str(found if found.is_dir() else found.parent)
    # OpenCombine has no module map: SwiftPM writes one.
    for found in sorted(modules.resolve().parent.glob("COpenCombineHelpers.build/module.modulemap")):
        yield "-I", str(found.parent)
    for found in sorted(pathlib.Path("Sources").glob("*/module.modulemap")):
        yield "-I", str(found.parent)
    yield from ((flag,) for flag in said("pkg-config", "--cflags", "dbus-1", "zlib").split())


def symbols(module, seen, modules, folder):
    """Writes a module's symbol graph. Returns the number of documented symbols, and of all."""
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
        # Symbols of conformances, such as != of Equatable.
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
        if module == "HealthKit":
            catalog = curated(catalog, own, output)
        command = [tool("docc"), "convert", *([str(catalog)] if catalog.exists() else [])]
        command += ["--additional-symbol-graph-dir", str(graphs), "--output-path", str(archive), "--ide-console-output"]
        command += ["--fallback-display-name", module, "--fallback-bundle-identifier", module]
        # Parameters with clear names have no line.
        command += ["--disable-parameters-and-returns-validation", "--warnings-as-errors"]
        converted = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if converted.returncode:
            failed = True
            print("".join(line + "\n" for line in converted.stdout.splitlines() if re.search("(error|warning): ", line)))
        archives.append(str(archive))
    print("\n".join(shares))
    if failed:
        sys.exit("docs: DocC reported the errors above")
    site = output / "site"
    said(tool("docc"), "merge", *archives, "--synthesized-landing-page-name", "OpenHealthKit",
         "--synthesized-landing-page-kind", "Package", "--output-path", str(site))
    # The page of the site's root, which DocC does not create.
    root = site / "index.html"
    redirect = '<meta http-equiv="refresh" content="0; url=documentation/">'
    root.write_text(root.read_text().replace("<head>", f"<head>{redirect}", 1) if root.exists() else redirect)
    print(f"docs: built {site}; to read it: python3 -m http.server -d {site}, then open http://localhost:8000/")


main()
