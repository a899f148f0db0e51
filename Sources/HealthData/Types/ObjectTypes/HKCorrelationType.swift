/// A type of sample that holds other samples, such as a blood pressure with its two quantities.
///
/// Rights are asked for the contained types, never for the correlation type itself.
// Immutable, as HKObjectType explains.
public final class HKCorrelationType: HKSampleType, @unchecked Sendable {
    /// Traps when there is no correlation type of that identifier; `correlationType(forIdentifier:)` gives nil instead.
    public convenience init(_ identifier: HKCorrelationTypeIdentifier) {
        guard let type = HKObjectType.correlationType(forIdentifier: identifier) else {
            preconditionFailure("there is no correlation type with the identifier \(identifier.rawValue)")
        }
        self.init(like: type)
    }
}
