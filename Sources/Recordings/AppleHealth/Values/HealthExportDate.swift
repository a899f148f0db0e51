import Foundation
import SessionLog

/// Reads the dates of an export: `2019-06-11 15:00:42 -0700`.
///
/// Successive records mostly share a day, so the last day is remembered and only the time of day is computed. Other
/// forms are accepted as `SessionLogDate` accepts them: with or without a colon in the offset, with or without a space
/// before it.
struct HealthExportDate {
    /// The ten bytes of the day that starts at `midnight`, in two words.
    private var dayHead: UInt64 = 0
    private var dayTail: UInt16 = 0
    /// Seconds from 2001-01-01T00:00:00Z to the start of the day in UTC.
    private var midnight = 0.0

    mutating func date(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
        seconds(text).map(Date.init(timeIntervalSinceReferenceDate:))
    }

    @inline(__always)
    private mutating func seconds(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        guard text.count == 25, let bytes = text.baseAddress, bytes[10] == UInt8(ascii: " "),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"), bytes[19] == UInt8(ascii: " "),
            bytes[20] == UInt8(ascii: "+") || bytes[20] == UInt8(ascii: "-")
        else { return Self.otherForm(text) }
        let hour = Self.twoDigits(bytes + 11)
        let minute = Self.twoDigits(bytes + 14)
        let second = Self.twoDigits(bytes + 17)
        let eastHours = Self.twoDigits(bytes + 21)
        let eastMinutes = Self.twoDigits(bytes + 23)
        guard hour < 24, minute < 60, second <= 60, eastHours < 24, eastMinutes < 60 else { return nil }

        let head = UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self)
        let tail = UnsafeRawPointer(bytes + 8).loadUnaligned(as: UInt16.self)
        if head != dayHead || tail != dayTail {
            guard let start = Self.midnight(text) else { return nil }
            midnight = start
            dayHead = head
            dayTail = tail
        }
        let east = (eastHours * 60 + eastMinutes) * 60
        let time = (hour * 60 + minute) * 60 + second - (bytes[20] == UInt8(ascii: "-") ? -east : east)
        return midnight + Double(time)
    }

    /// Returns the number in two digits, or at least 100 if they are not digits.
    @inline(__always)
    private static func twoDigits(_ bytes: UnsafePointer<UInt8>) -> Int {
        let tens = bytes[0] &- UInt8(ascii: "0")
        let ones = bytes[1] &- UInt8(ascii: "0")
        return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : 100
    }

    private static func midnight(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        (Array(text.prefix(10)) + Array("T00:00:00Z".utf8)).withUnsafeBufferPointer(SessionLogDate.parse)
    }

    private static func otherForm(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        guard (16...64).contains(text.count) else { return nil }
        var bytes = Array(text)
        if let space = bytes.lastIndex(of: 0x20), space > 10 { bytes.remove(at: space) }
        guard let (seconds, hasZone) = bytes.withUnsafeBufferPointer(SessionLogDate.parseLoosely), hasZone else {
            return nil
        }
        return seconds
    }

    /// Returns year, month and day of `1985-02-28`. Nil for any other text, such as the empty text of a person who does
    /// not share the date.
    static func day(_ text: String) -> (year: Int, month: Int, day: Int)? {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes.withUnsafeBufferPointer(midnight) != nil else { return nil }
        let parts = text.split(separator: "-").compactMap { Int($0) }
        return parts.count == 3 ? (parts[0], parts[1], parts[2]) : nil
    }

    /// Returns the date of a beat from its time of day, such as `7:47:41.86 AM`, within the record that contains it.
    ///
    /// The time is written in the language and the time zone of the phone, and the file states neither. But time zones
    /// differ by quarters of an hour, and a record lasts a few minutes at most, so minutes and seconds are enough.
    static func beat(_ text: UnsafeBufferPointer<UInt8>, from start: Date, to end: Date) -> Date? {
        var numbers: [(value: Int, digits: Int)] = []
        var isNumber = false
        for byte in text.prefix(64) {
            let digit = byte &- UInt8(ascii: "0")
            if digit < 10 {
                if !isNumber { numbers.append((0, 0)) }
                let last = numbers[numbers.count - 1]
                if last.digits == 9 { return nil }
                numbers[numbers.count - 1] = (last.value * 10 + Int(digit), last.digits + 1)
            }
            isNumber = digit < 10
        }
        guard numbers.count == 3 || numbers.count == 4, numbers[0].value < 25, numbers[1].value < 60,
            numbers[2].value <= 60
        else { return nil }
        var time = Double(numbers[1].value * 60 + numbers[2].value)
        if numbers.count == 4 { time += Double(numbers[3].value) / JSONNumber.powersOfTen[numbers[3].digits] }

        let quarter = 900.0
        let first = start.timeIntervalSinceReferenceDate
        let last = max(first, end.timeIntervalSinceReferenceDate)
        // Choose the time nearest to the middle of the record.
        let middle = first + min(last - first, quarter) / 2
        return Date(timeIntervalSinceReferenceDate: time + ((middle - time) / quarter).rounded() * quarter)
    }
}
