import Bluetooth
package import Engine

/// The paired sensors of a user, in order of priority: the key `pairedSensors` of `config.json`.
///
/// Other keys of the file are kept.
package struct PairedSensors: Sendable {
    package let file: URL
    private static let key = "pairedSensors"

    package init(file: URL) {
        self.file = file
    }

    /// Empty without a file or without the key.
    package func all() throws -> [PairedSensor] {
        guard let list = try ConfigurationFile.settings(in: file)[Self.key] else { return [] }
        do {
            return try JSONDecoder().decode([PairedSensor].self, from: JSONSerialization.data(withJSONObject: list))
        } catch {
            throw HKError.make(
                .errorInvalidArgument, "\(file.path) cannot be read: correct it or remove it.", cause: error)
        }
    }

    /// Changes the list, and writes it if it changed.
    package func update(_ change: (inout [PairedSensor]) throws -> Void) throws {
        var settings = try ConfigurationFile.settings(in: file)
        let before = try all()
        var sensors = before
        try change(&sensors)
        guard sensors != before else { return }
        let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(sensors))
        settings[Self.key] = sensors.isEmpty ? nil : encoded
        try ConfigurationFile.write(settings, to: file, "The paired sensors")
    }

    /// Notes facts about a paired sensor from its link. Other sensors are ignored, because only the user pairs sensors.
    package func note(_ sensor: PairedSensor) throws {
        try update { sensors in
            guard let index = sensors.firstIndex(where: { $0.address == sensor.address }) else { return }
            let paired = sensors[index]
            var noted = sensor
            noted.addressKind = paired.addressKind ?? sensor.addressKind
            noted.name = paired.name ?? sensor.name
            // Changes by the user meanwhile are kept.
            noted.wheelCircumferenceInMeters = paired.wheelCircumferenceInMeters
            sensors[index] = noted
        }
    }
}
