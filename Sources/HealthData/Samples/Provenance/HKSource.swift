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

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Equal when the bundle identifiers are, whatever the names say.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKSource)?.bundleIdentifier == bundleIdentifier
    }

    /// That of the bundle identifier.
    public override var hash: Int { bundleIdentifier.hashValue }

    /// The name, and the bundle identifier in parentheses.
    public override var description: String { "\(name) (\(bundleIdentifier))" }

    // MARK: NSSecureCoding

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Nil when the archive holds no such object, or one with values that it cannot have.
    public convenience init?(coder: NSCoder) {
        guard let name = coder.decodeString(forKey: "name"),
            let bundleIdentifier = coder.decodeString(forKey: "bundleIdentifier")
        else { return nil }
        self.init(name: name, bundleIdentifier: bundleIdentifier)
    }

    /// Writes what `init(coder:)` reads, under keys of this library's own.
    public func encode(with coder: NSCoder) {
        coder.encode(name as NSString, forKey: "name")
        coder.encode(bundleIdentifier as NSString, forKey: "bundleIdentifier")
    }
}
