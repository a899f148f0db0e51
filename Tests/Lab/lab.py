#!/usr/bin/env python3
"""End to end: the built command against emulated straps, on a real kernel and a real bluetoothd.

For each script of a strap `workout monitor --json` and `workout record` run in the virtual machine of ble-lab, and
what they report is compared, reading by reading, with what the strap logged as sent: none lost while the link was up,
none invented, a gap where it was down, and back on air within 10 s of the strap's return.

    lab.py [--workout PATH] [--lab PATH] [--keep FOLDER] [SCRIPT ...]

Exit status: 0 all well, 1 something failed, 77 skipped because the lab is not here (a line says so).
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
OWN_SCRIPTS = ROOT / "Tests/Lab/straps"
# The seconds of the strap's script, with a margin for the emulated processor.
SCRIPTS = {
    "steady": 14, "drop-and-return": 18, "range-loss": 26, "contact-loss": 16, "pairing-required": 18,
    "bond-lost": 40, "adapter-unplugged": 26, "malformed": 14, "recorded": 26, "two-straps": 16, "awkward": 30,
}
BACK_ON_AIR = 10.0
# A value that was sent in the last moments of a link may be lost, as on the air; so may one before the subscription's
# answer reached this side.
EDGE = 1.0
# This side stops listening and then hangs up, for which bluetoothd takes 2 s, while values still come: what is sent
# after the last value that was received is not lost, unless it goes on for long.
HANGING_UP = 10.0


def find_lab(named):
    for path in [named, os.environ.get("BLE_LAB"), ROOT / "../shared/ble-lab/ble-lab"]:
        if path and os.access(path, os.X_OK):
            return pathlib.Path(path).resolve()
    return None


def toolchain(binary):
    """Folders of the Swift runtime that the binary is linked with; empty for a static one."""
    out = subprocess.run(["ldd", binary], capture_output=True, text=True).stdout
    folders = {str(pathlib.Path(line.split("=>")[1].split()[0]).parent) for line in out.splitlines()
               if "libswift" in line and "=>" in line and "/" in line.split("=>")[1]}
    return sorted(folders)


def script_of(options, script):
    own = OWN_SCRIPTS / f"{script}.json"
    return own if own.exists() else options.straps / f"{script}.json"


class Run:
    """One command in the virtual machine, and the straps' reports."""

    def __init__(self, options, script, command, extra=()):
        self.logs = pathlib.Path(tempfile.mkdtemp(prefix="lab-", dir=options.keep))
        self.out = self.logs / "out"
        self.out.mkdir()
        binary = pathlib.Path(options.workout).resolve()
        argv = [str(options.lab), "run", "--strap", str(script_of(options, script)), "--share",
                str(binary.parent), "--out", f"{self.out}:/out", "--logs", str(self.logs), "--timeout", "150",
                "--env", "HOME=/tmp/home", "--env", "TERM=", "--env", "TZ=UTC"]
        for folder in toolchain(binary):
            argv += ["--share", folder]
        if toolchain(binary):
            argv += ["--env", "LD_LIBRARY_PATH=" + ":".join(toolchain(binary))]
        argv += list(extra) + ["--", "/bin/sh", "-c", command.replace("WORKOUT", str(binary))]
        done = subprocess.run(argv, capture_output=True, text=True)
        self.status, self.stdout, self.stderr = done.returncode, done.stdout, done.stderr
        (self.logs / "stdout").write_text(done.stdout)
        (self.logs / "stderr").write_text(done.stderr)
        # The measurements of a case, for its line.
        self.measured = []
        path = self.logs / "strap.jsonl"
        self.air = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def of(self, strap, *events):
        return [e for e in self.air if e.get("who") == strap and (not events or e.get("event") in events)]


def links(run, strap):
    """Spans in which the strap had a subscription: [(from, to), ...] by the strap's clock."""
    spans, begun = [], None
    for event in run.of(strap):
        if event["event"] == "subscribe":
            begun = event["t"] if begun is None else begun
        elif event["event"] in ("disconnect", "unsubscribe") and begun is not None:
            spans.append((begun, event["t"]))
            begun = None
    if begun is not None:
        spans.append((begun, float("inf")))
    return spans


def heart_rate(hex_text):
    """A packet, decoded independently: (heart rate or None, whether it is readable)."""
    data = bytes.fromhex(hex_text or "")
    if len(data) < 2 or (data[0] & 1 and len(data) < 3):
        return None, False
    rate = int.from_bytes(data[1:3], "little") if data[0] & 1 else data[1]
    return (None if not 20 <= rate <= 300 or data[0] & 6 == 4 else rate), True


def align(sent, received):
    """Matches in order. Returns the indices of `sent` that were received, or None for a value that was never sent."""
    places, place = [], 0
    for value in received:
        while place < len(sent) and sent[place][1] != value:
            place += 1
        if place == len(sent):
            return None
        places.append(place)
        place += 1
    return places


def compare(run, strap, received, key=lambda packet: packet["hex"]):
    """Failures of a stream against what the strap sent."""
    failures = []
    spans = links(run, strap)
    notified = [(e["t"], key(e)) for e in run.of(strap, "notify")]
    sent = [(t, v) for t, v in notified if v is not None]
    if not received:
        return [f"nothing was received of {strap}, of {len(sent)} values"]
    # Repeated values allow many alignments. The last values are the most reliable, because a run begins late and ends abruptly.
    places = align(sent, received)
    backwards = align(sent[::-1], received[::-1])
    if places is None or backwards is None:
        return [f"{strap}: a value was received that was not sent, or twice, or out of order: {received[:40]}"]
    best = min((missing(sent, spans, p) for p in (places, [len(sent) - 1 - b for b in backwards][::-1])), key=len)
    if best:
        failures.append(f"{strap}: lost while the link was up: {[(round(t, 2), v) for t, v in best][:10]}")
    return failures


def missing(sent, spans, places):
    taken = set(places)
    last = places[-1] if sent[-1][0] - sent[places[-1]][0] <= HANGING_UP else len(sent) - 1
    return [item for place, item in enumerate(sent) if place not in taken and place < last
            and any(begin + EDGE <= item[0] <= end - EDGE for begin, end in spans)]


AWAY = {"out-of-range", "power-off", "unplug-adapter"}
BACK = {"in-range", "power-on", "plug-adapter", "advertise"}


def returns(run, strap):
    """Seconds from each return of the strap (or of the adapter) to the subscription that followed. Infinite for a strap
    that was there for longer than BACK_ON_AIR, and was not subscribed to again before the end."""
    waits, since, subscribed, away = [], None, False, False
    for event in run.air:
        name, do = event.get("event"), event.get("do")
        own = event.get("who") == strap
        if own and name == "subscribe":
            if since is not None:
                waits.append(event["t"] - since)
            since, subscribed = None, True
        elif own and name == "disconnect":
            # A failed link does not restart the clock.
            since = event["t"] if subscribed else since
            subscribed = False
        elif (own and name == "in-range") or name in ("adapter-plugged", "plug-adapter"):
            since, away = since and event["t"], False
        elif name == "action" and (own or do in ("plug-adapter", "unplug-adapter")):
            away = do in AWAY or (do == "advertise" and event.get("on_air") is False) or (away and do not in BACK)
            since = event["t"] if since is not None and do in BACK else since
    if since is not None and not away and run.air[-1]["t"] - since > BACK_ON_AIR:
        waits.append(float("inf"))
    run.measured += [f"back after {wait:.1f} s" for wait in waits]
    return waits


def monitored(run, address):
    lines = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    return [line["hex"] for line in lines if line.get("sensor") == address and line["type"] in
            ("heartRate", "unreadable")]


def straps_of(options, script):
    straps = json.loads(script_of(options, script).read_text())["straps"]
    return [(s.get("name", f"Lab HRM {i + 1}"), s.get("address", f"C0:DE:00:00:00:{i + 1:02X}"))
            for i, s in enumerate(straps) if s.get("heart_rate_service", True)]


def test_monitor(options, script, extra=(), environment=""):
    straps = straps_of(options, script)
    addresses = " ".join(address for _, address in straps)
    seconds = SCRIPTS.get(script, 30)
    run = Run(options, script, f"{environment} WORKOUT monitor {addresses} --json --raw --duration {seconds}", extra)
    failures = [] if run.status == 0 else [f"monitor ended with {run.status}: {run.stderr.strip()[-400:]}"]
    for name, address in straps:
        failures += compare(run, name, monitored(run, address))
        late = [w for w in returns(run, name) if w > BACK_ON_AIR]
        if late:
            failures.append(f"{name}: back on air after {late} s")
    return failures, run


def test_record(options, script, extra=(), environment=""):
    straps = straps_of(options, script)
    sensors = " ".join(f"--sensor {address}" for _, address in straps)
    seconds = SCRIPTS.get(script, 30)
    run = Run(options, script, f"{environment} WORKOUT record {sensors} --json --duration {seconds} -o /tmp/log.jsonl; "
              "status=$?; WORKOUT list --json; cp /tmp/log.jsonl /out; exit $status", extra)
    failures = [] if run.status == 0 else [f"record ended with {run.status}: {run.stderr.strip()[-400:]}"]
    path = run.out / "log.jsonl"
    if not path.exists():
        return failures + ["record wrote no log"], run
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    rates = [(e["sensor"], e["value"]) for e in entries if e.get("sample") == "heartRate"]
    lines = run.stdout.splitlines()
    summary = json.loads(lines[0]) if lines and lines[0].startswith("{") else {"workout": {"statistics": {}}}
    count = summary["workout"]["statistics"].get("HKQuantityTypeIdentifierHeartRate", {}).get("count", 0)
    if count != len(rates):
        failures.append(f"the summary counts {count} heart rates, the log has {len(rates)}")
    if len(lines) < 2:
        failures.append("the workout is not in the store")
    if len(straps) == 1:
        name, address = straps[0]
        failures += compare(run, name, [rate for _, rate in rates], key=lambda e: heart_rate(e.get("hex"))[0])
        failures += gaps(run, name, entries)
        late = [w for w in returns(run, name) if w > BACK_ON_AIR]
        if late:
            failures.append(f"{name}: back on air after {late} s")
    elif not rates or rates[-1][0] != straps[0][1]:
        failures.append("of two straps the first is not the one that is listened to")
    return failures, run


def gaps(run, strap, entries):
    """Each loss of a link that is followed by another link is an absence in the log."""
    losses = len(links(run, strap)) - 1
    presences = [e["presence"] for e in entries if "presence" in e]
    changes = [p for i, p in enumerate(presences) if i == 0 or presences[i - 1] != p]
    found = sum(1 for i in range(1, len(changes)) if changes[i] == "away" and changes[i - 1] == "present")
    return [] if found >= losses else [f"{losses} losses of the link, but {found} gaps in the log"]


def test_newcomer(options):
    """A recorded workout with two commands."""
    run = Run(options, "steady", "WORKOUT pair && WORKOUT record --duration 6 --json && WORKOUT sensors --json")
    failures = [] if run.status == 0 else [f"ended with {run.status}: {run.stderr.strip()[-400:]}"]
    if "paired: Lab Steady" not in run.stdout or '"HKQuantityTypeIdentifierHeartRate"' not in run.stdout:
        failures.append(f"no paired strap, or no heart rate: {run.stdout[-400:]}")
    return failures, run


def test_without_adapter(options):
    run = Run(options, "steady", "WORKOUT scan; echo scan $?; WORKOUT doctor; echo doctor $?", ["--no-adapter"])
    failures = [f"not 69: {run.stdout}" for word in ("scan 69", "doctor 69") if word not in run.stdout]
    return failures, run


def test_crash(options):
    """A killed process leaves a workout that can be finished."""
    run = Run(options, "steady", "WORKOUT record --sensor C0:DE:00:00:00:01 > /dev/null & sleep 12; kill -9 $!; "
              "WORKOUT recover --json; WORKOUT list --json")
    lines = run.stdout.splitlines()
    recovered = json.loads(lines[0]) if lines and lines[0].startswith("{") else {"workout": {"statistics": {}}}
    count = recovered["workout"]["statistics"].get("HKQuantityTypeIdentifierHeartRate", {}).get("count", 0)
    sent = len(run.of("Lab Steady", "notify"))
    failures = [] if count > 0 and len(lines) == 2 else [f"{count} heart rates were recovered, of {sent} sent"]
    return failures, run


def test_daemon(options):
    """bluetoothd is killed and restarted: no reading is invented, and the strap returns soon."""
    run = Run(options, "steady", "WORKOUT monitor C0:DE:00:00:00:01 --json --raw --duration 30 & sleep 10; "
              "labctl bluetoothd kill; sleep 3; labctl bluetoothd start; labctl mark restarted; wait $!")
    failures = [] if run.status == 0 else [f"monitor ended with {run.status}: {run.stderr.strip()[-400:]}"]
    # The kernel keeps the link some time after bluetoothd's death: values sent meanwhile are lost.
    failures += [f for f in compare(run, "Lab Steady", monitored(run, "C0:DE:00:00:00:01")) if ": lost while" not in f]
    marks = [e["t"] for e in run.air if "restarted" in (e.get("text"), e.get("mark"), e.get("event"))]
    again = [e["t"] for e in run.of("Lab Steady", "subscribe") if marks and e["t"] > marks[0]]
    if not again or again[0] - marks[0] > BACK_ON_AIR:
        failures.append(f"back on air at {again}, bluetoothd at {marks}")
    return failures, run


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workout", default=str(ROOT / ".build/debug/workout"))
    parser.add_argument("--lab")
    parser.add_argument("--keep", help="keep the logs of all runs in this folder")
    parser.add_argument("--only", choices=["monitor", "record", "l2cap", "commands", "troubles", "bridge", "ant"], action="append")
    parser.add_argument("--trouble", action="append", help="of the troubles only this one")
    parser.add_argument("--check", action="store_true", help="only make the lab ready; 77 if it cannot be")
    parser.add_argument("scripts", nargs="*", default=list(SCRIPTS))
    options = parser.parse_args()
    options.lab = find_lab(options.lab)
    if options.lab is None:
        print("test-ble: skipped: ble-lab is not here; say where it is with BLE_LAB=PATH (see its README.md)")
        return 77
    if os.geteuid() != 0:
        print("test-ble: skipped: the lab needs root")
        return 77
    ready = subprocess.run([str(options.lab), "setup"], capture_output=True, text=True)
    if ready.returncode != 0:
        last = (ready.stderr or ready.stdout).strip().splitlines()[-1:] or ["it said nothing"]
        print(f"test-ble: skipped: the lab cannot be set up here: {last[0]}")
        return 77
    if options.check:
        return 0
    if not os.access(options.workout, os.X_OK):
        print(f"test-ble: skipped: {options.workout} is not built; run 'swift build' first")
        return 77
    options.straps = options.lab.parent / "straps"
    kept = options.keep
    options.keep = kept or tempfile.mkdtemp(prefix="test-ble-")
    pathlib.Path(options.keep).mkdir(parents=True, exist_ok=True)
    without = ["--no-bluetoothd"]
    wanted = options.only or ["commands", "troubles", "bridge", "ant", "monitor", "record", "l2cap"]
    cases = []
    if "commands" in wanted:
        cases += [("newcomer", lambda: test_newcomer(options)), ("no adapter", lambda: test_without_adapter(options)),
                  ("killed", lambda: test_crash(options)), ("bluetoothd killed", lambda: test_daemon(options))]
    if "troubles" in wanted:
        import troubles
        cases += [(name, lambda c=case: c(options)) for name, case in troubles.CASES.items()
                  if options.trouble is None or name in options.trouble]
    if "bridge" in wanted:
        import bridge
        cases += [(name, lambda c=case: c(options)) for name, case in bridge.CASES.items()
                  if options.trouble is None or name in options.trouble]
    if "ant" in wanted:
        import ant
        cases += [(name, lambda c=case: c(options)) for name, case in ant.CASES.items()
                  if options.trouble is None or name in options.trouble]
    for script in options.scripts:
        if "monitor" in wanted:
            cases.append((f"{script}: monitor", lambda s=script: test_monitor(options, s)))
        if "record" in wanted:
            cases.append((f"{script}: record", lambda s=script: test_record(options, s)))
        if "l2cap" in wanted:
            cases.append((f"{script}: monitor, without bluetoothd", lambda s=script: test_monitor(options, s, without)))
            cases.append((f"{script}: record, without bluetoothd", lambda s=script: test_record(options, s, without)))
    failed = 0
    for name, case in cases:
        failures, run = case()
        measured = f" ({', '.join(run.measured)})" if run.measured else ""
        print(f"{'ok  ' if not failures else 'FAIL'} {name}{measured}", flush=True)
        for failure in failures:
            print(f"       {failure}")
        if failures:
            # The virtual machine is several times slower beside other work, so that times mean little.
            print(f"       logs: {run.logs}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors", flush=True)
        failed += bool(failures)
    print(f"test-ble: {len(cases) - failed} of {len(cases)} passed")
    if kept is None and not failed:
        shutil.rmtree(options.keep, ignore_errors=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
