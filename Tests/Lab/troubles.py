"""Straps and neighbours that misbehave: each case runs the built command against a script of `Tests/Lab/straps`.

A case takes the options and gives its failures and its run, as those of lab.py do.
"""

import json

from lab import Run, monitored

OTHER = "/lab/clients/hr_dbus.py"


def monitor_beside(options, script, command, name, extra=()):
    """Each value that the strap sent is told once, whatever else happens in `command`."""
    run = Run(options, script, command, extra)
    failures = [] if run.status == 0 else [f"monitor ended with {run.status}: {run.stderr.strip()[-400:]}"]
    received = monitored(run, "C0:DE:00:00:00:01")
    failures += whole(run, name, received)
    second = run.out / "second"
    if second.exists():
        run.stdout = second.read_text()
        failures += [f"the second program: {f}" for f in whole(run, name, monitored(run, "C0:DE:00:00:00:01"))]
    return failures, run


def whole(run, name, received):
    """What was received is what was sent in a row: nothing lost between, nothing twice."""
    sent = [event["hex"] for event in run.of(name, "notify")]
    if len(received) < 10:
        return [f"only {len(received)} values were received, of {len(sent)}"]
    if any(sent[begin:begin + len(received)] == received for begin in range(len(sent) - len(received) + 1)):
        return []
    return [f"{name}: received is not what was sent: {received}, sent {sent}"]


def other_first(options):
    """Another program has subscribed before."""
    return monitor_beside(
        options, "equal-values", f"{OTHER} scan stop-scan connect resolve subscribe watch:30 >/tmp/other & "
        "labctl wait subscribe --timeout 30 >/dev/null; WORKOUT monitor C0:DE:00:00:00:01 --json --raw --duration 20",
        "Lab Equal")


def other_later(options):
    """Another program subscribes later, and leaves."""
    return monitor_beside(
        options, "equal-values", "WORKOUT monitor C0:DE:00:00:00:01 --json --raw --duration 30 & "
        f"labctl wait subscribe --timeout 30 >/dev/null; sleep 4; {OTHER} connect resolve subscribe watch:9 "
        ">/out/other; wait %1", "Lab Equal")


def ours_twice(options):
    """Two of our own programs."""
    return monitor_beside(
        options, "equal-values", "WORKOUT monitor C0:DE:00:00:00:01 --json --raw --duration 25 & "
        "labctl wait subscribe --timeout 30 >/dev/null; sleep 3; "
        "WORKOUT monitor C0:DE:00:00:00:01 --json --raw --duration 12 >/out/second; wait %1", "Lab Equal")


def nobody_else(options):
    """Equal readings that the strap sends, also at once, all count."""
    return monitor_beside(
        options, "equal-values", "WORKOUT monitor C0:DE:00:00:00:01 --json --raw --duration 22", "Lab Equal")


CASES = {
    "another subscriber first": other_first,
    "another subscriber later": other_later,
    "two of our own": ours_twice,
    "equal readings": nobody_else,
}


# A strap, a second after what it waited for: what a person would call at once.
SOON = 6.0
STRAP = "C0:DE:00:00:00:01"


def readings(run):
    return [e for e in (json.loads(line) for line in run.stdout.splitlines() if line.startswith("{"))
            if e.get("type") == "heartRate"]


def returns_within(run, name, limit, count=1):
    """The strap is subscribed to again after each of its first `count` losses, within `limit` seconds. A run in which it
    never is fails, however many values came before."""
    failures = []
    losses = [e["t"] for e in run.of(name, "disconnect") if subscribed_before(run, name, e["t"])][:count]
    if len(losses) < count:
        failures.append(f"{name} was to be lost {count} times, and was {len(losses)} times")
    for loss in losses:
        again = [e["t"] for e in run.of(name, "subscribe") if e["t"] > loss]
        if not again:
            failures.append(f"{name}: lost at {loss}, and never back")
        elif again[0] - loss > limit:
            failures.append(f"{name}: lost at {loss}, back after {again[0] - loss:.1f} s")
        elif not [e for e in run.of(name, "notify") if e["t"] > again[0]]:
            failures.append(f"{name}: subscribed to again, without a value")
    return failures


def subscribed_before(run, name, time):
    """Whether the link that ended at `time` had a subscription."""
    events = [e for e in run.of(name, "connect", "subscribe", "disconnect") if e["t"] < time]
    for event in reversed(events):
        if event["event"] == "subscribe":
            return True
        if event["event"] == "disconnect":
            return False
    return False


def comes_back(script, name, limit, seconds, extra=()):
    """It measures, is lost, and measures again."""
    def case(options):
        run = Run(options, script, f"WORKOUT monitor {STRAP} --json --raw --duration {seconds}", extra)
        failures = [] if run.status == 0 else [f"monitor ended with {run.status}: {run.stderr.strip()[-400:]}"]
        return failures + returns_within(run, name, limit), run
    return case


def guarded_battery(options, extra=()):
    """The heart rate does not wait for a battery that wants pairing."""
    run = Run(options, "guarded-battery", f"WORKOUT monitor {STRAP} --json --raw --duration 20", extra)
    connects = [e["t"] for e in run.of("Lab Guarded", "connect")]
    values = [e["t"] for e in run.of("Lab Guarded", "notify")]
    failures = [] if readings(run) else ["no reading"]
    if connects and values and values[0] - connects[0] > SOON:
        failures.append(f"connected at {connects[0]}, the first value at {values[0]}")
    return failures, run


def stranger(options):
    """A strap of the same name is not the owner's; what is paired stays as it is."""
    run = Run(options, "same-name", f"WORKOUT pair {STRAP} --json >/dev/null; cp /tmp/home/.config/healthkit/config.json "
              "/out/before; WORKOUT record --json --duration 55 -o /tmp/log.jsonl; cp /tmp/log.jsonl /out; "
              "cp /tmp/home/.config/healthkit/config.json /out/after")
    log = [json.loads(line) for line in (run.out / "log.jsonl").read_text().splitlines()]
    rates = [e["value"] for e in log if e.get("sample") == "heartRate"]
    failures = [f"a stranger's readings: {rates}"] if not rates or max(rates) > 120 else []
    paired = [[(s["address"], s.get("name")) for s in json.loads((run.out / f).read_text())["pairedSensors"]]
              for f in ("before", "after")]
    return failures + ([] if paired[0] == paired[1] else [f"what is paired was changed: {paired}"]), run


def impossible(options):
    """What no heart has is counted nowhere."""
    run = Run(options, "impossible", f"WORKOUT record --sensor {STRAP} --json --duration 14 -o /tmp/log.jsonl; cp /tmp/log.jsonl /out")
    log = [json.loads(line) for line in (run.out / "log.jsonl").read_text().splitlines()]
    rates = [e["value"] for e in log if e.get("sample") == "heartRate"]
    statistics = json.loads(run.stdout.splitlines()[0])["workout"]["statistics"]
    counted = statistics["HKQuantityTypeIdentifierHeartRate"]
    failures = [] if rates and set(rates) <= {70, 71, 72, 73} else [f"readings: {rates}"]
    if counted["count"] != len(rates) or not 70 <= counted["average"] <= 73:
        failures.append(f"{len(rates)} readings, counted: {counted}")
    if not any("ffff" in json.dumps(e) or e.get("bytes", "").startswith("07ffff") for e in log):
        failures.append("what came is not in the log")
    return failures, run


def killed(options):
    """A strap that a killed program left connected is let go by the next."""
    run = Run(options, "no-trouble", f"WORKOUT record --sensor {STRAP} >/dev/null 2>&1 & labctl wait subscribe --timeout 30 "
              ">/dev/null; sleep 3; kill -9 $!; sleep 4; labctl mark killed; WORKOUT recover; labctl mark recovered; sleep 1")
    marks = {e["text"]: e["t"] for e in run.air if e.get("event") == "mark"}
    ends = [e["t"] for e in run.of("Lab Calm", "disconnect")]
    held = marks.get("killed", 0)
    return ([] if ends and held < ends[0] <= held + 8 else [f"killed before {held}, let go at {ends}"]), run


def power_off(options):
    """An adapter that a person switches off stays off until the person says otherwise."""
    run = Run(options, "no-trouble", f"WORKOUT monitor {STRAP} --json --duration 40 & labctl wait subscribe --timeout 30 "
              ">/dev/null; sleep 3; bluetoothctl power off >/dev/null; sleep 10; bluetoothctl show | grep Powered; "
              "labctl mark on; bluetoothctl power on >/dev/null; wait %1")
    failures = [] if "Powered: no" in run.stdout else ["it was switched on again"]
    if not [line for line in run.stdout.splitlines() if '"state"' in line and "Bluetooth is off" in line]:
        failures.append("nobody said that Bluetooth is off")
    on = [e["t"] for e in run.air if e.get("event") == "mark"]
    again = [e["t"] for e in run.of("Lab Calm", "subscribe") if on and e["t"] > on[0]]
    return failures + ([] if again and again[0] - on[0] <= SOON else [f"on at {on}, back at {again}"]), run


def doctor(script, extra, remedy):
    """What `doctor` says is in the way, and what it says to do."""
    def case(options):
        run = Run(options, script, f"WORKOUT pair {STRAP} --timeout 15 >/dev/null 2>&1; WORKOUT doctor {STRAP} --wait 15",
                  extra)
        lines = [line.strip() for line in run.stdout.splitlines()]
        return ([] if remedy in lines else [f"not on a line of its own: {remedy!r}; it said {lines}"]), run
    return case


WITHOUT = ["--no-bluetoothd"]
CASES |= {
    "no bonding": comes_back("no-bonding", "Lab Forgetful", SOON, 22),
    "no bonding, without bluetoothd": comes_back("no-bonding", "Lab Forgetful", SOON, 22, WITHOUT),
    "guarded battery": guarded_battery,
    "guarded battery, without bluetoothd": lambda options: guarded_battery(options, WITHOUT),
    "bond lost": comes_back("bond-lost-later", "Lab Amnesia", SOON + 1, 35),
    "bond lost, without bluetoothd": comes_back("bond-lost-later", "Lab Amnesia", SOON + 1, 35, WITHOUT),
    "five failures": comes_back("five-failures", "Lab Fickle", SOON + 1, 35),
    "five failures, without bluetoothd": comes_back("five-failures", "Lab Fickle", SOON + 1, 35, WITHOUT),
    "stranger": stranger,
    "impossible values": impossible,
    "killed and connected": killed,
    "switched off": power_off,
    "doctor: refused pairing": doctor(
        "refuses-pairing", [],
        f"switch its pairing mode on, or end its pairing with other devices; then: workout pair {STRAP}"),
}
