import ArgumentParser
import Foundation
import HealthKit
import Recordings

/// `workout simulate`: the physiological simulator, as a sensor or as a file.
struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Runs a simulated workout, or writes it out as a recording.",
        discussion: """
            Profiles: \(WorkoutProfile.builtIn.map(\.name).joined(separator: ", ")), or a JSON file. The same profile, \
            seed, start and duration give the same recording, byte for byte. Months of history:

              workout simulate --start 2026-01-01 --every 2d --save
            """
    )

    @Option(
        help: "A built-in profile, or a JSON file that describes one.",
        completion: .list(WorkoutProfile.builtIn.map(\.name)))
    var profile = "easyRun"

    @Option(help: "Another number, another day.")
    var seed: UInt64 = 1

    @Option(help: "How long: seconds, or 90s, 45m, 1h30m, from 1 s to 366 days. Default: as long as the profile.")
    var duration: DurationArgument?

    @Option(help: "How many times faster than real time, 0.001 to 1000000; 'max' for as fast as possible.")
    var speed = SpeedArgument(1)

    @Option(
        help: """
            When the workout was: \(DateArgument.help) Of a whole day: 8 in the morning. Default: now; faster than real time, \
            it ends now. Of a recording: 2026-01-01T08:00Z.
            """, transform: { try DateArgument.parse($0) })
    var start: DateArgument?

    @Option(
        help: """
            From --start on, one workout every so often, such as 2d or 1w, each with the next seed: until now, or as many as \
            --count says. As fast as possible.
            """)
    var every: StatisticsInterval?

    @Option(help: "With --every: how many workouts.")
    var count: Int?

    @Option(
        name: .shortAndLong,
        help:
            "Write a recording to FILE ('-': standard output) and run no session. With --every: one for each into the folder FILE.",
        completion: .file())
    var output: String?

    @Flag(help: "Store the workout. With --start, one that is stored already is not stored again.")
    var save = false

    @Flag(help: "Print one JSON object a workout and nothing else.")
    var json = false

    @Option(help: "Whose zones and energy: 'recording' (the simulated athlete), or 'profile' (workout profile).")
    var wearer = SensorSpecification.Wearer.recording

    @OptionGroup var mirror: MirrorOptions
    @OptionGroup var serve: ServeOptions

    func validate() throws {
        if let duration, !SensorSpecification.durationsInSeconds.contains(duration.seconds) {
            throw ValidationError("--duration is 1 s at least, and 366 days at most.")
        }
        if !mirror.addresses.isEmpty, output != nil {
            throw ValidationError("--mirror mirrors a session, and --output runs none; choose one.")
        }
        if serve.isWanted, output != nil || every != nil {
            throw ValidationError("--serve shows a session that runs: not with --output or --every.")
        }
        if save, output != nil {
            throw ValidationError("--save stores what a session makes of it, and --output runs none; choose one.")
        }
        if let count, !(1...SimulatedHistory.mostWorkouts).contains(count) {
            throw ValidationError("--count is a number from 1 to \(SimulatedHistory.mostWorkouts).")
        }
        guard every != nil else {
            if count != nil { throw ValidationError("--count says how many workouts --every makes; name both.") }
            return
        }
        if start == nil { throw ValidationError("--every counts from --start, such as --start 2026-01-01; name both.") }
        if !mirror.addresses.isEmpty {
            throw ValidationError("--every makes a history, and --mirror mirrors one session.")
        }
        if output == "-" || (output == nil && !save) {
            throw ValidationError("--every makes workouts to keep: with --save in the store, with -o in a folder.")
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

    /// - Parameter isDated: The workout has its own dates; otherwise it is one of now.
    private func session(
        of workout: SimulatedWorkout, _ speed: SpeedArgument, isDated: Bool, isOneOfMany: Bool
    ) async throws {
        let environment = mirror.environment()
        let id = isDated && workout.seconds != nil ? workout.recording.id : UUID()
        let saving = try await SavedRun(id, isWanted: save)
        if isOneOfMany, saving == .before {
            if !json { print("\(SimulatedHistory.title(of: workout))  stored already as \(id.uuidString)") }
            return
        }
        let run = try CommandFailure.badInput {
            try WorkoutRun(
                simulating: workout, speed: speed.factor, keepsDates: isDated,
                wearer: wearer == .profile ? environment.wearer : nil, id: id, saves: saving == .now,
                environment: environment)
        }
        let pages = try await serve.open(environment)
        try await mirror.start(run.session)
        let zonesOf = wearer == .profile ? environment : nil
        let finished = try await CommandFailure.ownFault {
            try await LiveOutput(
                speed: speed.factor, json: json, zonesOf: zonesOf, pages: pages
            ).follow(run)
        }
        await pages?.close()
        if isOneOfMany, !json {
            print("\(SimulatedHistory.title(of: workout))  stored as \(id.uuidString)")
        } else {
            let summary = try WorkoutSummary(finished, withZonesOf: zonesOf)
            SummaryOutput(json: json).print(summary, nil)
            if !json { saving.tell(id) }
        }
        try await mirror.finish(run.session, isStored: saving == .now)
        if finished.wasInterrupted { throw ExitCode.interrupted }
    }

    /// Recordings of the simulator are dated alike, whenever they are made: 2026-01-01 08:00 UTC.
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
                message: "cannot write \(path): it is there already; remove it or name another file")
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
