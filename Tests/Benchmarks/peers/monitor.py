#!/usr/bin/env python3
"""Memory and processor time of `workout monitor ADDRESS --json`, and of bleak doing the same, side by side.

Usage: monitor.py WORKOUT [--seconds 600] [--warm-up 10] [--rate 1]

Needs dbus-daemon and bleak (`pip install bleak`). Each gets a bus of its own with a fake bluetoothd (fake_bluez.py), so that
neither hears what the other one is sent; both run at the same time, so that what else the machine does falls on both.
"""
import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
STRAP = "C0:DE:00:00:00:01"
CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>custom</type><listen>unix:path={folder}/socket</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>"""
TICKS = os.sysconf("SC_CLK_TCK")


class Scene:
    """A bus, a fake bluetoothd on it, and a program that monitors its strap."""

    def __init__(self, folder, name, command, rate):
        self.name, self.processes = name, []
        self.folder = os.path.join(folder, name)
        os.mkdir(self.folder)
        with open(f"{self.folder}/bus.conf", "w") as file:
            file.write(CONFIGURATION.format(folder=self.folder))
        self.environment = dict(
            os.environ,
            DBUS_SYSTEM_BUS_ADDRESS=f"unix:path={self.folder}/socket",
            HOME=self.folder,
            XDG_CONFIG_HOME=self.folder,
            XDG_DATA_HOME=self.folder,
        )
        bus = ["dbus-daemon", f"--config-file={self.folder}/bus.conf", "--nofork", "--nopidfile", "--print-address=1"]
        self.start(bus).stdout.readline()
        fake = self.start([sys.executable, f"{HERE}/fake_bluez.py", "--rate", str(rate)])
        if fake.stdout.readline() != b"ready\n":
            sys.exit("monitor: the fake bluetoothd did not start; is bleak installed here?")
        self.output = open(f"{self.folder}/output", "wb+")
        self.program = self.start(command, stdout=self.output)

    def start(self, command, stdout=subprocess.PIPE):
        process = subprocess.Popen(command, env=self.environment, stdout=stdout)
        self.processes.append(process)
        return process

    def values(self):
        with open(self.output.name, "rb") as file:
            return sum(b'"heartRate"' in line for line in file)

    def status(self):
        """Kilobytes: all resident memory, the private part of it, and the part mapped from files."""
        with open(f"/proc/{self.program.pid}/status") as file:
            fields = dict(line.split(":", 1) for line in file)
        return [int(fields[name].split()[0]) for name in ("VmRSS", "RssAnon", "RssFile", "VmHWM")]

    def proportional(self):
        """Kilobytes, with shared pages divided among their processes."""
        with open(f"/proc/{self.program.pid}/smaps_rollup") as file:
            fields = dict(line.split(":", 1) for line in file if line.endswith("kB\n"))
        return int(fields["Pss"].split()[0]), int(fields["Private_Clean"].split()[0]) + int(
            fields["Private_Dirty"].split()[0]
        )

    def forget_references(self):
        with open(f"/proc/{self.program.pid}/clear_refs", "w") as file:
            file.write("1")

    def referenced(self):
        """Kilobytes touched since `forget_references`: the memory for running, without that of the start."""
        with open(f"/proc/{self.program.pid}/smaps_rollup") as file:
            fields = dict(line.split(":", 1) for line in file if line.endswith("kB\n"))
        return int(fields["Referenced"].split()[0])

    def processor_seconds(self):
        """In nanoseconds if the kernel counts them, because a second has only 100 ticks."""
        total = 0
        for task in os.listdir(f"/proc/{self.program.pid}/task"):
            with open(f"/proc/{self.program.pid}/task/{task}/schedstat") as file:
                total += int(file.read().split()[0])
        return total / 1e9

    def ticks(self):
        with open(f"/proc/{self.program.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def wakeups(self):
        total = 0
        for task in os.listdir(f"/proc/{self.program.pid}/task"):
            with open(f"/proc/{self.program.pid}/task/{task}/status") as file:
                total += sum(int(line.split()[1]) for line in file if "voluntary_ctxt_switches" in line)
        return total

    def end(self):
        for process in reversed(self.processes):
            if process.poll() is None:
                process.send_signal(signal.SIGINT if process is self.program else signal.SIGTERM)
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("workout")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--warm-up", type=float, default=10)
    parser.add_argument("--rate", type=float, default=1)
    options = parser.parse_args()
    scenes = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            ours = [options.workout, "monitor", STRAP, "--json", "--transport", "bluez"]
            theirs = [sys.executable, f"{HERE}/bleak_monitor.py", STRAP]
            for name, command in (("workout", ours), ("bleak", theirs)):
                scenes.append(Scene(folder, name, command, options.rate))
            report(scenes, options)
        finally:
            for scene in scenes:
                scene.end()


def report(scenes, options):
    deadline = time.monotonic() + 60
    while any(scene.values() == 0 for scene in scenes):
        for scene in scenes:
            if scene.program.poll() is not None:
                sys.exit(f"monitor: {scene.name} ended with {scene.program.returncode}")
        if time.monotonic() > deadline:
            sys.exit("monitor: no value within a minute")
        time.sleep(0.2)
    time.sleep(options.warm_up)
    begun = time.monotonic()
    before = [(s.processor_seconds(), s.ticks(), s.values(), s.wakeups(), s.status()[0]) for s in scenes]
    largest = [0 for _ in scenes]
    while time.monotonic() < begun + options.seconds:
        time.sleep(min(5, max(0, begun + options.seconds - time.monotonic())))
        largest = [max(known, scene.status()[0]) for known, scene in zip(largest, scenes)]
    took = time.monotonic() - begun
    rows = {}

    def row(name, digits, *values):
        rows[name] = (digits, values)

    row("values", 0, *(scene.values() - then[2] for scene, then in zip(scenes, before)))
    row(
        "processor, % of a core",
        4,
        *(100 * (scene.processor_seconds() - then[0]) / took for scene, then in zip(scenes, before)),
    )
    row(
        "the same in ticks, % of a core",
        4,
        *(100 * (scene.ticks() - then[1]) / took for scene, then in zip(scenes, before)),
    )
    row("wake-ups a value", 1, *(
        (scene.wakeups() - then[3]) / max(1, scene.values() - then[2]) for scene, then in zip(scenes, before)))
    row("resident at the begin, MB", 2, *(then[4] / 1000 for then in before))
    status = [scene.status() for scene in scenes]
    row("resident at the end, MB", 2, *(fields[0] / 1000 for fields in status))
    row("  of it anonymous, MB", 2, *(fields[1] / 1000 for fields in status))
    row("  of it from files, MB", 2, *(fields[2] / 1000 for fields in status))
    row("largest seen, MB", 2, *(value / 1000 for value in largest))
    row("largest ever, MB", 2, *(fields[3] / 1000 for fields in status))
    for scene in scenes:
        scene.forget_references()
    # Some values, and periodic work.
    time.sleep(min(60, max(10, options.seconds / 10)))
    row("touched while it runs, MB", 2, *(scene.referenced() / 1000 for scene in scenes))
    shares = [scene.proportional() for scene in scenes]
    row("proportional (PSS), MB", 2, *(value[0] / 1000 for value in shares))
    row("private, MB", 2, *(value[1] / 1000 for value in shares))
    print(f"{took:.0f} s at {options.rate:g} Hz (aims: under 15 MB resident, under 0.03 % of a core)")
    print(f"{'':32}" + "".join(f"{scene.name:>12}" for scene in scenes) + f"{'ratio':>8}")
    for name, (digits, (ours, theirs)) in rows.items():
        ratio = f"{ours / theirs:8.2f}" if theirs else f"{'':8}"
        print(f"{name:32}{ours:12.{digits}f}{theirs:12.{digits}f}{ratio}")


main()
