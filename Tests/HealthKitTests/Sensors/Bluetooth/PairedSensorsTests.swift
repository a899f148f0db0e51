import Bluetooth
import Engine
import Foundation
import GATT
import HealthKit
import MadeSamples
import Testing

/// The user's file of paired sensors.
@Suite struct PairedSensorsTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("PairedSensorsTests-\(UUID().uuidString)")
    private var file: URL { folder.appendingPathComponent("healthkit/config.json") }
    private static let address = DeviceAddress(value: 0xC0DE_0000_0001)

    private var whole: PairedSensor {
        var sensor = PairedSensor(address: Self.address, addressKind: .random, name: "Lab")
        sensor.manufacturer = "Test"
        sensor.model = "Strap"
        sensor.firmwareVersion = "1.2"
        sensor.measurements = [.heartRateMeasurement]
        sensor.wheelCircumferenceInMeters = 2.1
        sensor.batteryPercent = 80
        sensor.lastSeen = Date(timeIntervalSince1970: 1_800_000_000)
        return sensor
    }

    @Test func `paired sensors read back as written, and other content of the file stays`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(#"{"store": "memory", "profile": {"sex": "female"}, "mine": [1, 2]}"#.utf8).write(to: file)
        let paired = PairedSensors(file: file)
        #expect(try paired.all().isEmpty)
        try paired.update { $0.append(whole) }
        #expect(try paired.all() == [whole])
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains(#""store" : "memory""#) && text.contains(#""sex" : "female""#) && text.contains("mine"))
        let rights = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(rights == 0o600)
        try paired.update { $0.removeAll() }
        #expect(try !String(contentsOf: file, encoding: .utf8).contains("pairedSensors"))
    }

    @Test func `details learnt during a session do not change which sensor is paired`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let paired = PairedSensors(file: file)
        try paired.update { $0 = [whole] }
        var seen = whole
        seen.name = "Somebody's"
        seen.addressKind = .public
        seen.batteryPercent = 70
        try paired.note(seen)
        var stranger = seen
        stranger.address = DeviceAddress(value: 2)
        try paired.note(stranger)
        var expected = whole
        expected.batteryPercent = 70
        #expect(try paired.all() == [expected])
    }

    @Test func `sessions use the paired sensors in order, unless a variable overrides them`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let other = PairedSensor(address: DeviceAddress(value: 2))
        try PairedSensors(file: file).update { $0 = [whole, other] }
        let variables = ["XDG_CONFIG_HOME": folder.path, "HEALTHKIT_STORE": "memory"]
        let environment = HealthEnvironment(variables: variables)
        #expect(
            try environment.sensors.get() == [
                .bluetooth(address: "C0:DE:00:00:00:01"), .bluetooth(address: "00:00:00:00:00:02"),
            ])
        #expect(try environment.pairedSensor("C0:DE:00:00:00:01") == whole)
        let none = HealthEnvironment(variables: variables.merging(["HEALTHKIT_SENSORS": "none"]) { $1 })
        #expect(try none.sensors.get().isEmpty)
    }

    @Test(arguments: [
        "nonsense", "[]", #"{"pairedSensors": [{"address": "no address"}]}"#,
        #"{"pairedSensors": [{"address": "C0:DE:00:00:00:01", "wheelCircumferenceInMeters": 99}]}"#,
    ])
    func `an unreadable file is named and not overwritten`(text: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        let error = #expect(throws: HKError.self) { try PairedSensors(file: file).update { $0.append(whole) } }
        #expect(error?.localizedDescription.contains("config.json cannot be read") == true)
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test func `details from a link are noted, and the user's settings stay`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let paired = PairedSensors(file: file)
        try paired.update { $0 = [whole] }
        var seen = PairedSensor(address: Self.address, name: "Lab")
        seen.update(with: .battery(15, Date(timeIntervalSince1970: 1_800_000_100)))
        try paired.note(seen)
        #expect(try paired.all().first?.batteryPercent == 15)
        #expect(try paired.all().first?.wheelCircumferenceInMeters == 2.1)
        try paired.note(PairedSensor(address: DeviceAddress(value: 9)))
        #expect(try paired.all().count == 1)
    }
}
