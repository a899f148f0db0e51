/// Puts quantities of one type together into a sample that stands for all of them, and saves it.
///
/// A quantity that is refused leaves the builder as it was; a series that cannot be saved now can be finished again. Once it
/// is finished every call fails with ``HKError/Code/errorInvalidArgument``; after ``discard()`` it stops the program, where
/// HealthKit raises.
// Sendable holds: all stored properties are immutable; what changes is behind a lock.
public final class HKQuantitySeriesSampleBuilder: NSObject, @unchecked Sendable {
    /// The type of every quantity of the series, and of the sample.
    public let quantityType: HKQuantityType
    /// When the series starts; no quantity may start before it.
    public let startDate: Date
    /// What measured the quantities; kept with the sample.
    public let device: HKDevice?
    private let store: HKHealthStore
    /// By their starts.
    private let series = SeriesCollector("quantity series sample builder", [Date: StoredQuantity]())

    /// Begins an empty series; permission to share the type is needed only when it is finished.
    public init(healthStore: HKHealthStore, quantityType: HKQuantityType, startDate: Date, device: HKDevice?) {
        store = healthStore
        self.quantityType = quantityType
        self.startDate = startDate
        self.device = device
    }

    /// Adds a quantity of a moment, which takes the place of one that starts at the same date. The order does not matter.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a unit that is not one of the type's, and for a date before the
    ///   start of the series.
    public func insert(_ quantity: HKQuantity, at date: Date) throws {
        try insert(quantity, start: date, end: date)
    }

    /// Adds a quantity of an interval; otherwise as ``insert(_:at:)``.
    public func insert(_ quantity: HKQuantity, for dateInterval: DateInterval) throws {
        try insert(quantity, start: dateInterval.start, end: dateInterval.end)
    }

    /// Saves the series, which ends with its last quantity. The handler is called on a background queue.
    ///
    /// Fails with ``HKError/Code/errorDatabaseInaccessible`` while the device is locked, and may be called again then.
    @preconcurrency public func finishSeries(
        metadata: [String: Any]?, completion: @escaping @Sendable ([HKQuantitySample]?, (any Error)?) -> Void
    ) {
        finishSeries(metadata: metadata, endDate: nil, completion: completion)
    }

    /// - Parameter endDate: Not before the end of any quantity; nil for the end of the last one.
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

    /// Saves the series with an end of its own.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a series without quantities and for an end before that of
    ///   one; ``HKError/Code/errorDatabaseInaccessible`` while the device is locked, and then it may be tried again.
    public func finishSeries(metadata: [String: Any]?, endDate: Date?) async throws -> [HKQuantitySample] {
        let identity = Result { try ObjectIdentity(device: device, metadata: metadata) }
        return try await series.finish { try self.save($0, identity, endDate) }
    }

    /// Gives up what was inserted; no method may be called any more.
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

    /// On the builder's queue.
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
