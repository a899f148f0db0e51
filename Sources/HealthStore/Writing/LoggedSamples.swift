package import SessionLog

/// Turns the readings of a workout's log into samples, with their UUIDs and devices.
///
/// A reading without a UUID gets one from its place among all readings of the log. So its sample is the same while the session
/// runs, after a crash, and when the workout is finished. Only the device may be missing at first, because a strap describes
/// itself some moments after its first reading: see ``takeIdentified()``.
package struct LoggedSamples: Sendable {
    private let workout: UUID
    private var devices: [String: HKDevice] = [:]
    private var kinds = KindCache<MeasuredType?>()
    private var numberOfReadings: UInt64 = 0
    /// Sensors describe themselves within the first minutes.
    private static let mostUnidentified = 4096
    /// The first samples of each sensor, by its ID.
    private var made: [String: [UUID]] = [:]
    /// The sensors whose description has changed.
    private var identified: Set<String> = []

    package init(of workout: UUID) { self.workout = workout }

    /// Notes the device of a sensor, for the samples from now on.
    package mutating func note(_ status: SensorStatus) {
        let device = HKDevice(status.device)
        if devices[status.id] != device, made[status.id] != nil { identified.insert(status.id) }
        devices[status.id] = device
    }

    /// Returns the samples that were made before the description of their sensor, with the device. Each call returns only new ones.
    package mutating func takeIdentified() -> [(device: HKDevice, samples: Set<UUID>)] {
        defer { identified = [] }
        return identified.compactMap { sensor in
            guard let device = devices[sensor], let samples = made[sensor] else { return nil }
            return (device, Set(samples))
        }
    }

    /// The device of a sensor. Nil before its description.
    func device(of sensor: String?) -> HKDevice? {
        guard let sensor else { return nil }
        return sensor == SensorStatus.thisMachine ? HKDevice.local() : devices[sensor]
    }

    /// Returns the UUID for the sample of the next reading that has none. Nil if the reading is no sample.
    mutating func identify(_ reading: ReadingNumbers, _ measured: MeasuredType) -> UUID? {
        guard measured.takes(reading) else { return nil }
        defer { numberOfReadings += 1 }
        return .ofSample(numberOfReadings, in: workout)
    }

    /// Returns the sample of the next entry of the log. Nil if the entry is no sample.
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
            .waveform,
            .position, .routeDiscarded, .object, .notification, .wearer, .zones, .remoteData, .companion,
            .clockSet:
            return nil
        }
    }

    /// Returns the sample of a reading outside of logs, with a new UUID. Nil if the reading is no sample.
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
    /// Returns the sample of a category value that an app added to a workout.
    package static func of(_ reading: CategoryReading) throws -> HKCategorySample {
        guard let type = TypeCatalogue.categoryType(named: reading.type) else {
            throw HKError.make(.errorInvalidArgument, "There is no category type \(reading.type).")
        }
        return try validated(
            try ObjectIdentity(reading.origin), type: type, value: reading.value, start: reading.start, end: reading.end
        )
    }
}
