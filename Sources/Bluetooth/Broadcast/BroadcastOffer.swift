public import GATT

/// What a broadcast offers: its measurements, and what is known of the device behind them.
public struct BroadcastOffer: Sendable, Equatable {
    /// The measurement characteristics, of ``measurementsInOrder``.
    public var measurements: Set<BluetoothUUID>
    /// Whether the heart rate comes with the energy expended, which a control point resets.
    public var hasEnergy: Bool
    /// The battery level in percent; nil offers no battery.
    public var batteryPercent: Int?
    public var information: DeviceInformation
    public var location: BodySensorLocation?

    public static let measurementsInOrder: [BluetoothUUID] = [
        .heartRateMeasurement, .runningSpeedAndCadenceMeasurement, .cyclingSpeedAndCadenceMeasurement,
        .cyclingPowerMeasurement, .indoorBikeData,
    ]

    public init(
        measurements: Set<BluetoothUUID> = [.heartRateMeasurement], hasEnergy: Bool = false,
        batteryPercent: Int? = nil, information: DeviceInformation = DeviceInformation(),
        location: BodySensorLocation? = nil
    ) {
        self.measurements = measurements
        self.hasEnergy = hasEnergy
        self.batteryPercent = batteryPercent
        self.information = information
        self.location = location
    }

    /// The services with their first values.
    public var services: [LocalService] {
        var services = Self.measurementsInOrder.filter(measurements.contains).compactMap(service)
        if let batteryPercent {
            let level = BatteryLevel(percent: batteryPercent).bytes
            services.append(
                LocalService(.batteryService, [LocalCharacteristic(.batteryLevel, [.read, .notify], value: level)]))
        }
        let texts = DeviceInformation.Field.allCases.compactMap { field in
            information[field].map { LocalCharacteristic(field.uuid, [.read], value: Array($0.utf8)) }
        }
        if !texts.isEmpty { services.append(LocalService(.deviceInformationService, texts)) }
        return services
    }

    /// The features state what ``BroadcastState`` sends (RSC 1.0, section 3.2; CSC 1.0, 3.2; CPS 1.1, 3.1; FTMS 1.0, 4.3).
    private func service(of measurement: BluetoothUUID) -> LocalService? {
        func feature(_ uuid: BluetoothUUID, _ bytes: [UInt8]) -> LocalCharacteristic {
            LocalCharacteristic(uuid, [.read], value: bytes)
        }
        let notifies = LocalCharacteristic(measurement, [.notify])
        switch measurement {
        case .heartRateMeasurement:
            var all = [notifies]
            if let location { all.append(feature(.bodySensorLocation, [location.rawValue])) }
            if hasEnergy { all.append(LocalCharacteristic(.heartRateControlPoint, [.write])) }
            return LocalService(.heartRateService, all)
        case .runningSpeedAndCadenceMeasurement:
            // Total distance; walking or running.
            return LocalService(
                .runningSpeedAndCadenceService, [notifies, feature(.runningSpeedAndCadenceFeature, [0b110, 0])])
        case .cyclingSpeedAndCadenceMeasurement:
            // Wheel and crank.
            return LocalService(
                .cyclingSpeedAndCadenceService, [notifies, feature(.cyclingSpeedAndCadenceFeature, [0b11, 0])])
        case .cyclingPowerMeasurement:
            // Crank. The location is "other".
            return LocalService(
                .cyclingPowerService,
                [notifies, feature(.cyclingPowerFeature, [0b1000, 0, 0, 0]), feature(.sensorLocation, [0])])
        case .indoorBikeData:
            // Cadence, distance, heart rate, elapsed time, power; nothing can be set.
            return LocalService(
                .fitnessMachineService,
                [notifies, feature(.fitnessMachineFeature, [0x06, 0x54, 0, 0, 0, 0, 0, 0])])
        default:
            return nil
        }
    }
}
