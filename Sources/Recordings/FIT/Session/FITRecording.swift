import Foundation

/// Makes a recording of an activity's messages.
struct FITRecording {
    private var activity: FITActivity
    private var summary: RecordingSummary

    init(_ activity: FITActivity, warnings: [RecordingWarning]) {
        self.activity = activity
        summary = RecordingSummary(format: "fit")
        summary.records = activity.records.count + activity.timelessRecords
        summary.heartRate = activity.timelessHeartRates
        summary.laps = activity.laps.count
        summary.sessions = activity.sessions.count
        summary.rrIntervalsInMilliseconds = activity.intervalsInMilliseconds.map(Double.init)
        let elapsed = activity.sessions.compactMap(\.elapsedInSeconds)
        let timer = activity.sessions.compactMap(\.timerInSeconds)
        summary.elapsedInSeconds = elapsed.isEmpty ? nil : elapsed.reduce(0, +)
        summary.timerInSeconds = timer.isEmpty ? nil : timer.reduce(0, +)
        summary.warnings = warnings
    }

    consuming func recording() -> Recording {
        guard let clock = FITClock(activity) else {
            warn("the file holds no activity: nothing in it has a time")
            return Recording(entries: [], file: summary)
        }
        if let note = clock.note { warn(note) }
        if activity.memory.undated > 0 {
            warn("\(activity.memory.undated) stored heart rates have no date; they are left out")
        }
        let beatTimes = timesOfBeats(clock)
        keepTimed(clock)
        for record in activity.records where record.hasHeartRate {
            summary.heartRate.add(Double(record.heartRate))
        }
        let firstRecord = activity.records.first.flatMap { clock.seconds($0.time) }
        let lastRecord = activity.records.last.flatMap { clock.seconds($0.time) }
        guard
            let timeline = FITTimeline(activity, clock: clock, firstRecord: firstRecord, lastRecord: lastRecord)
        else {
            warn("the file holds no activity: nothing in it has a time")
            return Recording(entries: [], file: summary)
        }
        let entries = FITEntries(activity, clock: clock, timeline: timeline, beatTimes: beatTimes)
        return Recording(
            entries: RecordedEntries(entries), file: summary,
            facts: Recording.Facts(
                start: FITClock.date(timeline.start), end: FITClock.date(timeline.end), hasPackets: false))
    }

    private mutating func warn(_ message: String) {
        summary.warnings.append(RecordingWarning(byte: 0, message: message))
    }

    /// When the RR intervals came: at the last record before them. Nil before the first. They keep the order of the file,
    /// also where records step back in time.
    private func timesOfBeats(_ clock: FITClock) -> [Double?] {
        var record = 0
        var last: Double?
        return activity.beats.map { beats in
            while record <= beats.record {
                last = clock.seconds(activity.records[record].time).map { max($0, last ?? $0) } ?? last
                record += 1
            }
            return last
        }
    }

    /// Leaves out the records that cannot be placed in time, gives the others the heart rates that a strap stored, and puts
    /// them in order; those of one second stay in the order of the file.
    private mutating func keepTimed(_ clock: FITClock) {
        activity.records.removeAll { record in
            guard clock.seconds(record.time) == nil else { return false }
            if record.hasHeartRate { summary.heartRate.add(Double(record.heartRate)) }
            return true
        }
        let left = summary.records - activity.records.count
        if left > 0 {
            warn("\(left) records have no usable time; they are counted, but not part of the workout")
        }
        activity.memory.merge(into: &activity.records)
        let steps = zip(activity.records, activity.records.dropFirst()).count { $1.time < $0.time }
        if steps > 0 {
            warn("\(steps) records step back in time; they were put in order")
            activity.records.sort { ($0.time, $0.sequence) < ($1.time, $1.sequence) }
        }
    }
}
