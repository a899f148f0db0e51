package import Recordings

/// Makes samples of what stands in a workout's log, one entry after the other.
///
/// A reading that nobody gave a UUID gets one from its place among all readings of the log. So a sample is the same whenever its
/// log is made into samples: while the session runs, after a crash, and when the workout is finished.
package struct LoggedSamples: Sendable {
    private let workout: UUID
    private var devices: [String: HKDevice] = [:]
    private var kinds = KindCache<MeasuredType?>()
    private var numberOfReadings: UInt64 = 0

    package init(of workout: UUID) { self.workout = workout }

    /// The sample of the next entry of the log; nil for one that makes none.
    package mutating func sample(of entry: SessionEntry) -> HKSample? {
        switch entry.content {
        case .quantity(let reading): return sample(of: reading)
        case .category(let reading): return try? HKCategorySample.of(reading)
        case .sensor(let status):
            note(status)
            return nil
        case .header, .state, .collection, .activityBegan, .activityMetadata, .activityEnded, .event, .metadata, .beats,
            .position, .routeDiscarded, .object, .notification, .wearer, .remoteData, .companion, .clockSet:
            return nil
        }
    }

    /// A strap says what it is some moments after its first reading. What is made from here on has the latest device.
    package mutating func note(_ status: SensorStatus) { devices[status.id] = HKDevice(status.device) }

    /// The device of a sensor; nil if it has not said yet what it is.
    static func device(_ sensor: String, _ devices: [String: HKDevice]) -> HKDevice? {
        sensor == SensorStatus.thisMachine ? HKDevice.local() : devices[sensor]
    }

    /// The sample of the next reading of the log; nil for one that makes none.
    mutating func sample(of reading: QuantityReading) -> HKQuantitySample? {
        guard let sample = measurement(reading) else { return nil }
        guard reading.origin == nil else { return sample }
        var identity = sample.identity
        identity.uuid = .ofSample(numberOfReadings, in: workout)
        numberOfReadings += 1
        return sample.with(identity) as? HKQuantitySample
    }

    /// The sample of a reading that stands in no log, under a UUID of its own; nil for one that makes none.
    package mutating func measurement(_ reading: QuantityReading) -> HKQuantitySample? {
        guard let measured = measuredType(reading.kind), let sample = try? HKQuantitySample.of(reading, measured)
        else { return nil }
        guard reading.origin == nil, sample.identity.device == nil, let sensor = reading.sensor,
            let device = Self.device(sensor, devices)
        else { return sample }
        var identity = sample.identity
        identity.device = device
        return sample.with(identity) as? HKQuantitySample
    }

    private mutating func measuredType(_ kind: ReadingKind) -> MeasuredType? {
        if let known = kinds[kind] { return known }
        let found = MeasuredType(kind)
        kinds.note(found, of: kind)
        return found
    }
}

extension HKCategorySample {
    /// A category value that an app added to a workout.
    package static func of(_ reading: CategoryReading) throws -> HKCategorySample {
        guard let type = TypeCatalogue.categoryType(named: reading.type) else {
            throw HKError.make(.errorInvalidArgument, "There is no category type \(reading.type).")
        }
        return try validated(
            try ObjectIdentity(reading.origin), type: type, value: reading.value, start: reading.start, end: reading.end
        )
    }
}
