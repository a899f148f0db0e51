public import Foundation

/// The user's choice of what the move ring counts, as a health store returns it.
public final class HKActivityMoveModeObject: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// The value, or `.activeEnergy` if it is not known or may not be read.
    public let activityMoveMode: HKActivityMoveMode

    package init(activityMoveMode: HKActivityMoveMode) {
        self.activityMoveMode = activityMoveMode
    }

    /// Creates an object with `.activeEnergy`, the value in a store to which the user has added none.
    public override convenience init() {
        self.init(activityMoveMode: .activeEnergy)
    }

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no HKActivityMoveMode.
    public init?(coder: NSCoder) {
        guard let value = HKActivityMoveMode(rawValue: coder.decodeInteger(forKey: "activityMoveMode")) else {
            return nil
        }
        activityMoveMode = value
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(activityMoveMode.rawValue, forKey: "activityMoveMode")
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether the modes are equal.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKActivityMoveModeObject)?.activityMoveMode == activityMoveMode
    }

    /// The raw value of the mode.
    public override var hash: Int { activityMoveMode.rawValue }
}

/// The quantity that the move ring counts.
public enum HKActivityMoveMode: Int, Sendable {
    /// Kilocalories of active energy. The ring counts these unless the user has chosen otherwise.
    case activeEnergy = 1
    /// Minutes of movement, as for children.
    case appleMoveTime = 2
}
