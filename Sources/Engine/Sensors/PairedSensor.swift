package import Bluetooth
package import Foundation
package import GATT
package import SessionLog

/// A Bluetooth sensor for sessions: the facts that `workout pair` found, and the user's settings.
package struct PairedSensor: Sendable, Equatable {
    package var address: DeviceAddress
    /// Nil if it was never received.
    package var addressKind: DeviceAddress.Kind?
    package var name: String?
    /// By its own description.
    package var manufacturer: String?
    package var model: String?
    package var hardwareVersion: String?
    package var firmwareVersion: String?
    package var softwareVersion: String?
    /// The UUIDs of its measurements, assigned by the SIG.
    package var measurements: [BluetoothUUID] = []
    /// Of the wheel of a speed sensor. Nil for the usual one.
    package var wheelCircumferenceInMeters: Double?
    /// 0 … 100, when it was last connected.
    package var batteryPercent: Int?
    package var lastSeen: Date?

    package init(address: DeviceAddress, addressKind: DeviceAddress.Kind? = nil, name: String? = nil) {
        self.address = address
        self.addressKind = addressKind
        self.name = name
    }

    package var device: DeviceDescription {
        DeviceDescription(
            name: name, manufacturer: manufacturer, model: model, hardwareVersion: hardwareVersion,
            firmwareVersion: firmwareVersion, softwareVersion: softwareVersion, localIdentifier: address.description)
    }

    /// The nickname that the user chose.
    package var title: String { name ?? address.ant?.title ?? address.description }

    /// Notes facts from its link.
    package mutating func update(with event: SensorLinkEvent) {
        switch event {
        case .value(let notification): lastSeen = notification.date
        case .battery(let percent, let date):
            batteryPercent = percent
            lastSeen = date
        case .details(let details):
            var device = device
            device.update(with: details)
            name = device.name
            manufacturer = device.manufacturer
            model = device.model
            hardwareVersion = device.hardwareVersion
            firmwareVersion = device.firmwareVersion
            softwareVersion = device.softwareVersion
            measurements = details.measurements
        case .changed, .missed, .contact, .energyReset, .streamed, .stream, .lookalike: break
        }
    }
}

extension PairedSensor: Codable {
    private enum Key: String, CodingKey {
        case address, addressKind, name, manufacturer, model, hardwareVersion, firmwareVersion, softwareVersion
        case measurements, wheelCircumferenceInMeters, batteryPercent, lastSeen
    }

    /// Throws for an invalid address and for an impossible circumference.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func invalid(_ key: Key, _ text: String, _ expected: String) -> DecodingError {
            .dataCorruptedError(
                forKey: key, in: values, debugDescription: "\"\(text)\" cannot be \(expected) of a sensor.")
        }
        let text = try values.decode(String.self, forKey: .address)
        guard let address = DeviceAddress(text) else { throw invalid(.address, text, "the address") }
        self.init(address: address, name: try values.decodeIfPresent(String.self, forKey: .name))
        addressKind = try values.decodeIfPresent(String.self, forKey: .addressKind).flatMap(DeviceAddress.Kind.init)
        manufacturer = try values.decodeIfPresent(String.self, forKey: .manufacturer)
        model = try values.decodeIfPresent(String.self, forKey: .model)
        hardwareVersion = try values.decodeIfPresent(String.self, forKey: .hardwareVersion)
        firmwareVersion = try values.decodeIfPresent(String.self, forKey: .firmwareVersion)
        softwareVersion = try values.decodeIfPresent(String.self, forKey: .softwareVersion)
        measurements = try (values.decodeIfPresent([String].self, forKey: .measurements) ?? [])
            .compactMap { BluetoothUUID($0) }
        batteryPercent = try values.decodeIfPresent(Int.self, forKey: .batteryPercent)
        lastSeen = try values.decodeIfPresent(String.self, forKey: .lastSeen)
            .flatMap { try? Date($0, strategy: .iso8601) }
        if let circumference = try values.decodeIfPresent(Double.self, forKey: .wheelCircumferenceInMeters) {
            guard Self.circumferencesInMeters.contains(circumference) else {
                throw invalid(.wheelCircumferenceInMeters, "\(circumference)", "the wheel circumference in metres")
            }
            wheelCircumferenceInMeters = circumference
        }
    }

    /// From a child's scooter to a penny-farthing.
    package static let circumferencesInMeters = 0.3...5.0

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(address.description, forKey: .address)
        try values.encodeIfPresent(addressKind?.rawValue, forKey: .addressKind)
        try values.encodeIfPresent(name, forKey: .name)
        try values.encodeIfPresent(manufacturer, forKey: .manufacturer)
        try values.encodeIfPresent(model, forKey: .model)
        try values.encodeIfPresent(hardwareVersion, forKey: .hardwareVersion)
        try values.encodeIfPresent(firmwareVersion, forKey: .firmwareVersion)
        try values.encodeIfPresent(softwareVersion, forKey: .softwareVersion)
        if !measurements.isEmpty { try values.encode(measurements.map(\.description), forKey: .measurements) }
        try values.encodeIfPresent(wheelCircumferenceInMeters, forKey: .wheelCircumferenceInMeters)
        try values.encodeIfPresent(batteryPercent, forKey: .batteryPercent)
        try values.encodeIfPresent(lastSeen?.formatted(.iso8601), forKey: .lastSeen)
    }
}
