import Foundation
import SessionLog

/// The messages by which Home Assistant shows a session and its sensors without configuration: one retained message for
/// each entity, below `homeassistant/sensor/…`. Source: home-assistant.io, "MQTT" (discovery) and "MQTT sensor".
///
/// There is a device for the machine with the session's figures, and one for each sensor with its heart rate and
/// charge. An entity without data is unavailable, as are all if the broker has lost the machine.
package struct HomeAssistantDiscovery: Sendable {
    /// After this time without a message, an entity is unavailable even if the broker is connected.
    static let expiryInSeconds = 60

    private let prefix: String
    private let machine: String

    /// - Parameters:
    ///   - prefix: Home Assistant's prefix, which is `homeassistant` by default.
    ///   - machine: The name of this machine, which is shown.
    package init(prefix: String, machine: String) {
        self.prefix = prefix
        self.machine = machine
    }

    func messages(for figures: SessionFigures, _ topics: SessionTopics) -> [MQTTMessage] {
        let node = "openhealthkit_" + SessionTopics.level(topics.prefix)
        let session = Device(
            identifiers: [node], name: "Workout (\(machine))", manufacturer: "OpenHealthKit", model: nil,
            softwareVersion: nil, viaDevice: nil)
        var messages = Self.sessionEntities.compactMap { message($0, of: session, node, topics) }
        for sensor in figures.sensors where sensor.id != SensorStatus.thisMachine {
            let level = SessionTopics.level(sensor.id)
            let device = Device(
                identifiers: ["openhealthkit_sensor_" + level], name: sensor.device.name ?? sensor.id,
                manufacturer: sensor.device.manufacturer, model: sensor.device.model,
                softwareVersion: sensor.device.firmwareVersion, viaDevice: node)
            for entity in Self.entities(of: level) {
                if let message = message(entity, of: device, node, topics) { messages.append(message) }
            }
        }
        return messages
    }

    private func message(
        _ entity: Entity, of device: Device, _ node: String, _ topics: SessionTopics
    ) -> MQTTMessage? {
        let known = "{{ 'online' if \(entity.condition) else 'offline' }}"
        let configuration = Configuration(
            name: entity.name, uniqueID: "\(node)_\(entity.id)", stateTopic: topics.session,
            valueTemplate: "{{ \(entity.value) if \(entity.condition) else none }}", unit: entity.unit,
            deviceClass: entity.deviceClass,
            stateClass: entity.isMeasured ? "measurement" : nil, options: entity.options, icon: entity.icon,
            category: entity.isDiagnostic ? "diagnostic" : nil,
            availability: [
                Availability(topic: topics.availability), Availability(topic: topics.session, valueTemplate: known),
            ], availabilityMode: "all", expiry: Self.expiryInSeconds, device: device,
            origin: Origin(name: "OpenHealthKit"))
        return configuration.jsonPayload.map { MQTTMessage("\(prefix)/sensor/\(node)/\(entity.id)/config", $0) }
    }

    private struct Entity {
        var id: String
        var name: String
        /// Expressions of Home Assistant's templates.
        var value: String
        var condition: String
        var unit: String?
        var deviceClass: String?
        var icon: String?
        var isMeasured = true
        var isDiagnostic = false
        var options: [String]?

        init(
            _ member: String, _ name: String, unit: String?, deviceClass: String? = nil, icon: String? = nil,
            value: String? = nil
        ) {
            id = member
            self.name = name
            self.value = value ?? "value_json.\(member)"
            condition = "value_json.\(member) is defined"
            self.unit = unit
            self.deviceClass = deviceClass
            self.icon = icon
        }
    }

    private static var sessionEntities: [Entity] {
        var state = Entity("state", "State", unit: nil, deviceClass: "enum", icon: "mdi:run")
        state.isMeasured = false
        state.options = SessionPhase.allCases.map(\.rawValue)
        return [
            state, Entity("heartRate", "Heart rate", unit: "bpm", icon: "mdi:heart-pulse"),
            Entity("zone", "Zone", unit: nil, icon: "mdi:layers-triple"),
            Entity("power", "Power", unit: "W", deviceClass: "power"),
            // Home Assistant has no class for a pace.
            Entity(
                "pace", "Pace", unit: "min/km", icon: "mdi:speedometer", value: "(value_json.pace / 60) | round(2)"),
            Entity("distance", "Distance", unit: "m", deviceClass: "distance"),
            Entity("energy", "Active energy", unit: "kcal", icon: "mdi:fire"),
            Entity("elapsed", "Elapsed time", unit: "s", deviceClass: "duration"),
        ]
    }

    private static func entities(of level: String) -> [Entity] {
        let sensor = "value_json.sensors['\(level)']"
        let isPresent = "\(sensor) is defined and \(sensor).state == 'present'"
        return [
            Entity("heartRate", "Heart rate", unit: "bpm", icon: "mdi:heart-pulse"),
            Entity("battery", "Battery", unit: "%", deviceClass: "battery"),
        ].map { entity in
            var entity = entity
            entity.value = "\(sensor).\(entity.id)"
            entity.condition = "\(isPresent) and \(entity.value) is defined"
            entity.isDiagnostic = entity.id == "battery"
            entity.id = "\(level)_\(entity.id)"
            return entity
        }
    }

    // Home Assistant's names of the members.

    private struct Configuration: Encodable {
        var name, uniqueID, stateTopic, valueTemplate: String
        var unit, deviceClass, stateClass: String?
        var options: [String]?
        var icon, category: String?
        var availability: [Availability]
        var availabilityMode: String
        var expiry: Int
        var device: Device
        var origin: Origin

        enum CodingKeys: String, CodingKey {
            case name, options, icon, availability, device, origin
            case uniqueID = "unique_id"
            case stateTopic = "state_topic"
            case valueTemplate = "value_template"
            case unit = "unit_of_measurement"
            case deviceClass = "device_class"
            case stateClass = "state_class"
            case category = "entity_category"
            case availabilityMode = "availability_mode"
            case expiry = "expire_after"
        }
    }

    private struct Availability: Encodable {
        var topic: String
        var valueTemplate: String?

        enum CodingKeys: String, CodingKey {
            case topic
            case valueTemplate = "value_template"
        }
    }

    private struct Device: Encodable {
        var identifiers: [String]
        var name: String
        var manufacturer, model, softwareVersion, viaDevice: String?

        enum CodingKeys: String, CodingKey {
            case identifiers, name, manufacturer, model
            case softwareVersion = "sw_version"
            case viaDevice = "via_device"
        }
    }

    private struct Origin: Encodable {
        var name: String
    }
}
