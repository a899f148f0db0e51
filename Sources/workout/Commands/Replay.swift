import ArgumentParser
import Foundation
import HealthKit
import Recordings

/// `workout replay`: runs recordings through a real session.
struct Replay: AsyncParsableCommand, TellsDistances {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Runs a recording through a real workout session and prints its summary.",
        discussion: """
            FILE is a recording of any readable format (FIT, TCX, GPX, CSV, RR intervals, session log, capture), recognised \
            by its content, packed by gzip, alone in a zip archive or not packed; or a pattern in quotes ('rides/*.fit'); \
            '-' is what is piped in. On a terminal the session is shown live (p pause, r resume, l lap, t the \
            last ten minutes, q end); in a pipe it prints plain lines.

            What comes of it is a function of the recording: its wearer's zones and energy, its identity, and, unless the \
            workout is stored or mirrored as one of today, its dates. So --json prints the same on every machine and each \
            day. What this machine knows of its user takes part with --wearer profile.
            """
    )

    @Argument(help: "The recordings.", completion: .file())
    var files: [String]

    @Option(help: "How many times faster than recorded, 0.001 to 1000000; 'max' for as fast as possible.")
    var speed = SpeedArgument(1)

    @Option(help: "Which workout of a file that holds several, from 1 on.", transform: Self.session)
    var session: Int?

    @Flag(help: "Print one JSON object a file and nothing else.")
    var json = false

    @Flag(
        help: """
            With --save or --mirror: keep the recorded dates. Otherwise these make a new workout of now: one that starts \
            now, or, faster than recorded, ends now.
            """)
    var keepDates = false

    @Flag(help: "Store the workout. With --keep-dates, a recording that is stored already is not stored again.")
    var save = false

    @Option(help: "Whose zones and energy: 'recording', or 'profile' (workout profile).")
    var wearer = SensorSpecification.Wearer.recording

    @OptionGroup var heartRate: TargetOptions

    @OptionGroup var distances: UnitOptions

    @OptionGroup var tables: TableArguments

    @OptionGroup var mirror: MirrorOptions

    @OptionGroup var serve: ServeOptions

    func run() async throws {
        let pages = try await serve.open(.current)
        var failure: (any Error)?
        let files = try files.flatMap { try ImportSearch.names($0) }
        for file in files {
            do {
                try await replay(file, pages)
            } catch let error as CommandFailure where files.count > 1 && error.exitCode != .interrupted {
                // One bad file does not keep the others from being read.
                error.report()
                failure = failure ?? error.exitCode
            }
        }
        await pages?.close()
        if let failure { throw failure }
    }

    private static func session(_ text: String) throws -> Int {
        guard let number = Int(text), number > 0 else {
            throw ValidationError("a session is a number from 1 on, not '\(text)'")
        }
        return number
    }

    private func replay(_ file: String, _ pages: PageServer?) async throws {
        let argument = try RecordingArgument(file)
        let formats = RecordingFile.formats(try tables.options())
        let recording = try argument.reading { try RecordingFile.read($0, workout: session ?? 1, formats: formats) }
        guard recording.facts.start != nil else { throw CommandFailure(noWorkoutIn: [recording], of: file) }
        if session == nil, recording.file.workouts > 1 {
            CommandFailure(
                exitCode: .success,
                message:
                    "\(file) holds \(recording.file.workouts) workouts, and this is the first; --session 2 replays the "
                    + "next one, and 'workout import' takes them all"
            ).report()
        }
        let environment = mirror.environment()
        // Nobody but this command sees a workout that is neither stored nor mirrored: it has no reason to be of today.
        let keepsDates = keepDates || !save && mirror.addresses.isEmpty
        let id =
            keepsDates
            ? try argument.reading { try RecordingIdentity.id(of: recording, at: $0, formats) } : UUID()
        let saving = try await SavedRun(id, isWanted: save)
        let run = try CommandFailure.badInput {
            try WorkoutRun(
                replaying: recording, speed: speed.factor, keepsDates: keepsDates,
                wearer: wearer == .profile
                    ? environment.wearer(
                        at: keepsDates ? recording.facts.start ?? environment.time.now() : environment.time.now())
                    : nil, id: id, saves: saving == .now,
                environment: environment)
        }
        let alarm = try heartRate.alarm(run.session.recorder.state.wearer)
        try await mirror.start(run.session)
        let zonesOf = wearer == .profile ? environment : nil
        let finished = try await CommandFailure.ownFault {
            try await LiveOutput(
                speed: speed.factor, json: json, alarm: alarm, zonesOf: zonesOf,
                pages: pages
            ).follow(run)
        }
        let workout = try WorkoutSummary(finished, withZonesOf: zonesOf)
        let file = FileSummary(recording.file)
        SummaryOutput(json: json).print(workout, file)
        if !json { saving.tell(id) }
        try await mirror.finish(run.session, isStored: saving == .now)
        if finished.wasInterrupted { throw ExitCode.interrupted }
    }
}
