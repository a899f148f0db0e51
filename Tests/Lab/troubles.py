"""Straps and neighbours that misbehave: each case runs the built command against a script of `Tests/Lab/straps`.

A case takes the options and gives its failures and its run, as those of lab.py do.
"""

import datetime
import json
import re

from lab import Run, monitored

OTHER = "/lab/clients/hr_dbus.py"


def monitor_beside(options, script, command, name, extra=()):
    """Each value that the strap sent is printed once, whatever else happens in `command`."""
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
    """The received values are consecutive sent ones: none is missing, none comes twice."""
    sent = [event["hex"] for event in run.of(name, "notify")]
    if len(received) < 10:
        return [f"only {len(received)} values were received, of {len(sent)}"]
    if any(sent[begin:begin + len(received)] == received for begin in range(len(sent) - len(received) + 1)):
        return []
    return [f"{name}: received is not what was sent: {received}, sent {sent}"]


def other_first(options):
    """Another program has already subscribed."""
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


# Within a second, which users take for immediate.
SOON = 6.0
# Between two readings of a working strap.
GAP = 5.0
WITHOUT = ["--no-bluetoothd"]
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
            continue
        run.measured.append(f"back after {again[0] - loss:.1f} s")
        if again[0] - loss > limit:
            failures.append(f"{name}: lost at {loss}, back after {again[0] - loss:.1f} s")
        elif not [e for e in run.of(name, "notify") if e["t"] > again[0]]:
            failures.append(f"{name}: subscribed to again, without a value")
    return failures


def subscribed_before(run, name, time):
    """Whether the link that ended at `time` was subscribed."""
    events = [e for e in run.of(name, "connect", "subscribe", "disconnect") if e["t"] < time]
    for event in reversed(events):
        if event["event"] == "subscribe":
            return True
        if event["event"] == "disconnect":
            return False
    return False


def comes_back(script, name, limit, seconds, extra=()):
    """The strap measures, is lost, and measures again."""
    def case(options):
        run = Run(options, script, f"WORKOUT monitor {STRAP} --json --raw --duration {seconds}", extra)
        failures = [] if run.status == 0 else [f"monitor ended with {run.status}: {run.stderr.strip()[-400:]}"]
        return failures + returns_within(run, name, limit), run
    return case


def forgotten_meanwhile(options):
    """A strap that loses its bond between two runs, while the kernel keeps it."""
    run = Run(options, "pairing-required", f"WORKOUT monitor {STRAP} --duration 8 >/dev/null; labctl do forget-bonds "
              f">/dev/null; labctl mark forgotten >/dev/null; WORKOUT monitor {STRAP} --json --duration 16", WITHOUT)
    marks = [e["t"] for e in run.air if e.get("event") == "mark"]
    # Measured from the first link, because a program takes seconds to start here.
    linked, again = ([e["t"] for e in run.air if e.get("event") == event and marks and e["t"] > marks[0]]
                     for event in ("connect", "subscribe"))
    if not again or not readings(run):
        return ["never measured again"], run
    run.measured.append(f"measures {again[0] - linked[0]:.1f} s after the first link")
    return [] if again[0] - linked[0] <= SOON + 1 else [f"linked at {linked[0]}, subscribed at {again[0]}"], run


def guarded_battery(options, extra=()):
    """The heart rate does not wait for a battery that wants pairing."""
    run = Run(options, "guarded-battery", f"WORKOUT monitor {STRAP} --json --raw --duration 20", extra)
    connects = [e["t"] for e in run.of("Lab Guarded", "connect")]
    values = [e["t"] for e in run.of("Lab Guarded", "notify")]
    failures = [] if readings(run) else ["no reading"]
    if connects and values:
        run.measured.append(f"first value after {values[0] - connects[0]:.1f} s")
    if connects and values and values[0] - connects[0] > SOON:
        failures.append(f"connected at {connects[0]}, the first value at {values[0]}")
    return failures, run


def stranger(options):
    """Another strap with the same name is not the owner's, and the paired one stays."""
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
    """Impossible heart rates count nowhere."""
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
    """The next program disconnects a strap that a killed program left connected."""
    run = Run(options, "no-trouble", f"WORKOUT record --sensor {STRAP} >/dev/null 2>&1 & labctl wait subscribe --timeout 30 "
              ">/dev/null; sleep 3; kill -9 $!; sleep 4; labctl mark killed; WORKOUT recover; labctl mark recovered; sleep 1")
    marks = {e["text"]: e["t"] for e in run.air if e.get("event") == "mark"}
    ends = [e["t"] for e in run.of("Lab Calm", "disconnect")]
    held, done = marks.get("killed", 0), marks.get("recovered", 0)
    if ends:
        run.measured.append(f"let go after {ends[0] - held:.1f} s, of which the program takes some to start")
    # The link ends a moment after the command's request.
    return ([] if ends and held < ends[0] <= done + 1 else [f"killed before {held}, let go at {ends}, not by {done}"]), run


def power_off(options):
    """An adapter that a person switched off stays off until the person switches it on."""
    run = Run(options, "no-trouble", f"WORKOUT monitor {STRAP} --json --duration 40 & labctl wait subscribe --timeout 30 "
              ">/dev/null; sleep 3; bluetoothctl power off >/dev/null; sleep 10; bluetoothctl show | grep Powered; "
              "labctl mark on; bluetoothctl power on >/dev/null; wait %1")
    failures = [] if "Powered: no" in run.stdout else ["it was switched on again"]
    if not [line for line in run.stdout.splitlines() if '"state"' in line and "Bluetooth is off" in line]:
        failures.append("nobody said that Bluetooth is off")
    on = [e["t"] for e in run.air if e.get("event") == "mark"]
    again = [e["t"] for e in run.of("Lab Calm", "subscribe") if on and e["t"] > on[0]]
    if again:
        run.measured.append(f"back after {again[0] - on[0]:.1f} s")
    return failures + ([] if again and again[0] - on[0] <= SOON else [f"on at {on}, back at {again}"]), run


def gaps_of(run):
    """The seconds between readings, by the command's dates."""
    dates = [date_of(reading) for reading in readings(run)]
    return [b - a for a, b in zip(dates, dates[1:])]


def date_of(line):
    return datetime.datetime.fromisoformat(re.sub(r"(\.\d{6})\d*", r"\1", line.get("at") or line["date"]).replace("Z", "+00:00")).timestamp()


def goes_on(script, name, seconds, extra=()):
    """Readings continue on the same link without a noticeable gap."""
    def case(options):
        run = Run(options, script, f"WORKOUT monitor {STRAP} --json --raw --duration {seconds}", extra)
        gaps = gaps_of(run)
        run.measured.append(f"longest gap {max(gaps, default=float('inf')):.1f} s")
        failures = [] if len(gaps) >= seconds and max(gaps) <= GAP else [f"{len(gaps) + 1} readings, gaps {gaps}"]
        return failures + ([] if run.of(name, "action") else ["the strap did not do what the case is about"]), run
    return case


def slow_link(options, extra=()):
    """Readings of a burst have the dates of their measurement, and the log is in order."""
    run = Run(options, "slow-link", f"WORKOUT record --sensor {STRAP} --json --duration 18 -o /tmp/log.jsonl; "
              "cp /tmp/log.jsonl /out", extra)
    log = [json.loads(line) for line in (run.out / "log.jsonl").read_text().splitlines()]
    entries = [e for e in log if "sample" in e or "presence" in e or "battery" in json.dumps(e)]
    dates = [date_of(e) for e in entries]
    failures = [] if dates == sorted(dates) else ["the log is not in order"]
    rates = [date_of(e) for e in log if e.get("sample") == "heartRate"]
    sent = [e["t"] for e in run.of("Lab Slow", "notify")]
    gaps = [b - a for a, b in zip(rates, rates[1:])]
    run.measured.append(f"longest gap between readings {max(gaps, default=float('inf')):.1f} s")
    bursts = [b for a, b in zip(sent, sent[1:]) if b - a < 0.2]
    if len(bursts) < 3:
        failures.append("there was no burst")
    # One was measured each second: none twice, none missing.
    if len(gaps) < 10 or min(gaps[1:]) < 0.5 or max(gaps[1:]) > 2.2:
        failures.append(f"{len(rates)} readings, apart: {[round(gap, 2) for gap in gaps]}")
    if not any("41" in json.dumps(e) for e in log if "presence" in e):
        failures.append("the battery is not in the log")
    return failures, run


def refused_request(options, extra=()):
    """A strap that requests pairing on each link and refuses it, but sends values without it: they arrive soon."""
    run = Run(options, "security-request-refused", f"WORKOUT monitor {STRAP} --json --raw --duration 20", extra)
    connects = [e["t"] for e in run.of("Lab Contrary", "connect")]
    values = [e["t"] for e in run.of("Lab Contrary", "notify")]
    run.measured.append(f"{len(connects)} links")
    failures = [] if len(readings(run)) > 10 else [f"{len(readings(run))} readings"]
    if connects and values:
        run.measured.append(f"first value after {values[0] - connects[0]:.1f} s")
        if values[0] - connects[0] > SOON:
            failures.append("the first value was late")
    return failures + ([f"{len(connects)} links"] if len(connects) > 5 else []), run


def refused_guard(options, extra=()):
    """A strap that refuses pairing and sends nothing without it: few attempts, and a sentence with the remedy."""
    run = Run(options, "guarded-refusal", f"WORKOUT monitor {STRAP} --json --duration 70", extra)
    connects, refused = run.of("Lab Stubborn", "connect"), run.of("Lab Stubborn", "access-refused")
    run.measured += [f"{len(connects)} links", f"access refused {len(refused)} times"]
    failures = [] if "refuses it: reset it" in run.stdout else ["no remedy"]
    if len(connects) > 12:
        failures.append(f"{len(connects)} links")
    return failures + ([f"access refused {len(refused)} times"] if len(refused) > 30 else []), run


# Commands of a remedy that a virtual machine without systemd lacks, or has under another name.
SHIMS = """mkdir -p /tmp/shims /tmp/home; chmod 777 /tmp/home
shim() { printf '#!/bin/sh\\n%s\\n' "$2" > /tmp/shims/$1; chmod 755 /tmp/shims/$1; }
shim sudo 'exec "$@"'
shim systemctl '[ "$2" = bluetooth ] && exec labctl bluetoothd $1'
shim rfkill '[ "$2" = bluetooth ] && exec python3 /tmp/shims/switch.py $1'
shim workout 'exec WORKOUT "$@"'
cat > /tmp/shims/switch.py <<END
import struct, sys
with open("/dev/rfkill", "wb", 0) as radio:
    radio.write(struct.pack("IBBBB", 0, 2, 3, sys.argv[1] == "block", 0))
END
cat > /tmp/shims/as.py <<END
import os, pwd, sys
person = pwd.getpwnam(sys.argv[1])
os.initgroups(person.pw_name, person.pw_gid)
os.setgid(person.pw_gid)
os.setuid(person.pw_uid)
os.environ["USER"] = person.pw_name
os.execvp("sh", ["sh", "-c", sys.argv[2]])
END
export PATH=/tmp/shims:$PATH
as() { python3 /tmp/shims/as.py "$@"; }
"""
# Runs each remedy of `doctor` as a person would type it, until no problem is left.
FOLLOW = """
for round in 1 2 3; do
  as $who "workout doctor --wait 15" > /out/said-$round 2>&1; status=$?
  [ $status = 0 ] && break
  as $who "workout doctor --json --wait 15" > /out/found-$round
  python3 - /out/found-$round > /tmp/remedies <<END
import json, sys
for finding in json.load(open(sys.argv[1]))["findings"]:
    if finding["state"] == "obstacle": print(finding["remedy"])
END
  cat /tmp/remedies >> /out/remedies
  DEED
  while read -r remedy; do
    case "$remedy" in sudo*) user=root;; *) user=$who;; esac
    labctl mark "$remedy" > /dev/null
    as $user "$remedy" > /out/followed-$round 2>&1 < /dev/null; echo "$?" >> /out/statuses
  done < /tmp/remedies
done
as $who "workout record --json --duration 8" > /out/recorded
echo doctor $status
"""


def remedy(spoil, commands, who="root", script="no-trouble", extra=(), deed=":"):
    """Each remedy of `doctor` is a command on its own line, and running it solves the problem.

    `deed` is what else it says a person has to do.
    """
    def case(options):
        run = Run(options, script, f"{SHIMS} who={who}; as $who 'workout pair {STRAP} --timeout 20' > /out/paired 2>&1; "
                  f"chown -R $who /tmp/home; {spoil}; as $who 'workout doctor --wait 15' > /out/first 2>&1; "
                  f"{FOLLOW.replace('DEED', deed)}", extra)
        failures = [] if "doctor 0" in run.stdout else ["something is still in the way"]
        read = lambda name: (run.out / name).read_text() if (run.out / name).exists() else ""
        said = [line.strip() for name in ("first", "said-1", "said-2", "said-3") for line in read(name).splitlines()]
        failures += [f"not on a line of its own: {command!r}" for command in commands if command not in said]
        if read("remedies").splitlines() != commands:
            failures.append(f"followed: {read('remedies').splitlines()}")
        if set(read("statuses").split()) - {"0"}:
            failures.append(f"a remedy failed: {read('statuses').split()}")
        summary = json.loads(read("recorded") or "{}").get("workout", {}).get("statistics", {})
        if not summary.get("HKQuantityTypeIdentifierHeartRate", {}).get("count"):
            failures.append("afterwards nothing is recorded")
        return failures + ([f"it said {said}"] if failures else []), run
    return case


CASES |= {
    "no bonding": comes_back("no-bonding", "Lab Forgetful", SOON, 22),
    "no bonding, without bluetoothd": comes_back("no-bonding", "Lab Forgetful", SOON, 22, WITHOUT),
    "guarded battery": guarded_battery,
    "guarded battery, without bluetoothd": lambda options: guarded_battery(options, WITHOUT),
    "bond lost": comes_back("bond-lost-later", "Lab Amnesia", SOON + 1, 35),
    "bond lost, without bluetoothd": comes_back("bond-lost-later", "Lab Amnesia", SOON + 1, 35, WITHOUT),
    "bond lost between two runs, without bluetoothd": forgotten_meanwhile,
    # The aim is six seconds, of which the emulated processor takes more than one.
    "five failures": comes_back("five-failures", "Lab Fickle", SOON + 2, 35),
    "five failures, without bluetoothd": comes_back("five-failures", "Lab Fickle", SOON + 2, 35, WITHOUT),
    "stranger": stranger,
    "impossible values": impossible,
    "killed and connected": killed,
    "switched off": power_off,
    "services change": goes_on("services-change", "Lab Changing", 20),
    "services change, without bluetoothd": goes_on("services-change", "Lab Changing", 20, WITHOUT),
    "subscription forgotten": goes_on("subscription-forgotten", "Lab Absent-Minded", 16),
    "subscription forgotten, without bluetoothd": goes_on("subscription-forgotten", "Lab Absent-Minded", 16, WITHOUT),
    "slow link": slow_link,
    "slow link, without bluetoothd": lambda options: slow_link(options, WITHOUT),
    "refused request": refused_request,
    "refused request, without bluetoothd": lambda options: refused_request(options, WITHOUT),
    "refused guard": refused_guard,
    "refused guard, without bluetoothd": lambda options: refused_guard(options, WITHOUT),
    "doctor: bluetoothd stopped": remedy(
        "labctl bluetoothd stop", ["sudo systemctl start bluetooth"], who="lab"),
    "doctor: no permission": remedy(":", [], who="guest"),
    "doctor: bluetoothd stopped, as root": remedy("labctl bluetoothd stop", ["workout pair --power-on"]),
    "doctor: adapter off": remedy("bluetoothctl power off", ["bluetoothctl power on"], who="lab"),
    "doctor: rfkill": remedy(
        "rfkill block bluetooth", ["sudo rfkill unblock bluetooth"], who="lab"),
    "doctor: rfkill, as root": remedy("rfkill block bluetooth", ["rfkill unblock bluetooth"]),
    "doctor: rfkill, without bluetoothd": remedy(
        "rfkill block bluetooth", ["rfkill unblock bluetooth", "workout pair --power-on"], extra=WITHOUT),
    "doctor: refused pairing": remedy(
        "labctl do pairing mode=required >/dev/null", [f"workout pair {STRAP}"], script="refuses-pairing",
        deed="labctl do pairing mode=optional >/dev/null"),
}
