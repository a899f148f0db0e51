import Analytics
import ArgumentParser
import Foundation
import HealthKit
import Recordings

/// `workout analyze`: what a workout says of the training, or all of them over months.
struct Analyze: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyze",
        abstract: "Says what a workout, or months of them, mean for the training.",
        discussion: """
            A workout is the ID of a stored one or a recording of any readable format: time in zones, heart-rate variability, DFA \
            alpha1 with its thresholds (an estimate), training load after Banister, Edwards and Lucia, recovery, best efforts, \
            power. What is not to be had says why. Pauses are no time, and nothing reaches over one. Without a workout: fitness, \
            fatigue and form (42 and 7 days, of Banister's load) and the resting heart rate, day by day.

              workout analyze 8F3A
              workout analyze ride.fit --wearer profile --json
              workout analyze --from 6mo
            """)

    @Argument(
        help: "The ID of a stored workout, or a recording; '-' is what is piped in.", completion: .file())
    var workout: String?

    @OptionGroup var range: DateRangeArguments

    @Option(help: "Which workout of a file that holds several, from 1 on.")
    var session: Int?

    @Option(help: "Whose heart rates and zones a recording is read with: 'recording', or 'profile' (workout profile).")
    var wearer = SensorSpecification.Wearer.recording

    @OptionGroup var tables: TableArguments

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        if let session, session < 1 { throw ValidationError("--session is a number from 1 on.") }
        if workout != nil, range.start != nil || range.end != nil {
            throw ValidationError("--from and --to are for all workouts; name none with them.")
        }
    }

    func run() async throws {
        let environment = HealthEnvironment.current
        let page = Page.standard(columnsInPipe: 100)
        let lines: [String]
        if let workout {
            let report = try await report(of: workout, environment)
            lines = json ? [report.json] : report.lines(page)
        } else {
            let report = try await CommandFailure.ownFault { try self.history(environment, page.timeZone) }
            lines = json ? [report.json] : report.lines(page)
        }
        CommandOutput.standard.print(styled: lines)
    }

    func report(of name: String, _ environment: HealthEnvironment) async throws -> AnalysisReport {
        if name == "-" || FileManager.default.fileExists(atPath: name) {
            return try await report(ofRecording: name, environment)
        }
        return try await CommandFailure.ownFault {
            let workout = try StoredWorkouts(environment.database).workout(name)
            let athlete = try environment.athlete(at: workout.startDate)
            return AnalysisReport(
                summary: try WorkoutSummary(workout, in: environment.database, wearer: athlete.wearer),
                analysis: try WorkoutAnalysis(workout, in: environment.database, athlete))
        }
    }

    /// What its replay says, and the fold over the same log.
    private func report(ofRecording name: String, _ environment: HealthEnvironment) async throws -> AnalysisReport {
        let argument = try RecordingArgument(name)
        let formats = RecordingFile.formats(try tables.options())
        let recording = try argument.reading { try RecordingFile.read($0, workout: session ?? 1, formats: formats) }
        guard let start = recording.facts.start else { throw CommandFailure(noWorkoutIn: [recording], of: name) }
        let athlete =
            wearer == .profile
            ? try environment.athlete(at: start) : WorkoutAnalysis.Athlete(wearer: recording.facts.wearer)
        let id = try argument.reading { try RecordingIdentity.id(of: recording, at: $0, formats) }
        let run = try CommandFailure.badInput {
            try WorkoutRun(
                replaying: recording, speed: .infinity, keepsDates: true, wearer: athlete.wearer, id: id, saves: false,
                environment: environment)
        }
        let finished = try await CommandFailure.ownFault { try await run.run() }
        return try CommandFailure.badInput {
            var analysis = WorkoutAnalysis(athlete)
            try finished.log.forEach { analysis.take($0) }
            // What was measured after the end is no part of the session.
            if let end = finished.state.workoutEnd {
                for entry in recording.entriesWithReadings where entry.date > end { analysis.take(entry) }
            }
            return AnalysisReport(
                summary: try WorkoutSummary(finished), analysis: analysis, isWithoutProfile: wearer == .recording)
        }
    }

    func history(_ environment: HealthEnvironment, _ timeZone: TimeZone) throws -> TrainingHistoryReport {
        TrainingHistoryReport(
            history: try TrainingHistory(
                in: environment, from: range.start, to: range.end ?? environment.time.now(), timeZone))
    }
}

extension HealthEnvironment {
    /// Whom figures of a workout of that date are of: what the profile says.
    func athlete(at date: Date) throws -> WorkoutAnalysis.Athlete {
        let profile = try profile()
        return WorkoutAnalysis.Athlete(
            wearer: wearer(at: date), thresholdPowerInWatts: profile.thresholdPowerInWatts,
            ventilatoryThresholds: profile.ventilatoryThresholds.flatMap { HeartRateZones(lowerBounds: $0) })
    }
}
