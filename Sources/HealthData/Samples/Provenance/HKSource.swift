public import Foundation

/// An app that saves samples, or a sensor that is paired on its own. Two sources are equal when their bundle identifiers
/// are.
public final class HKSource: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The app's name, or the one that the sensor reported.
    public let name: String
    /// The app's bundle identifier, or the UUID string of a sensor.
    public let bundleIdentifier: String

    package init(name: String, bundleIdentifier: String) {
        self.name = name
        self.bundleIdentifier = bundleIdentifier
    }

    /// The running app; see `HKSource+Linux.swift` for what it is called.
    public static func `default`() -> HKSource { runningApp }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKSource)?.bundleIdentifier == bundleIdentifier
    }

    public override var hash: Int { bundleIdentifier.hashValue }

    public override var description: String { "\(name) (\(bundleIdentifier))" }

    // MARK: NSSecureCoding

    public static var supportsSecureCoding: Bool { true }

    public convenience init?(coder: NSCoder) {
        guard let name = coder.decodeString(forKey: "name"),
            let bundleIdentifier = coder.decodeString(forKey: "bundleIdentifier")
        else { return nil }
        self.init(name: name, bundleIdentifier: bundleIdentifier)
    }

    public func encode(with coder: NSCoder) {
        coder.encode(name as NSString, forKey: "name")
        coder.encode(bundleIdentifier as NSString, forKey: "bundleIdentifier")
    }
}
