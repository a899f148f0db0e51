import ArgumentParser
import Bluetooth
import Foundation
import HealthKit
import Recordings

/// `workout record`: a live session.
struct Record: AsyncParsableCommand, TellsDistances {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Records a workout with the paired sensors, and stores it.",
        discussion: """
            A sensor that is away is waited for: the session goes on, and what is missing is a gap. On a terminal the \
            session is shown live: s starts the clock, p pauses, r resumes, l ends a lap, t shows the last ten minutes, q and \
            then y end it. In a pipe, and with --start, it begins at once, and a pipe gets plain lines. Ctrl-C ends and stores \
            it too. What a crash leaves, 'workout recover' finishes.
            """
    )

    @Option(
        help:
            "A sensor's address, or the name of a paired one; may be repeated, the one to prefer first. Default: all paired.",
        completion: StoredCompletion.sensors)
    var sensor: [String] = []

    @Option(
        help: "What is done, by its name: running, cycling, rowing … Default: other.",
        completion: ActivityArgument.completion,
        transform: ActivityArgument.parse)
    var activity = HKWorkoutActivityType.other

    @Flag(help: "It is done indoors.")
    var indoor = false

    @Flag(help: "It is done outdoors.")
    var outdoor = false

    @Flag(help: "Start the clock at once. Else, on a terminal, it is started by s or Enter, once the pulse is seen.")
    var start = false

    @Option(
        help: "Begin a new lap every so often, pauses left out: seconds, or 90s, 5m, from 1 s to 366 days.")
    var lapEvery: DurationArgument?

    @Flag(help: "Pause while no sensor has contact, and go on when one has again.")
    var autoPause = false

    @Flag(help: "Keep what the sensors send, byte for byte, in the log (see --output).")
    var raw = false

    @Option(
        help: """
            End after so long, pauses left out: seconds, or 90s, 45m, 1h30m, 366 days at most. Default: until q or Ctrl-C.
            """)
    var duration: DurationArgument?

    @Option(name: .shortAndLong, help: "Write the session's log to FILE too, as it happens.", completion: .file())
    var output: String?

    @Flag(help: "Print the summary as one JSON object and nothing else.")
    var json = false

    @OptionGroup var distances: UnitOptions

    @OptionGroup var heartRate: TargetOptions
    @OptionGroup var bluetooth: BluetoothOptions
    @OptionGroup var mirror: MirrorOptions
    @OptionGroup var serve: ServeOptions

    func validate() throws {
        if let lapEvery, lapEvery.seconds < 1 { throw ValidationError("--lap-every is 1 s at least.") }
        if indoor, outdoor { throw ValidationError("--indoor and --outdoor: choose one") }
    }

    func run() async throws {
        var environment = mirror.environment(try bluetooth.environment)
        environment.pairedSensors = try environment.readPairedSensors()
        let notices = LiveNotices()
        let description = description
        let specifications = try specifications(environment)
        let straps = specifications.count(where: \.isBluetooth)
        let sensors = try CommandFailure.badInput {
            try environment.makeSensors(specifications, for: description, keepsNotifications: raw) { sensor, event in
                notices.take(event, of: sensor, namesSensor: straps > 1)
            }
        }
        let alarm = try heartRate.alarm(environment.wearer(of: sensors))
        if straps > 0 { try await environment.requireBluetooth() }
        let pages = try await serve.open(environment)
        let id = UUID()
        let log = try output.map { path in try CommandFailure.badInput { try OutputLog(path) } }
        let recorder = try CommandFailure.storeFault {
            return WorkoutRecorder(
                id: id, configuration: description, sensors: sensors, wearer: environment.wearer(of: sensors),
                journal: try environment.makeJournal(for: id), sinks: log.map { [$0] } ?? [], time: environment.time)
        }
        let run = WorkoutRun(
            store: HKHealthStore(environment: environment), recorder: recorder, plannedSeconds: nil, notices: notices)
        if autoPause { await recorder.add(AutoPause(run)) }
        await recorder.add(ClockNotices(notices))
        mirror.startUnasked(run.session) { notices.warn($0) }
        let chores = Chores(run, lapEvery: lapEvery?.seconds, duration: duration?.seconds)
        // A recording begins with its session: there is nothing to wait for.
        let waits = !start && sensors.contains { $0.pace == .wall }
        tellOfProfile(environment, notices)
        if let pages { notices.say(pages.notice) }
        let finished: WorkoutRun.Finished
        do {
            finished = try await CommandFailure.ownFault {
                try await LiveOutput(
                    speed: nil, json: json, alarm: alarm, waits: waits, zonesOf: environment, pages: pages
                ).follow(run)
            }
        } catch {
            chores.cancel()
            await environment.central.close()
            throw error
        }
        chores.cancel()
        await pages?.close()
        await environment.central.close()
        let logFault = log.flatMap { $0.close() }
        if let pairing = try? environment.pairing { notices.learn(pairing) }
        try SummaryOutput(json: json).print(WorkoutSummary(finished, withZonesOf: environment), nil)
        if !json { SavedRun.now.tell(id) }
        if let logFault {
            throw CommandFailure(
                exitCode: .badInput,
                message: "the workout is stored, but its log in \(output ?? "the file") is not whole: \(logFault)")
        }
        try await mirror.finish(run.session, isStored: true)
        if finished.wasInterrupted { throw ExitCode.interrupted }
    }

    /// Once: whoever has a workout stored was told.
    private func tellOfProfile(_ environment: HealthEnvironment, _ notices: LiveNotices) {
        guard environment.wearer(at: environment.time.now())?.heartRateZones == nil,
            (try? StoredWorkouts(environment.database).all(limit: 1).isEmpty) == true
        else { return }
        notices.say("zones and energy want a profile: workout profile --sex … --date-of-birth … --mass …")
    }

    private var description: ActivityDescription {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activity
        configuration.locationType = indoor ? .indoor : outdoor ? .outdoor : .unknown
        return configuration.activityDescription
    }

    /// Those that were named, else what the environment says, else the paired ones.
    func specifications(_ environment: HealthEnvironment) throws -> [SensorSpecification] {
        guard sensor.isEmpty else {
            return try SensorArgument.sensors(sensor, among: environment.pairedSensors).map {
                .bluetooth(address: $0.address.description)
            }
        }
        let specifications = try CommandFailure.badInput { try environment.sensors.get() }
        guard !specifications.isEmpty else {
            throw CommandFailure(
                exitCode: .serviceMissing, message: "no sensor is paired: put it on and run 'workout pair'")
        }
        return specifications
    }
}

extension SensorSpecification {
    fileprivate var isBluetooth: Bool { if case .bluetooth = self { true } else { false } }
}
