"""The command under test as a process: started, killed, restarted on the same port, and always ended."""

import json
import os
import pathlib
import selectors
import signal
import subprocess
import urllib.parse

# Reading 60 recordings takes a while on a busy machine.
PATIENCE = 30


class Served:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.process = self.address = self.key = self.fingerprint = None
        self.log = open(self.folder / "serve.log", "a")

    def command(self, on):
        raise NotImplementedError

    def environment(self):
        # A separate home, without the user's store and key.
        kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH", "TMPDIR") if name in os.environ}
        return {**kept, "HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder / "config"),
                "XDG_DATA_HOME": str(self.folder / "data"), "XDG_RUNTIME_DIR": str(self.folder), "LANG": "C.UTF-8", "TZ": "UTC",
                "HEALTHKIT_STORE": str(self.folder / "store.sqlite")}

    def start(self, on):
        command = self.command(on)
        self.process = subprocess.Popen(command, env=self.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=self.log, start_new_session=True)
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            line = self.process.stdout.readline() if selector.select(PATIENCE) else b""
        try:
            told = json.loads(line)
            self.address, self.key, self.fingerprint = told["address"], told.get("key"), told.get("fingerprint")
        except (ValueError, KeyError, TypeError):
            self.stop()
            self.log.flush()
            said = (self.folder / "serve.log").read_text().strip().splitlines()[-3:]
            raise RuntimeError(f"{' '.join(map(str, command[:4]))} … does not listen: its first line was {line!r}; it said {said}")
        return self

    @property
    def port(self):
        return urllib.parse.urlsplit(self.address).port

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def again(self):
        parts = urllib.parse.urlsplit(self.address)
        return self.start(f"{parts.hostname}:{parts.port}")

    def stop(self):
        if self.process is None:
            return
        for how in (signal.SIGINT, signal.SIGKILL):
            if self.process.poll() is None:
                try:
                    os.killpg(self.process.pid, how)
                    self.process.wait(5)
                except (ProcessLookupError, subprocess.TimeoutExpired):
                    pass
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        self.log.close()


class Workout(Served):
    """`workout serve`, replaying recordings."""

    def __init__(self, workout, folder, files, speed=1, on="127.0.0.1:0", stored=None, descriptors=None):
        super().__init__(folder)
        self.workout, self.files, self.speed, self.descriptors = workout, [str(file) for file in files], speed, descriptors
        if stored:
            subprocess.run([workout, "replay", str(stored), "--speed", "max", "--save", "--json"], env=self.environment(),
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.log, check=True, timeout=60)
        self.start(on)

    def command(self, on):
        limited = ["sh", "-c", f'ulimit -n {self.descriptors}; exec "$@"', "sh"] if self.descriptors else []
        return limited + [self.workout, "serve", "--json", "--on", on, "--speed", str(self.speed)] + self.files
