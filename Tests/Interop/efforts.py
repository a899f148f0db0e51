"""Compares splits, best efforts, ascent, grade-adjusted pace and the power curve of `workout analyze` with other programs' figures.

FIT files are read with fitdecode, GPX files with gpxpy. The power curve is that of sweat, GoldenCheetah's library for Python; ascent by
its rule is written down here (a change of 3 m or more counts), and that of gpxpy and of the device stand beside it. Splits, efforts and
the pace on the level are computed anew with numpy, from the definitions, on a grid of half a second.
"""
import argparse, json, subprocess, sys, warnings

import fitdecode, gpxpy, numpy
from sweat.metrics import core as sweat

DISTANCES = {
    "running": [400, 800, 1000, 1609.344, 3000, 5000, 10000, 15000, 21097.5, 42195],
    "cycling": [5000, 10000, 20000, 40000, 50000, 90000, 100000, 180000],
}


class Track:
    """Columns of a recording, in seconds since its first record."""

    def __init__(self):
        self.times, self.meters, self.altitudes, self.watts = [], [], [], []
        self.device = {}

    def column(self, values):
        known = [(time, value) for time, value in zip(self.times, values) if value is not None]
        return numpy.array([time for time, _ in known], float), numpy.array([value for _, value in known], float)


def frames(file):
    """Those before a truncated file's end."""
    try:
        yield from file
    except fitdecode.FitEOFError:
        return


def fit(path):
    track = Track()
    options = {"check_crc": fitdecode.CrcCheck.DISABLED, "error_handling": fitdecode.ErrorHandling.IGNORE}
    with fitdecode.FitReader(path, **options) as file:
        for frame in frames(file):
            if not isinstance(frame, fitdecode.FitDataMessage):
                continue
            get = lambda *names: next((v for v in (frame.get_value(n, fallback=None) for n in names) if v is not None), None)
            if frame.name == "session":
                for name in ("total_ascent", "total_descent", "total_timer_time", "total_moving_time", "sport"):
                    track.device.setdefault(name, get(name))
            if frame.name != "record" or get("timestamp") is None:
                continue
            # Some devices count from power-on.
            time = get("timestamp")
            track.times.append(time.timestamp() if hasattr(time, "timestamp") else float(time))
            track.meters.append(get("distance"))
            track.altitudes.append(get("enhanced_altitude", "altitude"))
            track.watts.append(get("power"))
    return track


def gpx(path):
    track = Track()
    with open(path, encoding="utf-8-sig") as file:
        document = gpxpy.parse(file)
    points = [point for part in document.tracks for segment in part.segments for point in segment.points]
    meters = 0.0
    for before, point in zip([None] + points, points):
        meters += before.distance_2d(point) if before else 0
        track.times.append(point.time.timestamp())
        track.meters.append(meters)
        track.altitudes.append(point.elevation)
        track.watts.append(None)
    track.device["gpxpy ascent"] = document.get_uphill_downhill().uphill
    track.device["gpxpy descent"] = document.get_uphill_downhill().downhill
    moving = document.get_moving_data()
    track.device["gpxpy moving time"] = moving.moving_time if moving else None
    return track


def ascent(altitudes, hysteresis=3.0):
    """GoldenCheetah's method: a rise from the last level by more than the hysteresis counts, and a fall by more sets a new level."""
    level, up, down = altitudes[0], 0.0, 0.0
    for altitude in altitudes[1:]:
        if altitude > level + hysteresis:
            up += altitude - level
            level = altitude
        elif altitude < level - hysteresis:
            down += level - altitude
            level = altitude
    return up, down


def minetti(grade):
    i = numpy.clip(grade, -0.45, 0.45)
    cost = 155.4 * i**5 - 30.4 * i**4 - 43.3 * i**3 + 46.3 * i**2 + 19.5 * i + 3.6
    return cost / 3.6


def effort(times, meters, length):
    """The shortest time for a length, on a grid of moments."""
    grid = numpy.arange(times[0], times[-1] + 0.5, 0.5)
    begins = numpy.interp(grid, times, meters)
    rising = numpy.concatenate([[True], numpy.diff(meters) > 0])
    ends = numpy.interp(begins + length, meters[rising], times[rising], right=numpy.nan)
    spans = ends - grid
    return numpy.nanmin(spans) if numpy.isfinite(spans).any() else None


def moving_time(times, meters, speed=0.5, longest=5):
    """The moving steps, and stops between them that are too short to count."""
    steps = list(zip(numpy.diff(times), numpy.diff(meters)))
    moving = [covered >= speed * time for time, covered in steps]
    for end in [place for place, moves in enumerate(moving) if moves]:
        begin = end
        while begin > 0 and not moving[begin - 1]:
            begin -= 1
        stop = sum(time for time, _ in steps[begin:end])
        if stop <= longest and sum(m for _, m in steps[begin:end + 1]) >= speed * (stop + steps[end][0]):
            moving[begin:end] = [True] * (end - begin)
    return sum(time for (time, _), moves in zip(steps, moving) if moves)


def clock(seconds):
    if seconds is None:
        return "–"
    whole = int(round(seconds))
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


def report(path, workout):
    """The activity and the compared figures. The figures are empty for a recording that one of both cannot read."""
    analysis = subprocess.run([workout, "analyze", path, "--json"], capture_output=True)
    track = fit(path) if path.endswith(".fit") else gpx(path)
    if analysis.returncode or not track.times:
        return "not compared", []
    ours = json.loads(analysis.stdout)
    origin = track.times[0]
    track.times = [time - origin for time in track.times]
    rows = []

    def add(what, own, other, text, whose):
        rows.append((what, text(own) if own is not None else "–", text(other) if other is not None else "–", whose))

    metres = lambda value: f"{value:.0f} m"
    times, meters = track.column(track.meters)
    rises = numpy.concatenate([[True], numpy.diff(times) > 0]) if len(times) else []
    times, meters = times[rises], numpy.maximum.accumulate(meters[rises]) if len(meters) else meters
    if len(meters):
        add("moving time", ours.get("movingInSeconds"), moving_time(times, meters), clock, "0.5 m/s, stops over 5 s")
        for split in ours["splits"][:3] if ours["activity"] != "swimming" else []:
            begin = sum(one["meters"] for one in ours["splits"][: ours["splits"].index(split)])
            if split["meters"] < 999:
                continue
            ends = numpy.interp([begin + meters[0], begin + meters[0] + split["meters"]], meters, times)
            add(f"kilometre {ours['splits'].index(split) + 1}", split["elapsedInSeconds"], ends[1] - ends[0], clock, "numpy")
        for one in ours["distanceEfforts"]:
            if one["meters"] in DISTANCES.get(ours["activity"], []):
                add(f"best {one['meters']:.0f} m", one["seconds"], effort(times, meters, one["meters"]), clock, "numpy")
    heights, altitudes = track.column(track.altitudes)
    if len(altitudes):
        up, down = ascent(altitudes)
        add("ascent", ours.get("ascentInMeters"), up, metres, "GoldenCheetah's rule")
        add("descent", ours.get("descentInMeters"), down, metres, "GoldenCheetah's rule")
        add("ascent", ours.get("ascentInMeters"), track.device.get("total_ascent"), metres, "the device")
        add("ascent", ours.get("ascentInMeters"), track.device.get("gpxpy ascent"), metres, "gpxpy")
    add("moving time", ours.get("movingInSeconds"), track.device.get("gpxpy moving time"), clock, "gpxpy, 1 km/h")
    if len(altitudes) and len(meters) and ours["activity"] == "running":
        for number, split in enumerate(ours["splits"][:3]):
            if "gradeAdjustedSpeedInMetersPerSecond" not in split or split["meters"] < 999:
                continue
            places = meters[0] + 1000 * number + numpy.arange(0, 1001, 100)
            moments = numpy.interp(places, meters, times)
            levels = numpy.interp(moments, heights, altitudes)
            level = (100 * minetti(numpy.diff(levels) / 100)).sum()
            other = level / split["activeInSeconds"]
            pace = lambda speed: clock(1000 / speed)[2:] + " /km"
            add(f"on the level, kilometre {number + 1}", split["gradeAdjustedSpeedInMetersPerSecond"], other, pace, "Minetti, numpy")
    moments, watts = track.column(track.watts)
    if len(watts):
        seconds = numpy.arange(int(moments[0]), int(moments[-1]) + 1)
        last = numpy.maximum(numpy.searchsorted(moments, seconds, side="right") - 1, 0)
        held = numpy.where(seconds - moments[last] <= 30, watts[last], 0.0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            curve = sweat.mean_max(held)
        for one in ours["efforts"]["powerInWatts"]:
            if one["seconds"] <= len(curve):
                add(f"best {one['seconds']} s", one["mean"], curve[one["seconds"] - 1], lambda w: f"{w:.0f} W", "sweat")
    return ours["activity"], [row for row in rows if row[2] != "–"]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--workout", required=True)
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    for path in arguments.files:
        activity, rows = report(path, arguments.workout)
        print(f"\n{path.split('/')[-1]} ({activity})\n")
        print("| figure | workout | other | whose |\n|---|---|---|---|")
        for row in rows:
            print("| " + " | ".join(row) + " |")
