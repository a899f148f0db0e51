package import Foundation

/// Dates in the form of the session log: ISO 8601, UTC, with enough fraction digits to read back bit for bit.
///
/// A date is a `Double` of seconds since 2001-01-01T00:00:00Z, as in Foundation. It is written with three fraction
/// digits if they are exact, otherwise with up to nine. If even nine are not enough (within hours of the start of 2001,
/// or outside the years 0000 … 9999), the number itself is written. The reader adds the whole seconds and the decimal
/// fraction, each as a `Double`. The writer tries that sum before it chooses a form, so both always agree.
///
/// The calendar is the proleptic Gregorian one of ISO 8601. It is computed directly, because formatters allocate and
/// this runs once per line. The arithmetic counts years from March, as in Hinnant, "chrono-Compatible Low-Level Date
/// Algorithms", 2013.
package enum SessionLogDate {
    /// Days from 1970-01-01 to 2001-01-01.
    private static let referenceDay = 11_323
    private static let secondsADay = 86_400
    private static let firstSecond = (day(year: 0, month: 1, day: 1) - referenceDay) * secondsADay
    private static let secondAfterLast = (day(year: 10_000, month: 1, day: 1) - referenceDay) * secondsADay

    /// Returns whether a log can hold this date: one of the years 0000 … 9999 (`Date.distantPast` is in the year 0000).
    /// The difference of any two such dates is a sensible number of seconds.
    package static func isInRange(_ seconds: Double) -> Bool {
        seconds >= Double(firstSecond) && seconds < Double(secondAfterLast)
    }

    /// Returns the date, or the nearest one that a log can hold.
    package static func inRange(_ date: Date) -> Date {
        let seconds = date.timeIntervalSinceReferenceDate
        if isInRange(seconds) { return date }
        return Date(timeIntervalSinceReferenceDate: Double(seconds > 0 ? secondAfterLast - 1 : firstSecond))
    }

    /// Appends the quoted date, or the bare number. `seconds` must be finite.
    package static func append(_ seconds: Double, to bytes: inout [UInt8]) {
        guard isInRange(seconds) else { return JSONNumber.append(seconds, to: &bytes) }
        let whole = seconds.rounded(.down)
        let fraction = seconds - whole
        for digits in 3...9 {
            let scale = JSONNumber.powersOfTen[digits]
            let decimal = (fraction * scale).rounded()
            if decimal < scale, (whole + decimal / scale).bitPattern == seconds.bitPattern {
                bytes.append(UInt8(ascii: "\""))
                append(second: Int(whole), fraction: Int(decimal), digits: digits, to: &bytes)
                return bytes.append(UInt8(ascii: "\""))
            }
        }
        JSONNumber.append(seconds, to: &bytes)
    }

    /// Returns the date to the nearest millisecond, without quotes: `2026-01-02T03:04:05.678Z`. Nil outside the years 1
    /// … 9999.
    package static func text(_ date: Date) -> String? {
        var bytes: [UInt8] = []
        return appendText(date, to: &bytes) ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// Appends the result of ``text(_:)``. Returns false if that is nil.
    @discardableResult
    package static func appendText(_ date: Date, to bytes: inout [UInt8]) -> Bool {
        guard let milliseconds = milliseconds(date) else { return false }
        let whole = (milliseconds / 1000).rounded(.down)
        append(second: Int(whole), fraction: Int(milliseconds - whole * 1000), digits: 3, to: &bytes)
        return true
    }

    /// Returns whether ``text(_:)`` returns a text.
    package static func hasText(_ date: Date) -> Bool { milliseconds(date) != nil }

    private static let firstTextMillisecond =
        Double((day(year: 1, month: 1, day: 1) - referenceDay) * secondsADay) * 1000

    private static func milliseconds(_ date: Date) -> Double? {
        let milliseconds = (date.timeIntervalSinceReferenceDate * 1000).rounded()
        guard milliseconds >= firstTextMillisecond, milliseconds < Double(secondAfterLast) * 1000 else { return nil }
        return milliseconds
    }

    /// Appends all digits at once, because an array checks for each byte whether its memory is unique and large enough.
    private static func append(second: Int, fraction: Int, digits: Int, to bytes: inout [UInt8]) {
        let secondOfDay = ((second % secondsADay) + secondsADay) % secondsADay
        let (year, month, day) = civil((second - secondOfDay) / secondsADay + referenceDay)
        var text = InlineArray<30, UInt8>(repeating: UInt8(ascii: "0"))
        func put(_ number: Int, endingAt end: Int, _ width: Int, _ mark: UInt8) {
            var rest = number
            for place in 1...width {
                text[end - place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            text[end] = mark
        }
        put(year, endingAt: 4, 4, UInt8(ascii: "-"))
        put(month, endingAt: 7, 2, UInt8(ascii: "-"))
        put(day, endingAt: 10, 2, UInt8(ascii: "T"))
        put(secondOfDay / 3600, endingAt: 13, 2, UInt8(ascii: ":"))
        put(secondOfDay / 60 % 60, endingAt: 16, 2, UInt8(ascii: ":"))
        put(secondOfDay % 60, endingAt: 19, 2, UInt8(ascii: "."))
        put(fraction, endingAt: 20 + digits, digits, UInt8(ascii: "Z"))
        text.span.extracting(first: 21 + digits).withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }

    /// Reads a date in ISO 8601's extended format, to the second or finer, with `Z` or an offset. Returns seconds since
    /// 2001.
    ///
    /// It accepts more than is written: an offset such as `+01:00`, a comma before the fraction, a space or lower-case
    /// letters instead of `T` and `Z`, a leap second (as the second after it), and any number of fraction digits (nine
    /// are used).
    package static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        guard let local = local(text), let east = offset(text, local.zone) else { return nil }
        return Double(local.second - east) + local.fraction
    }

    /// Reads dates of other programs, whose zone may be short (`+0100`, `+01`) or missing. Without a zone the date is
    /// taken as UTC, and `hasZone` is false.
    package static func parseLoosely(_ text: UnsafeBufferPointer<UInt8>) -> (seconds: Double, hasZone: Bool)? {
        guard let local = local(text) else { return nil }
        if local.zone == text.count { return (Double(local.second) + local.fraction, false) }
        guard let east = offset(text, local.zone, isLoose: true) else { return nil }
        return (Double(local.second - east) + local.fraction, true)
    }

    /// Returns the date as if it were UTC, in seconds since 2001, and the place where its zone begins.
    private static func local(_ text: UnsafeBufferPointer<UInt8>) -> (second: Int, fraction: Double, zone: Int)? {
        guard text.count >= 19, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            text[10] | 0x20 == UInt8(ascii: "t") || text[10] == UInt8(ascii: " "),
            text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
            let century = twoDigits(text, 0), let yearOfCentury = twoDigits(text, 2),
            let month = twoDigits(text, 5), let day = twoDigits(text, 8),
            let hour = twoDigits(text, 11), let minute = twoDigits(text, 14), let second = twoDigits(text, 17)
        else { return nil }
        let year = century * 100 + yearOfCentury
        guard (1...12).contains(month), day >= 1, day <= length(ofMonth: month, year: year),
            hour < 24, minute < 60, second <= 60
        else { return nil }

        var index = 19
        var fraction = 0
        var digits = 0
        if index < text.count, text[index] == UInt8(ascii: ".") || text[index] == UInt8(ascii: ",") {
            index += 1
            let first = index
            while index < text.count, let value = digit(text[index]) {
                if digits < 9 {
                    fraction = fraction * 10 + value
                    digits += 1
                }
                index += 1
            }
            if index == first { return nil }
        }
        let days = Self.day(year: year, month: month, day: day) - referenceDay
        let whole = days * secondsADay + hour * 3600 + minute * 60 + second
        return (whole, Double(fraction) / JSONNumber.powersOfTen[digits], index)
    }

    /// Returns seconds east of UTC for the zone that begins at `index` and ends the text.
    ///
    /// - Parameter isLoose: Whether to accept `+0100` and `+01` too.
    private static func offset(_ text: UnsafeBufferPointer<UInt8>, _ index: Int, isLoose: Bool = false) -> Int? {
        guard index < text.count else { return nil }
        if text.count == index + 1 { return text[index] | 0x20 == UInt8(ascii: "z") ? 0 : nil }
        let isWest = text[index] == UInt8(ascii: "-")
        guard isWest || text[index] == UInt8(ascii: "+"), text.count >= index + 3,
            let hours = twoDigits(text, index + 1), hours < 24
        else { return nil }
        let minutes: Int?
        switch text.count - index {
        case 6 where text[index + 3] == UInt8(ascii: ":"): minutes = twoDigits(text, index + 4)
        case 5 where isLoose: minutes = twoDigits(text, index + 3)
        case 3 where isLoose: minutes = 0
        default: minutes = nil
        }
        guard let minutes, minutes < 60 else { return nil }
        let seconds = hours * 3600 + minutes * 60
        return isWest ? -seconds : seconds
    }

    private static func digit(_ byte: UInt8) -> Int? {
        let value = byte &- UInt8(ascii: "0")
        return value < 10 ? Int(value) : nil
    }

    private static func twoDigits(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int? {
        guard let tens = digit(text[index]), let ones = digit(text[index + 1]) else { return nil }
        return tens * 10 + ones
    }

    /// Returns days from 2001-01-01 to a date, or nil if there is no such date.
    package static func daySinceReference(year: Int, month: Int, day: Int) -> Int? {
        guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= length(ofMonth: month, year: year)
        else { return nil }
        return Self.day(year: year, month: month, day: day) - referenceDay
    }

    private static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns days from 1970-01-01 to a date in the year 0 or later.
    private static func day(year: Int, month: Int, day: Int) -> Int {
        // Years begin in March, so that the leap day is the last of its year. They are 400 years later, so that none is
        // negative.
        let marchYear = (month > 2 ? year : year - 1) + 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - 719_468 - 146_097
    }

    private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
        let dayOfMarchYears = day + 719_468 + 146_097
        let cycle = dayOfMarchYears / 146_097
        let dayOfCycle = dayOfMarchYears % 146_097
        let yearOfCycle =
            (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (cycle * 400 + yearOfCycle - 400 + (month <= 2 ? 1 : 0), month, dayOfMonth)
    }
}
