import ArgumentParser
import Bluetooth
import Engine
import Foundation
import GATT
import HealthKit
import SessionLog
import StoredWorkouts

/// `workout record`: records a live session.
struct Record: AsyncParsableCommand, UnitConfigurable {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record a workout with the paired sensors and save it.",
        discussion: """
            If a sensor is away the session continues; the missing time is a gap.

            On a terminal the session is shown live. Keys: s starts the clock, p pauses, r resumes, l adds a lap, t shows the \
            last ten minutes, and q, then y, ends it. If output is piped, with --start, or if all sensors are simulated or \
            replayed, the clock starts at once; piped \
            output is plain lines. Ctrl-C ends and saves the workout too. 'workout recover' saves a workout that a crash \
            interrupted.

            A trainer that speaks the Fitness Machine profile holds what --erg, --grade or --plan asks for. Each step of a plan \
            is a lap. Keys: + and - change the intensity, n begins the next step, e releases the trainer, and so does a \
            pause.

            Examples:
              workout record --activity running --target zone2
              workout record --serve --duration 45m
              workout record --activity cycling --indoor --plan intervals.zwo
            """
    )

    @Option(
        help:
            """
            The address of a sensor, or the name of a paired one; repeatable, preferred sensor first. Default: all paired \
            sensors.
            """,
        completion: StoredCompletion.sensors)
    var sensor: [String] = []

    @OptionGroup var what: ActivityOptions

    @Flag(
        help: """
            Start the clock at once. Otherwise press s or Enter once a heart rate appears; simulated and replayed sensors \
            start it themselves.
            """)
    var start = false

    @Option(
        help: """
            Start a new lap at this interval, excluding pauses: seconds, or with units: 90s, 5m, 1h30m (1 s to 366 days).
            """)
    var lapEvery: DurationArgument?

    @Flag(help: "Pause while no sensor has skin contact; resume when one has.")
    var autoPause = false

    @Flag(help: "Keep the raw bytes that sensors send in the log (see --output).")
    var raw = false

    @Option(
        help: """
            Stop after this long, excluding pauses: seconds, or with units: 90s, 5m, 1h30m (366 days at most). Default: until \
            q or Ctrl-C.
            """)
    var duration: DurationArgument?

    @Option(name: .shortAndLong, help: "Also write the session's log to FILE while recording.", completion: .file())
    var output: String?

    @Flag(help: "Print the summary as one JSON object.")
    var json = false

    @OptionGroup var distances: UnitOptions

    @OptionGroup var heartRate: TargetOptions
    @OptionGroup var trainer: TrainerOptions
    @OptionGroup var polar: PolarOptions
    @OptionGroup var bluetooth: BluetoothOptions
    @OptionGroup var mirror: MirrorOptions
    @OptionGroup var publish: PublishOptions
    @OptionGroup var serve: ServeOptions
    @OptionGroup var broadcast: BroadcastOptions

    func validate() throws {
        if let lapEvery, lapEvery.seconds < 1 { throw ValidationError("--lap-every must be 1 s or more.") }
    }

    func run() async throws {
        var environment = mirror.environment(try bluetooth.environment)
        environment.pairedSensors = try environment.readPairedSensors()
        let printer: @Sendable (String) -> Void = { CommandOutput.error.print($0) }
        let notices = LiveNotices(print: json ? printer : nil)
        let description = what.description
        let specifications = try specifications(environment)
        let addresses = specifications.compactMap(\.deviceAddress)
        let straps = addresses.count
        let relay = LinkRelay()
        let plan = try trainer.plan(environment, for: description.activity).map { plan in
            PlanRun(plan, sensorCount: straps, notices)
        }
        let sensors = try CommandFailure.badInput {
            try environment.makeSensors(
                specifications, for: description, keepsNotifications: raw, trainer: plan?.trainer,
                streams: polar.streams,
                observe: { sensor, event in
                    notices.handle(event, of: sensor, namesSensor: straps > 1)
                    relay.happened(event, of: sensor)
                },
                warn: { notices.warn($0) })
        }
        let alarm = try heartRate.alarm(environment.wearer(of: sensors))
        try await environment.requireRadio(of: addresses)
        let pages = try await serve.open(environment)
        let broadcasting = try await open(specifications, environment, notices)
        let id = UUID()
        let log = try output.map { path in try CommandFailure.badInput { try OutputLog(path) } }
        let recorder = try CommandFailure.storeFault {
            return WorkoutRecorder(
                id: id, configuration: description, sensors: sensors, wearer: environment.wearer(of: sensors),
                journal: try environment.makeJournal(for: id), sinks: log.map { [$0] } ?? [], time: environment.time)
        }
        let run = WorkoutRun(
            store: HKHealthStore(environment: environment), recorder: recorder, plannedSeconds: nil, notices: notices,
            plan: plan)
        if autoPause { await recorder.add(AutoPause(run)) }
        await recorder.add(ClockNotices(notices))
        mirror.startUnasked(run.session) { notices.warn($0) }
        let published = try publish.start(run, environment)
        let chores = SessionAutomation(run, lapEvery: lapEvery?.seconds, duration: duration?.seconds)
        // A session from recordings starts at once: there is nothing to wait for.
        let waits = !start && sensors.contains { $0.pace == .wall }
        notifyOfProfile(environment, environment.wearer(of: sensors), notices)
        if let pages { notices.show(pages.notice) }
        // Straps are passed on as they are, also in a pause.
        if straps > 0 { relay.broadcast(on: broadcasting) } else { await broadcasting?.follow(run.session) }
        let finished: WorkoutRun.Finished
        do {
            finished = try await CommandFailure.ownFault {
                try await LiveOutput(
                    speed: nil, json: json, alarm: alarm, waits: waits, zonesOf: environment, pages: pages
                ).follow(run)
            }
        } catch {
            chores.cancel()
            await broadcasting?.close()
            await environment.central.close()
            throw error
        }
        chores.cancel()
        await broadcasting?.close()
        await pages?.close()
        await published.finish()
        await environment.central.close()
        let logFault = log.flatMap { $0.close() }
        if let pairing = try? environment.pairing { notices.learn(pairing) }
        try SummaryOutput(json: json).print(WorkoutSummary(finished, withZonesOf: environment), nil)
        if !json { SavedRun.now.notify(id) }
        if let logFault {
            throw CommandFailure(
                exitCode: .badInput,
                message: "the workout is saved, but its log in \(output ?? "the file") is incomplete: \(logFault)")
        }
        try await mirror.finish(run.session, isStored: true)
        if finished.wasInterrupted { throw ExitCode.interrupted }
    }

    private func open(
        _ specifications: [SensorSpecification], _ environment: HealthEnvironment, _ notices: LiveNotices
    ) async throws -> RunningBroadcast? {
        let straps = specifications.compactMap(\.deviceAddress)
        let sensors = straps.map { address in
            environment.pairedSensors.first { $0.address == address } ?? PairedSensor(address: address)
        }
        return try await broadcast.open(
            sensors.isEmpty
                ? BroadcastOffer(types: [], activity: what.description.activity) : BroadcastOffer(sensors),
            sparing: Set(straps)
        ) { notices.show($0) }
    }

    /// Shows the notice about the profile once: a user with a stored workout has seen it.
    private func notifyOfProfile(
        _ environment: HealthEnvironment, _ wearer: WearerProfile?, _ notices: LiveNotices
    ) {
        guard wearer?.heartRateZones == nil,
            (try? StoredWorkouts(environment.database).all(limit: 1).isEmpty) == true
        else { return }
        notices.show("For zones and calories, set up a profile: workout profile --sex … --date-of-birth … --mass …")
    }

    /// Returns the sensors of the arguments, or else of the environment, or else the paired ones.
    func specifications(_ environment: HealthEnvironment) throws -> [SensorSpecification] {
        guard sensor.isEmpty else {
            return try SensorArgument.sensors(sensor, among: environment.pairedSensors).map {
                SensorSpecification($0.address)
            }
        }
        let specifications = try CommandFailure.badInput { try environment.sensors.get() }
        guard !specifications.isEmpty else {
            throw CommandFailure(
                exitCode: .serviceMissing, message: "no sensor is paired: put one on, then run: workout pair")
        }
        return specifications
    }
}

/// Reports in the live view that the machine's clock was set. The recording continues on its previous time.
final class ClockNotices: SessionLogSink {
    private let notices: LiveNotices

    init(_ notices: LiveNotices) {
        self.notices = notices
    }

    func append(_ entry: SessionEntry) {
        guard case .clockSet(let seconds) = entry.content else { return }
        notices.warn(Self.sentence(seconds))
    }

    static func sentence(_ seconds: Double) -> String {
        let direction = seconds < 0 ? "back" : "forward"
        let length = MetricFormat.time(abs(seconds))
        return "the system clock was set \(direction) by \(length); the workout keeps its own time"
    }
}
