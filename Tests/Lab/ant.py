"""ANT+ sensors over a stick at the virtual machine's own USB stack: `ant_stick.py` is the stick, libusb and the kernel are real."""

import glob
import json
import lzma
import os
import pathlib
import shutil
import subprocess
import tempfile

from bridge import NAME, Bridge, no_straps
from lab import Run

STICK = pathlib.Path(__file__).with_name("ant_stick.py")
MODULES = ["usb-common", "usbcore", "usbip-core", "vhci-hcd"]
# A user who may use Bluetooth, but no stick.
BECOME_LAB = "HOME=/tmp python3 -c 'import os, sys; os.setgid(1000); os.setuid(1000); os.execvp(sys.argv[1], sys.argv[1:])'"
STRAP, METER, TRAINER, POD, BIKE = "ant:hr:25170", "ant:power:301", "ant:trainer:402", "ant:footpod:503", "ant:bike:604"


def shared(options):
    """A folder with files that the virtual machine lacks: the kernel's USB modules, and libusb."""
    folder = pathlib.Path(options.keep) / "usb"
    if folder.exists():
        return folder
    cache = pathlib.Path(os.environ.get("BLE_LAB_CACHE") or pathlib.Path.home() / ".cache/ble-lab")
    package = next(iter(glob.glob(str(cache / "debs/linux-image-*amd64_*.deb"))))
    folder.mkdir()
    with tempfile.TemporaryDirectory() as unpacked:
        subprocess.run(["dpkg-deb", "-x", package, unpacked], check=True)
        for module in MODULES:
            found = next(pathlib.Path(unpacked).rglob(f"{module}.ko*"))
            data = found.read_bytes()
            (folder / f"{module}.ko").write_bytes(lzma.decompress(data) if found.suffix == ".xz" else data)
    library = next(iter(glob.glob("/usr/lib/*/libusb-1.0.so.0") + glob.glob("/lib/*/libusb-1.0.so.0")))
    shutil.copy(library, folder / "libusb-1.0.so.0")
    return folder


def with_stick(usb, sensors, command, log="/dev/null"):
    """The command, with the stick plugged in. The binary finds libusb in the folder, and Swift in the lab's folders."""
    return (f"python3 {STICK} {usb} {sensors} > {log} 2>&1 & "
            "until grep -qs 0fcf /sys/bus/usb/devices/*/idVendor; do sleep 0.2; done; sleep 1; "
            + command.replace("WORKOUT", f"env LD_LIBRARY_PATH=$LD_LIBRARY_PATH:{usb} WORKOUT"))


def run_with_stick(options, sensors, command, extra=()):
    usb = shared(options)
    run = Run(options, "steady", with_stick(usb, sensors, command, "/out/stick.jsonl"),
              ["--share", str(usb), "--share", str(STICK.parent), "--no-adapter", "--no-bluetoothd", *extra])
    path = run.out / "stick.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    run.stick = [json.loads(line) for line in lines if line.startswith("{")]
    return ([] if run.status == 0 else [f"ended with {run.status}: {run.stderr.strip()[-400:]}"]), run


def events(run, name):
    return [e for e in run.stick if e["event"] == name]


def log(run):
    return [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{\"at\"")]


def strap(options):
    """Each interval between two beats is recorded once and in order, as the strap sent it."""
    failures, run = run_with_stick(
        options, "hr", f"WORKOUT record --sensor {STRAP} --start --duration 30 --output /tmp/log.jsonl --json; cat /tmp/log.jsonl")
    entries = log(run)
    recorded = [round(ms * 1.024) for e in entries for ms in e.get("rr", [])]
    sent = [e["interval"] for e in events(run, "beat")]
    run.measured.append(f"{len(recorded)} of {len(sent)} intervals")
    if len(recorded) < 30 or not any(sent[at:at + len(recorded)] == recorded for at in range(len(sent))):
        failures.append(f"recorded {recorded} of {sent}")
    devices = [e["device"] for e in entries if e.get("device", {}).get("manufacturer")]
    if not devices or devices[-1]["manufacturer"] != "Polar":
        failures.append(f"device: {devices}")
    if not any(e.get("battery") == 64 for e in entries):
        failures.append("no battery")
    return failures, run


def check(run, number, expected):
    """Failures: figures of the workout with this number that are outside their range."""
    workouts = [json.loads(line)["workout"]["statistics"] for line in run.stdout.splitlines() if line.startswith('{"workout"')]
    failures = []
    for name, figure, low, high in expected:
        found = workouts[number].get("HKQuantityTypeIdentifier" + name, {}).get(figure) if number < len(workouts) else None
        run.measured.append(f"{name} {found}")
        if found is None or not low <= found <= high:
            failures.append(f"{name}: {found}")
    return failures


def several(options):
    """Four sensors on one stick: each measures what it should."""
    failures, run = run_with_stick(
        options, "hr,power,bike", "WORKOUT record --activity cycling " + " ".join(f"--sensor {s}" for s in (STRAP, METER, BIKE))
        + " --start --duration 20 --json")
    return failures + check(run, 0, [
        ("HeartRate", "average", 73, 75), ("CyclingPower", "average", 195, 205), ("CyclingCadence", "average", 88, 92),
        ("CyclingSpeed", "average", 8, 9), ("DistanceCycling", "sum", 120, 200)]), run


def machines(options):
    """A trainer, and a foot pod."""
    failures, run = run_with_stick(
        options, "trainer,footpod", f"WORKOUT record --activity cycling --indoor --sensor {TRAINER} --start --duration 12 --json; "
        f"WORKOUT record --activity running --sensor {POD} --start --duration 12 --json")
    failures += check(run, 0, [("CyclingPower", "average", 209, 211), ("CyclingSpeed", "average", 7.9, 8.1)])
    failures += check(run, 1, [("RunningSpeed", "average", 2.9, 3.1), ("DistanceWalkingRunning", "sum", 21, 45)])
    return failures, run


def newcomer(options):
    """Found, paired by its number, and recorded without further options."""
    failures, run = run_with_stick(
        options, "hr,power", "WORKOUT scan --json --duration 6; WORKOUT pair 25170; WORKOUT sensors --json; "
        "WORKOUT record --start --duration 8 --json; WORKOUT doctor")
    found = {json.loads(line)["address"] for line in run.stdout.splitlines() if line.startswith('{"address"')}
    if not {STRAP, METER} <= found:
        failures.append(f"found: {found}")
    for text in ("paired: ANT+ heart rate 25170", "heart rate: 74 bpm", '"HKQuantityTypeIdentifierHeartRate"', "No problems found"):
        if text not in run.stdout:
            failures.append(f"no '{text}' in {run.stdout[-1500:]}")
    return failures, run


def deaf(options):
    """A stick that stops answering is reset, and the session continues."""
    failures, run = run_with_stick(
        options, "hr deaf=8", f"WORKOUT record --sensor {STRAP} --start --duration 40 --output /tmp/log.jsonl --json; cat /tmp/log.jsonl")
    begun, healed = [next((e["t"] for e in events(run, name)), None) for name in ("deaf", "healed")]
    if begun is None or healed is None:
        return failures + [f"deaf at {begun}, reset at {healed}"], run
    again = next((e["t"] for e in events(run, "page") if e["t"] > healed), None)
    run.measured.append(f"silent for {again - begun:.1f} s" if again else "never heard again")
    presences = [e["presence"] for e in log(run) if "presence" in e]
    if again is None or again - begun > 12 or presences.count("present") < 2:
        failures.append(f"deaf at {begun}, heard again at {again}: {presences}")
    return failures, run


def forbidden(options):
    """A user without permission for the stick gets the remedy."""
    usb = shared(options)
    failures, run = run_with_stick(
        options, "hr", f"""{BECOME_LAB} sh -c 'HEALTHKIT_SENSORS={STRAP} BINARY doctor; BINARY scan --duration 2; BINARY monitor {STRAP} --duration 3'; true"""
        .replace("BINARY", f"LD_LIBRARY_PATH=$LD_LIBRARY_PATH:{usb} " + str(pathlib.Path(options.workout).resolve())))
    if "This user may not use the ANT+ stick" not in run.stderr:
        failures.append(f"scan: {run.stderr}")
    for text in ("no permission to use", "70-ant-stick.rules"):
        if text not in run.stdout:
            failures.append(f"no '{text}' in {run.stdout} {run.stderr}")
    if "no permission to use the ANT+ stick" not in run.stdout + run.stderr:
        failures.append(f"monitor: {run.stdout} {run.stderr}")
    return failures, run


def passed_on(options):
    """An ANT+ strap becomes a Bluetooth strap: a central receives its heart rates and each of its intervals."""
    usb = shared(options)
    run = Bridge(options, no_straps(options),
                 with_stick(usb, "hr", f"timeout -s INT 30 WORKOUT broadcast from {STRAP} --name '{NAME}'"),
                 extra=["--share", str(usb), "--share", str(STICK.parent)])
    packets = [bytes.fromhex(value) for value in run.values(1)]
    intervals = [int.from_bytes(p[at:at + 2], "little") for p in packets if p[0] & 0x10 for at in range(2, len(p) - 1, 2)]
    run.measured.append(f"{len(packets)} values, {len(intervals)} intervals")
    failures = [] if len(packets) > 8 and all(p[1] == 74 for p in packets) else [f"values: {run.values(1)} {run.stderr[-300:]}"]
    if len(intervals) < 8 or any({a, b} != {819, 840} for a, b in zip(intervals, intervals[1:])):
        failures.append(f"intervals: {intervals}")
    return failures, run


def lost(options):
    """A sensor out of range is away, and recorded again when it returns."""
    failures, run = run_with_stick(
        options, "hr lost=8", f"WORKOUT record --sensor {STRAP} --start --duration 40 --output /tmp/log.jsonl --json; cat /tmp/log.jsonl")
    presences = [e["presence"] for e in log(run) if "presence" in e]
    changes = [p for at, p in enumerate(presences) if at == 0 or presences[at - 1] != p]
    back = next((e["t"] for e in events(run, "back")), None)
    again = next((e["t"] for e in events(run, "page") if back is not None and e["t"] > back), None)
    run.measured.append(" ".join(changes) + (f", heard {again - back:.1f} s after its return" if again else ""))
    if changes != ["away", "present", "away", "present"] or again is None or again - back > 3:
        failures.append(f"presences: {changes}, back at {back}, heard at {again} {run.stderr[-500:]}")
    return failures, run


def unplugged(options):
    """A session waits for an unplugged stick, and continues when it is plugged in again."""
    failures, run = run_with_stick(
        options, "hr", f"(sleep 12; echo 0 > /sys/devices/platform/vhci_hcd.0/detach; sleep 4; kill %1; "
        f"python3 {STICK} {shared(options)} hr > /out/again.jsonl 2>&1) & "
        f"WORKOUT record --sensor {STRAP} --start --duration 40 --output /tmp/log.jsonl --json; cat /tmp/log.jsonl")
    presences = [e["presence"] for e in log(run) if "presence" in e]
    changes = [p for at, p in enumerate(presences) if at == 0 or presences[at - 1] != p]
    run.measured.append(" ".join(changes))
    if changes != ["away", "present", "away", "present"]:
        failures.append(f"presences: {changes} {run.stderr[-500:]}")
    return failures, run


CASES = {
    "ANT+ strap passed on": passed_on, "lost ANT+ sensor": lost, "unplugged ANT+ stick": unplugged,
    "ANT+ strap": strap, "ANT+ sensors on one stick": several, "ANT+ machines": machines, "ANT+ newcomer": newcomer,
    "deaf ANT+ stick": deaf, "forbidden ANT+ stick": forbidden,
}
