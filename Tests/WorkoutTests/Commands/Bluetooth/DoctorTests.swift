import Bluetooth
import Engine
import Foundation
import GATT
import GRDB
import HealthKit
import Testing

@testable import workout

/// Each problem is named with its remedy.
@Suite struct DoctorTests {
    private static let address = DeviceAddress(value: 0xC0DE_0000_0001)
    private static let date = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func `sensors without Bluetooth need none`() throws {
        let finding = try #require(DoctorFinding.sensorsWithoutBluetooth([]))
        #expect(finding.state == .good && finding.remedy == nil)
        #expect(DoctorFinding.sensorsWithoutBluetooth([.bluetooth(address: "AA:BB:CC:DD:EE:FF")]) == nil)
    }

    @Test(arguments: [
        (BluetoothError.serviceStopped, "sudo systemctl start bluetooth"),
        (.serviceSilent(operation: "scan"), "sudo systemctl restart bluetooth"),
        (.notPermitted("rejected"), "sudo usermod -aG bluetooth $USER"),
        (.poweredOff, "bluetoothctl power on"),
        (.blocked, DoctorFinding.unblocking),
    ])
    func `a problem of the machine has its command`(error: BluetoothError, remedy: String) {
        let finding = DoctorFinding.machine(error)
        #expect(finding.state == .obstacle)
        #expect(finding.remedy == remedy)
    }

    @Test func `an adapter that is off is a problem unless another is on`() {
        let off = Adapter(name: "hci0", address: Self.address, power: .off)
        let on = Adapter(name: "hci1", address: Self.address, power: .on)
        #expect(DoctorFinding.adapters([off]).map(\.state) == [.obstacle])
        #expect(DoctorFinding.adapters([off, on]).map(\.state) == [.warning, .good])
        #expect(DoctorFinding.adapters([]).map(\.state) == [.obstacle])
    }

    @Test func `without bluetoothd no remedy mentions it`() {
        var adapter = Adapter(name: "hci0", address: Self.address, power: .off, isManagedByService: false)
        #expect(DoctorFinding.adapters([adapter], mayManage: true).map(\.remedy) == ["workout pair --power-on"])
        #expect(DoctorFinding.adapters([adapter], mayManage: false).map(\.remedy) == ["sudo systemctl start bluetooth"])
        #expect(DoctorFinding.service([adapter]).message.hasPrefix("bluetoothd is not running"))
        adapter.isManagedByService = true
        #expect(DoctorFinding.adapters([adapter], mayManage: true).map(\.remedy) == ["bluetoothctl power on"])
        #expect(DoctorFinding.service([adapter]).message == "running")
    }

    @Test(
        arguments: [
            (true, ["/usr/bin", "/usr/sbin"], "/usr/sbin/rfkill", "rfkill unblock bluetooth"),
            (true, ["/usr/bin"], "/usr/sbin/rfkill", "/usr/sbin/rfkill unblock bluetooth"),
            (false, ["/usr/bin"], "/usr/sbin/rfkill", "sudo rfkill unblock bluetooth"),
            (true, ["/usr/bin"], "", "sudo apt install rfkill && sudo rfkill unblock bluetooth"),
        ] as [(Bool, [String], String, String)])
    func `a block of rfkill is lifted by a command that this user can run`(
        mayWrite: Bool, path: [String], program: String, remedy: String
    ) {
        #expect(DoctorFinding.unblocking(mayWrite: mayWrite, path: path) { $0 == program } == remedy)
    }

    /// Events of a link, and the result.
    @Test(
        arguments: [
            ([.value(SensorNotification(.heartRateMeasurement, [6, 70], date))], .good, "measuring"),
            (
                [.value(SensorNotification(.heartRateMeasurement, [4, 0], date)), .contact(false, date)], .obstacle,
                "no skin contact"
            ),
            ([.changed(.subscribing, .linked, date)], .obstacle, "connected but no data"),
            (
                [.changed(.backoff, .failed(.busy(address)), date)], .obstacle,
                "another program on this machine is using the sensor"
            ),
            ([.changed(.searching, .notInReach, date)], .obstacle, "\(SensorLinkReason.notInReach)"),
            (
                [.changed(.backoff, .failed(.attribute(address, code: 0x0E)), date)], .obstacle,
                "it refuses to pair: put it in pairing mode, or remove its pairing with other devices"
            ),
            ([], .obstacle, "not found"),
        ] as [([SensorLinkEvent], DoctorFinding.State, String)])
    func `problems of a sensor's link are found`(
        events: [SensorLinkEvent], state: DoctorFinding.State, message: String
    ) {
        var examination = SensorExamination(PairedSensor(address: Self.address, name: "Lab"))
        for event in events { examination.handle(event) }
        #expect(examination.findings.first?.state == state)
        #expect(examination.findings.first?.message == message)
        #expect(state == .good || examination.findings.first?.remedy != nil)
    }

    @Test func `changes of the store are a warning, and a missing store is not created`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("health.sqlite").path
        let environment = HealthEnvironment(variables: [
            "HEALTHKIT_STORE": path, "XDG_CONFIG_HOME": folder.path, "HEALTHKIT_SENSORS": "none",
        ])
        #expect(DoctorFinding.store(environment) == nil)
        #expect(!FileManager.default.fileExists(atPath: path))
        let rate = HKQuantity(unit: .count().unitDivided(by: .minute()), doubleValue: 60)
        let sample = HKQuantitySample(
            type: HKQuantityType(.heartRate), quantity: rate, start: Self.date, end: Self.date)
        try environment.database.save(
            [sample],
            from: HKSourceRevision(source: HKSource(name: "Test", bundleIdentifier: "local.test"), version: "1"))
        #expect(DoctorFinding.store(environment)?.state == .good)
        try DatabaseQueue(path: path).write { try $0.execute(sql: "UPDATE content SET columns = x'00'") }
        let damaged = try #require(DoctorFinding.store(environment))
        #expect(damaged.state == .warning)
        #expect(damaged.message.hasPrefix("\(path) is damaged: "))
        #expect(damaged.remedy != nil)
        try "no database, and no sound one".write(toFile: path + "2", atomically: true, encoding: .utf8)
        let other = HealthEnvironment(variables: [
            "HEALTHKIT_STORE": path + "2", "XDG_CONFIG_HOME": folder.path, "HEALTHKIT_SENSORS": "none",
        ])
        #expect(DoctorFinding.store(other)?.state == .obstacle)
    }

    @Test func `a remedy is on its own line`() {
        #expect(DoctorFinding.machine(.serviceStopped).lines.last == "      sudo systemctl start bluetooth")
    }

    @Test func `a sensor's refusal is not a reason to restart the service`() {
        for error in [BluetoothError.attribute(Self.address, code: 0x0E), .connectionFailed(Self.address, "aborted")] {
            var examination = SensorExamination(PairedSensor(address: Self.address, name: "Lab"))
            examination.handle(.changed(.backoff, .failed(error), Self.date))
            #expect(examination.findings.first?.remedy?.contains("systemctl") == false)
        }
    }

    @Test func `a low battery and a model with known faults are warnings`() {
        var examination = SensorExamination(PairedSensor(address: Self.address, name: "Polar H7 1234"))
        examination.handle(.battery(9, Self.date))
        let warnings = examination.findings.filter { $0.state == .warning }
        #expect(warnings.map(\.remedy).first == "replace the battery")
        #expect(warnings.count == 2)
    }
}
