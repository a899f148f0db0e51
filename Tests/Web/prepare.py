#!/usr/bin/env python3
"""Installs what web.py needs: browsers from Debian, and their drivers from PyPI into a separate folder.

    prepare.py FOLDER

Exit status: 0 all there, 77 it cannot be had here (a line says why).
"""

import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
# Debian's packages for each browser, and their commands.
BROWSERS = {"Chromium": {"chromium": "chromium", "chromium-driver": "chromedriver", "poppler-utils": "pdftotext"}, "Firefox": {"firefox-esr": "firefox-esr"}}
# The newest package that holds axe.min.js. Only that file is taken: the package's own code drives another browser.
AXE = "axe-playwright-python==0.1.8"


def skip(reason):
    print(f"test-web: skipped: {reason}")
    sys.exit(77)


def install(packages):
    """None, or the reason why these cannot be installed."""
    if not packages:
        return None
    if not shutil.which("apt-get"):
        return f"{', '.join(packages)} missing, and this is neither Debian nor Ubuntu"
    as_root = [] if os.geteuid() == 0 else ["sudo", "-n"] if shutil.which("sudo") else None
    if as_root is None:
        return f"{', '.join(packages)} missing, and installing needs root: apt-get install {' '.join(packages)}"
    print(f"test-web: installing {', '.join(packages)}", flush=True)
    done = None
    for command in (["update", "-q"], ["install", "-q", "-y", "--no-install-recommends"] + packages):
        done = subprocess.run(as_root + ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"] + command, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        return f"{', '.join(packages)} cannot be installed: {(done.stdout.strip().splitlines() or ['no word why'])[-1]}"
    return None


def install_browsers():
    try:
        import ensurepip  # noqa: F401  Debian has it in a package of its own.
    except ImportError:
        reason = install(["python3-venv"])
        if reason:
            skip(reason)
    reasons = {name: install([package for package, command in packages.items() if not shutil.which(command)])
               for name, packages in BROWSERS.items()}
    if all(reasons.values()):
        skip("; ".join(reasons.values()))
    for name, reason in reasons.items():
        if reason:
            print(f"test-web: without {name}: {reason}")


def fetch(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        skip(f"what drives browsers cannot be fetched: {(done.stdout.strip().splitlines() or ['no word why'])[-1]}")


def install_drivers(folder):
    venv, wanted = folder / "venv", (HERE / "requirements.txt").read_text() + AXE
    stamp = folder / "installed"
    if stamp.exists() and stamp.read_text() == wanted and (folder / "axe.min.js").exists():
        return
    fetch([sys.executable, "-m", "venv", str(venv)])
    pip = [str(venv / "bin/python"), "-m", "pip", "--disable-pip-version-check"]
    fetch(pip + ["install", "-q", "-r", str(HERE / "requirements.txt")])
    wheels = folder / "wheels"
    fetch(pip + ["download", "-q", "--no-deps", "-d", str(wheels), AXE])
    with zipfile.ZipFile(next(wheels.glob("axe_*.whl"))) as wheel:
        name = next(name for name in wheel.namelist() if name.endswith("/axe.min.js"))
        (folder / "axe.min.js").write_bytes(wheel.read(name))
    stamp.write_text(wanted)


if __name__ == "__main__":
    place = pathlib.Path(sys.argv[1]).resolve()
    place.mkdir(parents=True, exist_ok=True)
    install_browsers()
    install_drivers(place)
