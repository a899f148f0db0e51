/// How often a wheel has turned, and when it last did, as a sensor counts it.
public struct WheelRevolutions: Sendable, Equatable {
    /// Whole turns. Practically never rolls over, but may be set, and may fall while the bike rolls backwards.
    public var count: UInt32
    /// The time of the last turn, in the ticks of the characteristic it came with (1/1024 s, with power 1/2048 s).
    public var eventTime: UInt16

    public init(count: UInt32, eventTime: UInt16) {
        self.count = count
        self.eventTime = eventTime
    }

    init?(_ bytes: Span<UInt8>, _ cursor: inout FieldCursor) {
        guard let count = cursor.uint32(bytes), let time = cursor.uint16(bytes) else { return nil }
        self.init(count: count, eventTime: time)
    }
}

/// How often the crank has turned, and when it last did, as a sensor counts it.
public struct CrankRevolutions: Sendable, Equatable {
    /// Whole turns; rolls over.
    public var count: UInt16
    /// The time of the last turn, in 1/1024 s; rolls over every 64 s.
    public var eventTime: UInt16

    public init(count: UInt16, eventTime: UInt16) {
        self.count = count
        self.eventTime = eventTime
    }

    init?(_ bytes: Span<UInt8>, _ cursor: inout FieldCursor) {
        guard let count = cursor.uint16(bytes), let time = cursor.uint16(bytes) else { return nil }
        self.init(count: count, eventTime: time)
    }
}
