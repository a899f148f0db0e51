#!/usr/bin/env python3
"""Runs two commands in two virtual machines whose adapters are on the same air.

    second.py LAB SOCKET first|second [options of ble-lab run] -- CMD...

The first has the straps. It lends its air over SOCKET: whatever the kernel of the second tells its adapter goes there, and back.
The second waits until the first has said what it is about: the file SOCKET.ready.
"""

import asyncio
import os
import pathlib
import socket
import struct
import sys
import time

import beside

lab_path, path, role = sys.argv[1:4]
lab = beside.prepare(lab_path)
import air  # noqa: E402


async def lend(troupe):
    async def client(reader, writer):
        adapter = air.Controller(troupe.air, "second adapter", "00:1A:7D:DA:71:22", version="4.2", bredr=True)

        def send(packet):
            writer.write(struct.pack(">H", len(packet)) + packet)

        adapter.send = send
        try:
            while True:
                length = struct.unpack(">H", await reader.readexactly(2))[0]
                adapter.receive(await reader.readexactly(length))
        except (asyncio.IncompleteReadError, ConnectionError):
            adapter.close()

    await asyncio.start_unix_server(client, path)


class Borrowed:
    """The adapter of the second machine, as its lab sees it."""

    def __init__(self, *_, **__):
        self.send = lambda packet: None
        self.peer = socket.socket(socket.AF_UNIX)
        while True:
            try:
                self.peer.connect(path)
                break
            except OSError:
                time.sleep(0.1)
        self.peer.setblocking(False)
        self.waiting = b""
        asyncio.get_running_loop().add_reader(self.peer, self.readable)

    def readable(self):
        try:
            data = self.peer.recv(65536)
        except OSError:
            data = b""
        if not data:
            asyncio.get_running_loop().remove_reader(self.peer)
        self.waiting += data
        while len(self.waiting) >= 2:
            end = 2 + struct.unpack(">H", self.waiting[:2])[0]
            if len(self.waiting) < end:
                break
            self.send(self.waiting[2:end])
            self.waiting = self.waiting[end:]

    def receive(self, packet):
        self.peer.sendall(struct.pack(">H", len(packet)) + packet)

    def close(self):
        asyncio.get_running_loop().remove_reader(self.peer)
        self.peer.close()


if role == "first":
    if os.path.exists(path):
        os.unlink(path)
    beside.run(lab, lab_path, sys.argv[4:], lend)
else:
    while not pathlib.Path(path + ".ready").exists():
        time.sleep(0.1)
    air.Controller = Borrowed
    sys.argv = [lab_path, "run"] + sys.argv[4:]
    sys.exit(lab.main())
