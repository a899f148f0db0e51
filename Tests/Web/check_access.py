"""Permissions: the key, other origins, other hosts, other machines."""

import hashlib
import http.server
import socket
import threading
import time

import client
import recordings
from check_values import latest
from checks import PROBE, Skipped

ENTER = "\ue007"
FIELD = "return [...document.querySelectorAll('dialog[open] input, main input')].find((e) => e.type !== 'hidden' && e.getClientRects().length)"


def phase(served, session):
    return client.figures(served.address, session)["phase"]


def becomes(page, served, session, wanted, seconds=6):
    page.that(client.wait(lambda: phase(served, session) == wanted, seconds), f"the session to be {wanted}", phase(served, session))


def give_key(page, key):
    """Types a key into the open form and submits it."""
    page.driver.click(FIELD)
    page.driver.evaluate("const field = document.activeElement; if (field && 'value' in field) field.value = '';")
    page.driver.keys(key + ENTER)


def check_controls(page, bench):
    with bench.serve(speed=4) as served:
        session = latest(served)
        path = f"/api/sessions/{session}"
        page.request(f"POST {path}/pause")
        for headers in ({}, {"Authorization": "Bearer wrong"}, {"Cookie": "key=wrong"}):
            answer = client.ask(served.address, f"{path}/pause", "POST", headers=headers)
            page.that(answer.status == 401, f"401 without the key, with {headers}", answer.status)
            page.that("error" in answer.text, "an error in words", answer.text[:100])
        page.that(phase(served, session) == "running", "the session to be running", phase(served, session))

        page.driver.forget()
        page.open(served.address, f"/sessions/{session}", "live")
        page.alive()
        page.that(page.click("^pause"), "a button to pause", page.ask("[...document.querySelectorAll('button')].map(nameOf)"))
        opened = client.wait(lambda: page.ask("document.querySelector('dialog[open] input') !== null"), 5)
        if not page.that(opened, "the form for the key, in the page, after a button without the key", "no open dialog with a field"):
            return
        page.screenshot("key-asked")
        for fault in page.ask("layout(false)"):
            page.that(False, "the form in its place", fault)
        give_key(page, "not-the-key")
        time.sleep(1)
        page.that(page.ask("document.querySelector('dialog[open]') !== null"), "the form to stay with a wrong key", "closed")
        page.that(phase(served, session) == "running", "the session to be running with a wrong key", phase(served, session))
        give_key(page, served.key)
        becomes(page, served, session, "paused")
        page.that(page.ask("document.querySelector('dialog[open]') === null"), "the form to close with the right key", "open")
        page.that(client.wait(lambda: page.ask("button('^resume') !== null"), 5), "a button to resume", "none")
        # With the keyboard only.
        page.driver.evaluate(PROBE + "\nbutton('^resume')?.focus();")
        page.driver.keys(ENTER)
        becomes(page, served, session, "running")
        laps = client.figures(served.address, session)["lap"]["number"]
        client.wait(lambda: page.ask("button('lap') !== null"), 5)
        page.click("lap")
        page.that(client.wait(lambda: client.figures(served.address, session)["lap"]["number"] == laps + 1, 6),
                  f"lap {laps + 1}", client.figures(served.address, session)["lap"])
        page.click("^end")
        time.sleep(1)
        page.that(not client.figures(served.address, session)["isOver"], "'end' to ask first", "the session is over after one press")
        page.screenshot("end-asked")
        page.that(page.click("end|yes|really|sure"), "a button for the second press", page.ask("[...document.querySelectorAll('button')].filter(shown).map(nameOf)"))
        page.that(client.wait(lambda: client.figures(served.address, session)["isOver"], 6), "the session to be over after two presses",
                  phase(served, session))
        page.that(client.wait(lambda: page.ask("says('ended|over')"), 6), "the page to say that it ended", "nothing of it")
        page.screenshot("ended")
        # Chromium logs each answer of 400 and more; these are expected.
        page.errors(allowed=["401", "/workouts/"])


def check_class(page, bench):
    """A board's buttons for all sessions, and the order by zone."""
    with bench.serve(recordings.hall(bench.folder, 12), speed=2) as served:
        page.driver.forget()
        page.open(served.address, "/board", "class")
        page.alive()
        page.that(page.click("^pause all"), "a button to pause all", page.ask("[...document.querySelectorAll('button')].map(nameOf)"))
        opened = client.wait(lambda: page.ask("document.querySelector('dialog[open] input') !== null"), 5)
        page.that(opened, "the form for the key", "no open dialog with a field")
        give_key(page, served.key)
        sessions = [one["id"] for one in client.sessions(served.address)]
        paused = client.wait(lambda: all(phase(served, one) == "paused" for one in sessions), 10)
        page.that(paused and len(sessions) == 12, "all sessions to be paused", [phase(served, one) for one in sessions])
        page.that(client.wait(lambda: page.ask("button('^resume all') !== null"), 5), "a button to resume all", "none")
        page.click("^resume all")
        page.that(client.wait(lambda: all(phase(served, one) == "running" for one in sessions), 10), "all sessions to run again",
                  [phase(served, one) for one in sessions])
        page.click("^by zone")
        zones = "[...document.querySelectorAll('.tile')].map((tile) => Number(tile.dataset.zone ?? 0))"
        sorted_ = client.wait(lambda: (lambda now: now == sorted(now, reverse=True) and len(set(now)) > 1)(page.ask(zones)), 30)
        page.that(sorted_, "the hardest first", page.ask(zones))
        page.that("sort=zone" in page.driver.address(), "an address that keeps the order", page.driver.address())
        page.screenshot("by-zone")
        page.errors(allowed=["401"])


OTHER = """<!doctype html><html lang="en"><title>another origin</title><body>
<form method="post" action="TARGETpause" enctype="text/plain" target="frame"><input name="a" value="b"></form>
<iframe name="frame"></iframe><script>
const outcomes = document.body.dataset;
const from = (name, promise) => promise.then((a) => { outcomes[name] = "answer " + a.type; }, () => { outcomes[name] = "refused"; });
from("blind", fetch("TARGETpause", { method: "POST", mode: "no-cors", credentials: "include" }));
from("open", fetch("TARGETpause", { method: "POST", credentials: "include" }));
from("json", fetch("TARGETpause", { method: "POST", credentials: "include", body: "{}", headers: { "Content-Type": "application/json" } }));
from("read", fetch("TARGET".slice(0, -1), { credentials: "include" }));
document.forms[0].submit();
</script></body></html>"""


class Elsewhere:
    """A page of another origin on this machine, which shares cookies as the same site."""

    def __init__(self, target):
        text = OTHER.replace("TARGET", target).encode()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                is_page = self.path == "/"
                self.send_response(200 if is_page else 204)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                if is_page:
                    self.wfile.write(text)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return f"http://127.0.0.1:{self.server.server_port}"

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def check_origin(page, bench):
    with bench.serve(speed=4) as served:
        session = latest(served)
        page.driver.forget()
        page.open(served.address, "/key", "key")
        give_key(page, served.key)
        access = "const done = arguments[arguments.length - 1]; fetch('/api/access').then((a) => a.json()).then(done, (e) => done(String(e)))"

        def has_key():
            try:
                return page.driver.evaluate_later(access).get("hasKey")
            except Exception:  # The page goes elsewhere when the key was right.
                return False

        page.that(client.wait(has_key, 6), "the browser to have the key after /key", page.driver.address())
        page.driver.errors()
        with Elsewhere(f"{served.address}api/sessions/{session}/") as origin:
            page.open(origin, "/", "another origin")
            client.wait(lambda: len(page.driver.evaluate("return Object.keys(document.body.dataset)")) == 4, 8)
            time.sleep(1)
            outcomes = page.driver.evaluate("return { ...document.body.dataset }")
            page.that(phase(served, session) == "running", "the session to go on running whatever another origin sends", phase(served, session))
            page.that(outcomes.get("read") == "refused", "another origin not to read figures", outcomes)
            page.that(outcomes.get("json") == "refused", "another origin not to be allowed requests of its own", outcomes)
        page.driver.errors()
        # The same browser succeeds from the page itself, so the origin was the reason.
        page.open(served.address, f"/sessions/{session}", "live")
        page.alive()
        page.click("^pause")
        becomes(page, served, session, "paused")


def check_host(page, bench):
    """Foreign names that point to this machine."""
    with bench.serve(speed=4) as served:
        session = latest(served)
        own = f"127.0.0.1:{served.port}"
        page.request("requests")
        for method, path in (("GET", "/"), ("GET", "/api/live"), ("GET", f"/api/sessions/{session}"), ("POST", f"/api/sessions/{session}/pause")):
            for host in ("evil.example", f"evil.example:{served.port}", f"127.0.0.1.evil.example:{served.port}", f"{own}.evil.example", ""):
                request = f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                answer = client.raw(served.address, request.encode())
                status = answer.split(b" ")[1:2]
                page.that(not answer or status[0][:1] == b"4", f"{method} {path} with Host '{host}' to be refused", answer[:60])
        answer = client.raw(served.address, f"GET / HTTP/1.1\r\nHost: {own}\r\nConnection: close\r\n\r\n".encode())
        page.that(b" 200 " in answer[:20], "its own Host to be served", answer[:60])
        policy = client.ask(served.address, "/").headers.get("Content-Security-Policy") or ""
        for part in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"):
            page.that(part in policy, f"{part} in the page's policy", policy or "none")
        page.that("unsafe" not in policy, "nothing unsafe in the page's policy", policy)


def own_address():
    """A non-loopback address of this machine. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        found = probe.getsockname()[0]
    return None if found.startswith("127.") else found


def check_beyond(page, bench):
    host = own_address()
    if host is None:
        raise Skipped("this machine has no address but loopback")
    with bench.serve(speed=4, on="0.0.0.0:0") as served:
        port = served.port
        page.request("beyond loopback")
        page.that(served.address.startswith("https://"), "an https address", served.address)
        address = f"https://{host}:{port}/"
        for path in ("/", "/board", "/history"):
            answer = client.ask(address, path)
            page.that(answer.status == 401 and "<input" in answer.text, f"401 and the form for the key at {path}", f"{answer.status} {answer.text[:60]}")
        answer = client.ask(address, "/api/live")
        page.that(answer.status == 401, "401 at /api/live without the key", answer.status)
        answer = client.ask(address, "/?key=wrong")
        page.that(answer.status == 401, "401 with a wrong key", answer.status)
        answer = client.ask(address, f"/?key={served.key}")
        cookie = (answer.headers.get("Set-Cookie") or "").lower()
        page.that(300 <= answer.status < 400 and "key=" not in (answer.headers.get("Location") or ""), "to be sent to an address without the key",
                  f"{answer.status} {answer.headers.get('Location')}")
        for word in ("httponly", "secure"):
            page.that(word in cookie, f"{word} in the cookie", cookie)
        # Strict would break links in messages. Lax keeps the cookie out of other sites' requests.
        page.that("samesite=lax" in cookie or "samesite=strict" in cookie, "samesite in the cookie", cookie)
        plain = client.raw(f"http://{host}:{port}/", f"GET /?key={served.key} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        page.that(b" 200 " not in plain[:20] and b"set-cookie" not in plain.lower(), "plain http to be refused", plain[:60])
        with socket.create_connection((host, port), timeout=5) as link, client.unverified().wrap_socket(link) as tls:
            page.that(tls.version() in ("TLSv1.2", "TLSv1.3"), "TLS 1.2 or newer", tls.version())
            seen = hashlib.sha256(tls.getpeercert(True)).hexdigest()
            told = "".join(c for c in (served.fingerprint or "").lower() if c in "0123456789abcdef")
            page.that(told and told in seen or seen in told, "the fingerprint that the command printed", f"{served.fingerprint}, and {seen}")

        page.driver.forget()
        page.open(address, "/", "beyond loopback")
        page.that(page.driver.evaluate(FIELD.replace("return ", "return !!")), "the form for the key", "none")
        page.screenshot("key-page")
        page.errors(allowed=["401"])
        page.open(address, f"/?key={served.key}")
        page.that(served.key not in page.driver.address(), "no key in the address bar", page.driver.address())
        page.that(served.key not in (page.driver.evaluate("return document.cookie + history.state + document.referrer") or ""),
                  "no key for scripts", "it is in document.cookie, history or the referrer")
        page.that(page.alive(), "a heart rate within 10 s", "none")
        page.that(page.changes(), "a heart rate that changes within 15 s", page.heart_rate())
        page.errors()
        # With the form.
        page.driver.forget()
        page.open(address, "/board", "board beyond loopback")
        give_key(page, served.key)
        page.that(client.wait(lambda: page.alive(1), 10), "the board after the key was given", page.driver.address())
        page.driver.errors()
