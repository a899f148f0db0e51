package import SessionLog

/// Which readings of a workout's log are samples, who they are and which device measured them.
///
/// A reading that nobody gave a UUID gets one from its place among all readings of the log. So a sample is the same whenever its
/// log is made into samples: while the session runs, after a crash, and when the workout is finished. Only its device may be
/// missing at first: a strap says what it is some moments after its first reading, and all of its readings are that strap's
/// (``takeIdentified()``).
package struct LoggedSamples: Sendable {
    private let workout: UUID
    private var devices: [String: HKDevice] = [:]
    private var kinds = KindCache<MeasuredType?>()
    private var numberOfReadings: UInt64 = 0
    /// Sensors say what they are within their first minutes.
    private static let mostUnidentified = 4096
    /// By sensor: the first samples that were made of its readings one by one.
    private var made: [String: [UUID]] = [:]
    /// Sensors that say something else of themselves than before.
    private var identified: Set<String> = []

    package init(of workout: UUID) { self.workout = workout }

    /// What is made from here on has the latest device.
    package mutating func note(_ status: SensorStatus) {
        let device = HKDevice(status.device)
        if devices[status.id] != device, made[status.id] != nil { identified.insert(status.id) }
        devices[status.id] = device
    }

    /// The samples that were made before their sensors said what they are; each time only what is new.
    package mutating func takeIdentified() -> [(device: HKDevice, samples: Set<UUID>)] {
        defer { identified = [] }
        return identified.compactMap { sensor in
            guard let device = devices[sensor], let samples = made[sensor] else { return nil }
            return (device, Set(samples))
        }
    }

    /// The device of a sensor; nil if it has not said yet what it is.
    func device(of sensor: String?) -> HKDevice? {
        guard let sensor else { return nil }
        return sensor == SensorStatus.thisMachine ? HKDevice.local() : devices[sensor]
    }

    /// The UUID of the sample that the next reading without one makes; nil if it makes none.
    mutating func identify(_ reading: ReadingNumbers, _ measured: MeasuredType) -> UUID? {
        guard measured.takes(reading) else { return nil }
        defer { numberOfReadings += 1 }
        return .ofSample(numberOfReadings, in: workout)
    }

    /// The sample of the next entry of the log; nil for one that makes none.
    package mutating func sample(of entry: SessionEntry) -> HKSample? {
        switch entry.content {
        case .quantity(let reading) where reading.origin == nil:
            guard let measured = measuredType(reading.kind), let id = identify(ReadingNumbers(reading), measured)
            else { return nil }
            return sample(of: reading, measured, id)
        case .quantity(let reading): return try? HKQuantitySample.of(reading)
        case .category(let reading): return try? HKCategorySample.of(reading)
        case .sensor(let status):
            note(status)
            return nil
        case .header, .state, .collection, .activityBegan, .activityMetadata, .activityEnded, .event, .metadata, .beats,
            .position, .routeDiscarded, .object, .notification, .wearer, .remoteData, .companion, .clockSet:
            return nil
        }
    }

    /// The sample of a reading that stands in no log, under a UUID of its own; nil for one that makes none.
    package mutating func measurement(_ reading: QuantityReading) -> HKQuantitySample? {
        guard reading.origin == nil else { return try? HKQuantitySample.of(reading) }
        guard let measured = measuredType(reading.kind), measured.takes(ReadingNumbers(reading)) else { return nil }
        return sample(of: reading, measured, .next())
    }

    private mutating func sample(
        of reading: QuantityReading, _ measured: MeasuredType, _ id: UUID
    ) -> HKQuantitySample? {
        if let sensor = reading.sensor, sensor != SensorStatus.thisMachine,
            made[sensor, default: []].count < Self.mostUnidentified
        {
            made[sensor, default: []].append(id)
        }
        return try? HKQuantitySample.validated(
            ObjectIdentity(uuid: id, device: device(of: reading.sensor)), type: measured.type,
            quantity: HKQuantity(unit: measured.unit, doubleValue: reading.value), start: reading.start,
            end: reading.end)
    }

    mutating func measuredType(_ kind: ReadingKind) -> MeasuredType? {
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
