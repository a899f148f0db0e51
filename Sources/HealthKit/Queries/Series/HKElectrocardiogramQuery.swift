/// The voltages of an electrocardiogram in order of time.
///
/// Nothing on Linux records electrocardiograms yet, so the store holds no voltages: the query ends with
/// ``HKError/Code/errorNoData``, which says so.
// Sendable holds: all stored properties are immutable.
open class HKElectrocardiogramQuery: HKQuery, @unchecked Sendable {
    public enum Result: Sendable {
        case measurement(HKElectrocardiogram.VoltageMeasurement)
        case error(any Error)
        case done
    }

    private let electrocardiogram: HKElectrocardiogram
    private let handler:
        @Sendable (HKElectrocardiogramQuery, HKElectrocardiogram.VoltageMeasurement?, Bool, (any Error)?) -> Void

    /// - Parameter dataHandler: Called with each measurement and false; at the end without one, and true.
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
            // An app that never asked, or a locked device, is told so first.
            _ = try pass.store.readAccess(to: self.electrocardiogram.sampleType)
            throw HKError.make(
                .errorNoData,
                "The store holds no voltages of the electrocardiogram \(self.electrocardiogram.uuid): nothing on Linux records them."
            )
        }
    }
}
