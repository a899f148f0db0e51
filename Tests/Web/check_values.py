"""Live values: they arrive, equal the server's, and return in order after any fault of the link."""

import json
import re
import time

import client
import recordings
from checks import RETURN, SILENCE
from link import Link

CUT_OFF = "not connected"
# Fast enough for changing values, and slow enough that no replay ends.
SPEED = 3


def latest(served):
    known = client.sessions(served.address)
    if not known:
        raise RuntimeError("the server knows of no session: no event `sessions` with one on /api/live within 10 s")
    return known[-1]["id"]


def agrees(page, served, session, seconds=8):
    """Whether the page's heart rate is one that the server sent within the last second, three times; and the last values of both."""
    until, told, agreed, seen = time.monotonic() + seconds, [], 0, None
    while time.monotonic() < until and agreed < 3:
        told.append((time.monotonic(), client.figures(served.address, session)["heartRate"]))
        shown = page.heart_rate()
        # The page is updated a few times a second.
        recent = {str(round(rate)) for at, rate in told if rate is not None and time.monotonic() - at <= 1}
        agreed = agreed + 1 if shown in recent else 0
        seen = f"{shown} on the page, {told[-1][1]} of the server"
        time.sleep(0.3)
    return agreed == 3, seen


def clocks(text):
    """The times in a text, in seconds."""
    found = re.findall(r"(?<![\d:])(\d+):(\d\d):(\d\d)(?!\d)", text or "")
    return [3600 * int(h) + 60 * int(m) + int(s) for h, m, s in found]


def check_values(page, bench):
    with bench.serve(speed=SPEED) as served:
        session = latest(served)
        page.open(served.address, "/", "live")
        page.that(page.alive(), "a heart rate within 10 s", "none")
        page.that(page.changes(), "a heart rate that changes within 15 s", page.heart_rate())
        same, seen = agrees(page, served, session)
        page.that(same, f"the heart rate of /api/sessions/{session}", seen)
        time_text = client.figures(served.address, session)["time"]
        page.that(page.ask("says('\\\\d+:\\\\d\\\\d')"), f"a time such as {time_text}", "none")
        drawn = client.wait(lambda: [c for c in page.ask("charts()") if c], 8)
        page.that(drawn, "a chart with a line", "blank or none")
        grown = client.wait(lambda: [c for c in page.ask("charts()") if c] != drawn, 10)
        page.that(grown, "a chart that grows within 10 s", "the same")
        if page.ask("button('ten|10')") is not None:
            page.click("ten|10")
            page.that(client.wait(lambda: any(page.ask("charts()")), 5), "a chart of the last ten minutes", "blank")
        for path, name in (("/board", "board"), ("/overlay", "overlay"), (f"/sessions/{session}", "session")):
            page.open(served.address, path, name)
            page.that(page.alive(), "a heart rate within 10 s", "none")
            page.that(page.changes(), "a heart rate that changes within 15 s", page.heart_rate())
            same, seen = agrees(page, served, session)
            page.that(same, f"the heart rate of /api/sessions/{session}", seen)
        page.errors()


def check_away(page, bench):
    """A page that was hidden or suspended catches up."""
    with bench.serve(speed=SPEED) as served:
        session = latest(served)

        def catches_up(what, seconds):
            begun = time.monotonic()

            def has_time():
                wanted = client.figures(served.address, session)["time"]
                # Two seconds of real time; the replay is faster.
                return any(abs(seen - clocks(wanted)[0]) <= 2 * SPEED for seen in clocks(page.ask("says('.*')")))

            page.that(client.wait(has_time, seconds), f"the session's time within {seconds} s of {what}",
                      f"{page.ask('says(`.*`)')} on the page, {client.figures(served.address, session)['time']} of the server")
            page.report.note(f"away in {page.driver.name}: caught up {time.monotonic() - begun:.1f} s after {what}")
            same, seen = agrees(page, served, session)
            page.that(same, f"the server's heart rate after {what}", seen)
            page.that(any(page.ask("charts()")), f"the chart after {what}", "blank")

        page.open(served.address, "/", "live")
        page.alive()
        page.driver.away(8)
        catches_up("being hidden", 8)
        # Chromium silently stops the stream of a suspended page, which the page notices as silence.
        if page.driver.freeze(8):
            catches_up("being stopped", SILENCE)
        page.errors(allowed=["ERR_NETWORK_IO_SUSPENDED"])


def check_names(page, bench):
    """Names of sensors are untrusted text."""
    hostile = recordings.variant("easy-run", bench.folder, "hostile", sensor=recordings.HOSTILE, name=recordings.HOSTILE_FILE)
    with bench.serve([hostile], speed=SPEED, stored=hostile) as served:
        session = latest(served)
        known = client.wait(lambda: client.figures(served.address, session)["sensors"], 5)
        has_name = any(recordings.HOSTILE[:20] in sensor["name"] for sensor in known)
        page.that(has_name, "the hostile name in what the server says of sensors", known)
        pages = [(f"/sessions/{session}", "live"), ("/board", "board"), ("/overlay", "overlay"), ("/history", "history")]
        for path, name in pages:
            page.open(served.address, path, name)
            if name not in ("history", "report"):
                page.alive()
            elif name == "history" and page.ask("document.querySelector('a[href*=\"/workouts/\"]') !== null"):
                pages.append((page.ask("document.querySelector('a[href*=\"/workouts/\"]').getAttribute('href')"), "report"))
            marked_up = page.ask("[...document.querySelectorAll('img, b, [onerror]')]"
                                 ".filter((e) => e.matches('img[src=x], [onerror]') || e.textContent === 'bold').length")
            page.that(marked_up == 0, "no element made of a name", f"{marked_up} elements")
            page.that(page.ask("document.title") != "taken", "no script run by a name", "it ran")
            if name == "live" and has_name:
                page.that(page.ask("document.body.textContent.includes('<img src=x onerror=')"), "the name as text", "it is not there")
        page.errors()


def cut_off(page, what):
    """The page reports it in time, and keeps its last values."""
    begun = time.monotonic()
    said = client.wait(lambda: page.ask(f"says('{CUT_OFF}')"), SILENCE, every=0.3)
    page.that(said, f"'{CUT_OFF} …' within 20 s of {what}", f"nothing of it after {time.monotonic() - begun:.0f} s")
    page.that(page.heart_rate(), "the last heart rate to stay while cut off", "none")
    return said


def goes_on(page, served, what):
    back = client.wait(lambda: not page.ask(f"says('{CUT_OFF}')"), RETURN, every=0.3)
    page.that(back, f"the page to go on by itself within {RETURN} s {what}", page.ask(f"says('{CUT_OFF}.{{0,60}}')"))
    page.that(page.changes(), f"a heart rate that changes {what}", page.heart_rate())
    same, seen = agrees(page, served, latest(served))
    page.that(same, f"the server's heart rate {what}", seen)


def check_killed(page, bench):
    with bench.serve(speed=SPEED) as served:
        page.open(served.address, "/", "live")
        page.that(page.alive(), "a heart rate within 10 s", "none")
        served.kill()
        cut_off(page, "the server's end")
        page.screenshot("cut-off")
        served.again()
        goes_on(page, served, "after the server came back")
        page.errors(allowed=["ERR_", "Failed to load resource", "can’t establish a connection", "was interrupted"])


def check_cut(page, bench):
    """A broken and a silent link: the live page, the board and the overlay."""
    with bench.serve(speed=SPEED) as served, Link(served.address) as link:
        network = ["ERR_", "Failed to load resource", "can’t establish a connection", "was interrupted"]
        page.open(link.address, "/", "live")
        page.that(page.alive(), "a heart rate within 10 s", "none")
        link.swallow()
        cut_off(page, "silence")
        link.up()
        goes_on(page, served, "after a silent link")
        for path, name in (("/board", "board"), ("/overlay?cutoff=dim", "overlay")):
            page.open(link.address, path, name)
            page.that(page.alive(), "a heart rate within 10 s", "none")
            link.down()
            if name == "board":
                cut_off(page, "a cut")
            else:
                time.sleep(2)
                page.that(page.heart_rate(), "the last heart rate to stay while cut off", "none")
            link.up()
            goes_on(page, served, "after a cut link")
        page.errors(allowed=network)


def check_entries(page, bench):
    """The stream of entries continues from a position: read here, and by the browser's EventSource across broken links."""
    with bench.serve(speed=SPEED) as served:
        session = latest(served)
        path = f"/api/sessions/{session}/entries"

        def read(count, after=None):
            headers = {} if after is None else {"Last-Event-ID": str(after)}
            with client.Stream(served.address, path, headers) as stream:
                if stream.status != 200:
                    raise RuntimeError(f"GET {path}: expected 200, seen {stream.status}")
                found = []
                for number, event, data in stream.events(20):
                    if number is not None:
                        json.loads(data)
                        found.append((int(number), event, data))
                    if len(found) == count:
                        break
                return found

        page.request(path)
        first = read(150)
        numbers = [number for number, _, _ in first]
        page.that(len(first) == 150, "150 entries within 20 s", len(first))
        page.that(numbers == list(range(numbers[0], numbers[0] + len(numbers))) and numbers[0] in (0, 1),
                  "entry numbers from the first on, one by one", numbers[:10])
        for after in (120, 1, numbers[-1]):
            more = read(20, after)
            page.that([n for n, _, _ in more] == list(range(after + 1, after + 21)), f"Last-Event-ID {after} to go on with {after + 1}",
                      [n for n, _, _ in more][:5])
            known = dict((n, data) for n, _, data in first)
            page.that(all(known.get(n, data) == data for n, _, data in more), "the same entry under the same number", "another one")
        names = sorted({event for _, event, _ in first})

        with Link(served.address) as link:
            page.open(link.address, "/key", "entries")
            page.driver.evaluate("""
                globalThis.seen = [];
                globalThis.source = new EventSource(arguments[0]);
                for (const name of arguments[1]) source.addEventListener(name, (event) => seen.push(Number(event.lastEventId)));
                """, path, names)
            for _ in range(2):
                count = page.driver.evaluate("return seen.length")
                client.wait(lambda: page.driver.evaluate("return seen.length") > count + 20, 10)
                link.down()
                time.sleep(0.5)
                link.up()
            count = page.driver.evaluate("return seen.length")
            page.that(client.wait(lambda: page.driver.evaluate("return seen.length") > count + 20, 20),
                      "entries after two cuts", f"{count} before, {page.driver.evaluate('return seen.length')} after")
            seen = page.driver.evaluate("source.close(); return seen")
            gaps = [(a, b) for a, b in zip(seen, seen[1:]) if b != a + 1]
            page.that(seen and not gaps, "no gap and no repeat over two cuts", gaps[:5] or "no entries")
            page.driver.errors()
