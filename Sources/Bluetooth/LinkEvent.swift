public import Foundation

/// What happens on a link.
public enum LinkEvent: Sendable, Equatable {
    /// A notification. The date is taken where the bytes arrived, on the wall clock.
    case value(GATTCharacteristic, [UInt8], Date)
    /// The battery level in percent, where the system tells it without being asked.
    case battery(Int, Date)
    /// The link is gone; nothing follows.
    case ended(LinkLoss, Date)
}
