public import Foundation
public import GATT

/// An event of a link.
public enum LinkEvent: Sendable, Equatable {
    /// A notification, with the wall-clock time of its arrival.
    case value(GATTCharacteristic, [UInt8], Date)
    /// The battery level in percent, if the system reports it by itself.
    case battery(Int, Date)
    /// The device has reported more of itself than could be read before.
    case described(Date)
    /// The number of events that were dropped here because the reader was too slow: see ``LinkEventStream``. The date
    /// is that of the first one.
    case missed(Int, Date)
    /// The link has ended. This is the last event.
    case ended(LinkLoss, Date)

    /// The wall-clock time of the event.
    public var date: Date {
        switch self {
        case .value(_, _, let date), .battery(_, let date), .described(let date), .missed(_, let date),
            .ended(_, let date):
            date
        }
    }
}
