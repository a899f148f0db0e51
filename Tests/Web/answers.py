#!/usr/bin/env python3
"""Asks the optimised command for each of its pages as browsers of several countries do, without a browser: a compiler may break there what
the tests of the debug build hold.

answers.py WORKOUT RECORDING
"""

import pathlib
import sys
import tempfile

import client
import served

LANGUAGES = [None, "en-US,en;q=0.9", "de-CH,de;q=0.9,en;q=0.8", "fr", "*"]


def check(workout, recording):
    failures = []
    with tempfile.TemporaryDirectory() as home, served.Workout(workout, home, [recording], stored=recording) as site:
        session = client.ask(site.address, "/api/sessions").json()["sessions"][0]["session"]
        stored = client.ask(site.address, "/api/workouts").json()["workouts"][0]["id"]
        pages = ["/", "/history", "/history?page=2", "/board", "/overlay", "/key", f"/workouts/{stored}", "/reports/week", "/reports/all", "/nothing",
                 f"/sessions/{session}", "/metrics", "/openapi.json", f"/api/sessions/{session}", f"/api/workouts/{stored}"]
        for page in pages:
            statuses = set()
            for language in LANGUAGES:
                try:
                    statuses.add(client.ask(site.address, page, headers={"Accept-Language": language} if language else {}).status)
                except OSError as error:
                    failures.append(f"{page} in {language}: {error}")
            if len(statuses) > 1 or any(status >= 500 for status in statuses):
                failures.append(f"{page}: {sorted(statuses)}")
            print(f"answers: {page.replace(session, 'SESSION').replace(stored, 'WORKOUT')}: {sorted(statuses)}")
        status = site.process.poll()
        if status is not None:
            failures.append(f"the command ended with {status}")
    return failures


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())
    for failure in found:
        print(f"answers: FAILED: {failure}", file=sys.stderr)
    sys.exit(1 if found else 0)
