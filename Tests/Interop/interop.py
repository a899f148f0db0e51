#!/usr/bin/env python3
"""Reads what `workout convert` writes with other people's readers, and compares the numbers.

    interop.py --workout .build/release/workout [RECORDING…]

The numbers of a recording are those of its session log (`workout convert RECORDING - --format jsonl`); those of the files come
from fitdecode, Garmin's SDK, tcxreader, gpxpy and lxml, which `make interop` installs into a folder of its own. XML is checked
against Garmin's and Topografix' schemas, from their sites or from the Debian package that holds them, and against those beside
this script.

FIT and TCX recordings are also read with these readers themselves: their laps, totals and order must be those that we read.
"""
import argparse, csv, datetime, glob, io, json, math, os, subprocess, sys, tempfile, urllib.request

import fitdecode, garmin_fit_sdk, gpxpy, tcxreader.tcxreader
from lxml import etree

import stated

HERE = os.path.dirname(os.path.abspath(__file__))
# The publisher's address, and the name in Debian's package pytrainer.
SCHEMAS = {
    "tcx": ("https://www8.garmin.com/xmlschemas/TrainingCenterDatabasev2.xsd", "GarminTrainingCenterDatabase_v2.xsd"),
    "gpx": ("https://www.topografix.com/GPX/1/1/gpx.xsd", "Topografix_gpx11.xsd"),
}
PACKAGE = "pytrainer"
FORMATS = ["fit", "tcx", "gpx", "csv"]


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


class Truth:
    """The contents of a session log, without sensor readings in pauses."""

    def __init__(self, lines):
        self.rates, self.intervals, self.laps, self.positions, self.pauses = [], [], 0, 0, 0
        self.meters, self.watts, self.seconds = 0.0, [], 0.0
        self.kilocalories, self.strokes, self.lengths, self.is_pool = 0.0, 0, 0, False
        # Time spans outside laps.
        self.uncovered = 0
        # For each lap. Its distance is that of the readings up to its end.
        self.lap_seconds, self.lap_active, self.lap_meters = [], [], []
        self.paused_seconds, self.is_ordered, self.recorder, self.devices = 0.0, True, {}, []
        self.counts = {"cadence": 0, "temperature": 0}
        latest, meters_before = None, 0.0
        paused, start, covered, self.parts = None, None, None, 0
        pauses = []

        def counts(at):
            if paused is not None:
                return at <= paused
            return not any(a < at < b for a, b in pauses[-1:])

        for line in lines:
            entry = json.loads(line)
            at = moment(entry["at"]) if isinstance(entry["at"], str) else entry["at"] + 978307200
            self.is_ordered = self.is_ordered and (latest is None or at >= latest)
            latest = at
            state = entry.get("state")
            if "device" in entry:
                self.devices.append(entry["device"])
                if not self.recorder or entry.get("sensor") == "recorder":
                    self.recorder = entry["device"]
            if state == "paused" and paused is None:
                paused = at
            elif state == "running":
                if paused is not None:
                    pauses.append((paused, at))
                paused, start = None, start or at
            elif state in ("stopped", "ended"):
                if paused is not None:
                    pauses.append((paused, at))
                    paused = None
                self.seconds = at - start
                self.uncovered += at - (covered or at) > 5
            elif "part" in entry and entry["part"] == "began":
                self.parts += 1
            elif entry.get("event") == "lap":
                self.laps += 1
                self.uncovered += (moment(entry["start"]) if "start" in entry else at) - (covered or start or at) > 5
                covered = at
                end = moment(entry["end"]) if "end" in entry else at
                began = moment(entry["start"]) if "start" in entry else end
                self.lap_seconds.append(end - began)
                still = pauses + ([(paused, end)] if paused is not None else [])
                self.lap_active.append(end - began - sum(max(0, min(b, end) - max(a, began)) for a, b in still))
                self.lap_meters.append(self.meters - meters_before)
                meters_before = self.meters
            elif entry.get("event") == "segment":
                self.lengths += 1
            elif "log" in entry:
                self.is_pool = entry.get("swimmingLocation") == "pool"
            elif "sample" in entry:
                until = moment(entry["end"]) if "end" in entry else at
                since = moment(entry["start"]) if "start" in entry else until
                kind = entry["sample"]
                if kind == "heartRate" and counts(since) and entry["value"] > 0:
                    self.rates.append(entry["value"])
                elif kind.startswith("distance") and counts(until):
                    self.meters += entry["value"]
                elif kind == "activeEnergyBurned" and counts(until):
                    self.kilocalories += entry["value"]
                elif kind == "swimmingStrokeCount" and counts(until):
                    self.strokes += entry["value"]
                elif kind in ("cadence", "cyclingCadence", "temperature", "waterTemperature") and counts(since):
                    self.counts["cadence" if "adence" in kind else "temperature"] += 1
                elif kind in ("cyclingPower", "runningPower", "power") and counts(since):
                    self.watts.append(entry["value"])
            elif "rr" in entry and counts(at):
                self.intervals += entry["rr"]
            elif "position" in entry and counts(at):
                self.positions += 1
        self.pauses = len(pauses)
        self.paused_seconds = sum(b - a for a, b in pauses)


class Check:
    def __init__(self):
        self.checks = self.faults = 0

    def that(self, name, found, wanted, tolerance=0):
        self.checks += 1
        if isinstance(wanted, (list, tuple)):
            same = len(found) == len(wanted) and all(abs(a - b) <= tolerance for a, b in zip(found, wanted))
            found, wanted = (found, wanted) if same else (f"{len(found)}: {found[:5]}", f"{len(wanted)}: {list(wanted)[:5]}")
        else:
            same = found == wanted if tolerance == 0 else abs(found - wanted) <= tolerance
        if not same:
            self.faults += 1
            print(f"interop: {name}: {found}, and not {wanted}", file=sys.stderr)


def check_fit(path, truth, check, name):
    rates, intervals, laps, distance, timers, sessions, watts, lengths = [], [], 0, [], [], [], [], []
    with fitdecode.FitReader(path, check_crc=fitdecode.CrcCheck.RAISE, error_handling=fitdecode.ErrorHandling.RAISE) as fit:
        for frame in fit:
            if not isinstance(frame, fitdecode.FitDataMessage):
                continue
            if frame.name == "record":
                for field in frame.fields:
                    check.that(f"{name}: fitdecode: a value for {field.name}", field.value is not None, True)
                if frame.has_field("heart_rate"):
                    rates.append(frame.get_value("heart_rate"))
                if frame.has_field("distance"):
                    distance.append(frame.get_value("distance"))
                if frame.has_field("power"):
                    watts.append(frame.get_value("power"))
            elif frame.name == "hrv":
                times = frame.get_value("time")
                intervals += [1000 * t for t in (times if isinstance(times, (list, tuple)) else [times]) if t is not None]
            elif frame.name == "lap":
                laps += 1
            elif frame.name == "length":
                lengths.append(frame)
            elif frame.name == "session":
                sessions.append(frame)
            elif frame.name == "event" and frame.get_value("event") == "timer":
                timers.append(frame.get_value("event_type"))
    check.that(f"{name}: fitdecode: heart rates", rates, [round(r) for r in truth.rates], 0.5)
    check.that(f"{name}: fitdecode: RR intervals", intervals, truth.intervals, 0.5001)
    if truth.laps:
        check.that(f"{name}: fitdecode: laps", laps, truth.laps)
    check.that(f"{name}: fitdecode: powers", watts, truth.watts, 0.5)
    check.that(f"{name}: fitdecode: metres", (distance or [0])[-1], truth.meters, 0.02)
    elapsed = sum(s.get_value("total_elapsed_time") or 0 for s in sessions)
    energy = sum(s.get_value("total_calories", fallback=0) or 0 for s in sessions)
    check.that(f"{name}: fitdecode: kilocalories", energy, truth.kilocalories, 0.5 * len(sessions) + 0.001)
    if truth.is_pool:
        check.that(f"{name}: fitdecode: lengths", len(lengths), truth.lengths)
        strokes = sum(l.get_value("total_strokes", fallback=0) or 0 for l in lengths)
        if truth.lengths:
            check.that(f"{name}: fitdecode: strokes", strokes, truth.strokes, 0.5)
    if truth.parts <= 1:
        check.that(f"{name}: fitdecode: elapsed", elapsed, truth.seconds, 0.002)
    check.that(f"{name}: fitdecode: timer events", timers.count("start") >= 1 and timers[-1] in ("stop_all", "start"), True)

    stream = garmin_fit_sdk.Stream.from_file(path)
    decoder = garmin_fit_sdk.Decoder(stream)
    check.that(f"{name}: Garmin's SDK: integrity", decoder.check_integrity(), True)
    stream = garmin_fit_sdk.Stream.from_file(path)
    messages, errors = garmin_fit_sdk.Decoder(stream).read()
    check.that(f"{name}: Garmin's SDK: errors", errors, [])
    records = messages.get("record_mesgs", [])
    found = [r["heart_rate"] for r in records if r.get("heart_rate") is not None]
    check.that(f"{name}: Garmin's SDK: heart rates", found, [round(r) for r in truth.rates], 0.5)
    for kind in ("file_id_mesgs", "session_mesgs", "lap_mesgs", "activity_mesgs"):
        check.that(f"{name}: Garmin's SDK: {kind}", len(messages.get(kind, [])) > 0, True)


def check_tcx(path, truth, check, name, schemas):
    tree = etree.parse(path)
    for schema in schemas["tcx"]:
        check.that(f"{name}: TCX schema: {schema.error_log.last_error if not schema.validate(tree) else ''}", schema.validate(tree), True)
    space = {"t": "http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2", "x": "http://www.garmin.com/xmlschemas/ActivityExtension/v2"}
    rates = [int(v.text) for v in tree.iterfind(".//t:Trackpoint/t:HeartRateBpm/t:Value", space)]
    check.that(f"{name}: lxml: heart rates", rates, [round(r) for r in truth.rates], 0.5)
    watts = [int(v.text) for v in tree.iterfind(".//x:Watts", space)]
    check.that(f"{name}: lxml: powers", watts, truth.watts, 0.5)
    meters = sum(float(v.text) for v in tree.iterfind(".//t:Lap/t:DistanceMeters", space))
    check.that(f"{name}: lxml: metres of laps", meters, truth.meters, 0.02)
    if truth.parts or not truth.positions:
        return  # tcxreader knows one activity, and points with positions only
    read = tcxreader.tcxreader.TCXReader().read(path)
    check.that(f"{name}: tcxreader: heart rates", sum(1 for p in read.trackpoints if p.hr_value) <= len(rates), True)


def check_gpx(path, truth, check, name, schemas):
    tree = etree.parse(path)
    for schema in schemas["gpx"]:
        check.that(f"{name}: GPX schema: {schema.error_log.last_error if not schema.validate(tree) else ''}", schema.validate(tree), True)
    with open(path) as file:
        gpx = gpxpy.parse(file)
    points = [p for t in gpx.tracks for s in t.segments for p in s.points]
    check.that(f"{name}: gpxpy: points", len(points), truth.positions)
    check.that(f"{name}: gpxpy: times", all(p.time for p in points), True)
    rates = [int(e.text) for e in tree.iterfind(".//{*}hr")]
    check.that(f"{name}: gpxpy: heart rates", len(rates) <= len(truth.rates) and all(0 < r < 255 for r in rates), True)


def check_csv(path, truth, check, name):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    rates = [float(r["heart_rate_bpm"]) for r in rows if r.get("heart_rate_bpm")]
    check.that(f"{name}: csv: heart rates", rates, truth.rates, 1e-9)
    intervals = [float(r["rr_ms"]) for r in rows if r.get("rr_ms")]
    check.that(f"{name}: csv: RR intervals", intervals, truth.intervals, 1e-9)
    check.that(f"{name}: csv: laps", sum(r["event"].split(" ")[0] == "lap" for r in rows), truth.laps)


def compare_back(workout, path, truth, check, name):
    """Our file, read by us: the same duration, distance, order, device, laps and pauses."""
    log = subprocess.run([workout, "convert", path, "-", "--format", "jsonl"], capture_output=True, text=True)
    check.that(f"{name}: read back: {log.stderr.strip()}", log.returncode, 0)
    if log.returncode:
        return
    back = Truth(log.stdout.splitlines())
    check.that(f"{name}: entries read back in order of time", back.is_ordered, True)
    if truth.recorder.get("name"):
        for key in ("name", "manufacturer", "model"):
            if truth.recorder.get(key) or key == "name":
                found, wanted = [device[key] for device in back.devices if device.get(key)], truth.recorder.get(key)
                # Some models begin with the manufacturer's name.
                same = any(wanted.endswith(text) for text in found)
                check.that(f"{name}: {key} of the device read back: {found}, wanted {wanted}", same, True)
    if path.endswith(".gpx"):
        return  # It has positions only, and neither laps nor distances.
    check.that(f"{name}: seconds read back", back.seconds, truth.seconds, 1.001)
    check.that(f"{name}: metres read back", back.meters, truth.meters, 0.5)
    check.that(f"{name}: heart rates read back", len(back.rates), len(truth.rates))
    check.that(f"{name}: paused seconds read back", back.paused_seconds, truth.paused_seconds, 1.5)
    for kind, count in truth.counts.items():
        check.that(f"{name}: values of {kind} read back", back.counts[kind], count)
    if len(back.lap_seconds) == len(truth.lap_seconds):
        # The last lap of an activity includes readings within 5 s after its end.
        # TCX laps state their duration without pauses.
        laps = (back.lap_active, truth.lap_active) if path.endswith(".tcx") else (back.lap_seconds, truth.lap_seconds)
        for number, (seconds, wanted) in enumerate(zip(*laps), 1):
            check.that(f"{name}: seconds of lap {number} read back", seconds, wanted, 5.001)
        for number, (meters, wanted) in enumerate(zip(back.lap_meters, truth.lap_meters), 1):
            check.that(f"{name}: metres of lap {number} read back", meters, wanted, max(20, wanted * 0.02))
    if truth.laps and path.endswith(".tcx"):
        # Every point of a TCX file is in a lap.
        check.that(f"{name}: laps read back", truth.laps <= back.laps <= truth.laps + truth.uncovered, True)
    elif truth.laps:
        check.that(f"{name}: laps read back", back.laps, truth.laps)


def schema(kind, folder):
    """Our schema, and the publisher's if it is available."""
    found = [etree.XMLSchema(etree.parse(os.path.join(HERE, f"written-{kind}.xsd")))]
    site, name = SCHEMAS[kind]
    path = os.path.join(folder, name)
    try:
        if not os.path.exists(path):
            published(site, name, path)
        found.append(etree.XMLSchema(etree.parse(path)))
    except Exception as error:
        print(f"interop: {site} is unavailable ({error}); only Tests/Interop/written-{kind}.xsd is checked")
    return found


def published(site, name, path):
    """Downloads a publisher's schema into a file."""
    try:
        with urllib.request.urlopen(site, timeout=15) as answer:
            content = answer.read()
    except Exception as error:
        with tempfile.TemporaryDirectory() as folder:
            fetched = subprocess.run(["apt-get", "download", "-q", PACKAGE], cwd=folder, capture_output=True, text=True)
            packages = glob.glob(os.path.join(folder, "*.deb"))
            if fetched.returncode or not packages:
                raise Exception(f"{error}; Debian's {PACKAGE}: {fetched.stderr.strip()}")
            subprocess.run(["dpkg-deb", "-x", packages[0], folder], check=True)
            with open(os.path.join(folder, "usr/share/pytrainer/schemas", name), "rb") as file:
                content = file.read()
    with open(path, "wb") as file:
        file.write(content)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workout", required=True)
    parser.add_argument("--schemas", default=tempfile.gettempdir(), help="where fetched schemas are kept")
    parser.add_argument("recordings", nargs="*")
    options = parser.parse_args()
    schemas = {kind: schema(kind, options.schemas) for kind in SCHEMAS}
    check = Check()
    with tempfile.TemporaryDirectory() as folder:
        recordings = options.recordings
        if not recordings:
            recordings = sorted(glob.glob(os.path.join(HERE, "../../Recordings/*.jsonl")))
            for profile, seed in (("easyRun", 7), ("ride", 3)):
                path = os.path.join(folder, f"{profile}-{seed}.jsonl")
                if subprocess.run([options.workout, "simulate", "--profile", profile, "--seed", str(seed), "--duration", "20m", "-o", path], capture_output=True).returncode == 0:
                    recordings.append(path)
        written = 0
        for recording in recordings:
            name = os.path.basename(recording)
            log = subprocess.run([options.workout, "convert", recording, "-", "--format", "jsonl"], capture_output=True, text=True)
            if log.returncode:
                print(f"interop: {name}: {log.stderr.strip()}")
                continue
            truth = Truth(log.stdout.splitlines())
            found = stated.read(recording)
            if found:
                stated.compare(found, [json.loads(line) for line in log.stdout.splitlines()], check, name)
            for format in FORMATS:
                path = os.path.join(folder, f"{name}.{format}")
                made = subprocess.run([options.workout, "convert", recording, path], capture_output=True, text=True)
                if made.returncode:
                    expected = format == "gpx" and not truth.positions or "its dates are not of the years" in made.stderr
                    check.that(f"{name}: {format}: {made.stderr.strip()}", expected, True)
                    continue
                written += 1
                compare_back(options.workout, path, truth, check, f"{name}.{format}")
                if format == "fit":
                    check_fit(path, truth, check, name)
                elif format == "tcx":
                    check_tcx(path, truth, check, name, schemas)
                elif format == "gpx":
                    check_gpx(path, truth, check, name, schemas)
                else:
                    check_csv(path, truth, check, name)
    print(f"interop: {written} files of {len(recordings)} recordings, {check.checks} comparisons, {check.faults} faults")
    sys.exit(1 if check.faults or not written else 0)


if __name__ == "__main__":
    main()
