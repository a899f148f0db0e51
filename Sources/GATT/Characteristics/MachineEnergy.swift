/// The energy in the data of a fitness machine. A value that the machine does not know has the highest number of its field.
///
/// Source: Bluetooth SIG, Fitness Machine Service 1.0, section 4.4.1.7.
public struct MachineEnergy: Sendable, Equatable {
    public var totalInKilocalories: UInt16
    public var kilocaloriesPerHour: UInt16
    public var kilocaloriesPerMinute: UInt8

    public init(totalInKilocalories: UInt16, kilocaloriesPerHour: UInt16, kilocaloriesPerMinute: UInt8) {
        self.totalInKilocalories = totalInKilocalories
        self.kilocaloriesPerHour = kilocaloriesPerHour
        self.kilocaloriesPerMinute = kilocaloriesPerMinute
    }

    init?(_ bytes: Span<UInt8>, _ cursor: inout FieldCursor) {
        guard let total = cursor.uint16(bytes), let perHour = cursor.uint16(bytes), let perMinute = cursor.uint8(bytes)
        else { return nil }
        self.init(totalInKilocalories: total, kilocaloriesPerHour: perHour, kilocaloriesPerMinute: perMinute)
    }
}
