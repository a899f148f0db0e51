/// A type of clinical record. Read only for apps.
// Immutable, as HKObjectType explains.
public final class HKClinicalType: HKSampleType, @unchecked Sendable {
    /// Traps when there is no clinical type of that identifier; `clinicalType(forIdentifier:)` gives nil instead.
    public convenience init(_ identifier: HKClinicalTypeIdentifier) {
        guard let type = HKObjectType.clinicalType(forIdentifier: identifier) else {
            preconditionFailure("there is no clinical type with the identifier \(identifier.rawValue)")
        }
        self.init(like: type)
    }
}
