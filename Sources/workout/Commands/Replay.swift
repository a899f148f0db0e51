import ArgumentParser
import Bluetooth
import Engine
import Foundation
import HealthKit
import Recordings
import SessionLog
import StoredWorkouts

/// `workout replay`: runs recordings through a real session.
struct Replay: AsyncParsableCommand, UnitConfigurable {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Replay a recording through a real workout session and print its summary.",
        discussion: """
            FILE is a recording (FIT, TCX, GPX, CSV, RR intervals, session log or Bluetooth capture; plain, gzipped or a zip \
            containing one file), a quoted glob ('rides/*.fit'), or '-' for standard input. Formats are detected by content. \
            On a terminal the session is shown live (p pause, r resume, l lap, t the last ten minutes, q end); piped output \
            is plain lines.

            Replays are deterministic: zones, energy, identity and (unless stored or mirrored as a new workout) dates come \
            from the recording, so --json output is identical everywhere. Use --wearer profile to apply your own profile.

            Examples:
              workout replay ride.fit --speed 60
              workout replay ride.fit --speed max --save --keep-dates
            """
    )

    @Argument(help: "The recordings to replay.", completion: .file())
    var files: [String]

    @Option(help: "Speed factor, 0.001 to 1000000, or 'max' for as fast as possible.")
    var speed = SpeedArgument(1)

    @Option(help: "Which workout to use if the file holds several (1 is the first).", transform: Self.session)
    var session: Int?

    @Flag(help: "Print one JSON object per file.")
    var json = false

    @Flag(
        help: """
            With --save or --mirror: keep the recorded dates. Otherwise the workout is dated now (it ends now if replayed \
            faster).
            """)
    var keepDates = false

    @Flag(help: "Save the workout. With --keep-dates, a recording that is already stored is skipped.")
    var save = false

    @Option(help: "Use the zones and energy of the recording ('recording') or of your own profile ('profile').")
    var wearer = SensorSpecification.Wearer.recording

    @OptionGroup var heartRate: TargetOptions

    @OptionGroup var distances: UnitOptions

    @OptionGroup var tables: TableArguments

    @OptionGroup var mirror: MirrorOptions

    @OptionGroup var publish: PublishOptions
    @OptionGroup var serve: ServeOptions

    @OptionGroup var broadcast: BroadcastOptions

    func validate() throws {
        if broadcast.broadcast, speed.factor.isInfinite {
            throw ValidationError("--broadcast needs a speed at which other devices can follow, not 'max'.")
        }
    }

    func run() async throws {
        let pages = try await serve.open(.current)
        var failure: (any Error)?
        let files = try files.flatMap { try ImportSearch.names($0) }
        for file in files {
            do {
                try await replay(file, pages)
            } catch let error as CommandFailure where files.count > 1 && error.exitCode != .interrupted {
                // A bad file does not keep the others from being read.
                error.report()
                failure = failure ?? error.exitCode
            }
        }
        await pages?.close()
        if let failure { throw failure }
    }

    private static func session(_ text: String) throws -> Int {
        guard let number = Int(text), number > 0 else {
            throw ValidationError("--session must be 1 or more, not '\(text)'")
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
                    "\(file) holds \(recording.file.workouts) workouts; this is the first. Use --session 2 for the "
                    + "second, or 'workout import' for all"
            ).report()
        }
        let environment = mirror.environment()
        // Only this command sees a workout that is neither stored nor mirrored, so it need not be dated today.
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
        let published = try publish.start(run, environment)
        let alarm = try heartRate.alarm(run.session.recorder.state.wearer)
        let broadcasting = try await broadcast.open(
            BroadcastOffer(recording.entries, activity: recording.activity.activity)
        ) { run.notices.show($0) }
        await broadcasting?.follow(run.session)
        try await mirror.start(run.session)
        let zonesOf = wearer == .profile ? environment : nil
        let finished = try await CommandFailure.ownFault {
            try await LiveOutput(
                speed: speed.factor, json: json, alarm: alarm, zonesOf: zonesOf,
                pages: pages
            ).follow(run)
        }
        await broadcasting?.close()
        let workout = try WorkoutSummary(finished, withZonesOf: zonesOf)
        let file = FileSummary(recording.file)
        SummaryOutput(json: json).print(workout, file)
        if !json { saving.notify(id) }
        await published.finish()
        try await mirror.finish(run.session, isStored: saving == .now)
        if finished.wasInterrupted { throw ExitCode.interrupted }
    }
}
