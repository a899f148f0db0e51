/// The RR intervals of one Heart Rate Measurement, oldest first, in the unit of the packet: 1/1024 s.
///
/// The first nine, which is all that a packet of the default ATT_MTU (23) can hold, are stored inline. Only a longer
/// packet allocates.
public struct RRIntervals: Sendable, RandomAccessCollection, ExpressibleByArrayLiteral {
    public static let ticksPerSecond = 1024
    public static let inlineCapacity = 9

    private var inline: InlineArray<9, UInt16>
    private var overflow: [UInt16]
    public private(set) var count: Int

    public init() {
        inline = InlineArray(repeating: 0)
        overflow = []
        count = 0
    }

    public init(arrayLiteral ticks: UInt16...) {
        self.init()
        for interval in ticks { append(interval) }
    }

    public mutating func append(_ ticks: UInt16) {
        if count < Self.inlineCapacity { inline[count] = ticks } else { overflow.append(ticks) }
        count += 1
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    public subscript(position: Int) -> UInt16 {
        precondition(position >= 0 && position < count, "RR interval \(position) of \(count)")
        return position < Self.inlineCapacity ? inline[position] : overflow[position - Self.inlineCapacity]
    }

    /// Returns the interval at `position` in milliseconds, unrounded.
    public func milliseconds(at position: Int) -> Double { Self.milliseconds(fromTicks: self[position]) }

    /// Converts 1/1024 s to milliseconds, unrounded.
    public static func milliseconds(fromTicks ticks: UInt16) -> Double { Double(ticks) * 1000 / 1024 }

    /// Converts milliseconds to 1/1024 s, to the nearest.
    public static func ticks(fromMilliseconds milliseconds: Double) -> UInt16 {
        FieldWriter.clamped(milliseconds * 1024 / 1000, to: UInt16.self)
    }

    /// Returns whether an interval can lie between two beats: from 200 ms, the shortest for
    /// ``HeartRateMeasurement/plausibleHeartRates``, to 5000 ms, after which a sensor counts as silent
    /// (``SensorLinkTimings/stale``). A long interval within this range is a missed beat. It is an artefact for
    /// variability, but still a reading. Straps send others (a Garmin HRM-Dual may append one of 52 ms).
    public static func isPlausible(ticks: UInt16) -> Bool {
        (200...5000).contains(milliseconds(fromTicks: ticks))
    }
}

extension RRIntervals: Equatable {
    public static func == (a: RRIntervals, b: RRIntervals) -> Bool { a.elementsEqual(b) }
}
