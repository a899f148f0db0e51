#!/usr/bin/env python3
"""Imports workouts as services export them, and compares what `workout show` and an export of it state with what is in them.

    services.py --workout .build/release/workout [--seeds 20] [--first 1]

The workouts are those of devices.py, with pauses, laps and fractions of seconds. Each is written as it comes from several services,
by writers that share no code with our readers: lists of exercises with heart rates of days, databases of phones, and files of one
workout. The formats are those that programs for them read; see "Formats" in the documentation of the module Recordings.
"""
import datetime, json, math, os, sqlite3, sys, tempfile

from devices import DISTANCES, RIDE, RUN, SWIM, Workout, arguments, compare, run
from interop import Check

DISTANCE_TYPES = {sport: "HKQuantityTypeIdentifier" + kind for sport, kind in DISTANCES.items()}


class Activity:
    """A workout of one sport, with what a watch measures: heart rate and distance, each second outside pauses."""
    # Readings come each second, and the distance is counted from the start.
    every_second, counts_anew = True, False

    def __init__(self, seed):
        self.workout = workout = Workout(seed)
        self.sport, self.start, self.end = workout.legs[0][2], workout.start, workout.end
        self.seconds, self.meters = workout.active(self.start, self.end), workout.meters(self.start, self.end)
        times = [self.start, *range(math.floor(self.start) + 1, math.ceil(self.end)), self.end]
        self.readings = [(time, workout.meters(self.start, time), workout.random.randrange(100, 180))
                         for time in times if not workout.is_paused(time)]
        self.rates = [rate for _, _, rate in self.readings]

    def steps(self):
        """Each distance with the time in which it was covered."""
        for (begin, before, _), (end, after, _) in zip(self.readings, self.readings[1:]):
            if after > before:
                yield begin, end, after - before

    def date(self, time):
        return datetime.datetime.fromtimestamp(self.workout.date + time, datetime.timezone.utc)

    def text(self, time, form):
        return self.date(time).strftime(form)

    def iso(self, time):
        return self.date(time).isoformat(timespec="milliseconds")

    def milliseconds(self, time):
        return round((self.workout.date + time) * 1000)


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text if isinstance(text, str) else json.dumps(text))
    return path


def database(folder, name, statements):
    path = os.path.join(folder, name)
    connection = sqlite3.connect(path)
    for statement, *values in statements:
        connection.execute(statement, values)
    connection.commit()
    connection.close()
    return path


def quoted(value):
    """JSON in a field of a table."""
    return '"' + json.dumps(value).replace('"', '""') + '"'


def training_peaks(activity, folder):
    workout = activity.workout

    def summary(begin, end):
        return (f"<summarydata><beginning>{begin - activity.start:.3f}</beginning><duration>{end - begin:.3f}</duration>"
                f"<durationstopped>{end - begin - workout.active(begin, end):.3f}</durationstopped>"
                f"<dist>{workout.meters(begin, end):.2f}</dist></summarydata>")

    segments = "".join(f"<segment><name>Lap {number}</name>{summary(begin, end)}</segment>"
                       for number, (begin, end, _) in enumerate(workout.laps, 1))
    samples = "".join(f"<sample><timeoffset>{time - activity.start:.3f}</timeoffset><hr>{rate}</hr><dist>{meters:.2f}</dist></sample>"
                      for time, meters, rate in activity.readings)
    return write(folder, "workout.pwx", '<?xml version="1.0"?><pwx xmlns="http://www.peaksware.com/PWX/1/0" version="1.0"><workout>'
                 f"<sportType>{ {RUN: 'Run', RIDE: 'Bike', SWIM: 'Swim'}[activity.sport] }</sportType>"
                 f"<time>{activity.text(0, '%Y-%m-%dT%H:%M:%S')}</time>{summary(activity.start, activity.end)}{segments}{samples}"
                 "</workout></pwx>")


def polar_flow(activity, folder):
    workout, duration = activity.workout, lambda seconds: f"PT{seconds:.3f}S"
    local = lambda time: activity.iso(time).split("+")[0]
    whole = {"startTime": local(activity.start), "stopTime": local(activity.end), "duration": duration(activity.seconds),
             "distance": round(activity.meters, 2)}
    exercise = {"timezoneOffset": 0, "sport": {RUN: "RUNNING", RIDE: "CYCLING", SWIM: "SWIMMING"}[activity.sport], **whole,
                "samples": {"heartRate": [{"dateTime": local(time), "value": rate} for time, _, rate in activity.readings],
                            "distance": [{"dateTime": local(time), "value": round(meters, 2)} for time, meters, _ in activity.readings]},
                "laps": [{"lapNumber": number, "splitTime": duration(workout.active(activity.start, end)),
                          "duration": duration(workout.active(begin, end)), "distance": round(workout.meters(begin, end), 2)}
                         for number, (begin, end, _) in enumerate(workout.laps)]}
    return write(folder, "training-session.json", {"exportVersion": "1.3", "timeZoneOffset": 0, **whole, "exercises": [exercise]})


def suunto(activity, folder):
    workout = activity.workout
    samples = [(time, 1, {"Distance": round(meters, 2), "HR": rate / 60}) for time, meters, rate in activity.readings]
    for begin, end in workout.pauses:
        samples.append((begin, 2, {"Events": [{"Pause": {"State": True, "Type": "Manual"}}]}))
        samples.append((end, 0, {"Events": [{"Pause": {"State": False, "Type": "Manual"}}]}))
    for begin, end, _ in workout.laps[:-1]:
        lap = {"Type": "Manual", "Duration": workout.active(begin, end), "Distance": round(workout.meters(begin, end))}
        samples.append((end, 2, {"Events": [{"Lap": lap}]}))
    header = {"ActivityType": {RUN: 3, RIDE: 4, SWIM: 21}[activity.sport], "DateTime": activity.iso(activity.start),
              "Duration": activity.seconds, "PauseDuration": activity.end - activity.start - activity.seconds,
              "Distance": round(activity.meters)}
    log = {"Header": header, "Device": {"Name": "Suunto 9", "SerialNumber": "1"},
           "Samples": [{"TimeISO8601": activity.iso(time), **sample} for time, _, sample in sorted(samples, key=lambda one: one[:2])]}
    return write(folder, "workout.json", {"DeviceLog": log})


def health_auto_export(activity, folder):
    form = "%Y-%m-%d %H:%M:%S +0000"
    workout = {"id": f"AAAAAAAA-0000-4000-8000-{activity.workout.date:012d}", "duration": activity.seconds,
               "name": {RUN: "Outdoor Run", RIDE: "Outdoor Cycling", SWIM: "Open Water Swim"}[activity.sport],
               "start": activity.text(activity.start, form), "end": activity.text(activity.end, form),
               "distance": {"qty": activity.meters / 1000, "units": "km"},
               "heartRateData": [{"date": activity.text(time, form), "Min": rate, "Avg": rate, "Max": rate, "units": "count/min"}
                                 for time, _, rate in activity.readings]}
    return write(folder, "HealthAutoExport.json", {"data": {"workouts": [workout]}})


def samsung_health(activity, folder):
    own, prefix = f"aaaaaaaa-0000-4000-8000-{activity.workout.date:012d}", "com.samsung.health.exercise."
    live, kind = f"{own}.{prefix}live_data.json", "com.samsung.shealth.exercise"
    time = lambda seconds: activity.text(seconds, "%Y-%m-%d %H:%M:%S.%f")[:-3]
    row = {"total_calorie": "", prefix + "duration": round(activity.seconds * 1000), prefix + "start_time": time(activity.start),
           prefix + "exercise_type": {RUN: 1002, RIDE: 11007, SWIM: 14001}[activity.sport], prefix + "distance": round(activity.meters, 3),
           prefix + "time_offset": "UTC+0000", prefix + "live_data": live, prefix + "end_time": time(activity.end), prefix + "datauuid": own}
    # Rows have one comma more than the header.
    table = [f"{kind},6120001,3", ",".join(row), ",".join(map(str, row.values())) + ","]
    write(folder, f"samsunghealth/{kind}.20260101.csv", "\n".join(table) + "\n")
    series = [{"heart_rate": float(rate), "start_time": activity.milliseconds(time)} for time, _, rate in activity.readings]
    series += [{"distance": meters, "start_time": activity.milliseconds(end)} for _, end, meters in activity.steps()]
    write(folder, f"samsunghealth/jsons/{kind}/a/{live}", sorted(series, key=lambda one: one["start_time"]))
    return os.path.join(folder, "samsunghealth")


def fitbit(activity, folder):
    form, export = "%m/%d/%y %H:%M:%S", "Takeout/Fitbit/Global Export Data"
    write(folder, f"{export}/exercise-0.json", [{
        "logId": activity.workout.date, "activityName": {RUN: "Run", RIDE: "Bike", SWIM: "Swim"}[activity.sport],
        "averageHeartRate": round(sum(activity.rates) / len(activity.rates)), "calories": 300,
        "duration": round((activity.end - activity.start) * 1000), "activeDuration": round(activity.seconds * 1000),
        "distance": activity.meters / 1000, "distanceUnit": "Kilometer", "startTime": activity.text(activity.start, form), "hasGps": False}])
    days = {}
    for time, _, rate in activity.readings:
        reading = {"dateTime": activity.text(time, form), "value": {"bpm": rate, "confidence": 3}}
        days.setdefault(activity.text(time, "%Y-%m-%d"), []).append(reading)
    for day, readings in days.items():
        write(folder, f"{export}/heart_rate-{day}.json", readings)
    return os.path.join(folder, "Takeout")


def mi_fitness(activity, folder):
    second = lambda time: math.floor(activity.workout.date + time)
    begin, end = second(activity.start), second(activity.end)
    key, category, number = {RUN: ("outdoor_running", "running", 1), RIDE: ("outdoor_riding", "cycling", 6),
                             SWIM: ("open_swimming", "swimming", 10)}[activity.sport]
    value = {"start_time": begin, "end_time": end, "duration": round(activity.seconds), "sport_type": number,
             "distance": round(activity.meters), "calories": 100}
    write(folder, "mi/20260101_1_MiFitness_sport_record.csv",
          f"Uid,Sid,Key,Time,Category,Value,UpdateTime\n1,2,{key},{begin},{category},{quoted(value)},{end}\n")
    rows = [f"1,2,heart_rate,{second(time)},{quoted({'time': second(time), 'bpm': rate})},{second(time)}"
            for time, _, rate in activity.readings]
    write(folder, "mi/20260101_1_MiFitness_hlth_center_fitness_data.csv", "\n".join(["Uid,Sid,Key,Time,Value,UpdateTime", *rows]) + "\n")
    return os.path.join(folder, "mi")


def health_connect(activity, folder):
    workout, milliseconds = activity.workout, activity.milliseconds
    interval = "row_id INTEGER PRIMARY KEY, app_info_id INTEGER, start_time INTEGER, end_time INTEGER, start_zone_offset INTEGER"
    # The types of exercises and of segments are those of Android's classes ExerciseSessionType and ExerciseSegmentType.
    kind, pause = {RUN: 33, RIDE: 4, SWIM: 44}[activity.sport], 67
    statements = [("CREATE TABLE application_info_table(row_id INTEGER PRIMARY KEY, package_name TEXT, app_name TEXT)",),
                  ("INSERT INTO application_info_table VALUES (1, 'com.example.watch', 'Watch')",),
                  (f"CREATE TABLE exercise_session_record_table({interval}, exercise_type INTEGER, title TEXT, notes TEXT)",),
                  ("CREATE TABLE exercise_laps_table(parent_key INTEGER, lap_start_time INTEGER, lap_end_time INTEGER, lap_length REAL)",),
                  ("CREATE TABLE exercise_segments_table(parent_key INTEGER, segment_start_time INTEGER, segment_end_time INTEGER,"
                   " segment_type INTEGER, repetitions_count INTEGER)",),
                  (f"CREATE TABLE heart_rate_record_table({interval})",),
                  ("CREATE TABLE heart_rate_record_series_table(parent_key INTEGER, beats_per_minute INTEGER, epoch_millis INTEGER)",),
                  (f"CREATE TABLE distance_record_table({interval}, distance REAL)",),
                  ("INSERT INTO exercise_session_record_table VALUES (7, 1, ?, ?, 0, ?, NULL, NULL)",
                   milliseconds(activity.start), milliseconds(activity.end), kind),
                  ("INSERT INTO heart_rate_record_table VALUES (1, 1, ?, ?, 0)", milliseconds(activity.start), milliseconds(activity.end))]
    for begin, end, _ in workout.laps:
        statements.append(("INSERT INTO exercise_laps_table VALUES (7, ?, ?, ?)", milliseconds(begin), milliseconds(end),
                           workout.meters(begin, end)))
    for begin, end in workout.pauses:
        statements.append(("INSERT INTO exercise_segments_table VALUES (7, ?, ?, ?, 0)", milliseconds(begin), milliseconds(end), pause))
    for time, _, rate in activity.readings:
        statements.append(("INSERT INTO heart_rate_record_series_table VALUES (1, ?, ?)", rate, milliseconds(time)))
    for begin, end, meters in activity.steps():
        statements.append(("INSERT INTO distance_record_table VALUES (NULL, 1, ?, ?, 0, ?)", milliseconds(begin), milliseconds(end), meters))
    return database(folder, "health_connect_export.db", statements)


def gadgetbridge(activity, folder):
    kind = {RUN: 0x10, RIDE: 0x80, SWIM: 0x40}[activity.sport]
    summary = {"distanceMeters": {"value": activity.meters, "unit": "meters"}, "activeSeconds": {"value": activity.seconds, "unit": "seconds"}}
    statements = [("CREATE TABLE DEVICE(_id INTEGER PRIMARY KEY, NAME TEXT, MANUFACTURER TEXT, IDENTIFIER TEXT)",),
                  ("INSERT INTO DEVICE VALUES (1, 'Band', 'Huami', 'C0:FF:EE:00:00:01')",),
                  ("CREATE TABLE BASE_ACTIVITY_SUMMARY(_id INTEGER PRIMARY KEY, NAME TEXT, START_TIME INTEGER, END_TIME INTEGER,"
                   " ACTIVITY_KIND INTEGER, GPX_TRACK TEXT, RAW_DETAILS_PATH TEXT, DEVICE_ID INTEGER, USER_ID INTEGER, SUMMARY_DATA TEXT)",),
                  ("CREATE TABLE MI_BAND_ACTIVITY_SAMPLE(TIMESTAMP INTEGER, DEVICE_ID INTEGER, USER_ID INTEGER, RAW_INTENSITY INTEGER,"
                   " STEPS INTEGER, RAW_KIND INTEGER, HEART_RATE INTEGER, PRIMARY KEY (TIMESTAMP, DEVICE_ID)) WITHOUT ROWID",),
                  ("INSERT INTO BASE_ACTIVITY_SUMMARY VALUES (1, NULL, ?, ?, ?, NULL, NULL, 1, 1, ?)",
                   activity.milliseconds(activity.start), activity.milliseconds(activity.end), kind, json.dumps(summary))]
    for time, _, rate in activity.readings:
        second = math.floor(activity.workout.date + time)
        statements.append(("INSERT OR IGNORE INTO MI_BAND_ACTIVITY_SAMPLE VALUES (?, 1, 1, 0, 0, 0, ?)", second, rate))
    return database(folder, "Gadgetbridge", statements)


def apple_health(activity, folder):
    workout = activity.workout
    date = lambda time: activity.text(time, "%Y-%m-%d %H:%M:%S +0000")
    watch = 'sourceName="Watch" sourceVersion="26"'
    span = lambda begin, end: f'startDate="{date(begin)}" endDate="{date(end)}"'
    lines = [f'<Record type="HKQuantityTypeIdentifierHeartRate" {watch} unit="count/min" {span(time, time)} value="{rate}"/>'
             for time, _, rate in activity.readings]
    lines += [f'<Record type="{DISTANCE_TYPES[activity.sport]}" {watch} unit="m" {span(begin, end)} value="{meters}"/>'
              for begin, end, meters in activity.steps()]
    events = []
    for begin, end in workout.pauses:
        events.append((begin, f'<WorkoutEvent type="HKWorkoutEventTypePause" date="{date(begin)}"/>'))
        events.append((end, f'<WorkoutEvent type="HKWorkoutEventTypeResume" date="{date(end)}"/>'))
    for begin, end, _ in workout.laps:
        events.append((begin, f'<WorkoutEvent type="HKWorkoutEventTypeLap" date="{date(begin)}" duration="{(end - begin) / 60}" durationUnit="min"/>'))
    rates = activity.rates
    lines += [f'<Workout workoutActivityType="HKWorkoutActivityType{ {RUN: "Running", RIDE: "Cycling", SWIM: "Swimming"}[activity.sport] }" '
              f'duration="{activity.seconds / 60}" durationUnit="min" {watch} {span(activity.start, activity.end)}>',
              *[event for _, event in sorted(events)],
              f'<WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" {span(activity.start, activity.end)} unit="count/min" '
              f'average="{sum(rates) / len(rates)}" minimum="{min(rates)}" maximum="{max(rates)}"/>',
              f'<WorkoutStatistics type="{DISTANCE_TYPES[activity.sport]}" {span(activity.start, activity.end)} sum="{activity.meters}" unit="m"/>',
              "</Workout>"]
    return write(folder, "export.xml", '<?xml version="1.0" encoding="UTF-8"?>\n<HealthData locale="en_US">\n' + "\n".join(lines) + "\n</HealthData>")


class Service:
    """
    - has_laps: Whether laps are part of the export.
    - rounding: The seconds by which the workout and each pause may be off.
    - least_active: The least share of the elapsed time that a workout must be active.
    """

    def __init__(self, write, has_laps=False, rounding=0, least_active=0):
        self.write, self.name, self.has_laps, self.rounding, self.least_active = write, write.__name__, has_laps, rounding, least_active


SERVICES = [Service(training_peaks, has_laps=True, rounding=1), Service(polar_flow, has_laps=True, rounding=1), Service(suunto, has_laps=True),
            # A shorter duration is taken for one in other units.
            Service(health_auto_export, least_active=0.1), Service(samsung_health), Service(fitbit), Service(mi_fitness),
            Service(health_connect, has_laps=True), Service(gadgetbridge), Service(apple_health, has_laps=True, rounding=1)]


def main():
    workout, seeds = arguments(__doc__, 20)
    check, files = Check(), 0
    for seed in seeds:
        if len(Workout(seed).legs) > 1:
            continue
        for service in SERVICES:
            activity, name = Activity(seed), f"seed {seed}, {service.name}"
            if activity.seconds < service.least_active * (activity.end - activity.start):
                continue
            files += 1
            with tempfile.TemporaryDirectory() as folder:
                command = lambda *words: run(workout, folder, check, name, *words)
                command("import", service.write(activity, folder))
                stored = command("list", "--json").splitlines()
                check.that(f"{name}: workouts", len(stored), 1)
                if len(stored) != 1:
                    continue
                shown, exported = json.loads(stored[0])["id"], os.path.join(folder, "again.fit")
                command("export", shown, "--output", exported)
                if not service.has_laps:
                    activity.workout.laps = []
                # FIT has whole seconds.
                for label, output, rounding in ((name, command("show", shown, "--json"), service.rounding),
                                                (f"{name}, exported", command("replay", exported, "--speed", "max", "--json"), 1)):
                    if output:
                        found = json.loads(output)["workout"]
                        compare(activity.workout, activity, DISTANCES, found, check, label, rounding)
                        rates = found["statistics"].get("HKQuantityTypeIdentifierHeartRate", {})
                        check.that(f"{label}: highest heart rate", rates.get("maximum"), max(activity.rates))
                        check.that(f"{label}: mean heart rate", rates.get("average"), sum(activity.rates) / len(activity.rates), 3)
    print(f"services: {files} exports, {check.checks} comparisons, {check.faults} faults")
    sys.exit(1 if check.faults else 0)


main()
