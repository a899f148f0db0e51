import Foundation
import SessionLog

/// Dates and clock times in the spellings of tables.
enum TableDate {
    /// A date with its time of day. Without a time zone, `seconds` is as if it were UTC.
    struct Moment: Equatable {
        /// Seconds since 2001-01-01T00:00:00Z.
        var seconds: Double
        var hasZone: Bool
        var hasTime: Bool
    }

    /// The order of a date that does not begin with the year.
    enum Order: Sendable, Equatable {
        case dayFirst, monthFirst

        /// Reads a pattern such as `mdy`, `dd/mm/yyyy` or, in German and French, `TT.MM.JJJJ` and `jj/mm/aaaa`. Nil for other
        /// texts.
        init?(pattern: String) {
            var letters = ""
            for letter in pattern.lowercased() where letter.isLetter && letters.last != letter {
                letters.append(letter)
            }
            switch letters.prefix(3) {
            case "dmy", "tmj", "jma": self = .dayFirst
            case "mdy": self = .monthFirst
            default: return nil
            }
        }
    }

    /// Reads `2026-01-02T03:04:05.678+01:00`, with a space or `_` for the `T`, a comma or point before the fraction,
    /// with or without a time zone (`Z`, `+0100`, ` UTC`), seconds or any time; also `2026/01/02`, `20260102`,
    /// `02.01.2026`, `02-01-2026` (the day first) and, depending on `order`, `01/02/2026`; `am` and `pm` after the
    /// time.
    static func parse(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, order: Order? = nil
    ) -> Moment? {
        var text = Cursor(bytes, range)
        guard let day = day(&text, order) else { return nil }
        if text.isAtEnd { return Moment(seconds: Double(day) * 86_400, hasZone: false, hasTime: false) }
        if !text.take(where: { $0 | 0x20 == UInt8(ascii: "t") || $0 == 0x20 || $0 == UInt8(ascii: "_") }) { return nil }
        while text.take(where: { $0 == 0x20 }) {}
        guard let time = timeOfDay(&text) else { return nil }
        guard let zone = zone(&text), text.isAtEnd else { return nil }
        return Moment(
            seconds: Double(day * 86_400 - (zone.seconds ?? 0)) + time, hasZone: zone.seconds != nil, hasTime: true)
    }

    /// Returns the seconds of a time such as `1:02:03.5` or `62:03`, or nil for a bare number. Days may precede hours:
    /// `0 days 00:00:01`, `1 day, 1:02:03`, `1d 01:02:03`, `1.01:02:03`; and `am` or `pm` may follow: `11:30 PM`.
    static func clock(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Double? {
        var text = Cursor(bytes, range)
        let days = days(&text)
        let place = text.index
        guard let seconds = timeOfDay(&text, isBounded: false) else { return nil }
        if text.isAtEnd { return Double(days ?? 0) * 86_400 + seconds }
        text.index = place
        guard days == nil, let ofDay = timeOfDay(&text), text.isAtEnd else { return nil }
        return ofDay
    }

    /// Returns the seconds of a time beside a date. Two fields are hours and minutes, as after a date: `18:02`.
    static func clockOfDay(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Double? {
        var text = Cursor(bytes, range)
        let isFraction = bytes[range].contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
        if !isFraction, let seconds = timeOfDay(&text), text.isAtEnd { return seconds }
        return clock(bytes, range)
    }

    /// Reads the days in front of a time, as Python (`1 day, 0:00:01`), pandas (`1 days 00:00:01`) and .NET
    /// (`1.00:00:01`) write them. Reads nothing if there are none.
    @inline(__always)
    private static func days(_ text: inout Cursor) -> Int? {
        let place = text.index
        guard let days = text.number(5) else { return nil }
        if text.take(UInt8(ascii: ".")) { return days.value }
        while text.take(where: { $0 == 0x20 }) {}
        guard text.take(where: { $0 | 0x20 == UInt8(ascii: "d") }) else {
            text.index = place
            return nil
        }
        while text.take(where: { ($0 | 0x20) &- UInt8(ascii: "a") < 26 }) {}
        _ = text.take(UInt8(ascii: ","))
        while text.take(where: { $0 == 0x20 }) {}
        return days.value
    }

    /// Returns the start of the day in UTC, in seconds since 2001.
    static func startOfDay(_ seconds: Double) -> Double { (seconds / 86_400).rounded(.down) * 86_400 }

    // MARK: Parts

    private struct Cursor {
        let bytes: UnsafeBufferPointer<UInt8>
        var index: Int
        let end: Int

        init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
            self.bytes = bytes
            index = range.lowerBound
            end = range.upperBound
        }

        var isAtEnd: Bool { index >= end }
        var current: UInt8 { index < end ? bytes[index] : 0 }

        @inline(__always)
        mutating func take(where test: (UInt8) -> Bool) -> Bool {
            guard index < end, test(bytes[index]) else { return false }
            index += 1
            return true
        }

        @inline(__always)
        mutating func take(_ byte: UInt8) -> Bool {
            guard index < end, bytes[index] == byte else { return false }
            index += 1
            return true
        }

        /// Reads at most `most` digits and returns their number too.
        @inline(__always)
        mutating func number(_ most: Int) -> (value: Int, digits: Int)? {
            var value = 0
            let first = index
            while index < end, index - first < most {
                let digit = bytes[index] &- UInt8(ascii: "0")
                guard digit < 10 else { break }
                value = value * 10 + Int(digit)
                index += 1
            }
            return index > first ? (value, index - first) : nil
        }
    }

    /// Returns days since 2001-01-01.
    @inline(__always)
    private static func day(_ text: inout Cursor, _ order: Order?) -> Int? {
        guard let first = text.number(8) else { return nil }
        let year: Int
        let month: Int
        let day: Int
        if first.digits == 8 {
            (year, month, day) = (first.value / 10_000, first.value / 100 % 100, first.value % 100)
        } else {
            let mark = text.current
            guard mark == UInt8(ascii: "-") || mark == UInt8(ascii: "/") || mark == UInt8(ascii: ".") else {
                return nil
            }
            text.index += 1
            guard let second = text.number(2), text.take(mark), let third = text.number(4) else { return nil }
            if first.digits == 4 {
                (year, month, day) = (first.value, second.value, third.value)
            } else {
                guard third.digits == 4, first.digits <= 2 else { return nil }
                year = third.value
                let isDayFirst = mark != UInt8(ascii: "/") || order == .dayFirst || first.value > 12
                if mark == UInt8(ascii: "/"), order == nil, first.value <= 12, second.value <= 12,
                    first.value != second.value
                {
                    return nil
                }
                (month, day) = isDayFirst ? (second.value, first.value) : (first.value, second.value)
            }
        }
        return SessionLogDate.daySinceReference(year: year, month: month, day: day)
    }

    /// Reads `h:mm:ss.fff` or `h:mm`. If unbounded, it also reads `mm:ss` and more than two digits in the first field.
    @inline(__always)
    private static func timeOfDay(_ text: inout Cursor, isBounded: Bool = true) -> Double? {
        guard let first = text.number(6), text.take(UInt8(ascii: ":")), let second = text.number(2), second.value < 60
        else { return nil }
        var seconds: Double
        if text.take(UInt8(ascii: ":")) {
            guard let third = text.number(2), third.value <= 60 else { return nil }
            seconds = Double(first.value * 3600 + second.value * 60 + third.value)
        } else {
            seconds = Double(isBounded ? first.value * 3600 + second.value * 60 : first.value * 60 + second.value)
        }
        if isBounded, first.value > 23 { return nil }
        if text.current == UInt8(ascii: ".") || text.current == UInt8(ascii: ",") {
            text.index += 1
            guard let fraction = text.number(9) else { return nil }
            seconds += Double(fraction.value) / JSONNumber.powersOfTen[fraction.digits]
            while text.take(where: { $0 &- UInt8(ascii: "0") < 10 }) {}
        }
        guard isBounded else { return seconds }
        let place = text.index
        while text.take(where: { $0 == 0x20 }) {}
        let letter = text.current | 0x20
        if letter == UInt8(ascii: "a") || letter == UInt8(ascii: "p"), text.index + 2 == text.end,
            text.bytes[text.index + 1] | 0x20 == UInt8(ascii: "m"), (1...12).contains(first.value)
        {
            text.index += 2
            if letter == UInt8(ascii: "p"), first.value < 12 { seconds += 43_200 }
            if letter == UInt8(ascii: "a"), first.value == 12 { seconds -= 43_200 }
            return seconds
        }
        text.index = place
        return seconds
    }

    /// Returns nil if the text is not a time zone, and no seconds if there is no text.
    @inline(__always)
    private static func zone(_ text: inout Cursor) -> (seconds: Int?, Void)? {
        while text.take(where: { $0 == 0x20 }) {}
        if text.isAtEnd { return (nil, ()) }
        if text.take(where: { $0 | 0x20 == UInt8(ascii: "z") }) { return (0, ()) }
        if text.end - text.index == 3 {
            let name = String(decoding: text.bytes[text.index..<text.end], as: UTF8.self).uppercased()
            guard name == "UTC" || name == "GMT" else { return nil }
            text.index = text.end
            return (0, ())
        }
        let isWest = text.current == UInt8(ascii: "-")
        guard isWest || text.current == UInt8(ascii: "+") else { return nil }
        text.index += 1
        guard let hours = text.number(2), hours.value < 24 else { return nil }
        _ = text.take(UInt8(ascii: ":"))
        let minutes = text.isAtEnd ? 0 : text.number(2)?.value
        guard let minutes, minutes < 60 else { return nil }
        let seconds = hours.value * 3600 + minutes * 60
        return (isWest ? -seconds : seconds, ())
    }
}
