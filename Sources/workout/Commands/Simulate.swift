import ArgumentParser
import Bluetooth
import Engine
import Foundation
import HealthKit
import SessionLog
import StoredWorkouts

/// `workout simulate`: simulates the physiology of a workout, as a sensor or as a file.
struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Run a simulated workout, or write it to a recording.",
        discussion: """
            Profiles: \(WorkoutProfile.builtIn.map(\.name).joined(separator: ", ")), or a JSON file. The same profile, seed, \
            start and duration always produce the same recording, byte for byte.

            Examples:
              workout simulate --profile easyRun --speed 60
              workout simulate --start 2026-01-01 --every 2d --save
            """
    )

    @Option(
        help: "A built-in profile, or a JSON file with a profile.",
        completion: .list(WorkoutProfile.builtIn.map(\.name)))
    var profile = "easyRun"

    @Option(help: "Random seed; each number gives a different workout.")
    var seed: UInt64 = 1

    @Option(
        help: """
            How long: seconds, or with units: 90s, 5m, 1h30m (1 s to 366 days). Default: the profile's duration.
            """)
    var duration: DurationArgument?

    @Option(help: "Speed factor, 0.001 to 1000000, or 'max' for as fast as possible.")
    var speed = SpeedArgument(1)

    @Option(
        help: """
            Start of the workout: \(DateArgument.help) A date without a time means 08:00. Default: now (if faster than real \
            time, it ends now); for a recording 2026-01-01T08:00Z.
            """, transform: { try DateArgument.parse($0) })
    var start: DateArgument?

    @Option(
        help: """
            Simulate one workout per interval since --start, such as 2d or 1w, each with the next seed, until now or --count. \
            Runs as fast as possible.
            """)
    var every: StatisticsInterval?

    @Option(help: "Number of workouts, with --every.")
    var count: Int?

    @Option(
        name: .shortAndLong,
        help:
            """
            Write a recording to FILE ('-': standard output) instead of running a session. With --every, FILE is a \
            folder.
            """,
        completion: .file())
    var output: String?

    @Flag(help: "Save the workout. With --start, a workout that is already stored is skipped.")
    var save = false

    @Flag(help: "Print one JSON object per workout.")
    var json = false

    @Option(
        help: """
            Use the zones and energy of the simulated athlete ('recording') or of your own profile ('profile').
            """)
    var wearer = SensorSpecification.Wearer.recording

    @OptionGroup var mirror: MirrorOptions
    @OptionGroup var publish: PublishOptions
    @OptionGroup var serve: ServeOptions
    @OptionGroup var broadcast: BroadcastOptions

    func validate() throws {
        if broadcast.broadcast, output != nil || every != nil || speed.factor.isInfinite {
            throw ValidationError(
                "--broadcast needs a session at a speed at which other devices can follow; remove --output, --every and "
                    + "--speed max.")
        }
        if let duration, !SensorSpecification.durationsInSeconds.contains(duration.seconds) {
            throw ValidationError("--duration must be 1 s to 366 days.")
        }
        if !mirror.addresses.isEmpty, output != nil {
            throw ValidationError("--mirror needs a session, and --output runs none; choose one.")
        }
        if serve.isWanted, output != nil || every != nil {
            throw ValidationError("--serve shows a running session; remove --output and --every.")
        }
        if !publish.addresses.isEmpty, output != nil || every != nil {
            throw ValidationError("--publish shows a running session; remove --output and --every.")
        }
        if save, output != nil {
            throw ValidationError("--save needs a session, and --output runs none; choose one.")
        }
        if let count, !(1...SimulatedHistory.mostWorkouts).contains(count) {
            throw ValidationError("--count must be 1 to \(SimulatedHistory.mostWorkouts).")
        }
        guard every != nil else {
            if count != nil { throw ValidationError("--count needs --every.") }
            return
        }
        if start == nil { throw ValidationError("--every needs --start, such as --start 2026-01-01.") }
        if !mirror.addresses.isEmpty {
            throw ValidationError("--every simulates a history, and --mirror mirrors one session; choose one.")
        }
        if output == "-" || (output == nil && !save) {
            throw ValidationError("--every needs --save (into the store) or -o (into a folder).")
        }
    }

    func run() async throws {
        let name = profile
        let profile = try CommandFailure.badInput { try WorkoutProfile(named: name) }
        guard let every, let start else { return try await runOne(profile) }
        let history = try SimulatedHistory(
            profile: profile, firstSeed: seed, start: start.startOfWorkout, every: every, count: count,
            duration: duration?.seconds)
        if let output {
            try CommandFailure.badInput {
                try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
            }
        }
        for workout in history.workouts {
            if let output {
                let file = URL(fileURLWithPath: output).appending(path: SimulatedHistory.fileName(of: workout))
                try write(workout, to: file.path)
                if !json { print(file.path) }
            } else {
                try await session(of: workout, SpeedArgument(.infinity), isDated: true, isOneOfMany: true)
            }
        }
    }

    private func runOne(_ profile: WorkoutProfile) async throws {
        let workout = SimulatedWorkout(
            profile: profile, seed: seed,
            start: start?.startOfWorkout ?? (output == nil ? Date() : Self.recordedStart), duration: duration?.seconds)
        if let output { return try write(workout, to: output) }
        try await session(of: workout, speed, isDated: start != nil, isOneOfMany: false)
    }

    /// - Parameter isDated: Whether the workout has its own dates. Otherwise it is dated now.
    private func session(
        of workout: SimulatedWorkout, _ speed: SpeedArgument, isDated: Bool, isOneOfMany: Bool
    ) async throws {
        let environment = mirror.environment()
        let id = isDated && workout.seconds != nil ? workout.recording.id : UUID()
        let saving = try await SavedRun(id, isWanted: save)
        if isOneOfMany, saving == .before {
            if !json { print("\(SimulatedHistory.title(of: workout))  already stored as \(id.uuidString)") }
            return
        }
        let run = try CommandFailure.badInput {
            try WorkoutRun(
                simulating: workout, speed: speed.factor, keepsDates: isDated,
                wearer: wearer == .profile ? environment.wearer : nil, id: id, saves: saving == .now,
                environment: environment)
        }
        let pages = try await serve.open(environment)
        let broadcasting = try await broadcast.open(
            BroadcastOffer(workout.prefix(20_000), activity: workout.profile.activity.activity)
        ) { run.notices.show($0) }
        await broadcasting?.follow(run.session)
        let published = try publish.start(run, environment)
        try await mirror.start(run.session)
        let zonesOf = wearer == .profile ? environment : nil
        let finished = try await CommandFailure.ownFault {
            try await LiveOutput(
                speed: speed.factor, json: json, zonesOf: zonesOf, pages: pages
            ).follow(run)
        }
        await broadcasting?.close()
        await pages?.close()
        if isOneOfMany, !json {
            print("\(SimulatedHistory.title(of: workout))  stored as \(id.uuidString)")
        } else {
            let summary = try WorkoutSummary(finished, withZonesOf: zonesOf)
            SummaryOutput(json: json).print(summary, nil)
            if !json { saving.notify(id) }
        }
        await published.finish()
        try await mirror.finish(run.session, isStored: saving == .now)
        if finished.wasInterrupted { throw ExitCode.interrupted }
    }

    /// The start of all simulated recordings, whenever they are made: 2026-01-01 08:00 UTC.
    static let recordedStart = Date(timeIntervalSince1970: 1_767_254_400)

    private func write(_ workout: SimulatedWorkout, to path: String) throws {
        if path == "-" {
            var encoder = SessionLogEncoder()
            for entry in workout {
                try encoder.append(entry)
                guard encoder.bytes.count > 1 << 16 else { continue }
                CommandOutput.standard.write(encoder.bytes)
                encoder.removeAll()
                if CommandOutput.standard.isClosed { return }
            }
            return CommandOutput.standard.write(encoder.bytes)
        }
        guard !FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(
                exitCode: .badInput,
                message: "cannot write \(path): it already exists; remove it or choose another name")
        }
        try CommandFailure.badInput {
            var writer = try SessionLogWriter(URL(fileURLWithPath: path))
            for entry in workout {
                try writer.append(entry)
                if writer.pendingByteCount > 1 << 16 { try writer.flush() }
            }
            try writer.close()
        }
    }
}
