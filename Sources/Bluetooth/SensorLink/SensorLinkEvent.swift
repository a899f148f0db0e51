public import Foundation
public import GATT

/// An event of a ``SensorLink``'s sensor, reported in order.
public enum SensorLinkEvent: Sendable, Equatable {
    case changed(SensorLinkState.Phase, SensorLinkReason, Date)
    case value(SensorNotification)
    /// The battery level in percent.
    case battery(Int, Date)
    /// The number of values that were dropped because this program was too slow: see ``LinkEventStream``.
    case missed(Int, Date)
    /// The device's information. Once per link, shortly after the first value, and again if the device reports more later.
    case details(SensorDetails)
    /// Whether a heart-rate sensor has skin contact, if it can detect it.
    case contact(Bool, Date)
    /// The energy counter was reset, or why it was not.
    case energyReset(BluetoothError?)
    /// A packet of a stream, and how many samples the sensor takes in a second.
    case streamed(PolarFrame, samplesPerSecond: Int?, Date)
    /// What became of a stream that was asked for.
    case stream(PolarStreamEvent)
    /// While the sensor is away, another one with its name and a different address is nearby. It may be the same sensor
    /// with a new battery, or somebody else's. It is not connected; the user decides.
    case lookalike(DeviceAddress, Date)

    /// The same event with another date, if it has one.
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
        case .streamed(let frame, let rate, let date): return .streamed(frame, samplesPerSecond: rate, other(date))
        case .details, .energyReset, .stream: return self
        }
    }
}

/// Information that a device provides.
public struct SensorDetails: Sendable, Equatable {
    /// Its name; nil if it was known before, or the device has none.
    public var name: String?
    public var information: DeviceInformation
    /// Where a heart-rate sensor is worn.
    public var location: BodySensorLocation?
    /// The offered measurements.
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
    /// From this level down, the user should be warned.
    public static let lowPercent = 15
}
