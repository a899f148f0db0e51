public import Foundation

/// Where the top of a device points. Nothing on Linux makes any.
public final class CLHeading: NSObject, NSCopying, Sendable {
    /// Degrees from magnetic north.
    public let magneticHeading: CLLocationDirection
    /// Degrees from true north; negative: not known.
    public let trueHeading: CLLocationDirection
    /// Degrees; negative: the heading is not known.
    public let headingAccuracy: CLLocationDirection
    /// When it was measured.
    public let timestamp: Date

    init(magneticHeading: CLLocationDirection, timestamp: Date) {
        self.magneticHeading = magneticHeading
        trueHeading = -1
        headingAccuracy = -1
        self.timestamp = timestamp
    }

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
