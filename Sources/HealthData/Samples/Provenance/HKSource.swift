public import Foundation

/// An app that saves samples, or a sensor that is paired on its own. Two sources are equal if their bundle identifiers
/// are.
public final class HKSource: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The app's name, or the name that the sensor reported.
    public let name: String
    /// The app's bundle identifier, or the UUID string of a sensor.
    public let bundleIdentifier: String

    package init(name: String, bundleIdentifier: String) {
        self.name = name
        self.bundleIdentifier = bundleIdentifier
    }

    /// Returns the running app. `HKSource+Linux.swift` describes its name.
    public static func `default`() -> HKSource { runningApp }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether the bundle identifiers are equal, even if the names differ.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKSource)?.bundleIdentifier == bundleIdentifier
    }

    /// The hash of the bundle identifier.
    public override var hash: Int { bundleIdentifier.hashValue }

    /// The name, and the bundle identifier in parentheses.
    public override var description: String { "\(name) (\(bundleIdentifier))" }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public convenience init?(coder: NSCoder) {
        guard let name = coder.decodeString(forKey: "name"),
            let bundleIdentifier = coder.decodeString(forKey: "bundleIdentifier")
        else { return nil }
        self.init(name: name, bundleIdentifier: bundleIdentifier)
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(name as NSString, forKey: "name")
        coder.encode(bundleIdentifier as NSString, forKey: "bundleIdentifier")
    }
}
