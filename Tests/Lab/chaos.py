"""The faults of mirror-chaos: two namespaces with a wire between them, and the faults of a round."""

import json, os, random, signal, subprocess, sys, tempfile, time

LAB = os.path.dirname(os.path.abspath(__file__))
PORT = 7654
WEATHER = ("delay", "loss", "doubles", "disorder")
KINDS = WEATHER + ("pull", "black-hole", "reset", "address", "phone-asleep", "watch-asleep", "kill-phone", "kill-watch")


def run(*command, check=True, **options):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    if check and result.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {result.returncode}: {result.stderr.strip()}")
    return result


def environment(**variables):
    """This process's variables, without those of HealthKit."""
    return {**{key: value for key, value in os.environ.items() if not key.startswith("HEALTHKIT_")},
            "HEALTHKIT_MIRROR_DISCOVERY": "off", **variables}


class Cable:
    """Two namespaces, and a third with the wire between them."""

    def __init__(self, seed):
        tag = f"{os.getpid() % 100000:05d}"
        self.watch, self.phone, self.middle = f"ohkw{tag}", f"ohkp{tag}", f"ohkm{tag}"
        self.ends = {self.watch: f"w{tag}", self.phone: f"p{tag}"}
        self.addresses = {self.watch: "10.213.0.1", self.phone: "10.213.0.2"}
        self.air, self.wire = {}, None
        try:
            self.lay(seed)
        except BaseException:
            self.remove()
            raise

    @property
    def target(self):
        return f"{self.addresses[self.phone]}:{PORT}"

    def lay(self, seed):
        plugs = [f"{end}-wire" for end in self.ends.values()]
        for name in (self.watch, self.phone, self.middle):
            run("ip", "netns", "add", name)
        for end, plug in zip(self.ends.values(), plugs):
            run("ip", "-n", self.middle, "link", "add", end, "type", "veth", "peer", "name", plug)
            run("ip", "-n", self.middle, "link", "set", plug, "addrgenmode", "none", "up")
        self.wire = subprocess.Popen(
            ["ip", "netns", "exec", self.middle, sys.executable, os.path.join(LAB, "wire.py"), str(seed), *plugs,
             *self.ends.values()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.weather()
        for name, end in self.ends.items():
            run("ip", "-n", self.middle, "link", "set", end, "netns", name)
            run("ip", "-n", name, "address", "add", f"{self.addresses[name]}/24", "dev", end)
            run("ip", "-n", name, "link", "set", "lo", "up")
            run("ip", "-n", name, "link", "set", end, "up")

    def weather(self, **what):
        """Sets the wire's faults from now on. Returns what it has done so far."""
        if self.wire.poll() is None:
            self.wire.stdin.write(json.dumps({**self.air, **what}) + "\n")
            self.wire.stdin.flush()
            if line := self.wire.stdout.readline():
                return json.loads(line)
        raise RuntimeError("the wire has ended")

    def change(self, kind, rng):
        self.air.update({
            "delay": {"delay": rng.uniform(0.001, 0.3), "jitter": rng.uniform(0.0, 0.2)},
            "loss": {"loss": rng.uniform(0.01, 0.3)},
            "doubles": {"twice": rng.uniform(0.01, 0.5)},
            "disorder": {"delay": rng.uniform(0.005, 0.1), "ahead": rng.uniform(0.1, 0.5)},
        }[kind])
        self.weather()

    def pull(self):
        run("ip", "-n", self.phone, "link", "set", self.ends[self.phone], "down")

    def readdress(self, rng):
        where = ("dev", self.ends[self.watch])
        run("ip", "-n", self.watch, "address", "del", f"{self.addresses[self.watch]}/24", *where)
        time.sleep(rng.uniform(0.0, 1.0))
        self.addresses[self.watch] = "10.213.0.3" if self.addresses[self.watch] == "10.213.0.1" else "10.213.0.1"
        run("ip", "-n", self.watch, "address", "add", f"{self.addresses[self.watch]}/24", *where)

    def whole(self, calm=False):
        run("ip", "-n", self.phone, "link", "set", self.ends[self.phone], "up")
        if calm:
            self.air = {}
        return self.weather()

    def remove(self):
        if self.wire:
            self.wire.stdin.close()
            self.wire.wait()
        for name in (self.watch, self.phone, self.middle):
            run("ip", "netns", "del", name, check=False)


def pair(workout, cable, folder):
    """Creates an identity for each machine, and pairs both. Returns their folders by the machine's name."""
    homes = {name: os.path.join(folder, name) for name in (cable.watch, cable.phone)}
    environments = {name: environment(XDG_CONFIG_HOME=home) for name, home in homes.items()}
    command = [workout, "mirror", "pair", "--yes"]
    phone = subprocess.Popen(
        ["ip", "netns", "exec", cable.phone, *command, "--listen", cable.target], env=environments[cable.phone],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        if "Waiting" not in (line := phone.stderr.readline()):
            raise RuntimeError(f"the phone does not wait to be paired: {line.strip()}")
        run("ip", "netns", "exec", cable.watch, *command, cable.target, env=environments[cable.watch], timeout=30)
        said = phone.communicate(timeout=30)[1]
        if phone.returncode != 0:
            raise RuntimeError(f"the phone was not paired: {phone.returncode}: {said.strip()}")
    finally:
        if phone.poll() is None:
            phone.kill()
            phone.wait()
    return homes


class Round:
    """The faults of two processes. Subclasses define how they are started and what must hold."""

    def __init__(self, arguments, cable, homes, seed):
        self.arguments, self.cable, self.homes, self.rng = arguments, cable, homes, random.Random(seed)
        self.folder = tempfile.mkdtemp(prefix="mirror-chaos-")
        self.happened = []
        self.most = 12
        self.watch_was_killed = 0
        self.counts = {}

    def environment(self, name):
        folder = os.path.join(self.folder, name)
        os.makedirs(folder, exist_ok=True)
        return environment(
            HEALTHKIT_STORE=os.path.join(folder, "health.sqlite"), HEALTHKIT_AUTHORIZATION="allow",
            XDG_CONFIG_HOME=self.homes[name], XDG_DATA_HOME=folder)

    def start(self, name, *command, log=None, **variables):
        log = open(os.path.join(self.folder, log or f"{name}.log"), "a")
        return subprocess.Popen(
            ["ip", "netns", "exec", name, *command], env={**self.environment(name), **variables}, stdin=subprocess.DEVNULL,
            stdout=log, stderr=log)

    def ask(self, name, *words):
        result = run(self.arguments.workout, *words, env=self.environment(name), check=False)
        if result.returncode != 0:
            raise RuntimeError(f"{' '.join(words)} on {name}: {result.returncode}: {result.stderr.strip()}")
        return result.stdout

    def note(self, what):
        self.happened.append(what)
        with open(os.path.join(self.folder, "chaos.log"), "a") as log:
            print(f"{time.time():.3f} {what} {self.cable.air}", file=log)

    def trouble(self, kinds):
        """One fault after the other until the watch has finished, and then none."""
        cable, rng = self.cable, self.rng
        while kinds and not self.is_over() and len(self.happened) < self.most:
            time.sleep(rng.uniform(0.05, 0.8))
            kind = rng.choices(kinds, [0.3 if kind == "kill-watch" else 1.0 for kind in kinds])[0]
            if kind != "kill-watch" or self.watch_was_killed < 3:
                self.strike(kind)
            if rng.random() < 0.7:
                cable.whole(calm=rng.random() < 0.5)
        cable.whole(calm=True)

    def strike(self, kind):
        cable, rng = self.cable, self.rng
        self.note(kind)
        if kind in WEATHER:
            cable.change(kind, rng)
            time.sleep(rng.uniform(0.2, 2.0))
        elif kind == "pull":
            cable.pull()
            time.sleep(rng.uniform(0.05, 1.5))
        elif kind == "black-hole":
            cable.weather(hole=rng.choice([[0, 1], [0, 1], [0], [1]]))
            time.sleep(rng.uniform(0.5, 7.0))
        elif kind == "reset":
            cable.weather(forgets=True)
            time.sleep(rng.uniform(0.05, 2.0))
        elif kind == "address":
            cable.readdress(rng)
        elif kind in ("phone-asleep", "watch-asleep"):
            process = self.phone if kind == "phone-asleep" else self.watch
            process.send_signal(signal.SIGSTOP)
            time.sleep(rng.uniform(1.0, 8.0))
            process.send_signal(signal.SIGCONT)
        elif kind == "kill-phone":
            self.phone.kill()
            self.phone.wait()
            time.sleep(rng.uniform(0.0, rng.choice([0.5, 0.5, 6.0])))
            self.phone = self.listen()
        elif self.watch.poll() is None:
            self.watch.kill()
            self.watch.wait()
            self.watch_was_killed += 1
            self.recover()

    def end(self):
        for process in (self.phone, self.watch):
            if process.poll() is None:
                process.kill()
            process.wait()
        self.cable.whole(calm=True)
