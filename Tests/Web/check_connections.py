"""Opening connections neither ends a session nor locks out a browser."""

import resource
import socket
import ssl
import time
import urllib.parse

import client
from check_values import latest
from checks import Skipped


def connect(address):
    parts = urllib.parse.urlsplit(address)
    host = "127.0.0.1" if parts.hostname in ("0.0.0.0", "::") else parts.hostname
    link = socket.create_connection((host, parts.port), timeout=client.PATIENCE)
    link.setblocking(False)
    return link


def drip(links):
    """Sends one more byte on each open connection."""
    for link in links:
        try:
            link.send(b"G")
        except OSError:
            pass


def close(links):
    for link in links:
        link.close()


def hello():
    """The first bytes of a browser with TLS."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    try:
        client.unverified().wrap_bio(incoming, outgoing, server_hostname="localhost").do_handshake()
    except ssl.SSLWantReadError:
        pass
    return outgoing.read()


def answers(served, session):
    """Whether a client with the key is answered."""
    try:
        headers = {"Authorization": f"Bearer {served.key}"}
        return client.ask(served.address, f"/api/sessions/{session}", headers=headers).status == 200
    except OSError:
        return False


def goes_on(page, served, session, what):
    page.that(served.process.poll() is None, f"the command to run {what}", served.process.poll())
    page.that(page.changes(), f"a heart rate that changes within 15 s {what}", page.heart_rate())
    page.that(client.wait(lambda: answers(served, session), 10), f"an answer for who has the key {what}", "none")


def check_connections(page, bench):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 1_500:
        raise Skipped("this process may not open 1,500 files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 1_500), hard))
    crowded(page, bench)
    cut(page, bench)
    for descriptors in (64, 256):
        short(page, bench, descriptors)


def crowded(page, bench):
    with bench.serve(speed=1) as served:
        session = latest(served)
        page.driver.forget()
        page.open(served.address, f"/?key={served.key}", "live")
        page.that(page.alive(), "a heart rate within 10 s", "none")
        links = []
        for _ in range(1_001):
            links.append(connect(served.address))
        goes_on(page, served, session, "with 1,001 connections")
        for _ in range(4):
            drip(links)
            time.sleep(1)
        goes_on(page, served, session, "while each of them sends a byte a second")
        page.open(served.address, "/board", "board in a crowd")
        page.that(page.alive(), "a page that opens in the crowd", "none")
        close(links)
        for _ in range(10_000):
            connect(served.address).close()
        goes_on(page, served, session, "after 10,000 connections that came and went")
        page.errors()


def cut(page, bench):
    with bench.serve(speed=1, on="0.0.0.0:0") as served:
        first, links = hello(), []
        for length in range(1, len(first) + 1):
            link = connect(served.address)
            link.send(first[:length])
            links.append(link)
            if length % 2:
                links.pop().close()
        address = served.address
        page.request("TLS handshakes cut anywhere")
        answer = client.ask(address, f"/?key={served.key}")
        page.that(300 <= answer.status < 400, "who has the key to get in", answer.status)
        page.that(served.process.poll() is None, "the command to run", served.process.poll())
        close(links)


def short(page, bench, descriptors):
    """In a process with a low limit of open files."""
    with bench.serve(speed=1, descriptors=descriptors) as served:
        session, what = latest(served), f"with {descriptors} file descriptors"
        page.driver.forget()
        page.open(served.address, f"/?key={served.key}", "live")
        page.that(page.alive(), "a heart rate within 10 s", "none")
        links = [connect(served.address) for _ in range(2 * descriptors)]
        goes_on(page, served, session, what)
        close(links)
        page.open(served.address, "/board", "board after a crowd")
        page.that(page.alive(), f"a page that opens once there is room, {what}", "none")
        log = (served.folder / "serve.log").read_text()
        page.that(log.count("live page:") == 1, "one notice of the crowd", log[-300:])
        page.errors()
