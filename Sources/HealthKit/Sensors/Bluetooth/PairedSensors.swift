import Bluetooth
import SessionLog

/// The paired sensors of a user, in order of priority: the key `pairedSensors` of `config.json`.
///
/// Whatever else the file says stays in it. It is written anew as a whole and put in place in one step, readable by its
/// owner only.
package struct PairedSensors: Sendable {
    package let file: URL
    private static let key = "pairedSensors"

    package init(file: URL) {
        self.file = file
    }

    /// Empty where there is no file, or none in it.
    package func all() throws -> [PairedSensor] {
        guard let list = try contents()[Self.key] else { return [] }
        do {
            return try JSONDecoder().decode([PairedSensor].self, from: JSONSerialization.data(withJSONObject: list))
        } catch {
            throw unreadable(error)
        }
    }

    /// Changes the list, and writes it when it did change.
    package func update(_ change: (inout [PairedSensor]) throws -> Void) throws {
        var contents = try contents()
        let before = try all()
        var sensors = before
        try change(&sensors)
        guard sensors != before else { return }
        let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(sensors))
        contents[Self.key] = sensors.isEmpty ? nil : encoded
        do {
            try DurableFile.makeFolder(file.deletingLastPathComponent())
            let data = try JSONSerialization.data(
                withJSONObject: contents, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
            try DurableFile.write(data + Data("\n".utf8), to: file)
        } catch {
            throw HKError.make(
                .errorDatabaseInaccessible,
                "The paired sensors cannot be written to \(file.path): make it writable, or set XDG_CONFIG_HOME.",
                cause: error)
        }
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

    private func contents() throws -> [String: Any] {
        guard let data = try ConfigurationFile.contents(of: file) else { return [:] }
        do {
            guard let object = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
                throw CocoaError(.propertyListReadCorrupt)
            }
            return object
        } catch {
            throw unreadable(error)
        }
    }

    private func unreadable(_ cause: any Error) -> HKError {
        HKError.make(
            .errorInvalidArgument, "\(file.path) cannot be read: correct it or remove it.", cause: cause)
    }
}
