public import Foundation

/// A concept in the words of a coding system, such as RxNorm.
public final class HKClinicalCoding: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The address of the coding system.
    public let system: String
    public let version: String?
    public let code: String

    public init(system: String, version: String?, code: String) {
        self.system = system
        self.version = version
        self.code = code
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKClinicalCoding else { return false }
        return system == other.system && version == other.version && code == other.code
    }

    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(system)
        hasher.combine(version)
        hasher.combine(code)
        return hasher.finalize()
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    public static var supportsSecureCoding: Bool { true }

    public init?(coder: NSCoder) {
        guard let system = coder.decodeString(forKey: "system"), let code = coder.decodeString(forKey: "code")
        else { return nil }
        self.system = system
        self.code = code
        version = coder.decodeString(forKey: "version")
    }

    public func encode(with coder: NSCoder) {
        coder.encode(system as NSString, forKey: "system")
        coder.encode(code as NSString, forKey: "code")
        coder.encodeIfPresent(version.map { $0 as NSString }, forKey: "version")
    }
}
