public import Foundation

/// What a ``SensorLink`` tells of its sensor, in the order in which it happened.
public enum SensorLinkEvent: Sendable, Equatable {
    case changed(SensorLinkState.Phase, SensorLinkReason, Date)
    case value(SensorNotification)
    /// Percent.
    case battery(Int, Date)
    /// So much was sent, and dropped since this program could not keep up: see ``LinkEventStream``.
    case missed(Int, Date)
    /// What the device says of itself; comes once a link, some moments after the first value.
    case details(SensorDetails)
    /// A heart-rate sensor that can tell touches the skin, or no longer does.
    case contact(Bool, Date)
    /// The energy count was set back to 0, or why it was not.
    case energyReset(BluetoothError?)
    /// While the sensor is away, one of its name is here under another address: maybe it is the sensor with a new battery,
    /// maybe somebody else's. Only a person knows; it is not connected to.
    case lookalike(BluetoothAddress, Date)

    /// The same with another date, where it has one.
    public func dated(_ other: (Date) -> Date) -> SensorLinkEvent {
        switch self {
        case .changed(let phase, let reason, let date): return .changed(phase, reason, other(date))
        case .value(var notification):
            notification.date = other(notification.date)
            return .value(notification)
        case .battery(let percent, let date): return .battery(percent, other(date))
        case .missed(let count, let date): return .missed(count, other(date))
        case .contact(let touches, let date): return .contact(touches, other(date))
        case .lookalike(let address, let date): return .lookalike(address, other(date))
        case .details, .energyReset: return self
        }
    }
}

/// What a device says of itself.
public struct SensorDetails: Sendable, Equatable {
    /// What it calls itself; nil where that was known before, or it does not say.
    public var name: String?
    public var information: DeviceInformation
    /// Where a heart-rate sensor is worn.
    public var location: BodySensorLocation?
    /// The measurements that it offers.
    public var measurements: [BluetoothUUID]

    public init(
        name: String? = nil, information: DeviceInformation = DeviceInformation(), location: BodySensorLocation? = nil,
        measurements: [BluetoothUUID] = []
    ) {
        self.name = name
        self.information = information
        self.location = location
        self.measurements = measurements
    }
}

extension BatteryLevel {
    /// From here on down a person should be told.
    public static let lowPercent = 15
}
