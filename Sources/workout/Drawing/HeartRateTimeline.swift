import Foundation
import HealthKit
import SessionLog

/// The heart rate of a whole session in equal slots of time, for a curve: a pure fold over the session's log, whatever
/// its source.
///
/// A value is held until the next one, as in the statistics: for at most 30 s, not across a pause, and not after its
/// sensor is away. Memory is bounded: a long session has longer slots.
struct HeartRateTimeline: Sendable, Equatable {
    static let mostSlots = 4_800
    static let holdInSeconds = 30.0
    /// The maximum length, some hundred years. A later time cannot belong to the session.
    private static let longestInSeconds = 4e9

    /// When the session began to run. Nil before.
    private(set) var start: Date?
    private(set) var slotInSeconds = 1.0
    private var slots: [Slot] = []
    private var pauses = SessionPauses()
    private var last: Last?

    private struct Slot: Sendable, Equatable {
        var sum = 0.0
        var count = 0.0

        static func + (a: Slot, b: Slot) -> Slot { Slot(sum: a.sum + b.sum, count: a.count + b.count) }
    }

    private struct Last: Sendable, Equatable {
        var beatsPerMinute: Double
        var seconds: Double
        var sensor: String?
    }

    var isEmpty: Bool { slots.isEmpty }

    /// Adds the next entry of the log.
    mutating func take(_ entry: SessionEntry) {
        let share = pauses.take(entry)
        switch (share, entry.content) {
        case (.nothing, _): break
        case (.parts(let readings), _): for reading in readings { take(reading) }
        case (.all, .quantity(let reading)): take(reading)
        case (.all, .sensor(let status)): if status.presence != .present, status.id == last?.sensor { last = nil }
        case (.all, .state(.running)): if start == nil { start = entry.date }
        case (.all, .state): last = nil
        default: break
        }
    }

    private mutating func take(_ reading: QuantityReading) {
        guard reading.isHeartRate, let value = reading.value(in: "count/min"), value > 0, value.isFinite,
            let start, reading.start <= reading.end
        else { return }
        let from = reading.start.timeIntervalSince(start)
        let to = reading.end.timeIntervalSince(start)
        guard from >= 0, to < Self.longestInSeconds else { return }
        if let last, from > last.seconds, from - last.seconds <= Self.holdInSeconds {
            fill(last.beatsPerMinute, after: last.seconds, before: from)
        }
        add(value, from: from, to: to)
        last = Last(beatsPerMinute: value, seconds: max(to, last?.seconds ?? 0), sensor: reading.sensor)
    }

    private mutating func add(_ value: Double, from: Double, to: Double) {
        makeRoom(for: to)
        for slot in Int(from / slotInSeconds)...Int(to / slotInSeconds) {
            slots[slot] = slots[slot] + Slot(sum: value, count: 1)
        }
    }

    /// Fills the slots between two values that have none of their own.
    private mutating func fill(_ value: Double, after: Double, before: Double) {
        makeRoom(for: before)
        let first = Int(after / slotInSeconds) + 1
        let end = Int(before / slotInSeconds)
        guard first < end else { return }
        for slot in first..<end where slots[slot].count == 0 { slots[slot] = Slot(sum: value, count: 1) }
    }

    private mutating func makeRoom(for seconds: Double) {
        while seconds / slotInSeconds >= Double(Self.mostSlots) {
            slots = stride(from: 0, to: slots.count, by: 2).map {
                $0 + 1 < slots.count ? slots[$0] + slots[$0 + 1] : slots[$0]
            }
            slotInSeconds *= 2
        }
        let needed = Int(seconds / slotInSeconds) + 1
        if slots.count < needed { slots += Array(repeating: Slot(), count: needed - slots.count) }
    }

    // MARK: Reading

    /// Heart rates in beats per minute: the mean of each slot from the start on. Nil if nothing was measured.
    var heartRates: [Double?] { slots.map { $0.count > 0 ? $0.sum / $0.count : nil } }

    /// Returns the means of `count` equal parts of the time from `from` to `to`, in seconds since the start. In beats
    /// per minute; nil if nothing was measured.
    func means(_ count: Int, from: Double, to: Double) -> [Double?] {
        guard count > 0, to > from, from.isFinite, to.isFinite, to < Self.longestInSeconds else {
            return Array(repeating: nil, count: max(0, count))
        }
        let step = (to - from) / Double(count)
        return (0..<count).map { index in
            let begin = max(0, from + step * Double(index))
            let end = from + step * Double(index + 1)
            let first = Int(begin / slotInSeconds)
            let behind = max(first + 1, Int((end / slotInSeconds).rounded(.up)))
            guard end > 0, first < slots.count else { return held(at: begin, until: to) }
            let sum = slots[first..<min(behind, slots.count)].reduce(Slot(), +)
            return sum.count > 0 ? sum.sum / sum.count : nil
        }
    }

    /// Returns the latest value while it is held.
    private func held(at seconds: Double, until end: Double) -> Double? {
        guard let last, end - last.seconds <= Self.holdInSeconds, seconds >= last.seconds else { return nil }
        return last.beatsPerMinute
    }
}
