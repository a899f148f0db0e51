#!/usr/bin/env python3
"""A bluetoothd with heart-rate straps that never fail, for benchmarks on a bus of their own.

Usage: fake_bluez.py [--address BUS] [--rate HZ] [--count N] [--straps N] [--stamped] [--begin] [--listen]

Needs dbus-fast (`pip install dbus-fast`; it comes with bleak). The bus is $DBUS_SYSTEM_BUS_ADDRESS unless it is named.
The straps are C0:DE:00:00:00:01 and so on; each sends from StartNotify on, at so many values a second, until so many are
sent. --stamped: a heart rate's RR intervals tell when it was sent (see `stamped`). --begin: nothing is sent before a line
comes in on standard input. --listen: stamped values that a GATT server on the bus passes on are timed; when all straps have sent all and
half a second is over, prints "passed on N p50 MICROSECONDS p99 MICROSECONDS". Prints "ready" once it owns its name, and "sent N" when a strap has sent all.
"""
import argparse
import asyncio
import select
import sys
import time

from dbus_fast import BusType, Message, MessageType, RequestNameReply, Variant
from dbus_fast.aio import MessageBus

SERVICE = "org.bluez"
ADAPTER = "org.bluez.Adapter1"
DEVICE = "org.bluez.Device1"
CHARACTERISTIC = "org.bluez.GattCharacteristic1"
PROPERTIES = "org.freedesktop.DBus.Properties"
MANAGER = "org.freedesktop.DBus.ObjectManager"
HCI = "/org/bluez/hci0"


def uuid(short):
    return f"0000{short:04x}-0000-1000-8000-00805f9b34fb"


def plain(index):
    """Contact, a varying heart rate and one RR interval, as most straps send."""
    rate = 120 + index * 7 % 41 - 20
    interval = round(60 * 1024 / rate)
    return bytes([0x16, rate, interval & 0xFF, interval >> 8])


def stamped(index):
    """The microseconds of the monotonic clock, modulo 2**30, as three RR intervals of 600 and 0 … 1023 units each."""
    now = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
    value = bytearray([0x16, 100 + index % 50])
    for shift in (20, 10, 0):
        interval = 600 + (now >> shift & 1023)
        value += bytes([interval & 0xFF, interval >> 8])
    return bytes(value)


class FakeBlueZ:
    def __init__(self, bus, options):
        self.bus, self.options = bus, options
        self.begun = asyncio.Event()
        self.tasks = {}
        self.delays = []
        self.objects = {
            "/org/bluez": {"org.bluez.AgentManager1": {}},
            HCI: {
                ADAPTER: {
                    "Address": Variant("s", "00:1A:7D:DA:71:10"),
                    "AddressType": Variant("s", "public"),
                    "Name": Variant("s", "fake"),
                    "Alias": Variant("s", "fake"),
                    "Powered": Variant("b", True),
                    "Discovering": Variant("b", False),
                    "Roles": Variant("as", ["central", "peripheral"]),
                    "UUIDs": Variant("as", []),
                }
            },
        }
        for number in range(1, options.straps + 1):
            self.add_strap(f"C0:DE:00:00:00:{number:02X}")

    def add_strap(self, address):
        self.objects[f"{HCI}/dev_{address.replace(':', '_')}"] = {
            DEVICE: {
                "Address": Variant("s", address),
                "AddressType": Variant("s", "random"),
                "Name": Variant("s", "Strap"),
                "Alias": Variant("s", "Strap"),
                "Adapter": Variant("o", HCI),
                "Connected": Variant("b", False),
                "Paired": Variant("b", False),
                "Bonded": Variant("b", False),
                "Trusted": Variant("b", False),
                "Blocked": Variant("b", False),
                "LegacyPairing": Variant("b", False),
                "ServicesResolved": Variant("b", False),
                "RSSI": Variant("n", -60),
                "UUIDs": Variant("as", [uuid(0x180D)]),
            }
        }

    @staticmethod
    def services(device):
        heart = f"{device}/service000a"

        def characteristic(number, flags):
            return {
                CHARACTERISTIC: {
                    "UUID": Variant("s", uuid(number)),
                    "Service": Variant("o", heart),
                    "Flags": Variant("as", flags),
                    "Notifying": Variant("b", False),
                    "MTU": Variant("q", 65),
                    "Value": Variant("ay", b""),
                }
            }

        return {
            heart: {
                "org.bluez.GattService1": {
                    "UUID": Variant("s", uuid(0x180D)),
                    "Device": Variant("o", device),
                    "Primary": Variant("b", True),
                    "Includes": Variant("ao", []),
                }
            },
            f"{heart}/char000b": characteristic(0x2A37, ["notify"]),
            f"{heart}/char000e": characteristic(0x2A38, ["read"]),
        }

    # Signals

    def change(self, path, interface, **values):
        changed = {}
        for name, value in values.items():
            signature = self.objects[path][interface][name].signature
            self.objects[path][interface][name] = changed[name] = Variant(signature, value)
        self.bus.send(Message.new_signal(path, PROPERTIES, "PropertiesChanged", "sa{sv}as", [interface, changed, []]))

    def connect(self, device):
        if self.objects[device][DEVICE]["Connected"].value:
            return
        self.change(device, DEVICE, Connected=True)
        for path, interfaces in self.services(device).items():
            self.objects[path] = interfaces
            self.bus.send(Message.new_signal("/", MANAGER, "InterfacesAdded", "oa{sa{sv}}", [path, interfaces]))
        self.change(device, DEVICE, ServicesResolved=True)

    def disconnect(self, device):
        for path in [path for path in self.objects if path.startswith(device + "/")]:
            if path in self.tasks:
                self.tasks.pop(path).cancel()
            removed = list(self.objects.pop(path))
            self.bus.send(Message.new_signal("/", MANAGER, "InterfacesRemoved", "oas", [path, removed]))
        self.change(device, DEVICE, Connected=False, ServicesResolved=False)

    async def advertise(self):
        while True:
            for device in [name for name, interfaces in self.objects.items() if DEVICE in interfaces]:
                self.change(device, DEVICE, RSSI=-60)
            await asyncio.sleep(0.5)

    async def notify(self, path):
        make = stamped if self.options.stamped else plain
        await self.begun.wait()
        loop = asyncio.get_running_loop()
        start, index = loop.time(), 0
        while self.options.count is None or index < self.options.count:
            # dbus-fast takes a slow bus for a closed one.
            while not select.select([], [self.bus._sock], [], 0)[1]:
                await asyncio.sleep(0.001)
            self.change(path, CHARACTERISTIC, Value=make(index))
            index += 1
            late = loop.time() - start - index / self.options.rate
            # Missed notifications are not sent in one burst.
            start += max(0, late - 0.1)
            # Due notifications are sent together, with breaks for the bus to read.
            if late < 0 or index % 64 == 0:
                await asyncio.sleep(max(0, -late))
        print(f"sent {index}", flush=True)
        if self.options.listen:
            await asyncio.sleep(0.5)
            delays = sorted(self.delays) or [0]
            print(f"passed on {len(self.delays)} p50 {delays[len(delays) // 2]} p99 {delays[int(len(delays) * 0.99)]}", flush=True)

    # Calls

    def answer(self, call):
        path, member = call.path, call.member
        if call.interface == MANAGER:
            return "a{oa{sa{sv}}}", [self.objects]
        if path not in self.objects:
            return None
        if member == "Get":
            return "v", [self.objects[path][call.body[0]][call.body[1]]]
        if member == "GetAll":
            return "a{sv}", [self.objects[path][call.body[0]]]
        if member == "StartDiscovery":
            self.change(path, ADAPTER, Discovering=True)
            self.tasks[path] = asyncio.get_running_loop().create_task(self.advertise())
        if member == "StopDiscovery" and path in self.tasks:
            self.tasks.pop(path).cancel()
            self.change(path, ADAPTER, Discovering=False)
        if member == "Connect":
            self.connect(path)
        if member == "Disconnect":
            self.disconnect(path)
        if member == "StartNotify":
            self.change(path, CHARACTERISTIC, Notifying=True)
            if path not in self.tasks:
                self.tasks[path] = asyncio.get_running_loop().create_task(self.notify(path))
        if member == "StopNotify" and path in self.tasks:
            self.tasks.pop(path).cancel()
            self.change(path, CHARACTERISTIC, Notifying=False)
        if member == "ReadValue":
            return "ay", [b"\x01"]
        return "", []

    def passed_on(self, signal):
        """The age of a GATT server's value, computed from its bytes."""
        value = signal.body[1].get("Value") if signal.member == "PropertiesChanged" else None
        if value is None or len(value.value) != 8 or not signal.path.startswith("/org/openhealthkit"):
            return
        sent = 0
        for at in (2, 4, 6):
            sent = sent << 10 | (value.value[at] | value.value[at + 1] << 8) - 600
        self.delays.append((time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000 - sent) % 2**30)

    def take(self, call):
        if call.message_type == MessageType.SIGNAL and self.options.listen:
            return self.passed_on(call)
        if call.message_type != MessageType.METHOD_CALL or call.destination not in (SERVICE, self.bus.unique_name):
            return False
        answer = self.answer(call)
        if answer is None:
            return Message.new_error(call, "org.freedesktop.DBus.Error.UnknownObject", f"no object {call.path}")
        return Message.new_method_return(call, *answer)


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--address")
    parser.add_argument("--rate", type=float, default=1)
    parser.add_argument("--count", type=int)
    parser.add_argument("--straps", type=int, default=1)
    parser.add_argument("--stamped", action="store_true")
    parser.add_argument("--begin", action="store_true")
    parser.add_argument("--listen", action="store_true")
    options = parser.parse_args()
    bus = await MessageBus(bus_address=options.address, bus_type=BusType.SYSTEM).connect()
    fake = FakeBlueZ(bus, options)
    bus.add_message_handler(fake.take)
    if await bus.request_name(SERVICE) != RequestNameReply.PRIMARY_OWNER:
        sys.exit("fake_bluez: somebody else is org.bluez on this bus")
    if options.listen:
        await bus.call(Message(destination="org.freedesktop.DBus", path="/org/freedesktop/DBus", interface="org.freedesktop.DBus",
                               member="AddMatch", signature="s", body=[f"type='signal',interface='{PROPERTIES}'"]))
    print("ready", flush=True)
    if options.begin:
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    fake.begun.set()
    await bus.wait_for_disconnect()


asyncio.run(main())
