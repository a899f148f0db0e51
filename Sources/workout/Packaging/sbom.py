#!/usr/bin/env python3
"""Prints what a built command consists of, as SPDX 2.3 (https://spdx.github.io/spdx-spec/v2.3/): sbom.py COMMAND VERSION. Swift packages
are those that .build/licenses names, with the versions of Package.resolved, which have to be those of versions.txt; system libraries are those that the command loads, and the
Debian packages that they came from here."""

import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import uuid

PACKAGING = pathlib.Path(__file__).resolve().parent
ROOT = PACKAGING.parents[2]
LICENCES = [  # What a licence's text contains, and its identifier (https://spdx.org/licenses/).
    ("Runtime Library Exception to the Apache 2.0 License", "Apache-2.0 WITH Swift-exception"),
    ("Apache License", "Apache-2.0"),
    ("Permission is hereby granted, free of charge", "MIT"),
]


def output(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def licence(folder):
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("LICENSE*")))
    for phrase, identifier in LICENCES:
        if phrase.lower() in " ".join(text.lower().split()):
            return identifier
    sys.exit(f"sbom: the licence of {folder.name} is not known: add it to LICENCES")


def package(name, version, licence, download, purl=None, files=None, comment=None):
    return {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name),
        "name": name,
        "versionInfo": version,
        "downloadLocation": download or "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
        **({"externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}]} if purl else {}),
        **({"checksums": [{"algorithm": "SHA256", "checksumValue": files}]} if files else {}),
        **({"comment": comment} if comment else {}),
    }


def swift_packages():
    pinned = dict(line.split() for line in (PACKAGING / "versions.txt").read_text().splitlines())
    linked = {match.lower() for match in re.findall(r"^==== (\S+): LICENSE", (ROOT / ".build/licenses/licenses.txt").read_text("utf-8"), re.M)}
    for pin in sorted(json.loads((ROOT / "Package.resolved").read_text())["pins"], key=lambda pin: pin["identity"]):
        location = pin["location"].removesuffix(".git")
        name = location.rsplit("/", 1)[1]
        if name.lower() in linked:
            version = pin["state"]["version"]
            if version != pinned.get(name):
                sys.exit(f"sbom: this build has {name} {version}, but versions.txt names {pinned.get(name)}. Other versions give other bytes: "
                         f"run 'swift package resolve {pin['identity']} --version {pinned.get(name)}' and build again, or change versions.txt")
            yield package(
                name, version, licence(ROOT / ".build/checkouts" / name), f"git+{location}@{version}",
                f"pkg:swift/{location.removeprefix('https://')}@{version}")


def inside():
    """The parts that come with the compilers."""
    swift = re.search(r"Swift version (\S+)", output(os.environ.get("SWIFT", "swift"), "--version")).group(1)
    yield package("swift-runtime", swift, "Apache-2.0 WITH Swift-exception", "https://www.swift.org", comment="Standard library, concurrency, Foundation and libdispatch, linked statically.")
    yield package("icu", "NOASSERTION", "Unicode-3.0", "https://icu.unicode.org", comment="In Foundation, with the data of English and of no language.")
    if "libstdc++.so" not in output("readelf", "-dW", sys.argv[1]):
        yield package("libstdc++", output("gcc", "-dumpfullversion").strip(), "GPL-3.0-or-later WITH GCC-exception-3.1", "https://gcc.gnu.org", comment="Linked statically.")


def loaded():
    for library in re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-dW", sys.argv[1])):
        if library.startswith("ld-linux"):
            continue
        paths = [path for path in re.findall(r"=> (\S+)", output("ldd", sys.argv[1])) if path.rsplit("/", 1)[1] == library]
        found = []
        for path in paths:
            for name in {path, path.removeprefix("/usr"), os.path.realpath(path)}:
                search = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True)
                found += [line.split(":")[0] for line in search.stdout.splitlines()]
        comment = "Loaded when the command starts; not part of it."
        if not found:
            yield package(library, "NOASSERTION", "NOASSERTION", None, comment=comment)
            continue
        version = output("dpkg-query", "-W", "-f", "${Version}\n", found[0]).splitlines()[0]
        yield package(library, version, "NOASSERTION", None, f"pkg:deb/debian/{found[0]}@{version}", comment=comment)


def main():
    command, version = sys.argv[1], sys.argv[2]
    digest = hashlib.sha256(pathlib.Path(command).read_bytes()).hexdigest()
    ours = package("openhealthkit", version, "Apache-2.0", None, files=digest, comment="The command workout.")
    parts, libraries = [*swift_packages(), *inside()], list(loaded())
    identifier = uuid.uuid5(uuid.NAMESPACE_URL, f"openhealthkit/{version}/{digest}")
    print(json.dumps({
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"openhealthkit-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/openhealthkit-{version}-{identifier}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))),
            "creators": ["Tool: openhealthkit-sbom"],
        },
        "packages": [ours, *parts, *libraries],
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": ours["SPDXID"]},
            *({"spdxElementId": ours["SPDXID"], "relationshipType": "CONTAINS" if one in parts else "DEPENDS_ON", "relatedSpdxElement": one["SPDXID"]}
              for one in parts + libraries),
        ],
    }, indent=2))


main()
