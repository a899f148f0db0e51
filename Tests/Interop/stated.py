"""What other people's readers find in a FIT, TCX or GPX recording: laps, totals, order and devices, to compare with what we read.

FIT files are read with Garmin's SDK, or with fitdecode if that refuses them. TCX files are read with lxml; tcxreader sees the
same file, and must agree about the number of laps. GPX files are read with gpxpy.
"""
import datetime

import fitdecode, garmin_fit_sdk, gpxpy, tcxreader.tcxreader
from lxml import etree

TCX = {"t": "http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"}


def seconds(value):
    """A date in seconds since 1970. None for other times: some devices count from power-on."""
    if isinstance(value, str):
        value = datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
    if not isinstance(value, datetime.datetime):
        return None
    return value.replace(tzinfo=value.tzinfo or datetime.timezone.utc).timestamp()


class Lap:
    def __init__(self, start, elapsed, timer, meters):
        self.start, self.elapsed, self.timer, self.meters = start, elapsed, timer, meters


class Stated:
    """The statements of a file. Missing ones are None."""

    def __init__(self):
        self.laps, self.times, self.meters, self.timer, self.manufacturer, self.sports = [], [], None, None, None, []
        self.active_lengths, self.tool, self.serial, self.positions = 0, "", None, None


def read(path):
    """None for other formats, and for files that no other reader supports."""
    if path.endswith(".fit"):
        return fit(path)
    if path.endswith(".tcx"):
        return tcx(path)
    return gpx(path) if path.endswith(".gpx") else None


def gpx(path):
    """None for a file of several tracks, which may be several workouts."""
    with open(path, encoding="utf-8-sig") as file:
        tracks = gpxpy.parse(file).tracks
    if len(tracks) != 1:
        return None
    found = Stated()
    found.tool = "gpxpy"
    found.times = [seconds(point.time) for segment in tracks[0].segments for point in segment.points]
    found.positions = len(found.times)
    # On a sphere; within segments.
    found.meters = tracks[0].length_2d()
    return found


def fit(path):
    found = Stated()
    try:
        messages, errors = garmin_fit_sdk.Decoder(garmin_fit_sdk.Stream.from_file(path)).read()
        if errors:
            raise ValueError(errors[0])
        found.tool = "Garmin's SDK"
        kinds = {kind: messages.get(f"{kind}_mesgs", []) for kind in ("record", "lap", "session", "length", "file_id")}
    except Exception:
        found.tool = "fitdecode"
        kinds = {kind: [] for kind in ("record", "lap", "session", "length", "file_id")}
        options = {"check_crc": fitdecode.CrcCheck.DISABLED, "error_handling": fitdecode.ErrorHandling.IGNORE}
        try:
            with fitdecode.FitReader(path, **options) as file:
                for frame in file:
                    if isinstance(frame, fitdecode.FitDataMessage) and frame.name in kinds:
                        kinds[frame.name].append({field.name: field.value for field in frame.fields})
        except Exception:
            return None
    found.times = [seconds(record.get("timestamp")) for record in kinds["record"]]
    for lap in kinds["lap"]:
        found.laps.append(
            Lap(seconds(lap.get("start_time")), lap.get("total_elapsed_time"), lap.get("total_timer_time"), lap.get("total_distance")))
    found.active_lengths = sum(length.get("length_type") == "active" for length in kinds["length"])
    meters = [session["total_distance"] for session in kinds["session"] if session.get("total_distance") is not None]
    timers = [session["total_timer_time"] for session in kinds["session"] if session.get("total_timer_time") is not None]
    found.meters = sum(meters) if meters else None
    found.timer = sum(timers) if timers else None
    found.sports = [session.get("sport") for session in kinds["session"]]
    found.manufacturer = next((message.get("manufacturer") for message in kinds["file_id"]), None)
    found.serial = next((message.get("serial_number") for message in kinds["file_id"]), None)
    return found


def tcx(path):
    found = Stated()
    found.tool = "lxml"
    tree = etree.parse(path)

    def number(element, name):
        value = element.find(f"t:{name}", TCX)
        return float(value.text) if value is not None and value.text else None

    laps = tree.findall(".//t:Activity/t:Lap", TCX)
    for lap in laps:
        seconds_of_lap = number(lap, "TotalTimeSeconds")
        found.laps.append(Lap(seconds(lap.get("StartTime")), None, seconds_of_lap, number(lap, "DistanceMeters")))
    found.times = [seconds(time.text) for time in tree.iterfind(".//t:Trackpoint/t:Time", TCX)]
    meters = [lap.meters for lap in found.laps if lap.meters is not None]
    timers = [lap.timer for lap in found.laps if lap.timer is not None]
    found.meters = sum(meters) if meters else None
    found.timer = sum(timers) if timers else None
    found.sports = [activity.get("Sport") for activity in tree.iterfind(".//t:Activity", TCX)]
    try:
        if len(found.sports) == 1 and len(tcxreader.tcxreader.TCXReader().read(path).laps) != len(found.laps):
            found.tool = "lxml, with which tcxreader does not agree"
    except Exception:
        pass
    return found


def compare(stated, log, check, name):
    """Compares what others found in a recording with its session log: a list of entries."""
    laps = [entry for entry in log if entry.get("event") == "lap"]
    tool = stated.tool
    check.that(f"{name}: {tool}: laps", len(laps), len(stated.laps))
    dates = [moment(entry["at"]) for entry in log]
    check.that(f"{name}: entries in order of time", all(a <= b for a, b in zip(dates, dates[1:])), True)
    pauses, active, meters = spans(log)
    if stated.timer:
        check.that(f"{name}: {tool}: seconds without pauses", active, stated.timer, max(5, stated.timer * 0.005))
    if stated.meters:
        check.that(f"{name}: {tool}: metres", sum(value for _, value in meters), stated.meters, max(5, stated.meters * 0.01))
    if stated.positions is not None:
        check.that(f"{name}: {tool}: positions", sum("position" in entry for entry in log), stated.positions)
    recorder = next((entry["device"] for entry in log if entry.get("sensor") == "recorder" and "device" in entry), {})
    if stated.serial:
        check.that(f"{name}: {tool}: serial number", recorder.get("localIdentifier"), str(stated.serial))
    if isinstance(stated.manufacturer, str) and recorder.get("manufacturer"):
        ours, theirs = (letters(text) for text in (recorder["manufacturer"], stated.manufacturer))
        check.that(f"{name}: {tool}: manufacturer {stated.manufacturer}, ours {ours}", ours in theirs or theirs in ours, True)
    if len(laps) != len(stated.laps):
        return
    by_lap, number = [0.0] * (len(laps) + 1), 0
    for entry in log:
        if entry.get("event") == "lap":
            number += 1
        elif entry.get("sample", "").startswith("distance"):
            by_lap[number] += entry["value"]
    order = sorted(range(len(stated.laps)), key=lambda index: (stated.laps[index].start or 0, index))
    for index, lap in enumerate(laps):
        other = stated.laps[order[index]]
        start, end = moment(lap.get("start", lap["at"])), moment(lap.get("end", lap["at"]))
        if other.start:
            check.that(f"{name}: {tool}: start of lap {index + 1}", start, other.start, 2)
        following = [lap.start for lap in stated.laps if lap.start and other.start and lap.start > other.start]
        if other.elapsed is not None and other.start and other.start + other.elapsed > min(following, default=1e12) + 2:
            pass  # It counts time of the next lap.
        elif other.timer and end == max(moment(entry["at"]) for entry in log) and end - start < (other.elapsed or 0) - 2:
            # The timer stopped before the end of the lap.
            check.that(f"{name}: {tool}: seconds of lap {index + 1} without pauses", without(pauses, start, end), other.timer, 3)
        elif other.elapsed is not None:
            tolerance = max(2, other.elapsed * 0.002)
            check.that(f"{name}: {tool}: seconds of lap {index + 1}", end - start, other.elapsed, tolerance)
        elif other.timer is not None:
            check.that(f"{name}: {tool}: seconds of lap {index + 1} without pauses", without(pauses, start, end), other.timer, 3)
        if other.meters:
            tolerance = max(20, other.meters * 0.02) if not stated.active_lengths else 1
            check.that(f"{name}: {tool}: metres of lap {index + 1}", by_lap[index], other.meters, tolerance)


def letters(text):
    return "".join(letter for letter in text.lower() if letter.isalnum())


def moment(value):
    return seconds(value) if isinstance(value, str) else value + 978307200


def without(pauses, start, end):
    return end - start - sum(max(0, min(b, end) - max(a, start)) for a, b in pauses)


def spans(log):
    """The pauses, the duration without them, and the readings of distance."""
    pauses, paused, start, end, meters = [], None, None, None, []
    for entry in log:
        at, state = moment(entry["at"]), entry.get("state")
        if state == "running":
            if paused is not None:
                pauses.append((paused, at))
            paused, start = None, at if start is None else start
        elif state == "paused" and paused is None:
            paused = at
        elif state == "stopped":
            end = at
        elif entry.get("sample", "").startswith("distance"):
            meters.append((at, entry["value"]))
    if paused is not None and end is not None:
        pauses.append((paused, end))
    return pauses, without(pauses, start, end) if start is not None and end is not None else 0, meters
