"""A round of mirror-chaos with both sides of an app, written as for Apple's devices (Tests/MirroringApps).

They are not changed for this: what went wrong shows in what they report. In the end

- the watch's app has finished its workout, once, and it stands in the store, once, with the same numbers;
- the phone's last heart-rate numbers are those of that workout, and its session's last state is "ended";
- each process of the phone's app was told of a state once, and in order. After a loss the start handler comes again with the
  same session, and the app then notes its state again;
- each process of the phone's app got the watch's messages once, in order and without a gap; all of them, if it was never
  killed. One that joins later gets those that the one before it had not acknowledged, so of an earlier one that was killed
  nothing is known: what it had received and not reported is gone with it;
- the watch's app got each greeting of the phone's once, if nobody was killed. Who is killed takes with it what it received
  and did not report, and a greeting that it could not acknowledge may come to its next process;
- nothing waits for the phone any more.

What was sent, and which states there were, is read from the session's journal, in which everything stands before the phone
hears of it.

A replay cannot be taken up again, so an app that was recovered runs until somebody stops it. A person does, with the keys of
`workout mirror listen` on the watch's own machine: a second companion. The app does not look at the state that its session
was recovered in: where it was killed after the stop, it does nothing more, and `workout recover` finishes the workout, or
sends the phone the end of one that was saved, which else would wait for the app's next workout.
"""

import base64, glob, json, math, os, subprocess, time

from chaos import Round, run

NOT_STARTED, ENDED = 1, 3
STATES = {"notStarted": 1, "running": 2, "ended": 3, "paused": 4, "prepared": 5, "stopped": 6}
BUTTON = "127.0.0.1:7655"
# A repaired link works after this many seconds, and everything has been delivered.
SETTLED = 8.0


class AppRound(Round):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.logs = {self.cable.watch: [], self.cable.phone: []}
        self.button = None
        # In half of the rounds the end comes long after the last fault, in the others during one.
        self.most = self.rng.choice((3, 12))
        self.whole_since = self.finished_at = 0.0

    # MARK: The processes

    def start_half(self, name, half, **variables):
        log = os.path.join(self.folder, f"{half}-{len(self.logs[name]) + 1}.log")
        self.logs[name].append(log)
        return self.start(name, self.arguments.apps, half, log=log, **variables)

    def listen(self):
        return self.start_half(self.cable.phone, "phone", HEALTHKIT_MIRROR_LISTEN=self.cable.target)

    def recover(self):
        # No button is pressed meanwhile, so the session continues: some more faults are enough.
        self.most = min(self.most, len(self.happened) + self.rng.randint(0, 4))
        self.watch = self.start_half(
            self.cable.watch, "recover", HEALTHKIT_SENSORS=self.sensors, HEALTHKIT_MIRROR=f"{self.cable.target},{BUTTON}")

    @property
    def sensors(self):
        return f"replay:{self.arguments.recording}?speed={self.arguments.speed}"

    def reports(self, name):
        """The reports of each process of a side, in order."""
        processes = []
        for path in self.logs[name]:
            processes.append([])
            with open(path) as log:
                for line in log:
                    try:
                        processes[-1].append(json.loads(line))
                    except ValueError:
                        pass  # For people, or cut off by a kill.
        return processes

    def finished(self):
        """The watch app's report of its workout."""
        return [report for process in self.reports(self.cable.watch) for report in process if "finished" in report]

    def is_over(self):
        return bool(self.finished())

    def phone_is_over(self):
        return any(report.get("over") == "" for process in self.reports(self.cable.phone) for report in process)

    def journals(self):
        store = os.path.join(self.folder, self.cable.watch, "health.sqlite-sessions")
        return glob.glob(os.path.join(store, "*.jsonl")) + glob.glob(os.path.join(store, "undelivered", "*.jsonl"))

    def journal(self):
        """The session's log, under a second name, because the first is removed once the phone has everything."""
        kept = os.path.join(self.folder, "journal.jsonl")
        if not os.path.exists(kept):
            for path in self.journals():
                os.link(path, kept)
        if not os.path.exists(kept):
            return ""
        with open(kept) as journal:
            return journal.read()

    def until(self, condition, seconds):
        deadline = time.time() + seconds
        while not condition():
            if time.time() > deadline:
                return False
            time.sleep(0.1)
        return True

    # MARK: A round

    def play(self, kinds):
        """Returns the problem, or None."""
        self.phone = self.listen()
        self.watch = self.start_half(
            self.cable.watch, "watch", HEALTHKIT_SENSORS=self.sensors, HEALTHKIT_MIRROR=self.cable.target)
        try:
            # Before that only the app knows of a workout, and there is none to recover.
            if not self.until(lambda: '"collection":"began"' in self.journal(), 30):
                return f"the watch's app did not begin: {self.reports(self.cable.watch)}"
            self.trouble(kinds)
            self.whole_since = time.time()
            return self.finish() or self.compare()
        finally:
            if self.button:
                self.button.kill()
                self.button.wait()
            self.end()

    def finish(self):
        if self.watch_was_killed and '"state":"stopped"' in self.journal():
            self.finish_later()
        else:
            if self.watch_was_killed:
                self.press_the_button()
            if not self.until(self.finished, 90):
                return "the watch's app did not finish"
        self.finished_at = time.time()
        if not self.until(self.phone_is_over, 60):
            return "the phone's app has not heard of the end"
        if not self.until(lambda: not self.journals(), 20):
            return f"the phone's app has heard of the end, but there waits {self.journals()}"
        return None

    def press_the_button(self):
        self.note("button")
        terminal, end = os.openpty()
        os.set_blocking(terminal, False)
        self.button = subprocess.Popen(
            ["ip", "netns", "exec", self.cable.watch, self.arguments.workout, "mirror", "listen", "--listen", BUTTON],
            env={**self.environment(self.cable.watch), "TERM": "xterm"}, stdin=end, stdout=end, stderr=end)
        os.close(end)
        for turn in range(600):
            if '"state":"stopped"' in self.journal():
                break
            if turn % 30 == 29:  # Its screen may not have had the session at the last time.
                os.write(terminal, b"e")
                time.sleep(0.1)
                os.write(terminal, b"y")
            time.sleep(0.1)
            try:
                while os.read(terminal, 1 << 16):
                    pass
            except OSError:
                pass  # There is no more at present.

    def finish_later(self):
        self.note("finished-later")
        self.watch.kill()
        self.watch.wait()
        # The phone app's report shows whether it could.
        run("ip", "netns", "exec", self.cable.watch, self.arguments.workout, "recover", "--mirror", self.cable.target,
            check=False, env=self.environment(self.cable.watch))

    # MARK: Conditions

    def compare(self):
        workouts = [json.loads(line) for line in self.ask(self.cable.watch, "list", "--json").splitlines() if line]
        finished = self.finished()
        if len(workouts) != 1 or len(finished) > 1:
            return f"there are {len(workouts)} workouts, and the watch's app has finished {len(finished)}"
        stored = json.loads(self.ask(self.cable.watch, "show", workouts[0]["id"], "--json"))["workout"]
        stored = stored["statistics"].get("HKQuantityTypeIdentifierHeartRate", {})
        processes = self.reports(self.cable.phone)
        shown = [report for process in processes for report in process if report.get("over") == ""][-1]["heartRate"]
        for workout in finished:
            if workout["finished"] != workouts[0]["id"] or workout["heartRate"] != shown:
                return f"the watch's app finished {workout}, {workouts[0]['id']} is stored and the phone shows {shown}"
            if not self.watch_was_killed:
                self.counts = {key: workout[key] for key in ("heartRate", "duration", "sent")}
        if not all(math.isclose(stored.get(key, 0), value, rel_tol=1e-9) for key, value in shown.items()):
            return f"{stored} is stored, and the phone shows {shown}"
        states, sent = self.logged()
        for process in processes:
            if problem := self.told(process, states, sent):
                return problem
        if "kill-phone" not in self.happened:
            received = processes[0][-1]["messages"]
            if received != sent:
                return f"messages were lost: {difference(received, sent)}"
            if not self.watch_was_killed and len(received) != finished[0]["sent"]:
                return f"the phone received {len(received)} messages, and the watch counts {finished[0]['sent']}"
            if not self.watch_was_killed:
                return self.greeted(finished[0]["received"], processes[0][-1]["states"])
        return None

    def logged(self):
        """The elapsed times of the session's states and messages."""
        states, sent = [NOT_STARTED], []
        for line in self.journal().splitlines():
            entry = json.loads(line)
            if "state" in entry:
                states.append(STATES[entry["state"]])
            elif "remoteData" in entry:
                sent.append(json.loads(base64.b64decode(entry["remoteData"]))["elapsed"])
        return states, sent

    @staticmethod
    def told(process, states, sent):
        """The problem in the calls of one process of the phone's app."""
        reports = [report for report in process if "over" in report]
        again = {len(report["states"]) for report in reports if report["over"]}
        for report in reports:
            # When it was lost, the session had `again` states, and it returned with the last of them.
            seen = report["states"]
            seen = [state for place, state in enumerate(seen) if place not in again or state != seen[place - 1]]
            if not is_part(seen, states):
                return f"the phone's app was told of {report['states']}; the session's states are {states}"
            if not is_part(report["messages"], sent):
                return f"the phone's app got messages twice, in disorder or with gaps: {difference(report['messages'], sent)}"
            if report["over"] == "":
                if seen[-1] != ENDED or report is not reports[-1]:
                    return f"the session ended for the phone's app in state {seen[-1]}; then came {reports[-1]}"
                if report["messages"] != sent[len(sent) - len(report["messages"]):]:
                    return f"the last messages did not come to the phone's app: {difference(report['messages'], sent)}"
        return None

    def greeted(self, received, states):
        """What is wrong with the greetings that reached the watch's app. The phone's greets when the session begins, and at
        each call of its start handler after that."""
        calls = 1 + sum(state == before and state not in (NOT_STARTED, ENDED) for before, state in zip(states, states[1:]))
        # The watch's app reports nothing after the workout was finished.
        is_settled = self.finished_at - self.whole_since > SETTLED or not self.happened
        if set(received) - {"hello"} or len(received) > calls or is_settled and len(received) < calls:
            return f"the watch's app received {received}, and the phone's greeted {calls} times"
        return None


def is_part(part, whole):
    return any(whole[start:start + len(part)] == part for start in range(len(whole) - len(part) + 1))


def difference(received, sent):
    missing = [value for value in sent if value not in received]
    others = [value for place, value in enumerate(received) if value not in sent or value in received[:place]]
    return f"{len(received)} of {len(sent)}; {missing[:5]} … {missing[-5:]} are not there, {others[:5]} were there before"
