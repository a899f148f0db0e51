import SessionLog

/// Builds one sample from many quantities of a type, and saves it.
///
/// An invalid quantity changes nothing. A series that can't be saved can be finished again. Once the series is saved,
/// every call fails with ``HKError/Code/errorInvalidArgument``. Calls after ``discard()`` stop the program, as
/// HealthKit raises.
// Sendable holds: all stored properties are immutable, or behind a lock.
public final class HKQuantitySeriesSampleBuilder: NSObject, @unchecked Sendable {
    /// The type of the quantities and of the sample.
    public let quantityType: HKQuantityType
    /// The start of the series. No quantity may start earlier.
    public let startDate: Date
    /// The device that measured the quantities, saved with the sample.
    public let device: HKDevice?
    private let store: HKHealthStore
    /// The quantities by their starts.
    private let series = SeriesCollector("quantity series sample builder", [Date: StoredQuantity]())

    /// Creates an empty series. Permission to share the type is only needed to finish it.
    public init(healthStore: HKHealthStore, quantityType: HKQuantityType, startDate: Date, device: HKDevice?) {
        store = healthStore
        self.quantityType = quantityType
        self.startDate = startDate
        self.device = device
    }

    /// Adds a quantity at a date, in any order. It replaces one that starts at the same date.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` if the unit doesn't fit the type, and for a date before the start of the
    ///   series.
    public func insert(_ quantity: HKQuantity, at date: Date) throws {
        try insert(quantity, start: date, end: date)
    }

    /// Adds a quantity of an interval, like ``insert(_:at:)``.
    public func insert(_ quantity: HKQuantity, for dateInterval: DateInterval) throws {
        try insert(quantity, start: dateInterval.start, end: dateInterval.end)
    }

    /// Saves the series, which ends with its last quantity. The handler is called on a background queue.
    ///
    /// While the device is locked this fails with ``HKError/Code/errorDatabaseInaccessible``. Call it again later.
    @preconcurrency public func finishSeries(
        metadata: [String: Any]?, completion: @escaping @Sendable ([HKQuantitySample]?, (any Error)?) -> Void
    ) {
        finishSeries(metadata: metadata, endDate: nil, completion: completion)
    }

    /// Saves the series with the given end.
    /// - Parameter endDate: The end, not before that of any quantity. Nil for the end of the last one.
    @preconcurrency public func finishSeries(
        metadata: [String: Any]?, endDate: Date?,
        completion: @escaping @Sendable ([HKQuantitySample]?, (any Error)?) -> Void
    ) {
        let identity = Result { try ObjectIdentity(device: device, metadata: metadata) }
        series.finish {
            try self.save($0, identity, endDate)
        } _: { result in
            switch result {
            case .success(let samples): completion(samples, nil)
            case .failure(let error): completion(nil, error)
            }
        }
    }

    /// Saves the series, which ends with its last quantity.
    /// - Returns: One sample: cumulative with the sum, or discrete with average, minimum, maximum and the most recent
    ///   value.
    public func finishSeries(metadata: [String: Any]?) async throws -> [HKQuantitySample] {
        try await finishSeries(metadata: metadata, endDate: nil)
    }

    /// Saves the series with the given end.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a series without quantities, and for an end before that of a quantity;
    ///   ``HKError/Code/errorDatabaseInaccessible`` while the device is locked: call it again later.
    public func finishSeries(metadata: [String: Any]?, endDate: Date?) async throws -> [HKQuantitySample] {
        let identity = Result { try ObjectIdentity(device: device, metadata: metadata) }
        return try await series.finish { try self.save($0, identity, endDate) }
    }

    /// Discards the inserted quantities. Calling any other method then stops the program.
    public func discard() { series.discard() }

    // MARK: -

    private func insert(_ quantity: HKQuantity, start: Date, end: Date) throws {
        series.requireUndiscarded()
        guard quantityType.is(compatibleWith: quantity.unit), quantity.value.isFinite else {
            throw series.misuse("\(quantity) is not a quantity of \(quantityType.identifier).")
        }
        guard start >= startDate else {
            throw series.misuse("A quantity of \(start) cannot be inserted: the series starts at \(startDate).")
        }
        try series.change { $0[start] = StoredQuantity(quantity: quantity, start: start, end: end) }
    }

    /// Saves the series. Runs on the builder's queue.
    private func save(
        _ gathered: [Date: StoredQuantity], _ identity: Result<ObjectIdentity, any Error>, _ endDate: Date?
    ) throws -> [HKQuantitySample] {
        let identity = try identity.get()
        let quantities = gathered.values.sorted { $0.start < $1.start }
        guard let last = quantities.map(\.end).max() else {
            throw series.misuse("A quantity series without quantities cannot be saved: insert some first.")
        }
        if let endDate, endDate < last {
            throw series.misuse("The series cannot end at \(endDate): its last quantity ends at \(last).")
        }
        let sample = try sample(of: quantities, identity, end: endDate ?? last)
        try store.requireSharing([quantityType])
        try store.requireStored()
        try store.keep(.series(sample, .quantities(quantities)))
        return [sample]
    }

    private func sample(
        of quantities: [StoredQuantity], _ identity: ObjectIdentity, end: Date
    ) throws -> HKQuantitySample {
        let unit = quantityType.recordingUnit
        var figures = RunningStatistics(quantityType.averagingRule)
        for item in quantities {
            figures.add(item.quantity.doubleValue(for: unit), start: item.start, end: item.end)
        }
        func quantity(_ value: Double) -> HKQuantity { HKQuantity(unit: unit, doubleValue: value) }
        if quantityType.aggregationStyle == .cumulative {
            return HKCumulativeQuantitySample.make(
                identity, type: quantityType, sum: quantity(figures.sum), count: figures.count, start: startDate,
                end: end)
        }
        guard let average = figures.average, let recent = figures.mostRecent, figures.count > 1 else {
            return try HKQuantitySample.validated(
                identity, type: quantityType, quantity: quantities[0].quantity, start: startDate, end: end)
        }
        return HKDiscreteQuantitySample(
            identity, type: quantityType, average: quantity(average), count: figures.count,
            series: DiscreteSeries(
                minimum: quantity(figures.minimum), maximum: quantity(figures.maximum),
                mostRecent: quantity(recent.value),
                mostRecentInterval: DateInterval(start: recent.start, end: recent.end)),
            start: startDate, end: end)
    }
}
