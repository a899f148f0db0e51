/// Reads the voltages of an electrocardiogram in order of time.
///
/// On Linux, electrocardiograms come from an Apple Health export (`workout import`). If the store has no voltages of one, the query
/// fails with ``HKError/Code/errorNoData``.
// Sendable holds: all stored properties are immutable.
open class HKElectrocardiogramQuery: HKQuery, @unchecked Sendable {
    /// The argument of one call of the handler.
    public enum Result: Sendable {
        /// The next voltages, with their time in seconds since the start.
        case measurement(HKElectrocardiogram.VoltageMeasurement)
        /// The query failed, and the handler is not called again.
        case error(any Error)
        /// All measurements were delivered.
        case done
    }

    private let electrocardiogram: HKElectrocardiogram
    private let handler:
        @Sendable (HKElectrocardiogramQuery, HKElectrocardiogram.VoltageMeasurement?, Bool, (any Error)?) -> Void

    /// - Parameter dataHandler: Called with each measurement and false, and at the end with nil and true.
    @preconcurrency public init(
        electrocardiogram: HKElectrocardiogram,
        dataHandler:
            @escaping @Sendable (
                HKElectrocardiogramQuery, HKElectrocardiogram.VoltageMeasurement?, Bool, (any Error)?
            ) -> Void
    ) {
        self.electrocardiogram = electrocardiogram
        handler = dataHandler
        super.init(objectType: electrocardiogram.sampleType, predicate: nil)
    }

    /// - Parameter dataHandler: Called on the query's background queue with one measurement after another, and at the
    ///   end with `done` or `error`.
    @preconcurrency public convenience init(
        _ ecg: HKElectrocardiogram, dataHandler: @escaping @Sendable (HKElectrocardiogramQuery, Result) -> Void
    ) {
        self.init(electrocardiogram: ecg) { query, measurement, isDone, error in
            if let error {
                dataHandler(query, .error(error))
            } else if let measurement {
                dataHandler(query, .measurement(measurement))
            } else if isDone {
                dataHandler(query, .done)
            }
        }
    }

    package override func makePlan() -> QueryPlan {
        QueryPlan(fail: { self.handler(self, nil, false, $0) }) { pass in
            let ecg = self.electrocardiogram
            let microvolts = try pass.store.maySee(ecg) ? pass.database.voltages(ecg.uuid) : []
            guard !microvolts.isEmpty else {
                throw HKError.make(
                    .errorNoData,
                    "The store holds no voltages of the electrocardiogram \(ecg.uuid): import the Apple Health export that "
                        + "has them.")
            }
            let hertz = ecg.samplingFrequency?.doubleValue(for: .hertz()) ?? 0
            let distance =
                hertz > 0 ? 1 / hertz : ecg.endDate.timeIntervalSince(ecg.startDate) / Double(microvolts.count)
            for (index, voltage) in microvolts.enumerated() where pass.isActive {
                let measurement = HKElectrocardiogram.VoltageMeasurement(
                    timeSinceSampleStart: Double(index) * distance,
                    voltages: [
                        .appleWatchSimilarToLeadI: HKQuantity(unit: .voltUnit(with: .micro), doubleValue: voltage)
                    ])
                pass.deliver { self.handler(self, measurement, false, nil) }
            }
            pass.deliver { self.handler(self, nil, true, nil) }
        }
    }
}

/// A query for the voltages of an electrocardiogram. See ``HKElectrocardiogramQuery`` for their origin on Linux.
public struct HKElectrocardiogramQueryDescriptor: HKAsyncSequenceQuery, Sendable {
    /// Measurements in order of time.
    public typealias Sequence = Results
    /// The sequence of ``results(for:)``: one voltage measurement after another.
    public typealias Results = QueryResults<HKElectrocardiogram.VoltageMeasurement>

    /// The electrocardiogram, as returned by the store.
    public var electrocardiogram: HKElectrocardiogram

    /// - Parameter electrocardiogram: A stored one. For another, the iteration throws ``HKError/Code/errorNoData``.
    public init(_ electrocardiogram: HKElectrocardiogram) {
        self.electrocardiogram = electrocardiogram
    }

    /// Returns a sequence that ends with the last measurement.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(healthStore) { continuation in
            HKElectrocardiogramQuery(electrocardiogram) { _, result in
                switch result {
                case .measurement(let measurement): continuation.yield(measurement)
                case .error(let error): continuation.finish(throwing: error)
                case .done: continuation.finish()
                }
            }
        }
    }
}
