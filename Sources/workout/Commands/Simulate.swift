import ArgumentParser
import Foundation
import HealthKit
import Recordings

/// `workout simulate`: the physiological simulator, as a sensor or as a file.
struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs a simulated workout, or writes it out as a recording.",
        discussion: """
            Profiles: \(WorkoutProfile.builtIn.map(\.name).joined(separator: ", ")), or a JSON file. The same profile, \
            seed and duration give the same recording, byte for byte.
            """
    )

    @Option(help: "A built-in profile, or a JSON file that describes one.")
    var profile = "easyRun"

    @Option(help: "Another number, another day.")
    var seed: UInt64 = 1

    @Option(help: "How long: seconds, or 90s, 45m, 1h30m. Default: as long as the profile.")
    var duration: Span?

    @Option(help: "How many times faster than real time; 'max' for as fast as possible.")
    var speed = Speed(1)

    @Option(name: .shortAndLong, help: "Write a recording to FILE ('-': standard output) and run no session.")
    var output: String?

    @Flag(help: "Store the workout.")
    var save = false

    @Flag(help: "Print one JSON object and nothing else.")
    var json = false

    @OptionGroup var mirror: MirrorOptions

    func validate() throws {
        if !mirror.addresses.isEmpty, output != nil {
            throw ValidationError("--mirror mirrors a session, and --output runs none; choose one.")
        }
        if save, output != nil {
            throw ValidationError("--save stores what a session makes of it, and --output runs none; choose one.")
        }
    }

    func run() async throws {
        let name = profile
        let profile = try CommandFailure.badInput { try WorkoutProfile(named: name) }
        let workout = SimulatedWorkout(
            profile: profile, seed: seed, start: output == nil ? Date() : Self.recordedStart,
            duration: duration?.seconds)
        if let output { return try write(workout, to: output) }
        let id = UUID()
        let saving = try await SavedRun(id, isWanted: save)
        let run = try WorkoutRun(
            simulating: workout, activity: profile.activity, speed: speed.factor, id: id, saves: saving == .now,
            environment: mirror.environment())
        try await mirror.start(run.session)
        let finished = try await CommandFailure.ownFault {
            try await LiveOutput(speed: speed.factor, json: json).follow(run)
        }
        try SummaryOutput(json: json).print(WorkoutSummary(finished), nil)
        if !json, let sentence = saving.sentence(id) { print(sentence) }
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
                if encoder.bytes.count > 1 << 16 { flush(&encoder) }
            }
            return flush(&encoder)
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

    private func flush(_ encoder: inout SessionLogEncoder) {
        FileHandle.standardOutput.write(Data(encoder.bytes))
        encoder.removeAll()
    }
}

/// A length of time on the command line: seconds, or hours, minutes and seconds with their letters.
struct Span: ExpressibleByArgument, Equatable {
    var seconds: Double

    init(seconds: Double) {
        self.seconds = seconds
    }

    init?(argument: String) {
        if let plain = Double(argument), plain > 0, plain.isFinite {
            self.init(seconds: plain)
            return
        }
        var total = 0.0
        var digits = ""
        var units: [Character: Double] = ["h": 3600, "m": 60, "s": 1]
        for character in argument {
            if character.isNumber || character == "." {
                digits.append(character)
            } else {
                guard let factor = units.removeValue(forKey: character), let number = Double(digits) else { return nil }
                total += number * factor
                digits = ""
            }
        }
        guard digits.isEmpty, total > 0, total.isFinite else { return nil }
        self.init(seconds: total)
    }
}
