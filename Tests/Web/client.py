"""The harness's own requests beside the browser: plain requests, event streams, raw bytes."""

import http.client
import json
import socket
import ssl
import time
import urllib.parse

PATIENCE = 10


def unverified():
    """The certificate is self-signed. Its fingerprint is compared."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def connection(address, timeout=PATIENCE):
    parts = urllib.parse.urlsplit(address)
    if parts.scheme == "https":
        return http.client.HTTPSConnection(parts.hostname, parts.port, timeout=timeout, context=unverified())
    return http.client.HTTPConnection(parts.hostname, parts.port, timeout=timeout)


class Answer:
    def __init__(self, response):
        self.status, self.headers, self.text = response.status, response.headers, response.read().decode("utf-8", "replace")

    def json(self):
        return json.loads(self.text)


def ask(address, path, method="GET", body=None, headers=None):
    link = connection(address)
    try:
        link.request(method, path, body=body, headers=headers or {})
        return Answer(link.getresponse())
    finally:
        link.close()


def raw(address, data, timeout=PATIENCE):
    """The answer to these bytes without TLS: its head, or less."""
    parts = urllib.parse.urlsplit(address)
    found = b""
    try:
        with socket.create_connection((parts.hostname, parts.port), timeout=timeout) as link:
            link.sendall(data)
            link.settimeout(3)
            while b"\r\n\r\n" not in found:
                more = link.recv(65536)
                if not more:
                    break
                found += more
    except OSError:
        pass
    return found


class Stream:
    """An event stream, as (id, event, data)."""

    def __init__(self, address, path, headers=None):
        self.link = connection(address)
        self.link.request("GET", path, headers={"Accept": "text/event-stream", **(headers or {})})
        self.response = self.link.getresponse()
        self.status = self.response.status

    def events(self, seconds=PATIENCE):
        until = time.monotonic() + seconds
        found = {"id": None, "event": "message", "data": []}
        while time.monotonic() < until:
            try:
                line = self.response.readline()
            except (OSError, http.client.HTTPException):
                return
            if not line:
                return
            line = line.decode("utf-8").rstrip("\r\n")
            if not line:
                if found["data"]:
                    yield found["id"], found["event"], "\n".join(found["data"])
                found = {"id": None, "event": "message", "data": []}
                continue
            name, _, value = line.partition(":")
            value = value[1:] if value.startswith(" ") else value
            if name == "data":
                found["data"].append(value)
            elif name in ("id", "event"):
                found[name] = value

    def close(self):
        self.link.close()
        self.response.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def sessions(address):
    """The sessions that pages get, oldest first. The first comes a moment after the server."""
    with Stream(address, "/api/live") as stream:
        for _, event, data in stream.events():
            if event == "sessions" and json.loads(data)["sessions"]:
                return json.loads(data)["sessions"]
    return []


def figures(address, session):
    answer = ask(address, f"/api/sessions/{session}")
    if answer.status != 200:
        raise RuntimeError(f"GET /api/sessions/{session}: expected 200, seen {answer.status} {answer.text[:200]}")
    return answer.json()


def wait(condition, seconds, every=0.15):
    """Waits for a true result of the condition, and returns its last result."""
    until = time.monotonic() + seconds
    while True:
        found = condition()
        if found or time.monotonic() > until:
            return found
        time.sleep(every)
