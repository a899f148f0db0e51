public import Foundation

/// The user's choice of what the move ring counts, as a health store hands it out.
public final class HKActivityMoveModeObject: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// `.activeEnergy` when it is not known, or may not be read.
    public let activityMoveMode: HKActivityMoveMode

    package init(activityMoveMode: HKActivityMoveMode) {
        self.activityMoveMode = activityMoveMode
    }

    /// `.activeEnergy`: what the store has when the user told nothing.
    public override convenience init() {
        self.init(activityMoveMode: .activeEnergy)
    }

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Nil when the archive holds no HKActivityMoveMode.
    public init?(coder: NSCoder) {
        guard let value = HKActivityMoveMode(rawValue: coder.decodeInteger(forKey: "activityMoveMode")) else {
            return nil
        }
        activityMoveMode = value
    }

    /// Writes what `init(coder:)` reads, under keys of this library's own.
    public func encode(with coder: NSCoder) {
        coder.encode(activityMoveMode.rawValue, forKey: "activityMoveMode")
    }

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Equal when the modes are.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKActivityMoveModeObject)?.activityMoveMode == activityMoveMode
    }

    /// The raw value of the mode.
    public override var hash: Int { activityMoveMode.rawValue }
}

/// What the move ring counts.
public enum HKActivityMoveMode: Int, Sendable {
    /// Kilocalories of active energy: what the ring counts unless the user has chosen otherwise.
    case activeEnergy = 1
    /// Minutes of moving, as for children.
    case appleMoveTime = 2
}
