/// The voltages of an electrocardiogram; see ``HKElectrocardiogramQuery`` for where they come from on Linux.
public struct HKElectrocardiogramQueryDescriptor: HKAsyncSequenceQuery, Sendable {
    /// Measurements in order of time.
    public typealias Sequence = Results
    /// What ``results(for:)`` gives: one voltage measurement after another.
    public typealias Results = QueryResults<HKElectrocardiogram.VoltageMeasurement>

    /// The electrocardiogram, as the store handed it out.
    public var electrocardiogram: HKElectrocardiogram

    /// - Parameter electrocardiogram: One that the store holds; of another the iteration throws
    ///   ``HKError/Code/errorNoData``.
    public init(_ electrocardiogram: HKElectrocardiogram) {
        self.electrocardiogram = electrocardiogram
    }

    /// Ends with the last measurement.
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
