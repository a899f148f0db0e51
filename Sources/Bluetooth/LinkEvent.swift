public import Foundation

/// What happens on a link.
public enum LinkEvent: Sendable, Equatable {
    /// A notification. The date is taken where the bytes arrived, on the wall clock.
    case value(GATTCharacteristic, [UInt8], Date)
    /// The battery level in percent, where the system tells it without being asked.
    case battery(Int, Date)
    /// So many events stood here, and were dropped, since the reader was too late for them: see ``LinkEventStream``. The date
    /// is that of the first.
    case missed(Int, Date)
    /// The link is gone; nothing follows.
    case ended(LinkLoss, Date)

    /// When it happened, on the wall clock.
    public var date: Date {
        switch self {
        case .value(_, _, let date), .battery(_, let date), .missed(_, let date), .ended(_, let date): date
        }
    }
}
