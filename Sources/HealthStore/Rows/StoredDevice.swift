import SessionLog

/// The stored form of a device: its eight properties as JSON with sorted keys.
enum StoredDevice {
    private static let properties: [(key: String, path: any WritableKeyPath<DeviceDescription, String?> & Sendable)] = [
        ("name", \.name), ("manufacturer", \.manufacturer), ("model", \.model), ("hardware", \.hardwareVersion),
        ("firmware", \.firmwareVersion), ("software", \.softwareVersion), ("local", \.localIdentifier),
        ("udi", \.udiDeviceIdentifier),
    ]

    static func encoded(_ device: HKDevice) throws -> Data {
        var values: [String: String] = [:]
        for (key, path) in properties { values[key] = device.properties[keyPath: path] }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(values)
    }

    static func decoded(_ data: Data) throws -> HKDevice {
        let values = try JSONDecoder().decode([String: String].self, from: data)
        var description = DeviceDescription()
        for (key, path) in properties { description[keyPath: path] = values[key] }
        return HKDevice(description)
    }
}
