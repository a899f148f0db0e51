"""A network between browser and server that can break or fall silent."""

import socket
import threading
import urllib.parse


class Link:
    def __init__(self, address):
        parts = urllib.parse.urlsplit(address)
        self.target = (parts.hostname, parts.port)
        self.ours = None
        self.lock = threading.Lock()
        self.sockets, self.silent, self.listener, self.closed = set(), set(), None, False
        self.is_silent = False
        self.listen(0)

    @property
    def address(self):
        return f"http://127.0.0.1:{self.ours}/"

    def listen(self, port):
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(64)
        self.listener, self.ours = listener, listener.getsockname()[1]
        threading.Thread(target=self.accept, args=(listener,), daemon=True).start()

    def accept(self, listener):
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            if listener is not self.listener:
                # Closing does not wake a waiting reader, so one more message gets through.
                near.close()
                return
            threading.Thread(target=self.serve, args=(near,), daemon=True).start()

    def serve(self, near):
        with self.lock:
            self.sockets.add(near)
            if self.is_silent:
                self.silent.add(near)
        try:
            far = socket.create_connection(self.target, timeout=5)
            far.settimeout(None)
        except OSError:
            if near not in self.silent:
                self.end(near)
            return
        with self.lock:
            self.sockets.add(far)
            if near in self.silent:
                self.silent.add(far)
        back = threading.Thread(target=self.copy, args=(far, near), daemon=True)
        back.start()
        self.copy(near, far)

    def copy(self, source, sink):
        # The server must see the address that it serves, not this one.
        host, theirs = f"127.0.0.1:{self.ours}".encode(), f"127.0.0.1:{self.target[1]}".encode()
        try:
            while True:
                data = source.recv(65536)
                if not data:
                    break
                if source in self.silent:
                    continue
                to_server = sink.getpeername()[1] == self.target[1]
                sink.sendall(data.replace(host, theirs) if to_server else data)
        except OSError:
            pass
        # A silent link does not report the other side's end either.
        if source not in self.silent:
            self.end(source, sink)

    def end(self, *sockets):
        for one in sockets:
            with self.lock:
                self.sockets.discard(one)
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()

    def down(self):
        """Connections end, and new ones are refused."""
        listener, self.listener = self.listener, None
        if listener:
            try:
                listener.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            listener.close()
        self.end(*list(self.sockets))

    def swallow(self):
        """Connections stay open and new ones are accepted, but no bytes arrive."""
        with self.lock:
            self.is_silent = True
            self.silent |= self.sockets

    def up(self):
        """New connections work. Swallowed bytes are lost, so those connections end, as behind a router that has
        forgotten them."""
        with self.lock:
            self.is_silent = False
            lost, self.silent = self.silent, set()
        self.end(*lost)
        if self.listener is None:
            self.listen(self.ours)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.down()
