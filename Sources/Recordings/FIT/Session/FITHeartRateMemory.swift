/// Heart rates that a strap stored while out of reach (under water) and delivered later, in `hr` messages.
///
/// A message holds up to eight times and heart rates. Times are the strap's own in 1/1024 s, either complete
/// (`event_timestamp`) or only their low twelve bits (`event_timestamp_12`). A message that also has a timestamp ties
/// them to the date. Times here are in 1/32768 s since 1989-12-31T00:00:00Z, which represents all of them exactly.
struct FITHeartRateMemory {
    struct Reading {
        var time: Int64
        var heartRate: Int64
    }

    static let ticksPerSecond: Int64 = 32768
    private static let ticksPerEvent: Int64 = 32
    /// A reading holds until the next one, but for at most this many steps.
    private static let holdSteps: Int64 = 20
    /// While a reading holds, it counts again after each step.
    private static let step: Int64 = ticksPerSecond / 4

    private(set) var readings: [Reading] = []
    /// The number of heart rates whose date is unknown.
    var undated = 0
    /// The date of event time zero, in ticks.
    private var origin: Int64?
    /// The last event time in 1/1024 s, extended beyond 32 bits.
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
        readings.append(Reading(time: time, heartRate: heartRate))
    }

    /// Gives each record, in the order of the file, the mean of the stored heart rates since the record before it, as
    /// Garmin's own SDK does (release 21.218; compared with it on generated files).
    ///
    /// A reading counts when it was made and again every quarter of a second until the next one, at most twenty times.
    /// A record without a reading in its span keeps its heart rate, and so does the record in whose span the readings
    /// end.
    ///
    /// All records have a time. The first one spans a second. A record in the same second as the one before takes the
    /// last value that counted there.
    struct Merging {
        private var place = Place()
        private var spanStart: Int64?

        mutating func merge(_ memory: FITHeartRateMemory, into record: inout FITRecord) {
            let readings = memory.readings
            let spanEnd = Int64(record.time) * ticksPerSecond
            var start = spanStart ?? spanEnd
            if start == spanEnd {
                start -= ticksPerSecond
                place = memory.previous(place)
            }
            spanStart = start
            var total: Int64 = 0
            var count: Int64 = 0
            while place.reading < readings.count {
                let time = readings[place.reading].time + place.step * step
                if time > spanEnd {
                    if count > 0 { record.heartRate = UInt8(clamping: (2 * total + count) / (2 * count)) }
                    spanStart = spanEnd
                    break
                }
                if time > start {
                    total += readings[place.reading].heartRate
                    count += 1
                }
                place = memory.next(place)
            }
        }
    }

    /// One of the times at which a reading counts.
    fileprivate struct Place {
        var reading = 0
        var step: Int64 = 0
    }

    /// Returns how often the reading counts again before the next one.
    private func steps(of index: Int) -> Int64 {
        guard index + 1 < readings.count else { return 0 }
        let span = abs(readings[index + 1].time - readings[index].time)
        return min(max((span + Self.step - 1) / Self.step - 1, 0), Self.holdSteps)
    }

    private func next(_ place: Place) -> Place {
        place.step < steps(of: place.reading)
            ? Place(reading: place.reading, step: place.step + 1) : Place(reading: place.reading + 1)
    }

    private func previous(_ place: Place) -> Place {
        if place.step > 0 { return Place(reading: place.reading, step: place.step - 1) }
        guard place.reading > 0 else { return place }
        return Place(reading: place.reading - 1, step: steps(of: place.reading - 1))
    }

    /// Adds the readings of the next file in the chain.
    mutating func append(_ later: FITHeartRateMemory) {
        readings += later.readings
        undated += later.undated
    }
}
