/// A fact about the user that does not change with time, such as the date of birth. Read only for apps.
// Immutable, as HKObjectType explains.
public final class HKCharacteristicType: HKObjectType, @unchecked Sendable {
    /// Traps when there is no characteristic of that identifier; `characteristicType(forIdentifier:)` gives nil instead.
    public convenience init(_ identifier: HKCharacteristicTypeIdentifier) {
        guard let type = HKObjectType.characteristicType(forIdentifier: identifier) else {
            preconditionFailure("there is no characteristic with the identifier \(identifier.rawValue)")
        }
        self.init(like: type)
    }
}
