public import Foundation

/// The floating-point numbers of medical devices: decimal, with a signed mantissa and a signed exponent.
///
/// Source: IEEE 11073-20601, as the Bluetooth SIG uses it in GATT Specification Supplement, section 2.3 (medfloat16 and medfloat32).
extension FieldCursor {
    /// A number of 16 bits, 12 of them mantissa ("SFLOAT").
    /// - Returns: Nil if the field is incomplete, or if it is no finite number: not known, out of resolution, infinite.
    package mutating func medicalFloat16(_ bytes: Span<UInt8>) -> Double? {
        guard let raw = uint16(bytes) else { return nil }
        let mantissa = Int(raw & 0x0FFF) - (raw & 0x0800 != 0 ? 0x1000 : 0)
        // 2046 … 2047 and −2048 … −2046 stand for special values, whatever the exponent.
        guard (-2045...2045).contains(mantissa) else { return nil }
        return Self.decimal(mantissa, exponent: Int(Int16(bitPattern: raw) >> 12))
    }

    /// A number of 32 bits, 24 of them mantissa ("FLOAT").
    /// - Returns: As for 16 bits.
    package mutating func medicalFloat32(_ bytes: Span<UInt8>) -> Double? {
        guard let raw = uint32(bytes) else { return nil }
        let mantissa = Int(raw & 0x00FF_FFFF) - (raw & 0x0080_0000 != 0 ? 0x0100_0000 : 0)
        guard (-8_388_605...8_388_605).contains(mantissa) else { return nil }
        return Self.decimal(mantissa, exponent: Int(Int32(bitPattern: raw) >> 24))
    }

    /// Divides if the exponent is negative: 3 / 10 is 0.3, and 3 · 0.1 is not.
    private static func decimal(_ mantissa: Int, exponent: Int) -> Double {
        exponent < 0 ? Double(mantissa) / pow(10, Double(-exponent)) : Double(mantissa) * pow(10, Double(exponent))
    }
}

/// A device's own date and time of day, in no time zone.
///
/// Source: Bluetooth SIG, GATT Specification Supplement, Date Time (0x2A08).
public struct DeviceTime: Sendable, Hashable {
    public var year, month, day, hour, minute, second: Int

    public init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    /// Nil if the calendar has no such date.
    public func date(in calendar: Calendar) -> Date? {
        let parts = DateComponents(
            calendar: calendar, timeZone: calendar.timeZone, year: year, month: month, day: day, hour: hour,
            minute: minute, second: second)
        return parts.isValidDate ? calendar.date(from: parts) : nil
    }
}

extension FieldCursor {
    /// Nil if the field is incomplete, and for a year, month or day that the device does not know.
    package mutating func deviceTime(_ bytes: Span<UInt8>) -> DeviceTime? {
        guard let year = uint16(bytes), let month = uint8(bytes), let day = uint8(bytes), let hour = uint8(bytes),
            let minute = uint8(bytes), let second = uint8(bytes)
        else { return nil }
        let time = DeviceTime(
            year: Int(year), month: Int(month), day: Int(day), hour: Int(hour), minute: Int(minute),
            second: Int(second))
        return time.year > 0 && time.month > 0 && time.day > 0 ? time : nil
    }
}
