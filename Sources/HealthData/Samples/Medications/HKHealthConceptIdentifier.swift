public import Foundation

/// Names a concept of health, such as a medication, within a store.
public final class HKHealthConceptIdentifier: NSObject, NSSecureCoding, NSCopying, Sendable {
    public let domain: HKHealthConceptDomain
    /// Within the domain, in this store.
    package let name: String

    package init(domain: HKHealthConceptDomain, name: String) {
        self.domain = domain
        self.name = name
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKHealthConceptIdentifier else { return false }
        return domain == other.domain && name == other.name
    }

    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(domain)
        hasher.combine(name)
        return hasher.finalize()
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    public static var supportsSecureCoding: Bool { true }

    public init?(coder: NSCoder) {
        guard let domain = coder.decodeString(forKey: "domain"), let name = coder.decodeString(forKey: "name")
        else { return nil }
        self.domain = HKHealthConceptDomain(rawValue: domain)
        self.name = name
    }

    public func encode(with coder: NSCoder) {
        coder.encode(domain.rawValue as NSString, forKey: "domain")
        coder.encode(name as NSString, forKey: "name")
    }
}

/// What kind of concept it is.
public struct HKHealthConceptDomain: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let medication = HKHealthConceptDomain(rawValue: "HKHealthConceptDomainMedication")
}
