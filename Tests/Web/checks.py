"""The parts of all checks: the browser's page, and failures as sentences."""

import json
import pathlib
import time

PROBE = (pathlib.Path(__file__).parent / "probe.js").read_text()
HEIGHTS = {360: 740, 768: 1024, 1280: 800, 1920: 1080, 3840: 2160}
# A page must report a lost connection within this time of silence, with a margin for a busy machine.
SILENCE = 24
# A page waits at most 15 s between two attempts.
RETURN = 25


class Skipped(Exception):
    """A check that was skipped, with the reason."""


class Report:
    def __init__(self, folder):
        self.folder, self.passed, self.failures, self.notes = folder, 0, [], []

    def fail(self, sentence):
        self.failures.append(sentence)
        print(f"web: FAILED: {sentence}", flush=True)

    def note(self, sentence):
        self.notes.append(sentence)
        print(f"web: {sentence}", flush=True)


class Page:
    """One page in one browser."""

    def __init__(self, driver, report, check):
        self.driver, self.report, self.check = driver, report, check
        self.address, self.name, self.width, self.scheme, self.shots = None, check, 1280, "light", 0
        # Whether the check needs no browser.
        self.is_request = True

    def request(self, name):
        self.name, self.is_request = name, True

    def open(self, address, path, name=None, width=1280, scheme="light"):
        if address != self.address:
            # Messages about a stopped server are not what is tested.
            self.driver.open("about:blank")
            self.driver.errors()
        self.address, self.name, self.is_request = address, name or path, False
        self.show(width, scheme)
        self.driver.open(address.rstrip("/") + path)

    def show(self, width, scheme="light"):
        self.width, self.scheme = width, scheme
        self.driver.show(width, HEIGHTS[width], scheme)

    def ask(self, expression, *arguments):
        return self.driver.evaluate(PROBE + f"\nreturn {expression};", *arguments)

    def click(self, pattern):
        return self.driver.click(PROBE + f"\nreturn button({json.dumps(pattern)});")

    def screenshot(self, name=None):
        slug = (name or self.name).strip("/").replace("/", "-").replace("?", "-").replace("=", "-").replace("&", "-")
        path = self.report.folder / f"{self.driver.name}-{slug or 'live'}-{self.width}-{self.scheme}.png"
        self.driver.screenshot(path)
        return path

    def that(self, condition, expected, seen=None):
        """Counts a check. If the condition is false, prints page, browser, width, expected and found value, and screenshot."""
        if condition:
            self.report.passed += 1
            return True
        seen = f", seen {seen}" if seen is not None else ""
        if self.is_request:
            self.report.fail(f"{self.check}: {self.name}: expected {expected}{seen}")
            return False
        self.shots += 1
        try:
            path = self.screenshot(f"FAILED-{self.check}-{self.shots}")
        except Exception as error:
            path = f"none, {type(error).__name__}"
        self.report.fail(f"{self.check}: page {self.name} in {self.driver.name} at {self.width} px, {self.scheme}: "
                         f"expected {expected}{seen}; screenshot {path}")
        return False

    def errors(self, allowed=()):
        """New errors on the console are failures, except those that the check causes."""
        found = [e for e in self.driver.errors() if not any(part in e for part in allowed)]
        self.that(not found, "no error in the console", "; ".join(e[:300] for e in found[:3]))

    def heart_rate(self):
        return self.ask("biggest()")

    def alive(self, seconds=10):
        """The heart rate, once there is one."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            found = self.heart_rate()
            if found:
                return found
            time.sleep(0.1)
        return None

    def changes(self, seconds=15):
        """Whether the heart rate changes within that time."""
        first, until = self.heart_rate(), time.monotonic() + seconds
        while time.monotonic() < until:
            if self.heart_rate() not in (None, first):
                return True
            time.sleep(0.1)
        return False
