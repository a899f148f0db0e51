import Foundation
import SessionLog
import Testing

@testable import Brokers

/// The fields are those that Home Assistant documents for "MQTT sensor"; it refuses messages with others.
@Suite struct HomeAssistantDiscoveryTests {
    private static let sensorFields: Set<String> = [
        "availability", "availability_mode", "device", "device_class", "enabled_by_default", "encoding",
        "entity_category",
        "entity_picture", "expire_after", "force_update", "icon", "json_attributes_template", "json_attributes_topic",
        "last_reset_value_template", "name", "object_id", "options", "origin", "payload_available",
        "payload_not_available",
        "platform", "qos", "state_class", "state_topic", "suggested_display_precision", "unique_id",
        "unit_of_measurement", "value_template",
    ]
    private static let deviceFields: Set<String> = [
        "configuration_url", "connections", "hw_version", "identifiers", "manufacturer", "model", "model_id", "name",
        "serial_number", "suggested_area", "sw_version", "via_device",
    ]
    /// The classes that are used, with a unit that each allows.
    private static let units: [String: String?] = [
        "power": "W", "distance": "m", "duration": "s", "battery": "%", "enum": nil,
    ]

    private func configurations() throws -> [String: [String: Any]] {
        let figures = SessionFigures(
            id: UUID(), activity: "running", phase: .running,
            sensors: [
                SensorStatus(
                    id: "AA:BB:CC:DD:EE:FF", kind: .bluetooth, presence: .present,
                    device: DeviceDescription(
                        name: "Strap \"7\"", manufacturer: "Maker", model: "H1", firmwareVersion: "1.2")),
                SensorStatus(id: SensorStatus.thisMachine, kind: .app, presence: .present),
            ])
        let messages = HomeAssistantDiscovery(prefix: "homeassistant", machine: "laptop").messages(
            for: figures, SessionTopics(prefix: "gym/1"))
        var all: [String: [String: Any]] = [:]
        for message in messages {
            let object = try JSONSerialization.jsonObject(with: Data(message.payload.utf8))
            all[message.topic] = try #require(object as? [String: Any])
        }
        return all
    }

    @Test func `each entity has its own topic and only fields that Home Assistant knows`() throws {
        let all = try configurations()
        #expect(all.count == 10)
        for (topic, configuration) in all {
            let levels = topic.split(separator: "/")
            #expect(levels.count == 5 && levels[0] == "homeassistant" && levels[1] == "sensor" && levels[4] == "config")
            #expect(levels[2...3].allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil }, "\(topic)")
            #expect(Set(configuration.keys).subtracting(Self.sensorFields).isEmpty, "\(configuration)")
            let device = try #require(configuration["device"] as? [String: Any])
            #expect(Set(device.keys).subtracting(Self.deviceFields).isEmpty)
            #expect((device["identifiers"] as? [String])?.isEmpty == false)
            #expect(configuration["state_topic"] as? String == "gym/1/session")
        }
        #expect(Set(all.values.compactMap { $0["unique_id"] as? String }).count == all.count)
    }

    @Test func `classes have their units, and an enumeration has options and no state class`() throws {
        for configuration in try configurations().values {
            guard let name = configuration["device_class"] as? String else { continue }
            let unit = try #require(Self.units[name], "\(name)")
            #expect(configuration["unit_of_measurement"] as? String == unit)
            if name == "enum" {
                #expect(configuration["state_class"] == nil)
                #expect((configuration["options"] as? [String])?.contains("running") == true)
            }
        }
    }

    @Test func `a strap is a device with heart rate and battery, unavailable without the broker or its presence`()
        throws
    {
        let all = try configurations().filter { $0.key.contains("/aa_bb_cc_dd_ee_ff_") }
        #expect(all.count == 2)
        for configuration in all.values {
            let device = try #require(configuration["device"] as? [String: Any])
            #expect(device["name"] as? String == "Strap \"7\"" && device["sw_version"] as? String == "1.2")
            #expect(configuration["availability_mode"] as? String == "all")
            #expect(configuration["expire_after"] as? Int == 60)
            let availability = try #require(configuration["availability"] as? [[String: String]])
            #expect(availability.map { $0["topic"] } == ["gym/1/availability", "gym/1/session"])
            #expect(availability[1]["value_template"]?.contains("state == 'present'") == true)
        }
    }

    @Test func `devices are announced once, and again after a change`() {
        var encoder = SessionMessages(
            SessionTopics(prefix: "p"), discovery: HomeAssistantDiscovery(prefix: "ha", machine: "m"))
        func described(_ figures: SessionFigures, _ seconds: Int) -> Int {
            encoder.messages(for: figures, at: .seconds(seconds)).count { $0.topic.hasPrefix("ha/") }
        }
        var figures = SessionFigures(id: UUID(), activity: "running", phase: .running)
        #expect(described(figures, 0) == 8)
        #expect(described(figures, 2) == 0)
        figures.sensors = [SensorStatus(id: "A", kind: .bluetooth, presence: .present)]
        #expect(described(figures, 4) == 2)
        figures.sensors[0].batteryPercent = 5
        #expect(described(figures, 6) == 0)
        figures.sensors[0].device.name = "Strap"
        #expect(described(figures, 8) == 2)
    }
}
