#!/usr/bin/env python3
"""The built command's web pages in real browsers, Chromium and Firefox one after the other, without a window.

    web.py --workout PATH [--only chromium|firefox] [--checks NAME …] [--out FOLDER]

What a browser shows, how it is used by keyboard and screen reader, what happens when links break, and who may do what. Screenshots are
kept in FOLDER/screenshots. prepare.py installs what is needed.

Exit status: 0 all well, 1 something failed (each in a sentence), 77 skipped because it cannot run here (a line says so).
"""

import argparse
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Three times as long as everything takes on two cores. A browser that hangs must not block a run at night.
LIMIT = 15 * 60

try:
    import check_access
    import check_connections
    import check_looks
    import check_values
    import recordings
    import served
    from checks import Page, Report, Skipped
    from driver_chromium import Chromium
    from driver_firefox import Firefox
except ModuleNotFoundError as error:
    if error.name not in ("marionette_driver", "selenium", "websocket"):
        raise
    print(f"web: skipped: {error}; run prepare.py first", file=sys.stderr)
    sys.exit(77)

DRIVERS = {"chromium": (Chromium, ["chromium", "chromedriver"]), "firefox": (Firefox, ["firefox-esr"])}
CHECKS = {
    "live": check_looks.check_live, "board": check_looks.check_board, "overlay": check_looks.check_overlay,
    "history": check_looks.check_history, "reports": check_looks.check_reports, "printed": check_looks.check_printed, "key": check_looks.check_key, "keyboard": check_looks.check_keyboard,
    "values": check_values.check_values, "away": check_values.check_away, "names": check_values.check_names,
    "killed": check_values.check_killed, "cut": check_values.check_cut, "entries": check_values.check_entries,
    "controls": check_access.check_controls, "class": check_access.check_class, "origin": check_access.check_origin, "host": check_access.check_host,
    "beyond": check_access.check_beyond, "connections": check_connections.check_connections,
}


class Bench:
    """The tools of a check: servers, and a temporary folder."""

    def __init__(self, options, folder):
        self.workout, self.folder = options.workout, folder
        self.axe = options.axe.read_text()
        self.count = 0

    def serve(self, files=None, speed=1, on="127.0.0.1:0", stored=False, descriptors=None):
        self.count += 1
        home = self.folder / f"home-{self.count}"
        home.mkdir()
        # A recording without pauses, so that all pauses come from controls.
        files = files or [recordings.variant("easy-run", self.folder, "alone")]
        if stored is True:
            stored = recordings.variant("intervals", self.folder, "stored")
        return served.Workout(self.workout, home, files, speed, on, stored, descriptors)


def run(driver, name, report, bench):
    begun, failed = time.monotonic(), len(report.failures)
    page = Page(driver, report, name)
    try:
        driver.show(1280, 800, "light")
        driver.open("about:blank")
        driver.forget()
        driver.errors()
        CHECKS[name](page, bench)
    except Skipped as reason:
        report.note(f"{name} in {driver.name}: skipped: {reason}")
        return
    except Exception as error:  # A fault of one check is not to hide what the others find.
        page.that(False, "the check to come to its end", f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}")
        if os.environ.get("WEB_TRACE"):
            raise
    failed = len(report.failures) - failed
    print(f"web: {name} in {driver.name}: {'ok' if not failed else f'{failed} failed'}, {time.monotonic() - begun:.1f} s", flush=True)


def give_up(number, _):
    raise SystemExit(f"web: ended by signal {number}" if number != signal.SIGALRM else f"web: FAILED: not done after {LIMIT} s")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--workout", required=True, help="the built command")
    arguments.add_argument("--only", choices=sorted(DRIVERS), help="one browser")
    arguments.add_argument("--checks", nargs="+", choices=sorted(CHECKS), default=list(CHECKS), metavar="NAME",
                           help=f"some checks: {', '.join(CHECKS)}")
    arguments.add_argument("--out", type=pathlib.Path, default=ROOT / ".build/test-web", help="where what is installed lies, and screenshots go")
    options = arguments.parse_args()
    options.axe = options.out / "axe.min.js"
    if not os.access(options.workout, os.X_OK):
        print(f"web: there is no command at {options.workout}", file=sys.stderr)
        return 1
    options.workout = str(pathlib.Path(options.workout).resolve())
    if not options.axe.exists():
        print(f"web: skipped: {options.axe} is missing; run prepare.py first", file=sys.stderr)
        return 77
    browsers = [options.only] if options.only else list(DRIVERS)
    missing = {name: [p for p in DRIVERS[name][1] if not shutil.which(p)] for name in browsers}
    for name in [name for name in browsers if missing[name]]:
        print(f"web: {name} is skipped: {' and '.join(missing[name])} missing; run prepare.py first", file=sys.stderr)
        browsers.remove(name)
    if not browsers:
        return 77

    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGALRM):
        signal.signal(number, give_up)
    signal.alarm(LIMIT)
    shots = options.out / "screenshots"
    shots.mkdir(parents=True, exist_ok=True)
    for old in [shot for name in browsers for shot in shots.glob(f"{name}-*.png")]:
        if options.checks == list(CHECKS) or "-FAILED-" in old.name:
            old.unlink()
    report, begun = Report(shots), time.monotonic()
    for name in browsers:
        folder, driver = pathlib.Path(tempfile.mkdtemp(prefix="test-web-")), None
        try:
            bench = Bench(options, folder)
            driver = DRIVERS[name][0](folder / "profile")
            print(f"web: {name} {driver.version}", flush=True)
            for check in options.checks:
                run(driver, check, report, bench)
        except Exception as error:
            report.fail(f"{name} does not come up: {type(error).__name__}: {str(error).strip().splitlines()[:1]}")
        finally:
            if driver:
                driver.close()
            shutil.rmtree(folder, ignore_errors=True)
    print(f"web: {report.passed} assertions held, {len(report.failures)} failed, in {time.monotonic() - begun:.0f} s; "
          f"screenshots in {shots}")
    for sentence in report.failures:
        print(f"web: FAILED: {sentence}", file=sys.stderr)
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
