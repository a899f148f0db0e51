import Foundation

/// Reads the times of a table's rows in seconds since 2001, or since the start if the date of the start is unknown.
struct TableClock {
    enum Reading {
        case time(Double)
        /// An empty row.
        case nothing
        case missing
        /// The field is not a time.
        case unreadable(Range<Int>)
    }

    private let kind: TableLayout.Clock
    private let start: Double?
    /// Seconds east of UTC for times without a time zone.
    private let offset: Double
    private let delimiter: UInt8
    private var daysPassed = 0.0
    private var lastTime = -Double.infinity
    private var lastClock = 0.0
    private var beatSeconds = 0.0
    private var rowSeconds = 0.0
    private var day: Double?

    init(_ layout: TableLayout) {
        kind = layout.clock
        start = layout.start
        offset = layout.offset
        delimiter = layout.delimiter
    }

    private var base: Double { start ?? 0 }

    /// - Parameter intervals: The RR intervals of the row, in ms.
    mutating func read(
        _ line: UnsafeBufferPointer<UInt8>, _ time: Range<Int>?, _ date: Range<Int>?, _ intervals: [Double]
    ) -> Reading {
        switch kind {
        case .beats:
            if intervals.isEmpty { return .nothing }
            for interval in intervals { beatSeconds += interval / 1000 }
            return .time(base + beatSeconds)
        case .rows(let each):
            defer { rowSeconds += each }
            return .time(base + rowSeconds)
        default:
            guard let field = time ?? date, !field.isEmpty else {
                // Many tables end with a line of delimiters only.
                let isBlank = line.allSatisfy { $0 == delimiter || $0 == 0x20 || $0 == 0x22 }
                return isBlank ? .nothing : .missing
            }
            return written(line, field, time, date).map { .time($0) } ?? .unreadable(field)
        }
    }

    /// Returns whether the time lies in the years 1900 to 2200, and within about thirty years of the start if rows
    /// count from it. The result does not depend on whether the start is known yet.
    func isPlausible(_ seconds: Double) -> Bool {
        guard seconds.isFinite else { return false }
        if kind.isRelative {
            guard (seconds - base).magnitude < 1e9 else { return false }
            if start == nil { return true }
        }
        return seconds > -3_187_296_000 && seconds < 6_279_811_200
    }

    private mutating func written(
        _ line: UnsafeBufferPointer<UInt8>, _ field: Range<Int>, _ time: Range<Int>?, _ date: Range<Int>?
    ) -> Double? {
        switch kind {
        case .elapsed(let unit):
            return TableNumber.parse(line, field).map { base + $0 * unit.factor }
        case .epoch(let unit):
            return TableNumber.parse(line, field).map {
                $0 * unit.factor + unit.offset - Date.timeIntervalBetween1970AndReferenceDate
            }
        case .clock:
            return TableDate.clock(line, field).map { base + passingMidnight($0) }
        case .timeOfDay:
            guard let clock = TableDate.clock(line, field) else { return nil }
            return ofDay(clock) + base - offset
        case .moment(let order):
            return TableDate.parse(line, field, order: order).map { $0.hasZone ? $0.seconds : $0.seconds - offset }
        case .dateAndTime(let order):
            if let date, !date.isEmpty { day = TableDate.parse(line, date, order: order)?.seconds }
            guard let day, let clock = time.flatMap({ TableDate.clockOfDay(line, $0) }) else { return nil }
            return TableDate.startOfDay(day) + clock - offset
        case .beats, .rows: return nil
        }
    }

    /// A clock that falls from the evening to the morning shows the time of day.
    private mutating func passingMidnight(_ clock: Double) -> Double {
        if lastClock < 86_400, clock < lastClock - 43_200 { daysPassed += 86_400 }
        lastClock = clock
        return clock + daysPassed
    }

    /// The next day begins after midnight.
    private mutating func ofDay(_ clock: Double) -> Double {
        if clock + daysPassed < lastTime - 43_200 { daysPassed += 86_400 }
        lastTime = max(lastTime, clock + daysPassed)
        return clock + daysPassed
    }
}
