"""Both directions of the bridge, on a real bluetoothd: `workout broadcast` as a strap for centrals that are not ours, and
machines that are no straps.

Each case runs the command in the virtual machine and compares what bumble's centrals receive with what was sent, or what the
machine was asked for with the plan.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from lab import ROOT, script_of, toolchain

SECOND = pathlib.Path(__file__).with_name("second.py")
CENTRALS = pathlib.Path(__file__).with_name("centrals.py")
MACHINES = pathlib.Path(__file__).with_name("machines.py")
NAME = "Lab Bridge"
TRAINER = "C2:00:00:00:00:26"


class Bridge:
    """One command in the virtual machine, with centrals or machines beside it."""

    def __init__(self, options, script, command, count=1, seconds=60, machines=None, extra=()):
        self.logs = pathlib.Path(tempfile.mkdtemp(prefix="bridge-", dir=options.keep))
        self.measured = []
        binary = pathlib.Path(options.workout).resolve()
        beside = [str(MACHINES), str(options.lab), machines] if machines else [str(CENTRALS), str(options.lab), NAME, str(count)]
        argv = [sys.executable, *beside, str(seconds + 30), "--strap",
                str(script), "--share", str(binary.parent), "--share", str(ROOT / "Recordings"), "--logs",
                str(self.logs), "--env", "HOME=/tmp/home", "--env", "TERM=", "--env", "TZ=UTC", "--no-stdin"]
        folders = toolchain(binary)
        for folder in folders:
            argv += ["--share", folder]
        if folders:
            argv += ["--env", "LD_LIBRARY_PATH=" + ":".join(folders)]
        argv += list(extra) + ["--", "/bin/sh", "-c", command.replace("WORKOUT", str(binary))]
        done = subprocess.run(argv, capture_output=True, text=True)
        self.status, self.stdout, self.stderr = done.returncode, done.stdout, done.stderr
        (self.logs / "stdout").write_text(done.stdout)
        (self.logs / "stderr").write_text(done.stderr)
        path = self.logs / "strap.jsonl"
        self.air = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def of(self, who, *events):
        return [e for e in self.air if e.get("who") == who and (not events or e.get("event") in events)]

    def values(self, central, uuid="2A37"):
        return [e["hex"] for e in self.of(f"central {central}", "value") if e["uuid"] == uuid]


def no_straps(options):
    path = pathlib.Path(options.keep) / "no-straps.json"
    path.write_text('{"straps": []}\n')
    return path


def is_slice(received, sent):
    return any(sent[begin:begin + len(received)] == received for begin in range(len(sent) - len(received) + 1))


def shared_strap(options, count=2):
    """A strap is forwarded to several centrals, byte for byte."""
    run = Bridge(options, script_of(options, "steady"),
                 f"WORKOUT broadcast from C0:DE:00:00:00:01 --name '{NAME}' --json --duration 40; times >&2", count=count)
    run.measured.append("time of the processor: " + " ".join(run.stderr.split()[-2:]))
    sent = [e["hex"] for e in run.of("Lab Steady", "notify")]
    failures = [] if run.status == 0 else [f"ended with {run.status}: {run.stderr.strip()[-400:]}"]
    for central in range(1, count + 1):
        received = run.values(central)
        run.measured.append(f"central {central}: {len(received)} values")
        if len(received) < 8:
            failures.append(f"central {central} received {len(received)} values of {len(sent)}")
        elif not is_slice(received, sent):
            failures.append(f"central {central}: {received} is not a part of {sent}")
    run.measured.append(delays(run, count))
    return failures, run


def delays(run, count):
    """From the strap's notification to the values of the centrals, by the lab's clock: the median and the longest of 99 in 100."""
    sent = {e["hex"]: e["t"] for e in run.of("Lab Steady", "notify")}
    times = sorted(
        e["t"] - sent[e["hex"]] for central in range(1, count + 1) for e in run.of(f"central {central}", "value")
        if e["uuid"] == "2A37" and e["hex"] in sent and e["t"] >= sent[e["hex"]])
    if not times:
        return "no delays"
    return f"strap to {count} centrals: p50 {times[len(times) // 2] * 1000:.0f} ms, p99 {times[int(len(times) * 0.99)] * 1000:.0f} ms"


def simulated(options):
    """A simulated athlete: services, values, the control point, and no advertisement afterwards."""
    run = Bridge(options, no_straps(options),
                 f"timeout -s INT 30 WORKOUT broadcast simulate easyRun --name '{NAME}'; labctl mark over >/dev/null; sleep 4")
    values = run.values(1)
    failures = [] if len(values) > 8 else [f"{len(values)} values"]
    if not all(int(v[2:4], 16) > 40 for v in values):
        failures.append(f"heart rates: {values}")
    read = {e["uuid"]: bytes.fromhex(e["hex"]) for e in run.of("central 1", "read")}
    if read.get("2A29") != b"OpenHealthKit":
        failures.append(f"device information: {read}")
    over = [e["t"] for e in run.of("lab", "mark")]
    late = [e for e in run.of("central 1", "found") if over and e["t"] > over[0] + 2]
    return failures + ([f"still on the air: {late}"] if late else []), run


def faults(options):
    """Faults at given times: a lost link, impossible values, another name."""
    plan = {"faults": [{"at": 12, "fault": "impossible"}, {"at": 15, "fault": "disconnect"},
                       {"at": 24, "fault": "bytes", "hex": "16"}]}
    run = Bridge(options, no_straps(options),
                 f"echo '{json.dumps(plan)}' > /tmp/faults.json; timeout -s INT 35 WORKOUT broadcast simulate easyRun "
                 f"--name '{NAME}' --faults /tmp/faults.json")
    values = run.values(1)
    failures = [] if "11ff01ffff" in values else [f"nothing impossible: {values}"]
    if len(run.of("central 1", "disconnect")) < 1 or len(run.of("central 1", "connect")) < 2:
        failures.append("the link was not lost, or did not come back")
    return failures + ([] if "16" in values else ["the bytes did not come"]), run


def programs(options, *names):
    """A folder with programs of this machine and their libraries, which the virtual machine lacks."""
    folder = pathlib.Path(options.keep) / "programs"
    folder.mkdir(exist_ok=True)
    for name in names:
        program = shutil.which(name, path="/usr/sbin:/usr/bin:/sbin:/bin")
        if program is None:
            return None
        shutil.copy(program, folder / name)
        for line in subprocess.run(["ldd", program], capture_output=True, text=True).stdout.splitlines():
            library = line.split("=>")[-1].split()[0] if "=>" in line else ""
            # The virtual machine has its own C library.
            if library.startswith("/") and not pathlib.Path(library).name.startswith(("libc.", "libm.", "ld-", "libpthread")):
                shutil.copy(library, folder)
    return folder


def from_a_broker(options):
    """Heart rates of a topic become a strap."""
    folder = programs(options, "mosquitto", "mosquitto_pub")
    if folder is None:
        run = Bridge(options, no_straps(options), "true")
        run.measured.append("skipped: mosquitto is not here")
        return [], run
    own = f"env LD_LIBRARY_PATH=$LD_LIBRARY_PATH:{folder}"
    publish = f"for rate in $(seq 100 139); do {own} {folder}/mosquitto_pub -t gym/heartrate -m $rate; sleep 1; done"
    run = Bridge(options, no_straps(options),
                 f"ip link set lo up; {own} {folder}/mosquitto -p 1883 >/dev/null 2>&1 & sleep 2; ({publish}) & "
                 f"timeout -s INT 40 {own} WORKOUT broadcast from 'mqtt://127.0.0.1?topic=gym/heartrate' --name '{NAME}'; kill %1",
                 extra=["--share", str(folder)])
    rates = [int(value[2:4], 16) for value in run.values(1)]
    different = [rate for at, rate in enumerate(rates) if at == 0 or rate != rates[at - 1]]
    run.measured.append(f"{len(rates)} values, {len(different)} heart rates")
    consecutive = all(after - before == 1 for before, after in zip(different, different[1:]))
    return [] if len(different) > 8 and consecutive else [f"heart rates: {rates} {run.stdout[-300:]} {run.stderr[-300:]}"], run


class Second:
    """A strap that the command forwards in one virtual machine, and a client in another one nearby."""

    def __init__(self, options, client, seconds=45):
        self.logs = pathlib.Path(tempfile.mkdtemp(prefix="second-", dir=options.keep))
        self.measured = []
        binary = pathlib.Path(options.workout).resolve()
        folders = toolchain(binary)
        # Between two machines with BlueZ 5.66, notifications get lost on the channels of EATT in half of the links. It is enough that the
        # machine that broadcasts opens none. The article "Broadcasting" says so.
        (self.logs / "main.conf").write_text("[GATT]\nChannels = 1\n")

        def start(role, script, command, shares=()):
            logs = self.logs / role
            argv = [sys.executable, str(SECOND), str(options.lab), str(self.logs / "air"), role, "--strap", str(script),
                    "--controller", "4.2", "--share", str(binary.parent), "--logs", str(logs), "--timeout", str(seconds + 40),
                    "--env", "HOME=/tmp/home", "--env", "TERM=", "--env", "TZ=UTC", "--no-stdin"]
            for folder in [*folders, *shares]:
                argv += ["--share", str(folder)]
            if folders:
                argv += ["--env", "LD_LIBRARY_PATH=" + ":".join(folders)]
            if role == "first":
                argv += ["--main-conf", str(self.logs / "main.conf")]
            return subprocess.Popen(
                argv + ["--", "/bin/sh", "-c", command.replace("WORKOUT", str(binary))], text=True,
                stdout=subprocess.PIPE, stderr=(self.logs / f"{role}.stderr").open("w"))

        first = start("first", script_of(options, "steady"),
                      f"WORKOUT broadcast from C0:DE:00:00:00:01 --name '{NAME}' --duration {seconds + 20}")
        second = start("second", no_straps(options), client, [pathlib.Path(options.lab).parent / "clients"])
        # The second starts once the strap advertises again.
        for line in first.stdout:
            if "broadcasting" in line:
                (self.logs / "air.ready").touch()
                break
        self.stdout = second.communicate()[0]
        self.status = second.returncode
        first.terminate()
        (self.logs / "first.stdout").write_text(first.communicate()[0])
        (self.logs / "stdout").write_text(self.stdout)
        log = self.logs / "first/strap.jsonl"
        events = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        self.sent = [e["hex"] for e in events if e.get("who") == "Lab Steady" and e.get("event") == "notify"]

    def compare(self, received, least=6):
        """Failures: values (bytes in hexadecimal digits) that are not a part of what the strap sent."""
        self.measured.append(f"{len(received)} values")
        failures = [] if self.status == 0 else [f"ended with {self.status}: {(self.logs / 'second.stderr').read_text()[-400:]}"]
        if len(received) < least or not is_slice(received, self.sent):
            failures.append(f"{received} is not a part of {self.sent}; {self.stdout[-400:]}")
        return failures


def own_second(options):
    """Our own command on a second machine receives the forwarded packets, byte for byte."""
    run = Second(options, f"WORKOUT pair '{NAME}' && WORKOUT monitor --json --raw --duration 15")
    lines = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    failures = run.compare([line["hex"] for line in lines if line.get("hex")])
    return failures + ([] if f"paired: {NAME}" in run.stdout else [f"not paired: {run.stdout[:400]}"]), run


def bleak_second(options):
    """bleak on a second machine."""
    clients = pathlib.Path(options.lab).parent / "clients"
    run = Second(options, f"python3 {clients}/hr_bleak.py --count 10 --name '{NAME}'")
    lines = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    return run.compare([line["hex"].lower() for line in lines if line.get("hex")]), run


def bluetoothctl_second(options):
    """bluetoothctl on a second machine."""
    clients = pathlib.Path(options.lab).parent / "clients"
    run = Second(options, f"bash {clients}/hr_bluetoothctl.sh 00:1A:7D:DA:71:10 12")
    values = re.findall(r"Value:\n((?:  (?:[0-9a-f]{2} )+ .*\n)+)", run.stdout)
    received = ["".join(re.findall(r"\b[0-9a-f]{2}(?= )", line)) for line in values]
    return run.compare(received), run


def refused_pairing(options):
    """A strap that requests and refuses pairing for 15 s: nothing is subscribed meanwhile, and everything works afterwards."""
    plan = {"faults": [{"at": 0, "fault": "pairing", "seconds": 20}]}
    run = Bridge(options, no_straps(options),
                 f"echo '{json.dumps(plan)}' > /tmp/faults.json; timeout -s INT 45 WORKOUT broadcast simulate easyRun "
                 f"--name '{NAME}' --faults /tmp/faults.json")
    refused, denied = run.of("central 1", "subscribe-refused"), run.of("central 1", "pairing-refused")
    run.measured.append(f"{len(refused)} subscriptions and {len(denied)} pairings refused, {len(run.values(1))} values")
    failures = [] if refused and denied else [f"refused: {refused}, {denied}"]
    if refused and any(refused[0]["t"] < e["t"] < refused[0]["t"] + 5 for e in run.of("central 1", "value") if e["uuid"] == "2A37"):
        failures.append("values came nevertheless")
    return failures + ([] if len(run.values(1)) > 5 else ["no values after the fault"]), run


def ride(options, machine, arguments, seconds, before=""):
    """A ride on a trainer: its commands by the lab's clock, and the statistics of the workout."""
    run = Bridge(options, no_straps(options),
                 f"{before}WORKOUT record --sensor {TRAINER} --activity cycling --indoor --json --duration {seconds} {arguments}",
                 machines=machine, seconds=seconds + 30)
    failures = [] if run.status == 0 else [f"ended with {run.status}: {run.stderr.strip()[-400:]}"]
    commands = [(e["t"], e["hex"]) for e in run.of("Lab Trainer", "command")]
    return failures, run, commands


def power(watts):
    return "05" + watts.to_bytes(2, "little", signed=True).hex()


FREE, START, CONTROL, RESET = "11000000002833", "07", "00", "01"


def trainer_holds(options):
    """A trainer grants control, is started, set to one power, and reset at the end."""
    failures, run, commands = ride(options, "trainer", "--erg 200", 20)
    # Whether it is released before the reset depends on whether the session or the link ends first.
    expected = [CONTROL, START, power(200), RESET]
    if [c for _, c in commands if c != FREE] != expected:
        failures.append(f"commands: {commands}")
    workout = next((json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")), {"workout": {"statistics": {}}})
    highest = workout["workout"]["statistics"].get("HKQuantityTypeIdentifierCyclingPower", {}).get("maximum")
    return failures + ([] if highest == 200 else [f"greatest power: {highest}"]), run


def trainer_follows(options):
    """A ramp: one command at a time, targets a second apart, as in the plan."""
    failures, run, commands = ride(
        options, "trainer", "--plan /tmp/plan.txt", 26, before="printf '10s 100-200 W\\n10s 150 W\\n' > /tmp/plan.txt; ")
    targets = [(t, int.from_bytes(bytes.fromhex(c[2:6]), "little")) for t, c in commands if c.startswith("05")]
    gaps = [after[0] - before[0] for before, after in zip(targets, targets[1:])]
    run.measured.append(f"{len(targets)} targets, at least {min(gaps, default=0):.2f} s apart")
    if not targets or targets[-1][1] != 150 or sorted(w for _, w in targets[:-1]) != [w for _, w in targets[:-1]]:
        failures.append(f"targets: {targets}")
    if min(gaps, default=0) < 0.9 or max(gaps[:-1], default=9) > 1.6:
        failures.append(f"seconds between targets: {gaps}")
    pending = None
    for event in run.of("Lab Trainer", "command", "indicate"):
        if event["event"] == "command":
            if pending is not None:
                failures.append(f"{event['hex']} was sent before the answer to {pending}")
            pending = event["hex"]
        else:
            pending = None
    return failures, run


def trainer_lost(options):
    """A trainer that lost its link is set to the same power again."""
    failures, run, commands = ride(options, "trainer-lost", "--erg 250", 40)
    once = [CONTROL, START, power(250)]
    if [c for _, c in commands if c != FREE] != once + once + [RESET]:
        failures.append(f"commands: {commands}")
    return failures, run


def trainer_of_its_rider(options):
    """A rider who stops the trainer pauses the session, and no command is sent until the rider continues."""
    failures, run, commands = ride(options, "trainer-rider", "--erg 250", 30)
    stopped, started = [next((e["t"] for e in run.of("Lab Trainer", "action") if e["do"] == do), None) for do in ("stop", "start")]
    if stopped is None or started is None or any(stopped < t < started for t, _ in commands):
        failures.append(f"commands between {stopped} and {started}: {commands}")
    elif [c for t, c in commands if t > started and c != FREE] != [START, power(250), RESET]:
        failures.append(f"commands after {started}: {commands}")
    return failures, run


def trainer_without_powers(options):
    """A machine that cannot hold a power is named, and gets no commands."""
    failures, run, commands = ride(options, "trainer-slopes", "--erg 250", 15)
    if commands:
        failures.append(f"commands: {commands}")
    return failures + ([] if "cannot hold a power" in run.stderr else ["not a word of it"]), run


def measured(options, machine, arguments, expected):
    """A device is found, read and stored: the members of its JSON lines, also when it is read twice."""
    run = Bridge(options, no_straps(options), f"WORKOUT measure --json --timeout 40s {arguments}", machines=machine)
    failures = [] if run.status == 0 else [f"ended with {run.status}: {run.stderr.strip()[-400:]}"]
    lines = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    for line in expected:
        if not any(line.items() <= found.items() for found in lines):
            failures.append(f"no {line} among {lines}")
    return failures, run


def vital_signs(options):
    """A thermometer, a scale of two people, a blood-pressure monitor with a memory, an oximeter and a sensor of CORE."""
    failures, run = [], None
    for machine, arguments, expected in [
            ("thermometer", "", [{"bodyTemperature": 38.2, "site": "ear", "stored": True}]),
            ("scale", "--user 1", [{"user": 1, "bodyMass": 72.4, "bodyMassIndex": 22.3, "stored": True},
                                   {"user": 2, "bodyMass": 82, "stored": False}]),
            ("pressure", "", [{"date": "2026-11-20T07:13:00.000Z", "systolic": 120, "diastolic": 80, "pulse": 64},
                              {"systolic": 121, "stored": True}]),
            ("oximeter", "", [{"oxygenSaturation": 97, "pulse": 61, "stored": True}]),
            ("core", "CORE --duration 5s", [{"bodyTemperature": 37.45, "stored": True}])]:
        found, run = measured(options, machine, arguments, expected)
        failures += [f"{machine}: {failure}" for failure in found]
    return failures, run


def polar(options):
    """A strap's electrocardiogram and acceleration: the settings, each voltage once and in order, and the stored samples."""
    run = Bridge(options, no_straps(options),
                 "WORKOUT record --sensor C2:00:00:00:00:10 --ecg --acceleration --output /tmp/log.jsonl --start --duration 12 "
                 ">/dev/null; cat /tmp/log.jsonl; "
                 "WORKOUT show $(WORKOUT list --json | sed -n 's/.*\"id\":\"\\([0-9A-F-]*\\).*/\\1/p' | head -1) --json",
                 machines="polar", seconds=60)
    failures = [] if run.status == 0 else [f"ended with {run.status}: {run.stderr.strip()[-400:]}"]
    commands = [e["hex"] for e in run.of("Lab Polar H10", "command")]
    if commands != ["0100", "02000001820001010e00", "0102", "0202000132000101100002010800"]:
        failures.append(f"commands: {commands}")
    lines = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    for signal, width, factor in [("electrocardiogram", 1, 7), ("acceleration", 3, 1)]:
        values = [v for line in lines if line.get("waveform") == signal for v in line["values"]][::width]
        steps = {(after - before) % 2000 for before, after in zip(values, values[1:])}
        run.measured.append(f"{len(values)} values of {signal}")
        if len(values) < 7 * (130 if width == 1 else 50) or steps != {factor}:
            failures.append(f"{len(values)} values of {signal}, steps {steps}")
    shown = lines[-1].get("workout", {}).get("electrocardiograms", [])
    if len(shown) != 1 or shown[0]["samplesPerSecond"] != 130 or shown[0]["voltages"] < 900:
        failures.append(f"stored: {shown}")
    return failures, run


def polar_optical(options):
    """Pulse intervals replace RR intervals, unless they are doubtful."""
    run = Bridge(options, no_straps(options),
                 "WORKOUT record --sensor C2:00:00:00:00:11 --ppi --output /tmp/log.jsonl --start --duration 25 >/dev/null; "
                 "cat /tmp/log.jsonl", machines="polar-optical", seconds=70)
    failures = [] if run.status == 0 else [f"ended with {run.status}: {run.stderr.strip()[-400:]}"]
    beats = [json.loads(line)["rr"] for line in run.stdout.splitlines() if '"rr":' in line]
    if len(beats) < 8 or any(pair != [840, 860] for pair in beats):
        failures.append(f"beats: {beats}")
    away = [line for line in run.stdout.splitlines() if '"presence":"away"' in line]
    return failures + ([f"away: {away}"] if len(away) > 1 else []), run


CASES = {
    "from a broker": from_a_broker,
    "own second machine": own_second, "bleak": bleak_second, "bluetoothctl": bluetoothctl_second,
    "polar": polar, "polar optical": polar_optical,
    "strap shared by two": shared_strap, "strap shared by five": lambda options: shared_strap(options, 5),
    "simulated strap": simulated, "faults": faults, "refused pairing": refused_pairing, "trainer": trainer_holds,
    "trainer on a ramp": trainer_follows, "lost trainer": trainer_lost, "trainer of its rider": trainer_of_its_rider,
    "trainer without powers": trainer_without_powers, "vital signs": vital_signs,
}
