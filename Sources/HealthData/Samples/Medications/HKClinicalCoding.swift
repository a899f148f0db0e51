public import Foundation

/// A concept in the words of a coding system, such as RxNorm.
public final class HKClinicalCoding: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The address of the coding system.
    public let system: String
    /// The version of the coding system; nil when not known.
    public let version: String?
    /// The code in that system.
    public let code: String

    /// Nothing is looked up: the code is taken as it is.
    public init(system: String, version: String?, code: String) {
        self.system = system
        self.version = version
        self.code = code
    }

    /// Equal when system, version and code are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKClinicalCoding else { return false }
        return system == other.system && version == other.version && code == other.code
    }

    /// Of system, version and code.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(system)
        hasher.combine(version)
        hasher.combine(code)
        return hasher.finalize()
    }

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Nil when the archive holds no such object, or one with values that it cannot have.
    public init?(coder: NSCoder) {
        guard let system = coder.decodeString(forKey: "system"), let code = coder.decodeString(forKey: "code")
        else { return nil }
        self.system = system
        self.code = code
        version = coder.decodeString(forKey: "version")
    }

    /// Writes what `init(coder:)` reads, under keys of this library's own.
    public func encode(with coder: NSCoder) {
        coder.encode(system as NSString, forKey: "system")
        coder.encode(code as NSString, forKey: "code")
        coder.encodeIfPresent(version.map { $0 as NSString }, forKey: "version")
    }
}
