/// The voltages of an electrocardiogram; see ``HKElectrocardiogramQuery`` for where they come from on Linux.
public struct HKElectrocardiogramQueryDescriptor: HKAsyncSequenceQuery, Sendable {
    public typealias Sequence = Results
    public typealias Results = QueryResults<HKElectrocardiogram.VoltageMeasurement>

    public var electrocardiogram: HKElectrocardiogram

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
