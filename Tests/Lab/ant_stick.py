#!/usr/bin/env python3
"""An ANT+ stick at the USB of the lab's virtual machine, and the sensors that it receives. Runs there, as root.

    ant_stick.py MODULES SENSOR[,SENSOR ...] [deaf=SECONDS] [lost=SECONDS]

The kernel's own USB stack talks to it over USB/IP (Documentation/usb/usbip_protocol.rst), so that a program needs libusb, permissions and
all that a real stick needs. The firmware answers what the ANT Message Protocol says, receives on each open channel the sensor with that
number, and everybody during a scan. Sensors: `hr`, `power`, `trainer`, `footpod`, `bike`, each with the number below.

After `deaf` seconds on a channel the firmware answers nothing and sends nothing, until the device is reset.

After `lost` seconds on a channel the sensors are out of reach for ten seconds: the firmware says that it misses messages, and then that
it searches.

What it was told and what its sensors sent goes to the standard output, a line of JSON each.
"""

import json
import os
import select
import socket
import struct
import subprocess
import sys
import time

NUMBERS = {"hr": (25170, 120), "power": (301, 11), "trainer": (402, 17), "footpod": (503, 124), "bike": (604, 121)}
DEVICE = bytes([18, 1, 0, 2, 0, 0, 0, 64]) + struct.pack("<HHH", 0x0FCF, 0x1008, 0x0100) + bytes([1, 2, 3, 1])
CONFIGURATION = bytes([9, 2, 32, 0, 1, 1, 0, 0x80, 50, 9, 4, 0, 0, 2, 255, 0, 0, 0,
                       7, 5, 0x81, 2, 64, 0, 0, 7, 5, 0x01, 2, 64, 0, 0])
STRINGS = ["\u0409", "Dynastream Innovations", "ANT USBStick2", "042"]
BEGUN = time.monotonic()


def log(event, **members):
    print(json.dumps({"t": round(time.monotonic() - BEGUN, 3), "event": event, **members}), flush=True)


def message(number, content):
    data = bytes([0xA4, len(content), number]) + bytes(content)
    check = 0
    for byte in data:
        check ^= byte
    return data + bytes([check])


class Sensor:
    """One sensor: its page at each moment, four a second."""

    def __init__(self, kind):
        self.kind, (self.number, self.type) = kind, NUMBERS[kind]
        self.count, self.beats, self.next_beat, self.beat_time, self.before = 0, 0, 0.0, 0, 0

    def page(self):
        self.count += 1
        second, toggle = self.count // 4, 0x80 if self.count // 4 % 2 else 0
        word = lambda value: [value & 255, value >> 8 & 255]
        if self.kind == "hr":
            # Alternating intervals of 800 and 820 ms, in 1/1024 s.
            while self.count * 0.25 >= self.next_beat:
                interval = (819, 840)[self.beats % 2]
                self.before, self.beat_time = self.beat_time, self.beat_time + interval & 0xFFFF
                self.beats, self.next_beat = self.beats + 1 & 255, self.next_beat + interval / 1024
                log("beat", interval=interval)
            if self.count % 33 == 10:
                return [toggle | 2, 123, 0x34, 0x12] + word(self.beat_time) + [self.beats, 74]
            if self.count % 33 == 20:
                return [toggle | 7, 64, 0, 0x33] + word(self.beat_time) + [self.beats, 74]
            return [toggle | 4, 255] + word(self.before) + word(self.beat_time) + [self.beats, 74]
        if self.kind == "power":
            if self.count % 30 == 15:
                return [80, 255, 255, 4, 89, 0, 16, 11]
            return [0x10, second & 255, 255, 90] + word(200 * second) + word(200)
        if self.kind == "trainer":
            if self.count % 2:
                return [0x10, 25, self.count & 255, second * 8 & 255] + word(8000) + [255, 0x24]
            return [0x19, second & 255, 85] + word(210 * second) + [210, 0x00, 0x30]
        if self.kind == "footpod":
            return [1, 0, second & 255, second * 3 & 255, 3, 0, second & 255, 0]
        # Speed and cadence: 4 turns of the wheel and 1.5 of the crank each second.
        return word(second * 1024 * 2 // 3) + word(second * 3 // 2) + word(second * 1024) + word(second * 4)


class Firmware:
    def __init__(self, sensors, deaf_after, lost_after):
        self.sensors, self.deaf_after, self.lost_after, self.back_at, self.missed = sensors, deaf_after, lost_after, None, 0
        self.out, self.channels, self.is_deaf, self.next_page, self.scans = [], {}, False, None, False

    def usb_reset(self):
        if self.is_deaf:
            log("healed")
        self.is_deaf, self.deaf_after = False, None if self.is_deaf else self.deaf_after
        self.out, self.channels, self.scans = [], {}, False

    def take(self, data):
        while data:
            number, content = data[2], data[3:3 + data[1]]
            log("command", id=number, content=content.hex())
            data = data[data[1] + 4:]
            if not self.is_deaf:
                self.command(number, content)

    def command(self, number, content):
        channel = content[0] if content else 0
        answers = [message(0x40, [channel, number, 0])]
        if number == 0x4A:
            self.channels, self.scans = {}, False
            answers = [message(0x6F, [0x20])]
        elif number == 0x4D:
            answers = [message(0x54, [8, 3, 0, 0xBA])]
        elif number == 0x51:
            self.channels[channel] = [content[1] | content[2] << 8, content[3], False, None]
        elif number == 0x4B:
            self.channels[channel][2:] = [True, time.monotonic()]
        elif number == 0x5B:
            self.scans = True
        elif number == 0x4C:
            answers.append(message(0x40, [channel, 1, 7]))
            self.channels.pop(channel, None)
        self.out += answers

    def turn(self):
        now = time.monotonic()
        if self.next_page is None or now < self.next_page:
            self.next_page = self.next_page or now
            return
        self.next_page += 0.25
        opened = [since for _, _, is_open, since in self.channels.values() if is_open]
        if self.deaf_after is not None and opened and now - min(opened) > self.deaf_after and not self.is_deaf:
            self.is_deaf = True
            log("deaf")
        if self.lost_after is not None and opened and now - min(opened) > self.lost_after:
            self.lost_after, self.back_at = None, now + 10
            log("lost")
        if self.back_at is not None:
            if now >= self.back_at:
                self.back_at, self.missed = None, 0
                log("back")
            elif opened:
                self.missed += 1
                # Eight missed messages start a search (section 9.5.6.1).
                code = 2 if self.missed <= 8 else 8 if self.missed == 9 else None
                if code is not None:
                    self.out.append(message(0x40, [0, 1, code]))
        for sensor in self.sensors:
            page = sensor.page()
            if self.back_at is not None:
                continue
            for channel, (number, kind, is_open, _) in self.channels.items():
                heard = self.scans or is_open and (number, kind) == (sensor.number, sensor.type)
                if heard and not self.is_deaf:
                    extended = [0x80, sensor.number & 255, sensor.number >> 8, sensor.type, 0x71]
                    self.out.append(message(0x4E, [channel] + page + extended))
                    log("page", sensor=sensor.kind, hex=bytes(page).hex())


class Stick:
    """The USB device, as its kernel's peer."""

    def __init__(self, peer, firmware):
        self.peer, self.firmware, self.waiting = peer, firmware, []

    def read(self, count):
        data = b""
        while len(data) < count:
            more = self.peer.recv(count - len(data))
            if not more:
                sys.exit(0)
            data += more
        return data

    def answer(self, sequence, data=b"", status=0, length=None):
        self.peer.sendall(struct.pack(">IIIIIiiiii8x", 3, sequence, 0, 0, 0, status,
                                      len(data) if length is None else length, 0, 0, 0) + data)

    def control(self, sequence, setup, length):
        kind, request, value, _, _ = struct.unpack("<BBHHH", setup)
        if (kind, request) == (0x80, 6):
            which, index = value >> 8, value & 255
            if which == 1:
                self.firmware.usb_reset()
            text = STRINGS[index].encode("utf-16-le") if which == 3 and index < len(STRINGS) else b""
            data = {1: DEVICE, 2: CONFIGURATION, 3: bytes([len(text) + 2, 3]) + text}.get(which)
            return self.answer(sequence, data[:length]) if data else self.answer(sequence, status=-32)
        if (kind, request) == (0x80, 0):
            return self.answer(sequence, b"\0\0")
        self.answer(sequence, status=0 if kind & 0x80 == 0 else -32)

    def turn(self):
        header = self.read(48)
        command, sequence, _, direction, endpoint = struct.unpack(">IIIII", header[:20])
        if command == 2:
            unlinked = struct.unpack(">I", header[20:24])[0]
            was = [s for s, _ in self.waiting if s == unlinked]
            self.waiting = [w for w in self.waiting if w[0] != unlinked]
            self.peer.sendall(struct.pack(">IIIIIi24x", 4, sequence, 0, 0, 0, -104 if was else 0))
            return
        length = struct.unpack(">i", header[24:28])[0]
        if endpoint == 0:
            data = self.read(length) if direction == 0 else b""
            self.control(sequence, header[40:48], length)
        elif direction == 0:
            self.firmware.take(self.read(length))
            self.answer(sequence, length=length)
        else:
            self.waiting.append((sequence, length))

    def run(self):
        while True:
            if select.select([self.peer], [], [], 0.02)[0]:
                self.turn()
            self.firmware.turn()
            while self.waiting and self.firmware.out:
                sequence, length = self.waiting.pop(0)
                # Sticks pack several messages into a transfer, which may end within one.
                data = b"".join(self.firmware.out)
                self.firmware.out = [data[length:]] if len(data) > length else []
                self.answer(sequence, data[:length])


def main():
    modules, kinds = sys.argv[1], sys.argv[2].split(",")
    option = lambda name: next((float(a.split("=")[1]) for a in sys.argv[3:] if a.startswith(name + "=")), None)
    for module in ["usb-common", "usbcore", "usbip-core", "vhci-hcd"]:
        subprocess.run(["insmod", f"{modules}/{module}.ko"], check=False, stderr=subprocess.DEVNULL)
    own, kernel = socket.socketpair()
    with open("/sys/devices/platform/vhci_hcd.0/attach", "w") as attach:
        # A port, a socket, an identifier, and full speed.
        attach.write(f"0 {kernel.fileno()} {1 << 16 | 2} 2")
    kernel.close()
    Stick(own, Firmware([Sensor(kind) for kind in kinds], option("deaf"), option("lost"))).run()


main()
