import ArgumentParser
import Bluetooth
import Foundation
import HealthKit
import Recordings

/// `workout record`: a live session.
struct Record: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Records a workout with the paired sensors, and stores it.",
        discussion: """
            A sensor that is away is waited for: the session goes on, and what is missing is a gap. On a terminal the \
            session is shown live (p pause, r resume, l lap, q end); in a pipe it prints plain lines. Ctrl-C ends and \
            stores it too. What a crash leaves, 'workout recover' finishes.
            """
    )

    @Option(
        help:
            "A sensor's address, or the name of a paired one; may be repeated, the one to prefer first. Default: all paired."
    )
    var sensor: [String] = []

    @Option(help: "What is done, such as running, cycling, rowing or other.")
    var activity = "other"

    @Flag(help: "It is done indoors.")
    var indoor = false

    @Flag(help: "It is done outdoors.")
    var outdoor = false

    @Option(
        help: "Begin a new lap every so often, pauses left out: seconds, or 90s, 5m, from 1 s to 366 days.")
    var lapEvery: Span?

    @Flag(help: "Pause while no sensor has contact, and go on when one has again.")
    var autoPause = false

    @Flag(help: "Keep what the sensors send, byte for byte, in the log (see --output).")
    var raw = false

    @Option(
        help: """
            End after so long, pauses left out: seconds, or 90s, 45m, 1h30m, 366 days at most. Default: until q or Ctrl-C.
            """)
    var duration: Span?

    @Option(name: .shortAndLong, help: "Write the session's log to FILE too, as it happens.", completion: .file())
    var output: String?

    @Flag(help: "Print the summary as one JSON object and nothing else.")
    var json = false

    @OptionGroup var bluetooth: BluetoothOptions
    @OptionGroup var mirror: MirrorOptions

    func validate() throws {
        if let lapEvery, lapEvery.seconds < 1 { throw ValidationError("--lap-every is 1 s at least.") }
        if indoor, outdoor { throw ValidationError("--indoor and --outdoor: choose one") }
        guard HKWorkoutActivityType(caseName: activity) == nil else { return }
        let names = HKWorkoutActivityType.allActivityTypes.map(\.caseName)
        throw ValidationError("There is no activity '\(activity)'." + NearNames.question(activity, in: names))
    }

    func run() async throws {
        var environment = mirror.environment(try bluetooth.environment)
        environment.pairedSensors = try environment.readPairedSensors()
        let notices = LiveNotices()
        let sensors = try makeSensors(environment, notices)
        if sensors.usesBluetooth { try await environment.requireBluetooth() }
        let description = description
        let id = UUID()
        let log = try output.map { path in try CommandFailure.badInput { try OutputLog(path) } }
        let recorder = try CommandFailure.storeFault {
            return WorkoutRecorder(
                id: id, configuration: description, sensors: sensors.all, wearer: environment.wearer(of: sensors.all),
                journal: try environment.makeJournal(for: id), sinks: log.map { [$0] } ?? [], time: environment.time)
        }
        let run = WorkoutRun(
            store: HKHealthStore(environment: environment), recorder: recorder, plannedSeconds: nil, notices: notices)
        if autoPause { await recorder.add(AutoPause(run)) }
        await recorder.add(ClockNotices(notices))
        mirror.startUnasked(run.session) { notices.warn($0) }
        let chores = Chores(run, lapEvery: lapEvery?.seconds, duration: duration?.seconds)
        let finished: WorkoutRun.Finished
        do {
            finished = try await CommandFailure.ownFault { try await LiveOutput(speed: nil, json: json).follow(run) }
        } catch {
            chores.cancel()
            await environment.central.close()
            throw error
        }
        chores.cancel()
        await environment.central.close()
        let logFault = log.flatMap { $0.close() }
        if let pairing = try? environment.pairing { notices.learn(pairing) }
        try SummaryOutput(json: json).print(WorkoutSummary(finished), nil)
        if !json { SavedRun.now.tell(id) }
        if let logFault {
            throw CommandFailure(
                exitCode: .badInput,
                message: "the workout is stored, but its log in \(output ?? "the file") is not whole: \(logFault)")
        }
        try await mirror.finish(run.session, isStored: true)
        if finished.wasInterrupted { throw ExitCode.interrupted }
    }

    private var description: ActivityDescription {
        ActivityDescription(activity: activity, location: indoor ? .indoor : outdoor ? .outdoor : .unknown)
    }

    private struct Chosen {
        var all: [any Sensor]
        var usesBluetooth: Bool
    }

    /// Those that were named, else what the environment says, else the paired ones.
    private func makeSensors(_ environment: HealthEnvironment, _ notices: LiveNotices) throws -> Chosen {
        var bluetooth: [PairedSensor]
        var all: [any Sensor] = []
        if sensor.isEmpty {
            bluetooth = []
            for specification in try CommandFailure.badInput({ try environment.sensors.get() }) {
                if case .bluetooth(let address) = specification {
                    bluetooth.append(try CommandFailure.badInput { try environment.pairedSensor(address) })
                } else {
                    all.append(
                        try CommandFailure.badInput {
                            try specification.makeSensor(for: description, in: environment)
                        })
                }
            }
            if bluetooth.isEmpty, all.isEmpty {
                throw CommandFailure(
                    exitCode: .serviceMissing, message: "no sensor is paired: put it on and run 'workout pair'")
            }
        } else {
            bluetooth = try SensorArgument.sensors(sensor, among: environment.pairedSensors)
        }
        if !bluetooth.isEmpty {
            let namesSensors = bluetooth.count > 1
            all.append(
                environment.makeSensor(bluetooth, for: description, keepsNotifications: raw) { sensor, event in
                    notices.take(event, of: sensor, namesSensor: namesSensors)
                })
        }
        return Chosen(all: all, usesBluetooth: !bluetooth.isEmpty)
    }
}
