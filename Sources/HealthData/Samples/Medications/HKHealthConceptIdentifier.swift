public import Foundation

/// The identifier of a health concept, such as a medication, within a store.
public final class HKHealthConceptIdentifier: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The kind of the concept.
    public let domain: HKHealthConceptDomain
    /// The name within the domain, in this store.
    package let name: String

    package init(domain: HKHealthConceptDomain, name: String) {
        self.domain = domain
        self.name = name
    }

    /// Returns whether both identify the same concept of the same domain.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKHealthConceptIdentifier else { return false }
        return domain == other.domain && name == other.name
    }

    /// The hash of the domain and the name in it.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(domain)
        hasher.combine(name)
        return hasher.finalize()
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public init?(coder: NSCoder) {
        guard let domain = coder.decodeString(forKey: "domain"), let name = coder.decodeString(forKey: "name")
        else { return nil }
        self.domain = HKHealthConceptDomain(rawValue: domain)
        self.name = name
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(domain.rawValue as NSString, forKey: "domain")
        coder.encode(name as NSString, forKey: "name")
    }
}

/// The kind of a health concept.
public struct HKHealthConceptDomain: RawRepresentable, Hashable, Sendable {
    /// The name of the domain.
    public let rawValue: String

    /// Creates a domain from any name, also one without a constant here.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The concept is an ``HKMedicationConcept``.
    public static let medication = HKHealthConceptDomain(rawValue: "HKHealthConceptDomainMedication")
}
