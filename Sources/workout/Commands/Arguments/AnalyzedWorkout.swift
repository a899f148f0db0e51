import Analytics
import Foundation
import HealthKit
import Recordings
import SessionLog
import StoredWorkouts

/// A workout named on the command line, stored or in a recording: its summary, its analysis and the entries behind
/// both.
struct AnalyzedWorkout {
    /// As it was typed.
    var name: String
    var report: AnalysisReport
    private var source: Source

    private enum Source {
        case stored(HKWorkout, any HealthDatabase)
        case log(any SessionEntries)
    }

    /// How to read a recording.
    struct Options {
        /// Which workout of a file with several, counted from 1. Nil means the first.
        var session: Int?
        var wearer = SensorSpecification.Wearer.recording
        var tables = TableOptions()
    }

    /// - Parameter name: The ID of a stored workout, a file, or `-`.
    init(_ name: String, _ options: Options, _ environment: HealthEnvironment) async throws {
        if name == "-" || FileManager.default.fileExists(atPath: name) {
            try await self.init(recording: name, options, environment)
        } else {
            self = try await CommandFailure.ownFault {
                try AnalyzedWorkout(StoredWorkouts(environment.database).workout(name), environment)
            }
        }
    }

    /// Analyses a stored workout.
    init(_ workout: HKWorkout, _ environment: HealthEnvironment) throws {
        let athlete = try environment.athlete(at: workout.startDate, doing: workout.workoutActivityType.caseName)
        name = workout.uuid.uuidString
        source = .stored(workout, environment.database)
        let analysis = try WorkoutAnalysis(workout, in: environment.database, athlete, for: .pictures)
        var summary = try WorkoutSummary(workout, in: environment.database, wearer: athlete.wearer)
        summary.setMotionZones(analysis)
        report = AnalysisReport(
            summary: summary, analysis: analysis, distance: try DistanceReport(workout, in: environment.database))
    }

    /// Replays the recording for its summary, and analyses the same log.
    private init(recording name: String, _ options: Options, _ environment: HealthEnvironment) async throws {
        let argument = try RecordingArgument(name)
        let formats = RecordingFile.formats(options.tables)
        let recording = try argument.reading {
            try RecordingFile.read($0, workout: options.session ?? 1, formats: formats)
        }
        guard let start = recording.facts.start else { throw CommandFailure(noWorkoutIn: [recording], of: name) }
        let wearer = options.wearer == .profile ? environment.wearer(at: start) : recording.facts.wearer
        let id = try argument.reading { try RecordingIdentity.id(of: recording, at: $0, formats) }
        let run = try CommandFailure.badInput {
            try WorkoutRun(
                replaying: recording, speed: .infinity, keepsDates: true, wearer: wearer, id: id, saves: false,
                environment: environment)
        }
        let finished = try await CommandFailure.ownFault { try await run.run() }
        self.name = name
        source = .log(finished.log)
        // The log names the sport.
        let athlete =
            options.wearer == .profile
            ? try environment.athlete(at: start, doing: finished.state.header?.activity.activity)
            : WorkoutAnalysis.Athlete(wearer: wearer)
        report = try CommandFailure.badInput {
            var analysis = WorkoutAnalysis(athlete, for: .pictures)
            var distance = DistanceAnalysis()
            try finished.log.forEach {
                analysis.take($0)
                distance.take($0)
            }
            // Readings after the end do not belong to the session.
            if let end = finished.state.workoutEnd {
                for entry in recording.entriesWithReadings where entry.date > end { analysis.take(entry) }
            }
            var summary = try WorkoutSummary(finished)
            summary.setMotionZones(analysis)
            return AnalysisReport(
                summary: summary, analysis: analysis, distance: DistanceReport(analysis: distance),
                isWithoutProfile: options.wearer == .recording
            )
        }
    }

    /// Saves the figures that HealthKit has types for, and lists them in the report. Does nothing for a recording.
    /// - Returns: Whether this is a stored workout.
    mutating func saveFigures() throws -> Bool {
        guard case .stored(let workout, let database) = source else { return false }
        report.saved = try SavedFigures(saving: report.analysis, of: workout, in: database)
        return true
    }

    /// Calls `body` for each entry in order. Reads the entries anew.
    func forEachEntry(_ body: (SessionEntry) -> Void) throws {
        switch source {
        case .log(let log): try log.forEach(body)
        case .stored(let workout, let database):
            let entries = try StoredWorkoutEntries(workout, in: database)
            for entry in entries { body(entry) }
            if let failure = entries.failure { throw failure }
        }
    }
}

extension AnalyzedWorkout {
    /// Returns nil for a recording, which is not compared, and for a workout without any record.
    func headline(in environment: HealthEnvironment, _ page: Page) throws -> String? {
        guard let workout = stored else { return nil }
        let database = environment.database
        let calendar = Calendar.gregorian(page.timeZone)
        let others = try StoredWorkouts(database).all().filter { $0.uuid != workout.uuid }
        let own = Headline.Facts(workout)
        let load = try? report.analysis.load.banister.get()
        let headline = try Headline(
            own, records: BestEfforts(in: database).records(heldBy: workout.uuid),
            others: others.map(Headline.Facts.init),
            calendar
        ) {
            guard load != nil else { return (nil, []) }
            let month = others.filter { calendar.isDate($0.startDate, equalTo: own.start, toGranularity: .month) }
            let wearer = environment.wearerByDate
            let loads = try month.map {
                try WorkoutAnalysis.load(of: $0, in: database, .init(wearer: wearer($0.startDate))).banister
            }
            return (load, loads.compactMap { try? $0.get() })
        }
        return headline?.sentence(own, load: load, page)
    }

    private var stored: HKWorkout? { if case .stored(let workout, _) = source { workout } else { nil } }
}

extension HealthEnvironment {
    /// Returns the athlete of a workout on that date, from the profile.
    /// - Parameter activity: A case name of `HKWorkoutActivityType`, for the zones of a sport.
    func athlete(at date: Date, doing activity: String?) throws -> WorkoutAnalysis.Athlete {
        let profile = try profile()
        let day = CivilDay(date, in: .current)
        func edges(_ zones: [DatedMotionZones]) -> [Double]? {
            zones.zones(on: day, for: activity).flatMap { profile.lowerBounds(of: $0) }
        }
        return WorkoutAnalysis.Athlete(
            wearer: wearer(at: date), thresholdPowerInWatts: profile.thresholdPowerInWatts,
            ventilatoryThresholds: profile.ventilatoryThresholds.flatMap { HeartRateZones(lowerBounds: $0) },
            powerZones: edges(profile.powerZones), speedZones: edges(profile.paceZones))
    }
}
