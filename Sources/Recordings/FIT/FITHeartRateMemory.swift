/// Heart rates that a strap stored while out of reach (under water) and delivered afterwards, in `hr` messages.
///
/// A message holds up to eight times and heart rates. Times are the strap's own, in 1/1024 s, either whole
/// (`event_timestamp`) or their low twelve bits (`event_timestamp_12`); a message that also has a timestamp ties them to
/// the date. Times here are in 1/32768 s since 1989-12-31T00:00:00Z, which holds all of it exactly.
struct FITHeartRateMemory {
    struct Reading {
        var time: Int64
        var heartRate: Int64
    }

    static let ticksPerSecond: Int64 = 32768
    private static let ticksPerEvent: Int64 = 32
    /// A reading holds until the next one, at most so long.
    private static let holdSteps: Int64 = 20
    /// A reading counts once every so often while it holds.
    private static let step: Int64 = ticksPerSecond / 4

    private(set) var readings: [Reading] = []
    /// Heart rates that nothing tied to a date.
    private(set) var undated = 0
    private var isSorted = true
    /// Date of the event time zero, in ticks.
    private var origin: Int64?
    /// The last event time, in 1/1024 s, counted on over 32 bits.
    private var lastEvent: Int64 = 0

    mutating func read(_ message: FITMessage) {
        typealias Field = FITProfile.HeartRate
        guard let rates = message.array(Field.filteredBPM) else { return }
        if let events = message.array(Field.eventTimestamp), events.count > 0,
            let first = events[0].flatMap({ UInt32(exactly: $0) })
        {
            if let timestamp = message.timestamp {
                let fraction: UInt16 = message.exactly(Field.fractionalTimestamp) ?? 0
                lastEvent = Int64(first)
                origin = Int64(timestamp) * Self.ticksPerSecond + Int64(fraction) - lastEvent * Self.ticksPerEvent
            }
            for index in 0..<min(events.count, rates.count) {
                guard let event = events[index].flatMap({ UInt32(exactly: $0) }) else { continue }
                lastEvent += Int64(Int32(truncatingIfNeeded: Int64(event) - lastEvent))
                add(rates[index])
            }
        } else if let packed = message.array(Field.eventTimestamp12) {
            for index in 0..<min(packed.bytes.count * 2 / 3, rates.count) {
                let at = index / 2 * 3
                let middle = Int64(packed.bytes.uint8(at: at + 1))
                let low =
                    index % 2 == 0
                    ? Int64(packed.bytes.uint8(at: at)) | (middle & 0x0F) << 8
                    : middle >> 4 | Int64(packed.bytes.uint8(at: at + 2)) << 4
                lastEvent += (low - lastEvent) & 0xFFF
                add(rates[index])
            }
        }
    }

    private mutating func add(_ heartRate: Int64?) {
        guard let heartRate, heartRate > 0, heartRate < 255 else { return }
        guard let origin else {
            undated += 1
            return
        }
        let time = origin + lastEvent * Self.ticksPerEvent
        if let last = readings.last, last.time > time { isSorted = false }
        readings.append(Reading(time: time, heartRate: heartRate))
    }

    /// Gives each record the mean of what was measured since the record before it: a reading counts every quarter of a
    /// second until the next, five seconds at most. A record without any reading in its span keeps what it has. This is what
    /// Garmin's SDK makes of these messages (observed, equal in every record of the files at hand).
    ///
    /// `records` are in order of time and have one; the first spans one second, and so does one of the same second as
    /// the one before it.
    func merge(into records: inout [FITRecord]) {
        guard !readings.isEmpty else { return }
        let spans = HeldReadings(isSorted ? readings : readings.sorted { $0.time < $1.time })
        var previous: UInt32?
        for index in records.indices {
            let time = records[index].time
            let from = previous.map { $0 < time ? Int64($0) : Int64(time) - 1 } ?? Int64(time) - 1
            previous = time
            let sum = spans.sum(after: from * Self.ticksPerSecond, through: Int64(time) * Self.ticksPerSecond)
            guard sum.count > 0 else { continue }
            records[index].heartRate = UInt8(clamping: (2 * sum.total + sum.count) / (2 * sum.count))
        }
    }

    /// Readings with the sums that make the mean over any span a matter of two searches.
    private struct HeldReadings {
        private let readings: [Reading]
        /// How often and with what total the readings before this one count.
        private var before: [(count: Int64, total: Int64)] = [(0, 0)]

        init(_ readings: [Reading]) {
            self.readings = readings
            before.reserveCapacity(readings.count + 1)
            for index in readings.indices {
                let last = before[index]
                let count = steps(of: index)
                before.append((last.count + count, last.total + count * readings[index].heartRate))
            }
        }

        /// How often the reading counts until the next one.
        private func steps(of index: Int) -> Int64 {
            guard index + 1 < readings.count else { return 1 }
            let span = readings[index + 1].time - readings[index].time
            return min(max((span + step - 1) / step, 1), holdSteps)
        }

        /// Everything that counts up to `time`, including it.
        private func sum(through time: Int64) -> (count: Int64, total: Int64) {
            var low = 0
            var high = readings.count
            while low < high {
                let middle = (low + high) / 2
                if readings[middle].time <= time { low = middle + 1 } else { high = middle }
            }
            guard low > 0 else { return (0, 0) }
            let last = readings[low - 1]
            let count = min((time - last.time) / step + 1, steps(of: low - 1))
            return (before[low - 1].count + count, before[low - 1].total + count * last.heartRate)
        }

        func sum(after from: Int64, through: Int64) -> (count: Int64, total: Int64) {
            let a = sum(through: from)
            let b = sum(through: through)
            return (b.count - a.count, b.total - a.total)
        }
    }
}
