import Foundation

/// Makes a recording of an activity's messages.
struct FITRecording {
    private let activity: FITActivity
    private let source: RecordingSource
    private var summary: RecordingSummary

    init(_ activity: FITActivity, _ source: RecordingSource, warnings: [RecordingWarning]) {
        self.activity = activity
        self.source = source
        summary = RecordingSummary(format: "fit")
        summary.records = activity.records.count + activity.timelessRecords
        summary.heartRate = activity.timelessHeartRates
        summary.laps = activity.laps.count
        summary.sessions = activity.sessions.count
        summary.rrIntervalsInMilliseconds = activity.records.intervalsInMilliseconds.map(Double.init)
        let elapsed = activity.sessions.compactMap(\.elapsedInSeconds)
        let timer = activity.sessions.compactMap(\.timerInSeconds)
        summary.elapsedInSeconds = elapsed.isEmpty ? nil : elapsed.reduce(0, +)
        summary.timerInSeconds = timer.isEmpty ? nil : timer.reduce(0, +)
        summary.warnings = warnings
        summary.leftOut = activity.unread.words
    }

    consuming func recording() throws(RecordingError) -> Recording {
        guard let clock = activity.clock else {
            warn("the file holds no activity: nothing in it has a time")
            return Recording(entries: [], file: summary)
        }
        if let note = clock.note { warn(note) }
        if activity.memory.undated > 0 {
            warn("\(activity.memory.undated) stored heart rates have no date; they are left out")
        }
        let (records, leftOut) = try activity.settledRecords(clock, source)
        summary.heartRate.add(leftOut)
        summary.heartRate.add(records.heartRate)
        let left = summary.records - records.count
        if left > 0 {
            warn("\(left) records have no usable time; they are counted, but not part of the workout")
        }
        if records.steps > 0 { warn("\(records.steps) records step back in time; they were put in order") }
        var settledClock = clock
        settledClock.jumps = ClockJumps(activity.stated(records, clock))
        if let note = settledClock.jumps.note { warn(note) }
        let stated = activity.stated(records, settledClock)
        guard let times = WorkoutTimes(stated) else {
            warn("the file holds no activity: nothing in it has a time")
            return Recording(entries: [], file: summary)
        }
        for note in times.notes { warn(note) }
        let plan = try FITPlan(activity, records, stated, times, clock: settledClock, source)
        for note in plan.notes { warn(note) }
        let entries = RecordedEntries(source: { [plan, source] () throws(RecordingError) in FITEntries(plan, source) })
        var facts = Recording.Facts(
            start: FITClock.date(times.start), end: FITClock.date(times.end), hasPackets: false)
        facts.workoutID = activity.workoutID
        return Recording(entries: entries, file: summary, facts: facts)
    }

    private mutating func warn(_ message: String) {
        summary.warnings.append(RecordingWarning(byte: 0, message: message))
    }
}
