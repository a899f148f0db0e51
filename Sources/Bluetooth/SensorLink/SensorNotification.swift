public import Foundation
public import GATT

/// A notification of one of ``BluetoothUUID/sensorMeasurements``, decoded once, when it arrives.
public struct SensorNotification: Sendable, Equatable {
    public let characteristic: BluetoothUUID
    /// The bytes as sent.
    public let bytes: [UInt8]
    /// The decoded measurement; nil if the bytes can't be read.
    public let measurement: SensorMeasurement?
    /// When it was measured, on the wall clock: when it arrived, unless it waited on a slow link.
    public var date: Date

    public init(_ characteristic: BluetoothUUID, _ bytes: [UInt8], _ date: Date) {
        self.init(characteristic, bytes, SensorMeasurement(characteristic, bytes), date)
    }

    package init(
        _ characteristic: BluetoothUUID, _ bytes: [UInt8], _ measurement: SensorMeasurement?, _ date: Date
    ) {
        self.characteristic = characteristic
        self.bytes = bytes
        self.measurement = measurement
        self.date = date
    }

    /// Nil if it is another measurement, or can't be read.
    public var heartRate: HeartRateMeasurement? {
        if case .heartRate(let measurement) = measurement { measurement } else { nil }
    }
}

/// What a sensor measures: the values of ``BluetoothUUID/sensorMeasurements``.
public enum SensorMeasurement: Sendable, Equatable {
    case heartRate(HeartRateMeasurement)
    case runningSpeedAndCadence(RunningSpeedCadenceMeasurement)
    case cyclingSpeedAndCadence(CyclingSpeedCadenceMeasurement)
    case cyclingPower(CyclingPowerMeasurement)
    case fitnessMachine(FitnessMachineData)

    /// Nil for unreadable bytes, and for other characteristics.
    public init?(_ characteristic: BluetoothUUID, _ bytes: [UInt8]) {
        let measurement: SensorMeasurement? =
            switch characteristic {
            case .heartRateMeasurement: HeartRateMeasurement(bytes).map { .heartRate($0) }
            case .runningSpeedAndCadenceMeasurement:
                RunningSpeedCadenceMeasurement(bytes).map { .runningSpeedAndCadence($0) }
            case .cyclingSpeedAndCadenceMeasurement:
                CyclingSpeedCadenceMeasurement(bytes).map { .cyclingSpeedAndCadence($0) }
            case .cyclingPowerMeasurement: CyclingPowerMeasurement(bytes).map { .cyclingPower($0) }
            default:
                FitnessMachineData.Machine.allCases.first { $0.characteristic == characteristic }
                    .flatMap { FitnessMachineData($0, bytes) }.map { .fitnessMachine($0) }
            }
        guard let measurement else { return nil }
        self = measurement
    }
}
