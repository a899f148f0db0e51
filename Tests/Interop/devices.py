#!/usr/bin/env python3
"""Compares what `workout replay` makes of FIT and TCX files, as devices write them, and of what `workout convert` makes of these, with
what is in them.

    devices.py --workout .build/release/workout [--seeds 100] [--first 1]

A seed gives a workout of one sport or three, with pauses, laps and fractions of seconds, and a device: its byte order, how often it records,
whether it records in pauses, whether it writes laps when they end or all at the end with the time of the start, and whether its distance
starts again in each sport. It also gives a swim in a pool. The writers share no code with our own, and the figures are computed from the
workout and not from the file.
"""
import argparse, datetime, json, math, os, random, struct, subprocess, sys, tempfile

from interop import Check, moment

FIT_EPOCH = 631065600
# FIT base types: number, size, struct format, invalid value.
TYPES = {"enum": (0x00, 1, "B", 0xFF), "uint8": (0x02, 1, "B", 0xFF), "uint16": (0x84, 2, "H", 0xFFFF), "uint32": (0x86, 4, "I", 0xFFFFFFFF),
         "sint32": (0x85, 4, "i", 0x7FFFFFFF), "uint32z": (0x8C, 4, "I", 0)}
RUN, RIDE, SWIM = 1, 2, 5
METERS_PER_SECOND = {RUN: 3.2, RIDE: 8.5, SWIM: 1.1}
DISTANCES = {RUN: "DistanceWalkingRunning", RIDE: "DistanceCycling", SWIM: "DistanceSwimming"}
START, STOP, STOP_ALL = 0, 1, 4


def crc(data):
    value = 0
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0xA001 if value & 1 else 0)
    return value


class FITWriter:
    def __init__(self, is_big_endian):
        self.order = ">" if is_big_endian else "<"
        self.body, self.definitions = bytearray(), []

    def message(self, number, fields):
        """Fields are (number, type, value), with None for an invalid value."""
        definition = (number, tuple((field, kind) for field, kind, _ in fields))
        if definition not in self.definitions:
            self.definitions.append(definition)
            self.body += bytes([0x40 | self.definitions.index(definition), 0, self.order == ">"])
            self.body += struct.pack(self.order + "HB", number, len(fields))
            for field, kind, _ in fields:
                self.body += bytes([field, TYPES[kind][1], TYPES[kind][0]])
        self.body.append(self.definitions.index(definition))
        for _, kind, value in fields:
            _, _, code, invalid = TYPES[kind]
            self.body += struct.pack(self.order + code, invalid if value is None else round(value))

    def file(self):
        header = struct.pack("<BBHI4s", 14, 0x20, 2140, len(self.body), b".FIT")
        whole = header + struct.pack("<H", crc(header)) + self.body
        return whole + struct.pack("<H", crc(whole))


class Workout:
    """Times are seconds since `date`."""

    def __init__(self, seed):
        self.random = choose = random.Random(seed)
        self.date = 1767254400 + choose.randrange(10 ** 6)
        self.start = end = choose.choice([0, 0, choose.random()])
        self.legs, self.laps, self.pauses = [], [], []
        sports = choose.choice([[RUN], [RIDE], [SWIM, RIDE, RUN]])
        for sport in sports:
            begin, moving = end, choose.choice([60, 300, 900] if len(sports) == 1 else [600, 1500]) + choose.choice([0, choose.random()])
            pauses, end = [], begin + moving
            after = begin + 5
            for _ in range(choose.choice([0, 0, 1, 2, 3])):
                pause = after + choose.random() * moving / 3
                resumption = pause + choose.choice([2, 6, 20, 120, 700]) * (0.5 + choose.random())
                if pause > end - 5:
                    break
                pauses.append((pause, resumption))
                end += resumption - pause
                after = resumption + 10
            cuts = sorted(begin + 3 + choose.random() * (end - begin - 6) for _ in range(choose.choice([0, 0, 1, 3, 8])))
            lap = begin
            for cut in [cut for cut in cuts if not any(a - 1 <= cut <= b + 1 for a, b in pauses)] + [end]:
                if cut - lap > 2 or cut == end:
                    self.laps.append((lap, cut, sport))
                    lap = cut
            self.pauses += pauses
            self.legs.append((begin, end, sport))
        self.end = end

    def is_paused(self, time):
        return any(a < time < b for a, b in self.pauses)

    def active(self, a, b):
        return max(0, b - a) - sum(max(0, min(b, end) - max(a, begin)) for begin, end in self.pauses)

    def meters(self, a, b):
        return sum(METERS_PER_SECOND[sport] * self.active(max(a, begin), min(b, end)) for begin, end, sport in self.legs if min(b, end) > max(a, begin))


class Device:
    def __init__(self, workout):
        chance = lambda share: workout.random.random() < share
        self.is_big_endian, self.every_second, self.records_in_pauses = chance(0.2), chance(0.6), chance(0.2)
        self.writes_at_start, self.has_positions, self.counts_anew = chance(0.5), chance(0.4), chance(0.2)
        # Current devices write all laps last, with the time of the start.
        self.writes_laps_last = chance(0.5)
        self.dates_laps_by_start = self.writes_laps_last and chance(0.6)
        self.stop = STOP if chance(0.5) else STOP_ALL

    def fit(self, workout):
        fit, second = FITWriter(self.is_big_endian), lambda time: math.floor(workout.date + time) - FIT_EPOCH
        fit.message(0, [(0, "enum", 4), (1, "uint16", 1), (2, "uint16", 3121), (3, "uint32z", 12345), (4, "uint32", second(workout.start))])
        timed, last = [], []

        def timer(time, kind, rank):
            timed.append((time, rank, 21, [(253, "uint32", second(time)), (3, "uint32", 0), (0, "enum", 0), (1, "enum", kind), (4, "uint8", 0)]))

        def summary(number, a, b, index, own):
            dated = second(workout.start) if self.dates_laps_by_start else second(b)
            fields = [(254, "uint16", index), (253, "uint32", dated), (2, "uint32", second(a)), (7, "uint32", (b - a) * 1000),
                      (8, "uint32", workout.active(a, b) * 1000), (9, "uint32", workout.meters(a, b) * 100)] + own
            (last if self.writes_laps_last else timed).append((b, 3 if number == 19 else 4, number, fields))

        timer(workout.start, START, 0)
        for a, b in workout.pauses:
            timer(a, self.stop, 2)
            timer(b, START, 0)
        timer(workout.end, STOP_ALL, 2)
        for index, (begin, end, sport) in enumerate(workout.legs):
            for time in self.times(workout, begin, end, index == 0, index + 1 == len(workout.legs)):
                if workout.is_paused(time) and not self.records_in_pauses:
                    continue
                # The last record has everything, as the device's total does.
                until = workout.end if second(time) == second(workout.end) else time
                meters = workout.meters(begin if self.counts_anew else workout.start, until)
                fields = [(253, "uint32", second(time)), (3, "uint8", workout.random.randrange(100, 180)), (5, "uint32", meters * 100)]
                if self.has_positions:
                    fields += [(0, "sint32", (47 + meters / 1e5) * 2 ** 31 / 180), (1, "sint32", 8 * 2 ** 31 / 180)]
                timed.append((time, 1, 20, fields))
            first = sum(1 for lap in workout.laps if lap[0] < begin)
            count = sum(1 for lap in workout.laps if begin <= lap[0] < end)
            summary(18, begin, end, index, [(5, "enum", sport), (6, "enum", 0), (25, "uint16", first), (26, "uint16", count)])
        for index, (a, b, sport) in enumerate(workout.laps):
            summary(19, a, b, index, [(25, "enum", sport)])
        for _, _, number, fields in sorted(timed, key=lambda item: item[:2]) + sorted(last, key=lambda item: (item[1], item[0])):
            fit.message(number, fields)
        active = workout.active(workout.start, workout.end)
        fit.message(34, [(253, "uint32", second(workout.end)), (0, "uint32", active * 1000), (1, "uint16", len(workout.legs)),
                         (2, "enum", len(workout.legs) > 1), (3, "enum", 26), (4, "enum", 1)])
        return fit.file()

    def tcx(self, workout):
        """An activity for each sport, and a track for each time between pauses, with laps as they are."""
        choose = workout.random
        # Services cut fractions of seconds off.
        is_exact, names = choose.random() < 0.5, {RUN: "Running", RIDE: "Biking", SWIM: "Other"}

        def date(time):
            seconds = workout.date + time
            whole = datetime.datetime.fromtimestamp(seconds if is_exact else math.floor(seconds), datetime.timezone.utc)
            return whole.isoformat(timespec="milliseconds").replace("+00:00", "Z")

        activities = []
        for index, (begin, end, sport) in enumerate(workout.legs):
            text = [f'<Activity Sport="{names[sport]}"><Id>{date(begin)}</Id>']
            times = sorted(set(self.times(workout, begin, end, index == 0, index + 1 == len(workout.legs))) | {begin, end})
            for a, b, _ in [lap for lap in workout.laps if begin <= lap[0] < end]:
                text.append(f'<Lap StartTime="{date(a)}"><TotalTimeSeconds>{workout.active(a, b):.3f}</TotalTimeSeconds>'
                            f'<DistanceMeters>{workout.meters(a, b):.2f}</DistanceMeters><Calories>0</Calories>'
                            '<Intensity>Active</Intensity><TriggerMethod>Manual</TriggerMethod>')
                edges = [a] + [edge for pause in workout.pauses if a < pause[0] < b for edge in pause] + [b]
                for first, last in zip(edges[::2], edges[1::2]):
                    inside = [time for time in times if first < time < last]
                    # A track begins and ends with a point.
                    text.append("<Track>")
                    for time in [first] + inside + [last]:
                        meters = workout.meters(begin if self.counts_anew else workout.start, time)
                        text.append(f"<Trackpoint><Time>{date(time)}</Time><DistanceMeters>{meters:.2f}</DistanceMeters>"
                                    f"<HeartRateBpm><Value>{choose.randrange(100, 180)}</Value></HeartRateBpm></Trackpoint>")
                    text.append("</Track>")
                text.append("</Lap>")
            activities.append("".join(text) + "</Activity>")
        if len(activities) > 1:
            first, *others = activities
            activities = [f"<MultiSportSession><Id>{date(workout.start)}</Id><FirstSport>{first}</FirstSport>"]
            activities += [f"<NextSport>{other}</NextSport>" for other in others] + ["</MultiSportSession>"]
        return ('<?xml version="1.0"?><TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities>'
                + "".join(activities) + "</Activities></TrainingCenterDatabase>").encode()

    def times(self, workout, begin, end, is_first, is_last):
        """The times of a leg's records: whole seconds of the clock, and the start and the end of the workout."""
        time = begin if is_first and self.writes_at_start else math.floor(begin) + 1
        while time <= end:
            yield time
            time = math.floor(time) + (1 if self.every_second else workout.random.choice([1, 1, 2, 3, 5]))
        if is_last:
            yield end


class PoolSwim:
    """Sets of lengths with rests between them, of which devices make laps of their own, or parts of the lap before."""

    def __init__(self, seed):
        self.random = choose = random.Random(seed)
        self.date = 1767254400 + choose.randrange(10 ** 6)
        self.pool = choose.choice([25, 50, 33.33, 22.86])
        self.has_rest_laps, self.counts_in_records = choose.random() < 0.6, choose.random() < 0.5
        self.laps, self.lengths, time = [], [], 0.0
        for _ in range(choose.choice([1, 2, 4, 12])):
            begin, first = time, len(self.lengths)
            for _ in range(choose.choice([1, 2, 4, 8])):
                seconds = self.pool * (0.9 + choose.random() / 3)
                self.lengths.append((time, time + seconds, True))
                time += seconds
            swum = len(self.lengths) - first
            rest = choose.choice([0, 5, 30]) * (0.5 + choose.random())
            if rest and not self.has_rest_laps:
                self.lengths.append((time, time + rest, False))
                time += rest
            self.laps.append((begin, time, swum, first, len(self.lengths)))
            if rest and self.has_rest_laps:
                self.lengths.append((time, time + rest, False))
                self.laps.append((time, time + rest, 0, len(self.lengths) - 1, len(self.lengths)))
                time += rest
        self.end = time

    def fit(self):
        fit, second = FITWriter(False), lambda time: math.floor(self.date + time) - FIT_EPOCH
        fit.message(0, [(0, "enum", 4), (1, "uint16", 1), (2, "uint16", 2697), (3, "uint32z", 12345), (4, "uint32", second(0))])
        fit.message(21, [(253, "uint32", second(0)), (0, "enum", 0), (1, "enum", START)])
        timed = []
        for time in range(math.floor(self.end) + 1):
            fields = [(253, "uint32", second(time)), (3, "uint8", self.random.randrange(90, 170))]
            if self.counts_in_records:
                swum = sum(self.pool for _, end, is_active in self.lengths if is_active and second(end) <= second(time))
                fields.append((5, "uint32", swum * 100))
            timed.append((time, 0, 20, fields))
        for index, (a, b, is_active) in enumerate(self.lengths):
            own = [(5, "uint16", self.random.randrange(8, 30) if is_active else None), (7, "enum", 0 if is_active else None)]
            timed.append((b, 1, 101, [(254, "uint16", index), (253, "uint32", second(b)), (2, "uint32", second(a)), (3, "uint32", (b - a) * 1000),
                                      (4, "uint32", (b - a) * 1000)] + own + [(12, "enum", is_active)]))
        for index, (a, b, swum, first, last) in enumerate(self.laps):
            timed.append((b, 2, 19, [(254, "uint16", index), (253, "uint32", second(b)), (2, "uint32", second(a)), (7, "uint32", (b - a) * 1000),
                                     (8, "uint32", (b - a) * 1000), (9, "uint32", swum * self.pool * 100), (25, "enum", SWIM),
                                     (32, "uint16", last - first), (35, "uint16", first), (40, "uint16", swum)]))
        for _, _, number, fields in sorted(timed, key=lambda item: item[:2]):
            fit.message(number, fields)
        swum = sum(is_active for _, _, is_active in self.lengths)
        fit.message(21, [(253, "uint32", second(self.end)), (0, "enum", 0), (1, "enum", STOP_ALL)])
        fit.message(18, [(253, "uint32", second(self.end)), (2, "uint32", second(0)), (5, "enum", SWIM), (6, "enum", 17),
                         (7, "uint32", self.end * 1000), (8, "uint32", self.end * 1000), (9, "uint32", swum * self.pool * 100),
                         (25, "uint16", 0), (26, "uint16", len(self.laps)), (33, "uint16", swum), (44, "uint16", self.pool * 100)])
        fit.message(34, [(253, "uint32", second(self.end)), (0, "uint32", self.end * 1000), (1, "uint16", 1), (2, "enum", 0), (3, "enum", 26),
                         (4, "enum", 1)])
        return fit.file()

    def compare(self, shown, check, name):
        check.that(f"{name}: duration", shown["duration"], self.end, 1.01)
        swum = self.pool * sum(is_active for _, _, is_active in self.lengths)
        check.that(f"{name}: metres", shown["statistics"]["HKQuantityTypeIdentifierDistanceSwimming"]["sum"], swum, 0.1)
        laps = shown.get("lapFigures", [])
        check.that(f"{name}: laps", len(laps), len(self.laps))
        for number, ((a, b, lengths, _, _), lap) in enumerate(zip(self.laps, laps), 1):
            check.that(f"{name}: start of lap {number}", moment(lap["start"]) - self.date, a, 1.01)
            check.that(f"{name}: duration of lap {number}", lap["duration"], b - a, 1.01)
            check.that(f"{name}: metres of lap {number}", lap.get("distance", 0), lengths * self.pool, 0.1)


def compare(workout, device, types, shown, check, name, rounding=0):
    """
    - rounding: The seconds by which the workout and each pause may be off besides, and with them what comes after.
    """
    date = lambda text: moment(text) - workout.date
    check.that(f"{name}: start", date(shown["start"]), workout.start, 1.01)
    check.that(f"{name}: elapsed", shown["elapsed"], workout.end - workout.start, 1.01 + rounding)
    # Each pause begins and ends in whole seconds.
    check.that(f"{name}: duration", shown["duration"], workout.active(workout.start, workout.end), 2 + len(workout.pauses))
    spacing = 1 if device.every_second else 5
    laps = shown.get("lapFigures", [])
    if len(workout.laps) > 1:
        check.that(f"{name}: laps", len(laps), len(workout.laps))
    for number, ((a, b, sport), lap) in enumerate(zip(workout.laps, laps), 1):
        cut = sum(1 for pause in workout.pauses if a < pause[0] < b)
        off = rounding * (1 + sum(1 for pause in workout.pauses if pause[0] < b))
        check.that(f"{name}: start of lap {number}", date(lap["start"]), a, 1.01 + off)
        check.that(f"{name}: duration of lap {number}", lap["duration"], workout.active(a, b), 1.01 + cut + off)
        seconds = 1 + spacing + off
        check.that(f"{name}: metres of lap {number}", lap.get("distance", 0), workout.meters(a, b), METERS_PER_SECOND[sport] * seconds + 1)
    for number, ((begin, end, _), part) in enumerate(zip(workout.legs, shown.get("parts", [])), 1):
        check.that(f"{name}: start of leg {number}", date(part["start"]), begin, 1.01)
        check.that(f"{name}: end of leg {number}", date(part["end"]), end, 1.01)
    expected, lost = {}, 0
    for begin, end, sport in workout.legs:
        expected[types[sport]] = expected.get(types[sport], 0) + workout.meters(begin, end)
        # A count that starts again in each sport says nothing of the time after its last record.
        lost = max(lost, METERS_PER_SECOND[sport] * spacing if device.counts_anew and end < workout.end else 0)
    total = 0
    for kind, meters in expected.items():
        found = shown["statistics"].get("HKQuantityTypeIdentifier" + kind, {}).get("sum", 0)
        # Less than a metre at the end of a leg counts for the next one.
        check.that(f"{name}: {kind}", found, meters, len(workout.legs) + lost)
        total += found
    if laps:
        check.that(f"{name}: duration of all laps", sum(lap["duration"] for lap in laps), shown["duration"], 0.01 + rounding * (1 + len(workout.pauses)))
        check.that(f"{name}: metres of all laps", sum(lap.get("distance", 0) for lap in laps), total, 0.1)


def run(workout, home, check, name, *arguments):
    """Returns the output of a command. Empty if it failed."""
    done = subprocess.run([workout, *arguments], capture_output=True, text=True, env=dict(os.environ, HOME=home))
    check.that(f"{name}: {done.stderr.strip()}", done.returncode, 0)
    return "" if done.returncode else done.stdout


def arguments(description, count):
    """Returns the command, and a range of seeds: by default this many."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workout", required=True)
    parser.add_argument("--seeds", type=int, default=count)
    parser.add_argument("--first", type=int, default=1)
    options = parser.parse_args()
    return options.workout, range(options.first, options.first + options.seeds)


def main():
    command, seeds = arguments(__doc__, 100)
    check = Check()
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            workout = Workout(seed)
            device = Device(workout)
            swim = PoolSwim(seed)
            # TCX has no swimming: the distance of another sport is one on foot.
            tcx_types = {**DISTANCES, SWIM: DISTANCES[RUN]}
            for label, kind, content, expect in (
                    ("fit", "fit", device.fit(workout), lambda shown, name: compare(workout, device, DISTANCES, shown, check, name)),
                    ("tcx", "tcx", device.tcx(workout), lambda shown, name: compare(workout, device, tcx_types, shown, check, name)),
                    ("swim", "fit", swim.fit(), lambda shown, name: swim.compare(shown, check, name))):
                path, again = os.path.join(folder, f"device.{kind}"), os.path.join(folder, f"again.{kind}")
                with open(path, "wb") as file:
                    file.write(content)
                run(command, folder, check, f"seed {seed}, {label}", "convert", path, again, "--force")
                for name, path in (("", path), (", converted", again)):
                    name = f"seed {seed}, {label}{name}"
                    shown = run(command, folder, check, name, "replay", path, "--speed", "max", "--json")
                    if shown:
                        expect(json.loads(shown)["workout"], name)
    print(f"devices: {3 * len(seeds)} files, {check.checks} comparisons, {check.faults} faults")
    sys.exit(1 if check.faults else 0)


if __name__ == "__main__":
    main()
