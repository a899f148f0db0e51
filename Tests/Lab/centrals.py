#!/usr/bin/env python3
"""Runs a command in the lab as `ble-lab run` does, with bumble's centrals on the air beside it.

Each central connects to the device of the given name, reads what can be read, subscribes to everything that notifies,
and writes what it receives into the straps' log: `value` with the characteristic and the bytes. The adapter has the
commands of Bluetooth 4.2, since the lab's advertises only with these.

    centrals.py LAB NAME COUNT SECONDS [options of ble-lab run] -- CMD...

A central that loses its link connects again. COUNT 2 or more: they come two seconds apart.
"""

import asyncio
import sys

import beside

lab_path, name, count, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
lab = beside.prepare(lab_path)

from bumble.device import Peer  # noqa: E402
from bumble.gatt import Characteristic  # noqa: E402


class Central:
    """A phone that subscribes to the device's values."""

    def __init__(self, air, events, number):
        self.events, self.who = events, f"central {number}"
        end = f"00:00:00:0C:{number:02X}"
        self.device = beside.device(air, self.who, f"C1:{end}", f"00:{end}")

    def emit(self, event, **fields):
        self.events.emit(self.who, event, **fields)

    async def run(self, delay):
        await self.device.power_on()
        await asyncio.sleep(delay)
        while True:
            try:
                await self.listen()
            except Exception as error:  # whatever it was, the next attempt tells
                self.emit("trouble", error=repr(error))
                for connection in list(self.device.connections.values()):
                    await connection.disconnect()
                await asyncio.sleep(0.5)

    async def listen(self):
        found = asyncio.get_running_loop().create_future()

        def heard(advertisement):
            if found.done():
                return
            advertised = advertisement.data.get(0x09) or advertisement.data.get(0x08)
            advertised = advertised.decode() if isinstance(advertised, (bytes, bytearray)) else advertised
            if advertised == name:
                found.set_result(advertisement)

        self.device.on("advertisement", heard)
        await self.device.start_scanning(active=True, filter_duplicates=False)
        advertisement = await found
        await self.device.stop_scanning()
        self.device.remove_listener("advertisement", heard)
        self.emit("found", data=bytes(advertisement.data).hex() if hasattr(advertisement.data, "__bytes__") else "")
        connection = await self.device.connect(advertisement.address)
        ended = asyncio.get_running_loop().create_future()
        connection.on("disconnection", lambda reason: ended.done() or ended.set_result(reason))
        self.emit("connect")
        peer = Peer(connection)
        await peer.discover_services()
        await peer.discover_characteristics()
        for service in peer.services:
            for characteristic in service.characteristics:
                uuid = characteristic.uuid.to_hex_str()
                if characteristic.properties & Characteristic.Properties.READ and not uuid.startswith("2B"):
                    value = await characteristic.read_value()
                    self.emit("read", service=service.uuid.to_hex_str(), uuid=uuid, hex=bytes(value).hex())
                if characteristic.properties & Characteristic.Properties.NOTIFY:
                    try:
                        await characteristic.subscribe(lambda value, uuid=uuid: self.emit(
                            "value", uuid=uuid, hex=bytes(value).hex()))
                        self.emit("subscribe", uuid=uuid)
                    except Exception as error:
                        # Pairs as phones do, and is refused.
                        self.emit("subscribe-refused", uuid=uuid, error=str(error))
                        try:
                            await asyncio.wait_for(connection.pair(), 10)
                            self.emit("paired")
                        except Exception as refusal:
                            self.emit("pairing-refused", error=repr(refusal))
                if uuid == "2A39":
                    for command in (b"\x01", b"\x02"):
                        try:
                            await characteristic.write_value(command, with_response=True)
                            self.emit("written", hex=command.hex())
                        except Exception as error:
                            self.emit("write-refused", hex=command.hex(), error=str(error))
        reason = await ended
        self.emit("disconnect", reason=reason)


async def begin(troupe):
    troupe.centrals = []

    def started(who, event, _):
        if (who, event) != ("lab", "start"):
            return
        for number in range(1, count + 1):
            central = Central(troupe.air, troupe.events, number)
            task = asyncio.get_running_loop().create_task(central.run(2 * (number - 1)))
            troupe.centrals.append((central, task))

    troupe.events.listeners.append(started)


beside.run(lab, lab_path, ["--controller", "4.2", "--timeout", str(seconds)] + sys.argv[5:], begin)
