/// When a workout started, paused and ended, decided from what a file of any format states.
///
/// The article <doc:Durations> describes the cases. Keep the two in agreement.
struct WorkoutTimes: Equatable, Sendable {
    struct Pause: Equatable, Sendable {
        var start: Double
        /// Nil if the workout ended during the pause.
        var end: Double?
        /// The places in the file of the events that began and ended the pause. Without events: after, and before,
        /// everything in that second.
        var startSequence = UInt32.max
        var endSequence: UInt32 = 0
    }

    private(set) var start: Double
    private(set) var end: Double
    private(set) var pauses: [Pause] = []
    /// Decisions against something that the file states, in words for the user.
    private(set) var notes: [String] = []

    /// Returns the time limited to the workout: nothing is dated before its start or after its end.
    func clamped(_ seconds: Double) -> Double { min(max(seconds, start), end) }

    /// Returns nil if nothing in the file has a time.
    init?(_ stated: StatedWorkout) {
        let events = stated.timerEvents.sorted { ($0.seconds, $0.sequence) < ($1.seconds, $1.sequence) }
        let spans = Self.credible(stated.spans, stated)
        guard let begin = Self.start(stated, events, spans) else { return nil }
        start = begin.seconds
        end = start
        if let note = begin.note { notes.append(note) }
        let readings = readings(stated, events, spans)
        guard let chosen = Self.choice(of: readings, stated, from: start) else { return }
        end = max(start, chosen.end)
        pauses = chosen.pauses
        if let note = chosen.note ?? Self.note(onPausesOf: chosen, stated, from: start) { notes.append(note) }
        if let note = Self.note(onLength: end - start) { notes.append(note) }
    }

    /// Returns a note for the user if a workout is so long that its clock may be wrong.
    private static func note(onLength seconds: Double) -> String? {
        guard seconds > longestInSeconds else { return nil }
        return "the workout lasts \(hours(seconds)), which is what its times say; check its clock"
    }

    /// Returns a note for the user if the file states pauses, but not when they were.
    private static func note(onPausesOf reading: Reading, _ stated: StatedWorkout, from start: Double) -> String? {
        guard let active = stated.active, reading.activeSeconds(from: start) - active > tolerance(of: active) else {
            return nil
        }
        return
            "the file states \(hours(active)) without pauses, but not when the pauses were; they count as part of the "
            + "workout"
    }

    // MARK: The start

    /// Returns the start of the workout. It is not earlier than the stated duration allows, or than an hour before the
    /// first reading if no duration is stated.
    private static func start(
        _ stated: StatedWorkout, _ events: [StatedWorkout.TimerEvent], _ spans: [StatedWorkout.Stretch]
    ) -> (seconds: Double, note: String?)? {
        func earliest(_ stretches: [StatedWorkout.Stretch]) -> StatedWorkout.Stretch? {
            stretches.min { $0.start ?? .infinity < $1.start ?? .infinity }
        }
        let ofEvents = events.first.flatMap { $0.isStart ? StatedWorkout.Stretch(start: $0.seconds) : nil }
        let candidates = [ofEvents, earliest(spans), earliest(stated.spans)].compactMap { $0 }
        guard let samples = stated.samples else {
            return (candidates.first?.start ?? events.first?.seconds).map { ($0, nil) }
        }
        let first = samples.lowerBound
        let credible = candidates.first { isCredible($0, stated) }?.start
        var note: String?
        if let refused = candidates.first(where: { !isCredible($0, stated) })?.start, refused < first {
            note =
                "the file states a start \(hours(first - refused)) before its first reading, for which its duration "
                + "leaves no room; \(credible == nil ? "the time of the first reading" : "another start of the file") was taken"
        }
        return (min(credible ?? first, first), note)
    }

    /// Returns whether the stated start of a stretch is possible.
    private static func isCredible(_ stretch: StatedWorkout.Stretch, _ stated: StatedWorkout) -> Bool {
        guard let start = stretch.start else { return false }
        guard let samples = stated.samples, start < samples.lowerBound - leadInSeconds else { return true }
        if let elapsed = stated.elapsed { return samples.upperBound - start <= elapsed + tolerance(of: elapsed) }
        if let active = stretch.active, let within = stretch.samples {
            let took = within.upperBound - start - stretch.interruptedInSeconds
            return took <= active + tolerance(of: active) + stretch.gaps.spans.reduce(0) { $0 + $1.seconds }
        }
        return samples.lowerBound - start <= longestLeadInSeconds
    }

    /// Returns the stretches without those far from all readings, which another clock timed.
    private static func credible(
        _ spans: [StatedWorkout.Stretch], _ stated: StatedWorkout
    ) -> [StatedWorkout.Stretch] {
        guard let samples = stated.samples else { return spans }
        return spans.filter { span in
            isCredible(span, stated) && span.start ?? .infinity <= samples.upperBound + longestApartInSeconds
        }
    }

    // MARK: The end and the pauses

    /// One way to interpret what a file states.
    private struct Reading {
        var end: Double
        var pauses: [Pause]
        var note: String?

        func activeSeconds(from start: Double) -> Double {
            end - start - pauses.reduce(0) { $0 + max(0, min($1.end ?? end, end) - $1.start) }
        }
    }

    /// Returns the possible interpretations, the usual one first. There are others only if something about it is not as
    /// expected.
    private func readings(
        _ stated: StatedWorkout, _ events: [StatedWorkout.TimerEvent], _ spans: [StatedWorkout.Stretch]
    ) -> [Reading] {
        let last = stated.samples?.upperBound
        let (pauses, open) = Self.pauses(of: events, from: start)
        if let open {
            guard let last else { return [Reading(end: open.seconds, pauses: pauses)] }
            let usual = Reading(end: open.seconds, pauses: pauses)
            if last > open.seconds + Self.savingInSeconds {
                let rest = Pause(start: open.seconds, end: nil, startSequence: open.sequence)
                return [
                    Reading(
                        end: last, pauses: pauses,
                        note:
                            "the timer stops \(Self.hours(last - open.seconds)) before the last reading and never starts "
                            + "again; that stop is not taken for a pause"),
                    Reading(end: last, pauses: pauses + [rest]), usual,
                ]
            }
            guard open.seconds > last + Self.lateStopInSeconds else {
                return [usual] + unpaused(usual, stated) + pausesBesideEvents(usual, stated)
            }
            return [
                usual,
                Reading(
                    end: max(last, pauses.last?.end ?? last), pauses: pauses,
                    note:
                        "the timer stops \(Int(open.seconds - last)) s after the last reading, which the file's duration "
                        + "leaves no room for; the last reading is the end"),
            ]
        }
        let eventEnd = events.last?.seconds
        let end: Double
        if let eventEnd, let last {
            end = max(last, eventEnd)
        } else {
            end = max(spans.compactMap(Self.end).max() ?? start, last ?? start, eventEnd ?? start)
        }
        let breaks = stated.breaks.filter { $0.start >= start && $0.end <= end }
        let inLaps = pausesInLaps(stated)
        let days = daysWithoutSamples(stated, pauses: breaks + inLaps)
        let usual = Reading(
            end: end,
            pauses: pauses + Self.joined(breaks + inLaps + days).map { Pause(start: $0.start, end: $0.end) },
            note: days.map(\.seconds).max().map {
                "there is no reading for \(Self.hours($0)), and no duration is stated; that time is taken for a pause"
            })
        return [usual] + otherEnds(usual, last, hasEvents: eventEnd != nil, stated) + pausesInGaps(usual, stated)
            + unpaused(usual, stated)
    }

    /// Returns the pauses in order. A lap that ends during a pause, as in TCX, has only the part until then.
    private static func joined(_ pauses: [TimeSpan]) -> [TimeSpan] {
        pauses.sorted { $0.start < $1.start }.reduce(into: []) { joined, pause in
            guard let last = joined.last, last.end == pause.start else { return joined.append(pause) }
            joined[joined.count - 1].end = pause.end
        }
    }

    /// Returns interpretations with the other possible end, if the timer has no last stop: the end of the sessions, or
    /// the last reading if sessions end much later than their duration leaves room for.
    private func otherEnds(_ usual: Reading, _ last: Double?, hasEvents: Bool, _ stated: StatedWorkout) -> [Reading] {
        if hasEvents {
            guard let ended = stated.sessions.compactMap(Self.end).max(), ended > usual.end + Self.lateStopInSeconds
            else { return [] }
            return [
                Reading(
                    end: ended, pauses: usual.pauses,
                    note:
                        "the file has no last stop, and its sessions end \(Self.hours(ended - usual.end)) after the last "
                        + "reading; their end was taken")
            ]
        }
        guard let last, let active = stated.active, usual.end > last,
            usual.activeSeconds(from: start) - active > Self.tolerance(of: active)
        else { return [] }
        return [
            Reading(
                end: last, pauses: usual.pauses,
                note:
                    "its sessions end \(Self.hours(usual.end - last)) after the last reading, which their duration leaves no "
                    + "room for; the last reading is the end")
        ]
    }

    /// Returns the interpretation that the longest times without a reading are pauses, if none are known and a duration
    /// without pauses is stated.
    private func pausesInGaps(_ usual: Reading, _ stated: StatedWorkout) -> [Reading] {
        guard usual.pauses.isEmpty, let active = stated.active else { return [] }
        let holes = stated.gaps.pauses(explaining: usual.end - start - active)
        guard !holes.isEmpty else { return [] }
        return [
            Reading(
                end: usual.end, pauses: holes.map { Pause(start: $0.start, end: $0.end) },
                note:
                    "the file states \(Int(active)) s without pauses, but no pauses; the longest times without a reading "
                    + "are taken for them")
        ]
    }

    /// Returns the same interpretation of a file whose timer events know no pause. They are trusted if its duration differs
    /// little.
    private func pausesBesideEvents(_ usual: Reading, _ stated: StatedWorkout) -> [Reading] {
        guard let active = stated.active,
            usual.activeSeconds(from: start) - active > Self.tolerance(of: active)
        else { return [] }
        return pausesInGaps(usual, stated)
    }

    /// Returns gaps of more than a day, which are pauses. A duration or timer events in the file would contradict that,
    /// so then there are none.
    private func daysWithoutSamples(_ stated: StatedWorkout, pauses: [TimeSpan]) -> [TimeSpan] {
        guard stated.elapsed == nil, stated.active == nil, stated.timerEvents.isEmpty else { return [] }
        return stated.gaps.spans.filter { gap in
            gap.seconds > LongestGaps.dayInSeconds && !pauses.contains { $0.start < gap.end && gap.start < $0.end }
        }
    }

    /// Returns interpretations without all pauses and without the longest one, if the events pause far longer than the
    /// sessions state.
    private func unpaused(_ usual: Reading, _ stated: StatedWorkout) -> [Reading] {
        guard let active = stated.active, !stated.timerEvents.isEmpty else { return [] }
        let missing = active - usual.activeSeconds(from: start)
        guard missing > Self.tolerance(of: active) else { return [] }
        func seconds(_ pause: Pause) -> Double { (pause.end ?? usual.end) - pause.start }
        guard let longest = usual.pauses.indices.max(by: { seconds(usual.pauses[$0]) < seconds(usual.pauses[$1]) })
        else { return [] }
        let note = "the timer stands still \(Self.hours(missing)) longer than the file's duration leaves room for; "
        var one = usual
        one.pauses.remove(at: longest)
        one.note = note + "its longest pause is left out"
        var none = usual
        none.pauses = []
        none.note = note + "its pauses are left out"
        return [one, none]
    }

    /// Returns the pauses between each stop and the next start. Stops while stopped, and starts while running, change
    /// nothing.
    private static func pauses(
        of events: [StatedWorkout.TimerEvent], from start: Double
    ) -> (pauses: [Pause], open: (seconds: Double, sequence: UInt32)?) {
        var pauses: [Pause] = []
        var stopped: (seconds: Double, sequence: UInt32)?
        for event in events {
            if event.isStart, let stop = stopped {
                pauses.append(
                    Pause(
                        start: stop.seconds, end: max(event.seconds, stop.seconds), startSequence: stop.sequence,
                        endSequence: event.sequence))
                stopped = nil
            } else if !event.isStart, stopped == nil {
                stopped = (max(event.seconds, start), event.sequence)
            }
        }
        return (pauses, stopped)
    }

    /// Returns the pauses in laps that state less time than passed: the longest times without a reading in them.
    private func pausesInLaps(_ stated: StatedWorkout) -> [TimeSpan] {
        var pauses: [TimeSpan] = []
        for (index, lap) in stated.laps.enumerated() {
            guard let active = lap.active, active > 0, let samples = lap.samples, let begin = lap.start else {
                continue
            }
            let isCredible = begin >= start && begin <= samples.lowerBound
            let from = min(isCredible ? begin : samples.lowerBound, samples.lowerBound)
            let next = index + 1 < stated.laps.count ? stated.laps[index + 1] : nil
            let last = samples.upperBound
            var end = last
            if let next = next?.start, next <= self.latestNext(stated, after: index) { end = max(next, last) }
            var gaps = lap.gaps
            gaps.add(TimeSpan(start: from, end: samples.lowerBound))
            // Lengths of a pool are gaps, too, and often as long as the rest after a lap.
            let rest = TimeSpan(start: last, end: end)
            gaps.add(rest)
            var missing = end - from - active - lap.interruptedInSeconds
            let short = lap.shortBreaks.reduce(0) { $0 + $1.seconds }
            if short > 0, short <= missing + Self.roundingInSeconds {
                pauses += lap.shortBreaks
                missing -= short
            }
            pauses += gaps.pauses(explaining: missing, preferring: rest)
        }
        return pauses
    }

    /// Returns when this many seconds outside the pauses have passed.
    func time(after seconds: Double, from start: Double) -> Double {
        var time = start + seconds
        for pause in pauses {
            guard let end = pause.end, end > start else { continue }
            if pause.start >= time { break }
            time += end - max(pause.start, start)
        }
        return time
    }

    /// Returns whether a pause that began at this reading, or earlier, ends at this time.
    func isEndOfPause(_ seconds: Double, from reading: Double) -> Bool {
        pauses.contains { pause in
            pause.start <= reading + 1 && pause.end.map { abs($0 - seconds) <= 1 && reading <= $0 } ?? false
        }
    }

    /// Returns the latest possible start of the next lap: its first reading.
    private func latestNext(_ stated: StatedWorkout, after index: Int) -> Double {
        stated.laps[(index + 1)...].lazy.compactMap { $0.samples?.lowerBound }.first
            ?? stated.samples.map { $0.upperBound + Self.longestApartInSeconds } ?? .infinity
    }

    /// Returns the interpretation that is closest to the duration that the file states.
    private static func choice(of readings: [Reading], _ stated: StatedWorkout, from start: Double) -> Reading? {
        func distance(_ reading: Reading) -> Double {
            if let active = stated.active { return abs(reading.activeSeconds(from: start) - active) }
            return stated.elapsed.map { abs(reading.end - start - $0) } ?? 0
        }
        guard let usual = readings.first else { return nil }
        return readings.dropFirst().reduce(usual) { distance($1) < distance($0) ? $1 : $0 }
    }

    static func end(of stretch: StatedWorkout.Stretch) -> Double? {
        guard let start = stretch.start else { return nil }
        if let elapsed = stretch.elapsed { return start + elapsed }
        if let active = stretch.active,
            stretch.samples.map({ start + active > $0.upperBound + lateStopInSeconds }) ?? true
        {
            return start + active
        }
        return stretch.samples?.upperBound ?? stretch.written ?? start
    }

    // MARK: Bounds

    /// Devices write readings up to this long after the stop, while they save.
    private static let savingInSeconds = 60.0
    /// Devices round the times of laps to a multiple of this.
    private static let roundingInSeconds = 0.05
    /// A stop that comes later than this after the last reading needs a duration that agrees with it.
    private static let lateStopInSeconds = 10.0
    /// A start this long before the first reading is normal.
    private static let leadInSeconds = 60.0
    /// The longest normal lead if no duration is stated.
    private static let longestLeadInSeconds = 3600.0
    /// A stretch that begins later than this after the last reading was timed by another clock.
    private static let longestApartInSeconds = LongestGaps.dayInSeconds
    /// A longer workout gets a note.
    private static let longestInSeconds = 2 * LongestGaps.dayInSeconds

    private static func tolerance(of seconds: Double) -> Double { max(leadInSeconds, seconds * 0.05) }

    static func hours(_ seconds: Double) -> String {
        seconds < 600 ? "\(Int(seconds)) s" : seconds < 36_000 ? "\(Int(seconds / 60)) min" : "\(Int(seconds / 3600)) h"
    }
}
