"""The layout of pages at each width and colour scheme, and their use by keyboard and screen reader."""

import html.parser
import os
import re
import shutil
import subprocess
import time

import client
import recordings
from checks import Skipped

TAB, ENTER = "\ue004", "\ue007"
SCHEMES = ["light", "dark"]
WIDTHS = [360, 768, 1280, 1920, 3840]


def settle(page):
    # Two frames and a resize observer's delay. Transitions are short.
    page.driver.evaluate_later("const done = arguments[arguments.length - 1];"
                               "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 250)));")


def axe(page, bench):
    page.driver.evaluate(bench.axe)
    # Behind an overlay is the picture of a stream, which axe cannot see; an outline gives the contrast.
    rules = {"color-contrast": {"enabled": False}} if page.name.startswith("overlay") else {}
    found = page.driver.evaluate_later("""
        const done = arguments[arguments.length - 1];
        axe.run(document, { rules: arguments[0], resultTypes: ["violations"] }).then(
          (all) => done(all.violations.map((v) => ({ id: v.id, impact: v.impact, help: v.help, count: v.nodes.length,
            where: v.nodes.slice(0, 3).map((n) => n.target.join(" ")), why: v.nodes[0].any.concat(v.nodes[0].all, v.nodes[0].none)[0]?.message }))),
          (error) => done([{ id: "axe", impact: "critical", help: String(error), count: 1, where: [] }]));""", rules)
    for one in found:
        sentence = f"{one['id']} ({one['impact']}) at {one['count']}: {one['where']}: {one.get('why') or one['help']}"
        page.that(False, "nothing for axe to find", sentence)
    page.that(True, "")


def roles(page):
    found = page.ask("roles()")
    page.that(found["language"], "a language of the document", "none")
    page.that(found["title"], "a title", "none")
    page.that(found["mains"] == 1, "one main landmark", found["mains"])
    if not page.name.startswith("overlay"):
        page.that(len(found["headings"]) == 1 and found["headings"][0], "one h1 with text", found["headings"])
    page.that(not found["nameless"], "a name for each button, link and field", found["nameless"])


def looks(page, bench, address, path, name, is_live=True, fits=(), allowed=()):
    """One page at all widths in both schemes; `allowed` are errors of the console that belong to it."""
    page.open(address, path, name)
    if is_live:
        page.that(page.alive(), "a heart rate within 10 s", "none")
    for width in WIDTHS:
        known = set()
        for scheme in SCHEMES:
            page.show(width, scheme)
            settle(page)
            shot = page.screenshot()
            faults = page.ask(f"layout({'true' if width in fits else 'false'})")
            # Failures that the other scheme has already shown; numbers change meanwhile.
            new = [fault for fault in faults if re.sub(r"\d+", "", fault) not in known]
            known |= {re.sub(r"\d+", "", fault) for fault in faults}
            for fault in new:
                page.report.fail(f"{page.check}: page {name} in {page.driver.name} at {width} px, {scheme}: {fault}; screenshot {shot}")
            page.that(True, "")
            shortened = page.ask("shortened()") if scheme == "light" else []
            if shortened:
                page.report.note(f"shortened, told only: page {name} in {page.driver.name} at {width} px: {len(shortened)} texts, "
                                 f"such as \"{shortened[0]}\"; screenshot {shot}")
            if scheme == "light" or width == 1280:
                axe(page, bench)
    page.show(1280)
    roles(page)
    page.errors(allowed)


def check_live(page, bench):
    with bench.serve(speed=4) as served:
        looks(page, bench, served.address, "/", "live")


def check_board(page, bench):
    for count in (1, 12, 60):
        with bench.serve(recordings.hall(bench.folder, count), speed=2) as served:
            looks(page, bench, served.address, "/board", f"board-{count}", fits=(1280, 3840))
            tiles = page.ask("[...document.querySelectorAll('a[href*=\"/sessions/\"]')].filter(shown).length")
            page.that(tiles == count, f"{count} tiles that link to their sessions", tiles)


def check_overlay(page, bench):
    with bench.serve(speed=4) as served:
        looks(page, bench, served.address, "/overlay", "overlay", fits=(1280, 3840))
        page.open(served.address, "/overlay?show=heartRate,zone,time,lap,pace,curve&theme=contrast&scale=1.5&align=right", "overlay-all")
        page.that(page.alive(), "a heart rate within 10 s", "none")
        for width in WIDTHS[1:]:
            page.show(width)
            settle(page)
            page.screenshot()
            for fault in page.ask("layout(true)"):
                page.that(False, "all in its place", fault)
        ground = page.ask("[document.documentElement, document.body].map((e) => getComputedStyle(e).backgroundColor)")
        clear = all(colour in ("transparent", "rgba(0, 0, 0, 0)") for colour in ground)
        page.that(clear, "a transparent ground", ground)
        page.errors()


def check_history(page, bench):
    with bench.serve(speed=4, stored=True) as served:
        looks(page, bench, served.address, "/history", "history", is_live=False)
        link = page.ask("document.querySelector('a[href*=\"/workouts/\"]')?.getAttribute('href')")
        if not page.that(link, "a link to the stored workout", "none"):
            return
        page.driver.click("return document.querySelector('a[href*=\"/workouts/\"]')")
        client.wait(lambda: page.driver.address().endswith(link), 10)
        page.that(page.driver.address().endswith(link), f"the report {link} after a click", page.driver.address())
        looks(page, bench, served.address, "/" + link.lstrip("/"), "report", is_live=False)


def check_reports(page, bench):
    """Pages of periods, of nothing, and the files of `workout report`, one of them in German."""
    with bench.serve(speed=4, stored=True) as served:
        for path in ("/reports/all", "/reports/year", "/history?text=nothing", "/nothing"):
            looks(page, bench, served.address, path, path.strip("/").replace("?", "-"), is_live=False, allowed=("404 (Not Found)",))
        page.open(served.address, "/nothing", "nothing")
        page.that("Not found" in page.ask("document.title"), "the title Not found", page.ask("document.title"))
        page.driver.errors()
    run = recordings.variant("intervals", bench.folder, "report")
    other = recordings.variant("easy-run", bench.folder, "other")
    for name, files, language in (("workout", [run], "de"), ("comparison", [run, other], "en")):
        file = bench.folder / f"{page.driver.name}-{name}.html"
        subprocess.run([bench.workout, "report", *map(str, files), "--language", language, "-o", str(file), "--force"],
                       check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=60)
        looks(page, bench, f"file://{bench.folder}", f"/{file.name}", f"file-{name}", is_live=False)
        page.that(page.ask("document.documentElement.lang") == language, f"a page in {language}", page.ask("document.documentElement.lang"))


class Numbers(html.parser.HTMLParser):
    """The numbers that a page shows on paper, except those of folded lists, other colours of the route, links to other pages, and every other
    mark of an axis."""

    def __init__(self):
        super().__init__()
        self.hidden, self.found = [], []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        classes = (attributes.get("class") or "").split()
        is_hidden = tag in ("script", "style", "head", "nav", "label") or "odd" in classes or "legend" in classes and "by" in classes
        if is_hidden or tag == "details" and "open" not in attributes:
            self.hidden.append(tag)
        elif self.hidden and tag not in ("meta", "link", "input"):
            self.hidden.append(tag)

    def handle_endtag(self, tag):
        if self.hidden and self.hidden[-1] == tag:
            self.hidden.pop()

    def handle_data(self, data):
        if not self.hidden:
            self.found += numbers(data)


def numbers(text):
    return re.findall(r"\d+(?:[.,:]\d+)*", text)


def check_printed(page, bench):
    """A report's PDF contains every number, and a run fits on one sheet of A4 or Letter."""
    page.request("pdf")
    if page.driver.name != "chromium":
        raise Skipped("the command prints with Chromium")
    if not shutil.which("pdftotext"):
        raise Skipped("pdftotext (poppler-utils) is missing")
    for name, language, locale in (("intervals", "en", "en_US.UTF-8"), ("easy-run", "de", "de_DE.UTF-8"), ("easy-run", "en", "en_US.UTF-8")):
        run = recordings.variant(name, bench.folder, "printed")
        command = [bench.workout, "report", str(run), "--language", language, "--force", "-o"]
        for ending, options in (("html", []), ("pdf", ["--pdf"])):
            subprocess.run(command + [str(bench.folder / f"printed.{ending}")] + options, check=True, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, timeout=90, env={**os.environ, "LC_ALL": locale})
        shown = Numbers()
        shown.feed((bench.folder / "printed.html").read_text())
        text = subprocess.run(["pdftotext", "-layout", str(bench.folder / "printed.pdf"), "-"], check=True, capture_output=True,
                              text=True, timeout=60).stdout
        page.that(text.count("\f") == 1, f"{name} on one sheet for {locale}", text.count("\f"))
        missing = sorted(set(shown.found) - set(numbers(text)))
        page.that(len(shown.found) > 100 and not missing, f"every number of {name} in its PDF", missing[:10] or len(shown.found))


def check_key(page, bench):
    with bench.serve(speed=4) as served:
        looks(page, bench, served.address, "/key", "key", is_live=False)
        field = page.ask("[...document.querySelectorAll('input:not([type=hidden])')].filter(shown).length")
        page.that(field == 1, "one field", field)


def tab_through(page):
    """Tab reaches every control, with a visible focus."""
    wanted = set(page.ask("controls().map(controlName)"))
    reached, unseen = set(), set()
    # The browser's toolbar follows the last control, and then the first one.
    for press in range(len(wanted) + 15):
        if press:
            page.driver.keys(TAB)
        focus = page.ask("focus()")
        if focus is None:
            continue
        reached.add(focus["name"])
        if not focus["seen"]:
            unseen.add(focus["name"])
        if wanted <= reached:
            break
    page.that(wanted, "controls", "none")
    page.that(wanted <= reached, "Tab to reach every control", f"not reached: {sorted(wanted - reached)}")
    page.that(not unseen, "the focus to be seen", f"neither outline nor shadow: {sorted(unseen)}")


def check_keyboard(page, bench):
    with bench.serve(recordings.hall(bench.folder, 3), speed=4, stored=True) as served:
        for path in ("/", "/board", "/history", "/key"):
            page.open(served.address, path, path.strip("/") or "live")
            if path in ("/", "/board"):
                page.that(page.alive(), "a heart rate within 10 s", "none")
            tab_through(page)
        # Values change a few times a second and must not take the focus.
        page.open(served.address, "/", "live")
        page.alive()
        page.driver.evaluate("document.activeElement && document.activeElement.blur();")
        page.driver.keys(TAB)
        first = page.ask("focus()")
        page.changes(5)
        time.sleep(1)
        page.that(page.ask("focus()") == first, f"the focus to stay at {first}", page.ask("focus()"))
        # Enter on a tile opens its session.
        page.open(served.address, "/board", "board")
        page.alive()
        for _ in range(12):
            page.driver.keys(TAB)
            where = page.ask("document.activeElement.getAttribute('href')")
            if where and "/sessions/" in where:
                break
        page.driver.keys(ENTER)
        client.wait(lambda: "/sessions/" in page.driver.address(), 10)
        page.that("/sessions/" in page.driver.address(), "Enter on a tile to open its session", page.driver.address())
        page.errors()
