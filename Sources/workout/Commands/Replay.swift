import ArgumentParser
import Foundation
import HealthKit
import Recordings

/// `workout replay`: runs recordings through a real session.
struct Replay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs a recording through a real workout session and prints its summary.",
        discussion: """
            FILE is a recording of any readable format (FIT, session log), recognised by its content. On a terminal \
            the session is shown live (p pause, r resume, l lap, q end); in a pipe it prints plain lines.
            """
    )

    @Argument(help: "The recordings.", completion: .file())
    var files: [String]

    @Option(help: "How many times faster than recorded; 'max' for as fast as possible.")
    var speed = Speed(1)

    @Flag(help: "Print one JSON object a file and nothing else.")
    var json = false

    @Flag(help: "Keep the recorded dates; otherwise the workout starts now.")
    var keepDates = false

    @Flag(help: "Store the workout. With --keep-dates, a recording that is stored already is not stored again.")
    var save = false

    @OptionGroup var mirror: MirrorOptions

    func run() async throws {
        var failure: (any Error)?
        for file in files {
            do {
                try await replay(file)
            } catch let error as CommandFailure where files.count > 1 && error.exitCode != .interrupted {
                // One bad file does not keep the others from being read.
                error.report()
                failure = failure ?? error.exitCode
            }
        }
        if let failure { throw failure }
    }

    private func replay(_ file: String) async throws {
        let recording = try CommandFailure.badInput { try RecordingFile.read(URL(fileURLWithPath: file)) }
        let id = save && keepDates ? recording.id : UUID()
        let saving = try await SavedRun(id, isWanted: save)
        let run = try CommandFailure.badInput {
            try WorkoutRun(
                replaying: recording, speed: speed.factor, keepsDates: keepDates, id: id, saves: saving == .now,
                environment: mirror.environment())
        }
        try await mirror.start(run.session)
        let finished = try await CommandFailure.ownFault {
            try await LiveOutput(speed: speed.factor, json: json).follow(run)
        }
        let workout = try WorkoutSummary(finished)
        let file = FileSummary(recording.file)
        SummaryOutput(json: json).print(workout, file)
        if !json, let sentence = saving.sentence(id) { print(sentence) }
        try await mirror.finish(run.session, isStored: saving == .now)
        if finished.wasInterrupted { throw ExitCode.interrupted }
    }
}

/// What becomes of a run in the store.
enum SavedRun: Equatable {
    case never, now, before

    /// Fails where the store does, before a run that may take hours.
    init(_ id: UUID, isWanted: Bool, environment: HealthEnvironment = .current) async throws {
        guard isWanted else {
            self = .never
            return
        }
        self = try await CommandFailure.ownFault {
            try StoredWorkouts(environment.database).contains(id) ? .before : .now
        }
    }

    func sentence(_ id: UUID) -> String? {
        switch self {
        case .never: nil
        case .now: "\nstored as \(id.uuidString)"
        case .before: "\nstored already as \(id.uuidString)"
        }
    }
}

/// A replay's speed on the command line.
struct Speed: ExpressibleByArgument, CustomStringConvertible {
    var factor: Double

    init(_ factor: Double) {
        self.factor = factor
    }

    init?(argument: String) {
        guard let factor = SensorSpecification.speed(parsing: argument) else { return nil }
        self.factor = factor
    }

    var description: String { factor.isInfinite ? "max" : factor.formatted() }
    var defaultValueDescription: String { description }
}
