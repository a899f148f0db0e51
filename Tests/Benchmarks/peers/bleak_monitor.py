#!/usr/bin/env python3
"""Does the same as `workout monitor ADDRESS --json` with bleak: prints one JSON object per value until it is stopped."""
import asyncio
import datetime
import json
import sys

from bleak import BleakClient, BleakScanner

MEASUREMENT = "00002a37-0000-1000-8000-00805f9b34fb"


def decode(value):
    flags, place = value[0], 1
    width = 2 if flags & 1 else 1
    rate = int.from_bytes(value[place : place + width], "little")
    place += width + (2 if flags & 8 else 0)
    intervals = []
    if flags & 16:
        for start in range(place, len(value) - 1, 2):
            intervals.append(int.from_bytes(value[start : start + 2], "little") * 1000 / 1024)
    return {"heartRate": rate, "contact": bool(flags & 2), "rr": intervals}


def told(_, value):
    date = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")
    print(json.dumps({"type": "heartRate", "date": date, "sensor": sys.argv[1], **decode(value)}), flush=True)


async def main():
    device = await BleakScanner.find_device_by_address(sys.argv[1])
    async with BleakClient(device) as client:
        await client.start_notify(MEASUREMENT, told)
        await asyncio.Event().wait()


try:
    asyncio.run(main())
except KeyboardInterrupt:
    pass
