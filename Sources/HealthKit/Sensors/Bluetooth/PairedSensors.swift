import Bluetooth

/// The paired sensors of a user, in order of priority: the key `pairedSensors` of `config.json`.
///
/// Whatever else the file says stays in it.
package struct PairedSensors: Sendable {
    package let file: URL
    private static let key = "pairedSensors"

    package init(file: URL) {
        self.file = file
    }

    /// Empty where there is no file, or none in it.
    package func all() throws -> [PairedSensor] {
        guard let list = try ConfigurationFile.settings(in: file)[Self.key] else { return [] }
        do {
            return try JSONDecoder().decode([PairedSensor].self, from: JSONSerialization.data(withJSONObject: list))
        } catch {
            throw HKError.make(
                .errorInvalidArgument, "\(file.path) cannot be read: correct it or remove it.", cause: error)
        }
    }

    /// Changes the list, and writes it when it did change.
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

    /// What was learnt of a sensor on its link. One that is not paired stays so; which one is paired is the user's word.
    package func note(_ sensor: PairedSensor) throws {
        try update { sensors in
            guard let index = sensors.firstIndex(where: { $0.address == sensor.address }) else { return }
            let paired = sensors[index]
            var noted = sensor
            noted.addressKind = paired.addressKind ?? sensor.addressKind
            noted.name = paired.name ?? sensor.name
            // What the user said meanwhile holds.
            noted.wheelCircumferenceInMeters = paired.wheelCircumferenceInMeters
            sensors[index] = noted
        }
    }
}
