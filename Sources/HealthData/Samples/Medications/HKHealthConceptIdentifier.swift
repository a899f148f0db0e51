public import Foundation

/// Names a concept of health, such as a medication, within a store.
public final class HKHealthConceptIdentifier: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// What kind of concept it is.
    public let domain: HKHealthConceptDomain
    /// Within the domain, in this store.
    package let name: String

    package init(domain: HKHealthConceptDomain, name: String) {
        self.domain = domain
        self.name = name
    }

    /// Equal when both name the same concept of the same domain.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKHealthConceptIdentifier else { return false }
        return domain == other.domain && name == other.name
    }

    /// Of the domain and the name in it.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(domain)
        hasher.combine(name)
        return hasher.finalize()
    }

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Nil when the archive holds no such object, or one with values that it cannot have.
    public init?(coder: NSCoder) {
        guard let domain = coder.decodeString(forKey: "domain"), let name = coder.decodeString(forKey: "name")
        else { return nil }
        self.domain = HKHealthConceptDomain(rawValue: domain)
        self.name = name
    }

    /// Writes what `init(coder:)` reads, under keys of this library's own.
    public func encode(with coder: NSCoder) {
        coder.encode(domain.rawValue as NSString, forKey: "domain")
        coder.encode(name as NSString, forKey: "name")
    }
}

/// What kind of concept it is.
public struct HKHealthConceptDomain: RawRepresentable, Hashable, Sendable {
    /// The name of the domain.
    public let rawValue: String

    /// Of any domain, also one without a constant here.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The concept is an ``HKMedicationConcept``.
    public static let medication = HKHealthConceptDomain(rawValue: "HKHealthConceptDomainMedication")
}
