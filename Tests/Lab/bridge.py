"""`workout broadcast` as a strap for centrals that are not ours, on a real bluetoothd.

Each case runs the command in the virtual machine and compares what bumble's centrals receive with what was sent.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from lab import ROOT, script_of, toolchain

CENTRALS = pathlib.Path(__file__).with_name("centrals.py")
NAME = "Lab Bridge"


class Bridge:
    """One command in the virtual machine, with centrals beside it."""

    def __init__(self, options, script, command, count=1, seconds=60):
        self.logs = pathlib.Path(tempfile.mkdtemp(prefix="bridge-", dir=options.keep))
        self.measured = []
        binary = pathlib.Path(options.workout).resolve()
        argv = [sys.executable, str(CENTRALS), str(options.lab), NAME, str(count), str(seconds + 30), "--strap",
                str(script), "--share", str(binary.parent), "--share", str(ROOT / "Recordings"), "--logs",
                str(self.logs), "--env", "HOME=/tmp/home", "--env", "TERM=", "--env", "TZ=UTC", "--no-stdin"]
        folders = toolchain(binary)
        for folder in folders:
            argv += ["--share", folder]
        if folders:
            argv += ["--env", "LD_LIBRARY_PATH=" + ":".join(folders)]
        argv += ["--", "/bin/sh", "-c", command.replace("WORKOUT", str(binary))]
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


def shared_strap(options):
    """A strap is passed on to two centrals, byte for byte."""
    run = Bridge(options, script_of(options, "steady"),
                 f"WORKOUT broadcast from C0:DE:00:00:00:01 --name '{NAME}' --json --duration 40", count=2)
    sent = [e["hex"] for e in run.of("Lab Steady", "notify")]
    failures = [] if run.status == 0 else [f"ended with {run.status}: {run.stderr.strip()[-400:]}"]
    for central in (1, 2):
        received = run.values(central)
        run.measured.append(f"central {central}: {len(received)} values")
        if len(received) < 8:
            failures.append(f"central {central} received {len(received)} values of {len(sent)}")
        elif not is_slice(received, sent):
            failures.append(f"central {central}: {received} is not a part of {sent}")
    return failures, run


def simulated(options):
    """A simulated athlete: services, values, the control point, and nothing left on the air."""
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


CASES = {"strap shared by two": shared_strap, "simulated strap": simulated, "faults": faults}
