import Foundation
import SessionLog

/// Reads track files: a survey finds the workouts in a file, and each is read again when its entries are needed.
enum TrackFile<Grammar: TrackGrammar> {
    /// A track that begins within this time after another continues the same workout; the time between is a pause.
    private static var followingInSeconds: Double { 3600 }

    private static var route: UnsupportedContent {
        UnsupportedContent(
            "route", "routes",
            "it contains positions without times: a planned route, not a recorded activity; export the activity itself"
        )
    }

    /// - Parameter activity: The activity to use if the file states none.
    static func read(
        _ source: RecordingSource, format: any RecordingFormat, activity: String?
    ) throws(RecordingError) -> [Recording] {
        let bytes = try source.open()
        var reader = TrackReader<Grammar>(bytes.stream, byte: 0)
        var surveys: [TrackSurvey] = []
        do throws(ByteStreamFault) {
            while let step = try reader.next() {
                if case .workout(let byte, let goesOn) = step {
                    surveys.append(TrackSurvey(byte: byte, goesOn: goesOn))
                } else if !surveys.isEmpty {
                    surveys[surveys.count - 1].take(step)
                }
            }
        } catch { throw RecordingError(error) }
        let tracks = joined(surveys)
        if !tracks.contains(where: { $0.points > $0.timeless || $0.laps.contains { !$0.start.isNaN } }) {
            let points = tracks.reduce(0) { $0 + $1.points }
            let other = points > 0 ? Self.route : nil
            if let content = other ?? reader.otherContent { throw .otherContent(path: source.path, content) }
        }
        var warnings = reader.warnings
        var recordings = tracks.map { recording($0, source, format, activity) }
        if recordings.isEmpty {
            warnings.append(RecordingWarning(byte: reader.byte, message: "the file holds no track"))
            recordings = [Recording(entries: [], file: RecordingSummary(format: format.name))]
        }
        recordings.sort { ($0.facts.start ?? .distantFuture) < ($1.facts.start ?? .distantFuture) }
        for index in recordings.indices { recordings[index].file.warnings = warnings + recordings[index].file.warnings }
        return Recording.numbered(recordings)
    }

    private static func joined(_ surveys: [TrackSurvey]) -> [TrackSurvey] {
        var joined: [TrackSurvey] = []
        for survey in surveys {
            if let last = joined.last, last.isFollowed(by: survey, within: followingInSeconds) {
                joined[joined.count - 1].append(survey)
            } else {
                joined.append(survey)
            }
        }
        return joined
    }

    private static func recording(
        _ survey: TrackSurvey, _ source: RecordingSource, _ format: any RecordingFormat, _ activity: String?
    ) -> Recording {
        survey.recording(format, activity) { plan in
            RecordedEntries(source: { () throws(RecordingError) in
                let bytes = try source.open()
                try bytes.skip(plan.byte)
                return try TrackEntries(
                    plan, TrackReader<Grammar>(bytes.stream, byte: plan.byte), path: source.path)
            })
        }
    }
}

extension TrackSurvey {
    /// Returns the recording of the workout.
    ///
    /// - Parameters:
    ///   - activity: The activity to use if the file states none.
    ///   - entries: Reads the workout again.
    func recording(
        _ format: any RecordingFormat, _ activity: String?, entries: (TrackPlan) -> RecordedEntries
    ) -> Recording {
        var summary = RecordingSummary(format: format.name)
        summary.records = points
        summary.heartRate = heartRate
        summary.rrIntervalsInMilliseconds = beats.flatMap(\.intervalsInMilliseconds)
        summary.laps = laps.count
        summary.sessions = laps.isEmpty && stated.sessions.isEmpty ? 0 : parts.count
        let timers = laps.map(\.said.seconds).filter { $0 >= 0 }
        summary.timerInSeconds = timers.isEmpty ? nil : timers.reduce(0, +)
        func warn(_ message: String) {
            summary.warnings.append(RecordingWarning(byte: byte, message: message))
        }
        guard let plan = TrackPlan(self, format: format.title, activity: activity) else {
            warn("nothing in this track has a time; it is left out")
            return Recording(entries: [], file: summary)
        }
        for note in plan.notes { warn(note) }
        if timeless > 0 {
            warn("\(timeless) points have no usable time; they are counted, but not part of the workout")
        }
        if !late.isEmpty { warn("\(late.count) points step back in time; they were put in order") }
        if points > timeless + 1, laps.isEmpty, plan.end - plan.start < 0.001 {
            warn("all points have the same time: the clock of what recorded them was not set")
        }
        var facts = Recording.Facts(
            start: TrackPlan.date(plan.start), end: TrackPlan.date(plan.end), hasPackets: false)
        facts.workoutID = workoutID
        return Recording(entries: entries(plan), file: summary, facts: facts)
    }
}
