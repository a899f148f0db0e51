public import Foundation

/// A concept in a coding system, such as RxNorm.
public final class HKClinicalCoding: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The address of the coding system.
    public let system: String
    /// The version of the coding system. Nil if not known.
    public let version: String?
    /// The code in that system.
    public let code: String

    /// Creates a coding. The code is not looked up.
    public init(system: String, version: String?, code: String) {
        self.system = system
        self.version = version
        self.code = code
    }

    /// Returns whether system, version and code are equal.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKClinicalCoding else { return false }
        return system == other.system && version == other.version && code == other.code
    }

    /// The hash of system, version and code.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(system)
        hasher.combine(version)
        hasher.combine(code)
        return hasher.finalize()
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public init?(coder: NSCoder) {
        guard let system = coder.decodeString(forKey: "system"), let code = coder.decodeString(forKey: "code")
        else { return nil }
        self.system = system
        self.code = code
        version = coder.decodeString(forKey: "version")
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(system as NSString, forKey: "system")
        coder.encode(code as NSString, forKey: "code")
        coder.encodeIfPresent(version.map { $0 as NSString }, forKey: "version")
    }
}
