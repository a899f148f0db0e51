import ArgumentParser
import Bluetooth
import Engine
import Foundation
import GATT
import HealthKit
import SessionLog
import Synchronization
import Testing

@testable import workout

@Suite struct RecordTests {
    private static let date = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func `options are parsed`() throws {
        let record = try Record.parse([
            "--sensor", "C0:DE:00:00:00:01", "--sensor", "Lab", "--activity", "running", "--outdoor", "--lap-every",
            "5m",
            "--auto-pause", "--raw", "--duration", "1h", "-o", "log.jsonl", "--json", "--transport", "l2cap",
        ])
        #expect(record.sensor == ["C0:DE:00:00:00:01", "Lab"])
        #expect(record.lapEvery?.seconds == 300)
        #expect(record.duration?.seconds == 3600)
        #expect(record.bluetooth.transport == .l2cap)
    }

    @Test func `sensors are the named ones, or the environment's, and none is an error`() throws {
        var environment = HealthEnvironment(sensors: [.simulate(), .bluetooth(address: "C0:DE:00:00:00:01")])
        #expect(try Record.parse([]).specifications(environment) == environment.sensors.get())
        #expect(
            try Record.parse(["--sensor", "c0:de:00:00:00:02"]).specifications(environment)
                == [.bluetooth(address: "C0:DE:00:00:00:02")])
        environment.sensors = .success([])
        let failure = #expect(throws: CommandFailure.self) { try Record.parse([]).specifications(environment) }
        #expect(failure?.exitCode == .serviceMissing)
    }

    @Test(arguments: [
        ["--activity", "runing"], ["--indoor", "--outdoor"], ["--transport", "wifi"], ["--duration", "0"],
    ])
    func `wrong usage is rejected`(arguments: [String]) {
        let error = #expect(throws: (any Error).self) { try Record.parse(arguments) }
        #expect(error.map { Record.exitCode(for: $0) } == .validationFailure)
    }

    @Test func `auto-pause pauses when contact is lost, and resumes only its own pauses`() {
        let said = SharedAccumulator<[String]>([])
        let pausing = AutoPause(
            pause: { said.withLock { $0.append("pause") } }, resume: { said.withLock { $0.append("resume") } })
        func notify(_ id: String, _ presence: SensorStatus.Presence) {
            pausing.append(
                SessionEntry(Self.date, .sensor(SensorStatus(id: id, kind: .bluetooth, presence: presence))))
        }
        notify("a", .away)
        notify("b", .away)
        #expect(said.withLock { $0 }.isEmpty)
        notify("a", .present)
        notify("b", .present)
        notify("a", .away)
        #expect(said.withLock { $0 }.isEmpty)
        notify("b", .away)
        notify("b", .away)
        #expect(said.withLock { $0 } == ["pause"])
        notify("a", .present)
        #expect(said.withLock { $0 } == ["pause", "resume"])
    }

    @Test func `the live view reports sensor events once`() {
        let printed = Mutex<[String]>([])
        let notices = LiveNotices(print: { line in printed.withLock { $0.append(line) } })
        let sensor = PairedSensor(address: DeviceAddress(value: 1), name: "Lab")
        notices.handle(.changed(.backoff, .lost(.timeout), Self.date), of: sensor)
        notices.handle(.changed(.connecting, .lost(.timeout), Self.date), of: sensor)
        notices.handle(.battery(15, Self.date), of: sensor)
        notices.handle(.battery(14, Self.date), of: sensor)
        #expect(notices.messages == ["Lab: out of range"])
        #expect(notices.warnings == ["Lab: battery 15 %: replace it soon"])
        // For a session without a live view.
        #expect(printed.withLock { $0 } == ["warning: Lab: battery 15 %: replace it soon"])
    }

    @Test func `a sensor is named by its address, its name or a prefix`() throws {
        let paired = [
            PairedSensor(address: DeviceAddress(value: 1), name: "Polar H10"),
            PairedSensor(address: DeviceAddress(value: 2), name: "Polar H7"),
        ]
        #expect(try SensorArgument.paired("polar h10", among: paired) == paired[0])
        #expect(try SensorArgument.paired("00:00:00:00:00:02", among: paired) == paired[1])
        #expect(try SensorArgument.sensor("00:00:00:00:00:03", among: paired).name == nil)
        #expect(throws: CommandFailure.self) { try SensorArgument.paired("polar", among: paired) }
        #expect(throws: CommandFailure.self) { try SensorArgument.paired("wahoo", among: paired) }
        #expect(throws: CommandFailure.self) { try SensorArgument.sensors([], among: []) }
        #expect(try SensorArgument.sensor("ANT:HR:7", among: paired).address == DeviceAddress("ant:hr:7"))
        for text in ["ant:foo:1", "ant:hr:99999", "ANT:hr"] {
            let error = #expect(throws: CommandFailure.self) { try SensorArgument.sensor(text, among: paired) }
            #expect(error?.message.contains("KIND is power, trainer, hr") == true)
        }
        #expect(throws: CommandFailure.self) { try MeasureCommand.isMeant("ant:hr:7") }
    }

    @Test func `the order and the wheel of paired sensors are set`() throws {
        var sensors = [
            PairedSensor(address: DeviceAddress(value: 1), name: "Strap"),
            PairedSensor(address: DeviceAddress(value: 2), name: "Bike"),
        ]
        sensors[1].measurements = [.cyclingSpeedAndCadenceMeasurement]
        try Sensors.parse(["--first", "bike", "--wheel", "2096"]).change(&sensors)
        #expect(sensors.map(\.name) == ["Bike", "Strap"])
        #expect(sensors[0].wheelCircumferenceInMeters == 2.096)
        #expect(throws: (any Error).self) { try Sensors.parse(["--wheel", "9"]) }
    }
}
