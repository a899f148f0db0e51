public import GATT

extension PeripheralLink {
    /// The characteristics whose values a session collects: one of each kind.
    public var measurements: [GATTCharacteristic] {
        BluetoothUUID.sensorMeasurements.compactMap { uuid in
            characteristic(uuid).flatMap { $0.notifies ? $0 : nil }
        }
    }

    /// Resets the energy counter of a heart-rate sensor (Heart Rate Service 1.0, section 3.3).
    /// - Returns: Why it failed; nil if it succeeded.
    func resetEnergy() async -> BluetoothError? {
        guard let point = characteristic(.heartRateControlPoint) else {
            return .noCharacteristic(address, .heartRateControlPoint)
        }
        do throws(BluetoothError) {
            try await write([1], to: point)
            return nil
        } catch {
            return error
        }
    }

    /// The device's information; values that it does not answer are missing.
    public func details() async -> SensorDetails {
        var details = SensorDetails(measurements: measurements.map(\.uuid))
        for field in DeviceInformation.Field.allCases {
            if let characteristic = characteristic(field.uuid), let bytes = try? await read(characteristic) {
                details.information.update(with: bytes, from: field.uuid)
            }
        }
        if let characteristic = characteristic(.deviceName), let bytes = try? await read(characteristic) {
            details.name = DeviceInformation.text(bytes)
        }
        if let characteristic = characteristic(.bodySensorLocation), let bytes = try? await read(characteristic) {
            details.location = BodySensorLocation(bytes)
        }
        return details
    }
}

extension BluetoothUUID {
    /// A characteristic of the Generic Access service, which bluetoothd does not expose.
    fileprivate static let deviceName = BluetoothUUID(0x2A00)
}
