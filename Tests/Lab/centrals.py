#!/usr/bin/env python3
"""Runs a command in the lab as `ble-lab run` does, with bumble's centrals on the air beside it.

Each central connects to the device of the given name, reads what can be read, subscribes to everything that notifies,
and writes what it receives into the straps' log: `value` with the characteristic and the bytes. The adapter has the
commands of Bluetooth 4.2, since the lab's advertises only with these.

    centrals.py LAB NAME COUNT SECONDS [options of ble-lab run] -- CMD...

A central that loses its link connects again. COUNT 2 or more: they come two seconds apart.
"""

import asyncio
import importlib.machinery
import importlib.util
import pathlib
import sys

lab_path, name, count, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
loader = importlib.machinery.SourceFileLoader("ble_lab", str(pathlib.Path(lab_path).resolve()))
lab = importlib.util.module_from_spec(importlib.util.spec_from_loader("ble_lab", loader))
loader.exec_module(lab)
lab.ready_cache()

import strap  # noqa: E402
from air import Controller  # noqa: E402
from bumble.device import Device, DeviceConfiguration, Peer  # noqa: E402
from bumble.gatt import Characteristic  # noqa: E402
from bumble.hci import Address  # noqa: E402
from bumble.host import Host  # noqa: E402


class Central:
    """A phone that wants the device's values."""

    def __init__(self, air, events, number):
        self.events, self.who = events, f"central {number}"
        port = strap.Port(Controller(air, self.who, f"00:00:00:00:0C:{number:02X}", version="4.2"))
        settings = DeviceConfiguration()
        settings.name = self.who
        settings.address = Address(f"C1:00:00:00:0C:{number:02X}", Address.RANDOM_DEVICE_ADDRESS)
        self.device = Device(config=settings, host=Host(controller_source=port, controller_sink=port))

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
                    await characteristic.subscribe(lambda value, uuid=uuid: self.emit(
                        "value", uuid=uuid, hex=bytes(value).hex()))
                    self.emit("subscribe", uuid=uuid)
                if uuid == "2A39":
                    for command in (b"\x01", b"\x02"):
                        try:
                            await characteristic.write_value(command, with_response=True)
                            self.emit("written", hex=command.hex())
                        except Exception as error:
                            self.emit("write-refused", hex=command.hex(), error=str(error))
        reason = await ended
        self.emit("disconnect", reason=reason)


original = strap.Troupe.power_on


async def power_on(troupe):
    await original(troupe)
    troupe.centrals = []

    def begin():
        for number in range(1, count + 1):
            central = Central(troupe.air, troupe.events, number)
            task = asyncio.get_running_loop().create_task(central.run(2 * (number - 1)))
            troupe.centrals.append((central, task))

    def started(who, event, _):
        if (who, event) == ("lab", "start"):
            begin()

    troupe.events.listeners.append(started)


def init(troupe, air, *arguments):
    original_init(troupe, air, *arguments)
    troupe.air = air


original_init = strap.Troupe.__init__
strap.Troupe.__init__ = init
strap.Troupe.power_on = power_on
sys.argv = [lab_path, "run", "--controller", "4.2", "--timeout", str(seconds)] + sys.argv[5:]
sys.exit(lab.main())
