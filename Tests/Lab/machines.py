#!/usr/bin/env python3
"""Runs a command in the lab as `ble-lab run` does, with machines on the air that the lab does not have.

    machines.py LAB MACHINE[,MACHINE ...] SECONDS [options of ble-lab run] -- CMD...

`trainer` is an indoor bike after the Fitness Machine Service: it takes powers and gradients once it was asked for the
control, and its rider's power follows. `trainer-lost` loses its link 12 s after its first target, `trainer-rider` has a rider
who stops it then, and goes on 5 s later. `trainer-slopes` takes gradients only.

`polar` is a chest strap with Polar's measurement service, which streams its electrocardiogram and its acceleration once they are
started. `polar-optical` is an armband without RR intervals, which streams pulse intervals.

`thermometer`, `scale` and `pressure` send what they have once somebody listens, and hang up; `oximeter` and `core` send a value each
second.

What the machines are asked, and what they send, goes into the straps' log.
"""

import asyncio
import struct
import sys

import beside

lab_path, wanted, seconds = sys.argv[1], sys.argv[2].split(","), float(sys.argv[3])
lab = beside.prepare(lab_path)

from bumble import hci  # noqa: E402
from bumble.core import UUID, AdvertisingData  # noqa: E402
from bumble.device import AdvertisingType  # noqa: E402
from bumble.gatt import Characteristic, CharacteristicValue, Service  # noqa: E402

P = Characteristic.Properties


def characteristic(uuid, properties, value=b""):
    permissions = Characteristic.Permissions(0)
    if properties & P.READ:
        permissions |= Characteristic.READABLE
    if properties & (P.WRITE | P.WRITE_WITHOUT_RESPONSE):
        permissions |= Characteristic.WRITEABLE
    return Characteristic(UUID(uuid) if isinstance(uuid, str) else UUID.from_16_bits(uuid), properties, permissions, value)


class Machine:
    """A peripheral with its own services that advertises while nobody is connected."""

    name, service, address = "Lab Machine", 0x1826, "C2:00:00:00:00:01"

    def __init__(self, air, events):
        self.events, self.connection = events, None
        self.device = beside.device(air, self.name, self.address)
        self.device.on("connection", self.connected)
        self.device.on("characteristic_subscription", self.subscription)
        self.subscribed, self.tasks = set(), set()
        for service in self.services():
            self.device.gatt_server.add_service(service)
        self.device.gatt_server.add_service(Service(UUID.from_16_bits(0x180A), [
            characteristic(0x2A29, P.READ, b"BLE lab"), characteristic(0x2A24, P.READ, self.name.encode())]))

    def emit(self, event, **fields):
        self.events.emit(self.name, event, **fields)

    def begin(self, coroutine):
        task = asyncio.get_running_loop().create_task(coroutine)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    async def run(self):
        await self.device.power_on()
        await self.advertise()

    async def advertise(self):
        data = bytes(AdvertisingData([
            (AdvertisingData.FLAGS, bytes([0x06])),
            *self.advertised_services(), *self.advertised()]))
        await self.device.start_advertising(
            AdvertisingType.UNDIRECTED_CONNECTABLE_SCANNABLE, own_address_type=hci.OwnAddressType.RANDOM,
            advertising_data=data,
            scan_response_data=bytes(AdvertisingData([(AdvertisingData.COMPLETE_LOCAL_NAME, self.name.encode())])),
            advertising_interval_min=200, advertising_interval_max=200)

    def advertised_services(self):
        if not isinstance(self.service, int):
            return []
        return [(AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, struct.pack("<H", self.service))]

    def advertised(self):
        return []

    def connected(self, connection):
        self.connection = connection
        self.emit("connect")

        def gone(reason):
            self.connection, self.subscribed = None, set()
            self.disconnected()
            self.emit("disconnect", reason="0x%02x" % reason)
            self.begin(self.advertise())

        connection.on("disconnection", gone)

    def disconnected(self):
        pass

    def subscription(self, bearer, characteristic, notify, indicate):
        uuid = characteristic.uuid.to_hex_str()
        if notify or indicate:
            self.subscribed.add(uuid)
            self.emit("subscribe", uuid=uuid)
            self.listened(uuid)
        else:
            self.subscribed.discard(uuid)

    def listened(self, uuid):
        pass

    def command(self, connection, value):
        """A central wrote to the control point. Machines that have one answer it."""
        value = bytes(value)
        self.emit("command", hex=value.hex())
        self.begin(self.answer(value))

    async def send(self, characteristic, value, kind="notify"):
        if self.connection is None:
            return
        self.emit(kind, uuid=characteristic.uuid.to_hex_str(), hex=value.hex())
        server = self.device.gatt_server
        deliver = server.notify_subscriber if kind == "notify" else server.indicate_subscriber
        await deliver(self.connection, characteristic, value)


class Trainer(Machine):
    """Fitness Machine Service 1.0, sections 4.3, 4.9, 4.12, 4.16 and 4.17."""

    name, service, address = "Lab Trainer", 0x1826, "C2:00:00:00:00:26"
    targets = 1 << 3 | 1 << 13

    def services(self):
        self.data = characteristic(0x2AD2, P.NOTIFY)
        self.point = characteristic(0x2AD9, P.WRITE | P.INDICATE, CharacteristicValue(write=self.command))
        self.status = characteristic(0x2ADA, P.NOTIFY)
        self.has_control = self.is_started = False
        self.target, self.power, self.grade, self.first_target = None, 120, 0, True
        feature = characteristic(0x2ACC, P.READ, struct.pack("<II", 1 << 1 | 1 << 14, self.targets))
        powers = characteristic(0x2AD8, P.READ, struct.pack("<hhH", 25, 800, 1))
        return [Service(UUID.from_16_bits(0x1826), [feature, self.data, powers, self.point, self.status])]

    def advertised(self):
        # The service's data: a machine that is ready, an indoor bike (section 3.1).
        return [(AdvertisingData.SERVICE_DATA_16_BIT_UUID, struct.pack("<HBH", 0x1826, 1, 1 << 5))]

    def disconnected(self):
        self.has_control = self.is_started = False
        self.target = None

    def listened(self, uuid):
        if uuid == "2AD2":
            self.begin(self.ride(self.connection))

    async def ride(self, connection):
        while self.connection is connection:
            aim = self.target if self.target is not None else 120
            self.power += max(-40, min(40, aim - self.power))
            await self.send(self.data, struct.pack("<HHHh", 1 << 2 | 1 << 6, 3000, 180, self.power))
            await asyncio.sleep(1)

    async def answer(self, value):
        result = self.obey(value)
        await asyncio.sleep(0.1)
        await self.send(self.point, bytes([0x80, value[0], result]), "indicate")
        if value[0] == 5 and result == 1:
            await self.send(self.status, bytes([8]) + value[1:3])
        if value[0] in (5, 0x11) and result == 1 and self.first_target:
            self.first_target = False
            self.begin(self.trouble())

    def obey(self, value):
        if value[0] == 0:
            self.has_control = True
            return 1
        if not self.has_control:
            return 5
        if value[0] == 1:
            self.has_control, self.target = False, None
        elif value[0] == 5:
            if not self.targets & 1 << 3:
                return 2
            self.target = struct.unpack("<h", value[1:3])[0]
        elif value[0] == 0x11:
            self.grade = struct.unpack("<hhBB", value[1:7])[1] / 100
            self.target = 120 + int(30 * self.grade)
        elif value[0] == 7:
            self.is_started = True
        elif value[0] == 8:
            self.is_started = False
        else:
            return 2
        return 1

    async def trouble(self):
        pass


class LostTrainer(Trainer):
    async def trouble(self):
        await asyncio.sleep(12)
        if self.connection:
            self.emit("action", do="disconnect")
            await self.connection.disconnect(0x13)


class RidersTrainer(Trainer):
    async def trouble(self):
        await asyncio.sleep(12)
        self.emit("action", do="stop")
        await self.send(self.status, bytes([2, 2]))
        await asyncio.sleep(5)
        self.emit("action", do="start")
        await self.send(self.status, bytes([4]))


class Slopes(Trainer):
    targets = 1 << 13


class Once(Machine):
    """A device that indicates its values to a subscriber and disconnects."""

    def services(self):
        self.values = [(characteristic(uuid, P.INDICATE), values) for uuid, values in self.measurements]
        return [Service(UUID.from_16_bits(self.service), [c for c, _ in self.values])]

    def listened(self, uuid):
        if uuid == self.values[-1][0].uuid.to_hex_str():
            self.begin(self.measure())

    async def measure(self):
        await asyncio.sleep(1)
        for characteristic, values in self.values:
            for value in values:
                await self.send(characteristic, value, self.kind)
        await asyncio.sleep(1)
        if self.connection:
            await self.connection.disconnect(0x13)

    kind = "indicate"


class Thermometer(Once):
    """38.2 degrees Celsius, in the ear."""

    name, service, address = "Lab Thermometer", 0x1809, "C2:00:00:00:00:09"
    measurements = [(0x2A1C, [bytes([4]) + struct.pack("<I", 0xFF000000 | 382) + bytes([3])])]


class Scale(Once):
    """User 2, then user 1: 72.40 kg, BMI 22.3."""

    name, service, address = "Lab Scale", 0x181D, "C2:00:00:00:00:1D"
    measurements = [(0x2A9D, [bytes([4]) + struct.pack("<HB", 16400, 2), bytes([12]) + struct.pack("<HBHH", 14480, 1, 223, 1800)])]


class Pressure(Once):
    """A value of another day, and one without a time."""

    name, service, address = "Lab Pressure", 0x1810, "C2:00:00:00:00:10"
    measurements = [(0x2A35, [
        bytes([6]) + struct.pack("<HHH", 120, 80, 93) + struct.pack("<HBBBBB", 2026, 11, 20, 7, 13, 0) + struct.pack("<H", 64),
        bytes([4]) + struct.pack("<HHHH", 121, 81, 94, 65)])]


class Oximeter(Machine):
    """97 % and 61/min, each second, while somebody is subscribed."""

    name, service, address = "Lab Oximeter", 0x1822, "C2:00:00:00:00:22"
    uuid, value = 0x2A5F, bytes([0]) + struct.pack("<HH", 97, 61)

    def services(self):
        self.data = characteristic(self.uuid, P.NOTIFY)
        service = UUID.from_16_bits(self.service) if isinstance(self.service, int) else UUID(self.service)
        return [Service(service, [self.data])]

    def listened(self, uuid):
        if uuid == self.data.uuid.to_hex_str():
            self.begin(self.stream(self.connection))

    async def stream(self, connection):
        while self.connection is connection:
            await self.send(self.data, self.value)
            await asyncio.sleep(1)


class Core(Oximeter):
    """37.45 degrees Celsius of quality 3; advertised by its name alone."""

    name, address = "CORE Lab", "C2:00:00:00:00:21"
    service, uuid = "00002100-5B1E-4347-B07C-97B514DAE121", "00002101-5B1E-4347-B07C-97B514DAE121"
    value = bytes([5]) + struct.pack("<hhB", 3745, 3450, 0x23)


class Polar(Machine):
    """A heart rate each second, and the streams of Polar's "Polar Measurement Data" as its documentation describes them."""

    name, service, address = "Lab Polar H10", 0x180D, "C2:00:00:00:00:10"
    heart_rate = bytes([0x10, 72]) + struct.pack("<H", 853)
    base = "FB005C%02X-02E7-F387-1CAD-8ACD2D8DF0C8"
    # Its settings by stream number: samples per second, bits, and the range of the acceleration in g.
    offers = {0: bytes.fromhex("0001820001010e00"), 2: bytes.fromhex("00041900320064 00c800 0101100002030200 04000800".replace(" ", ""))}

    def services(self):
        self.data = characteristic(0x2A37, P.NOTIFY)
        self.point = characteristic(
            self.base % 0x81, P.READ | P.WRITE | P.INDICATE, CharacteristicValue(read=self.features, write=self.command))
        self.stream = characteristic(self.base % 0x82, P.NOTIFY)
        return [Service(UUID.from_16_bits(0x180D), [self.data]), Service(UUID(self.base % 0x80), [self.point, self.stream])]

    def features(self, connection):
        return bytes([0x0F, sum(1 << stream for stream in self.offers), 0])

    def listened(self, uuid):
        if uuid == "2A37":
            self.begin(self.beat(self.connection))

    async def beat(self, connection):
        while self.connection is connection:
            await self.send(self.data, self.heart_rate)
            await asyncio.sleep(1)

    async def answer(self, value):
        operation, stream = value[0], value[1]
        status = 0 if stream in self.offers else 3
        settings = self.offers.get(stream, b"") if operation == 1 and status == 0 else b""
        await asyncio.sleep(0.1)
        await self.send(self.point, bytes([0xF0, operation, stream, status, 0]) + settings, "indicate")
        if operation == 2 and status == 0:
            self.begin(self.run_stream(self.connection, stream, value[2:]))

    async def run_stream(self, connection, stream, settings):
        """The n-th voltage is 7 n, the n-th acceleration n, modulo 2,000 and less 1,000."""
        rate = struct.unpack("<H", settings[2:4])[0] if len(settings) >= 4 else 1
        count, sent = (73, 0) if stream == 0 else (36, 0)
        while self.connection is connection:
            await asyncio.sleep(count / rate)
            numbers = range(sent, sent + count)
            sent += count
            if stream == 0:
                samples = b"".join(((7 * n) % 2000 - 1000).to_bytes(3, "little", signed=True) for n in numbers)
                kind = 0
            else:
                samples = b"".join(struct.pack("<hhh", n % 2000 - 1000, 0, 1000) for n in numbers)
                kind = 1
            time = 599_616_000_000_000_000 + int((sent - 1) / rate * 1e9)
            await self.send(self.stream, bytes([stream]) + struct.pack("<Q", time) + bytes([kind]) + samples)


class OpticalPolar(Polar):
    """Pulse intervals, two every two seconds; every fifth pair is doubtful, because the wearer moves."""

    name, address = "Lab Polar Sense", "C2:00:00:00:00:11"
    heart_rate, offers = bytes([0x00, 72]), {3: b""}

    async def run_stream(self, connection, stream, settings):
        pairs = 0
        while self.connection is connection:
            await asyncio.sleep(1.7)
            pairs += 1
            flags = 6 | (pairs % 5 == 0)
            samples = b"".join(struct.pack("<BHHB", 71, interval, 8, flags) for interval in (840, 860))
            await self.send(self.stream, bytes([3]) + struct.pack("<Q", 0) + bytes([0]) + samples)


MACHINES = {
    "polar": Polar, "polar-optical": OpticalPolar,
    "thermometer": Thermometer, "scale": Scale, "pressure": Pressure, "oximeter": Oximeter, "core": Core,
    "trainer": Trainer, "trainer-lost": LostTrainer, "trainer-rider": RidersTrainer, "trainer-slopes": Slopes,
}


async def begin(troupe):
    troupe.machines = [MACHINES[name](troupe.air, troupe.events) for name in wanted]
    for machine in troupe.machines:
        await machine.run()


beside.run(lab, lab_path, ["--timeout", str(seconds)] + sys.argv[4:], begin)
