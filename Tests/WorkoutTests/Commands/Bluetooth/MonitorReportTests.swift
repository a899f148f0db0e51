import Bluetooth
import Engine
import Foundation
import GATT
import HealthKit
import Testing

@testable import workout

@Suite struct MonitorReportTests {
    private static let sensor = PairedSensor(address: DeviceAddress(value: 0xC0DE_0000_0001), name: "Lab")
    private static let date = Date(timeIntervalSince1970: 1_800_000_000)

    private func lines(_ events: SensorLinkEvent..., json: Bool = false, raw: Bool = false) -> [String] {
        var report = MonitorReport(json: json, raw: raw, page: Page(timeZone: .gmt))
        return events.flatMap { report.lines(for: $0, of: Self.sensor, at: Self.date) }
    }

    @Test(
        arguments: [
            ([0x16, 72, 0x00, 0x04], "08:00:00  72 bpm  RR 1000 ms"), ([0x04, 0], "08:00:00  off the skin"),
            ([0x00, 0], "08:00:00  no heart rate"), ([0x0E, 85, 16, 0], "08:00:00  85 bpm  16 kJ"),
            ([0x06], "08:00:00  unreadable value of 2A37: [06]"),
        ] as [([UInt8], String)])
    func `a heart rate is printed as a line`(bytes: [UInt8], line: String) {
        #expect(lines(.value(SensorNotification(.heartRateMeasurement, bytes, Self.date))) == [line])
    }

    @Test func `readings that this program missed are reported`() {
        #expect(
            lines(.missed(7, Self.date)) == [
                "08:00:00  7 values lost: this machine was too busy to read them"
            ])
        #expect(
            lines(.missed(7, Self.date), json: true) == [
                #"{"type":"missed","date":"2027-01-15T08:00:00.000Z","sensor":"C0:DE:00:00:00:01","name":"Lab","count":7}"#
            ])
    }

    @Test func `a heart rate is not decoded again`() throws {
        let measurement = try #require(HeartRateMeasurement([0, 61] as [UInt8]))
        let notification = SensorNotification(.heartRateMeasurement, [0, 60], .heartRate(measurement), Self.date)
        #expect(lines(.value(notification), raw: true) == ["08:00:00  61 bpm  [003c]"])
    }

    @Test func `a heart rate is printed as an object`() {
        let head = #""date":"2027-01-15T08:00:00.000Z","sensor":"C0:DE:00:00:00:01","name":"Lab""#
        #expect(
            lines(
                .value(SensorNotification(.heartRateMeasurement, [0x1E, 72, 3, 0, 0, 4, 0, 2], Self.date)), json: true,
                raw: true) == [
                    #"{"type":"heartRate",\#(head),"heartRate":72,"contact":true,"rr":[1000,500],"#
                        + #""energyInKilojoules":3,"hex":"1e48030000040002"}"#
                ])
        #expect(
            lines(.value(SensorNotification(.heartRateMeasurement, [0x04, 0], Self.date)), json: true) == [
                #"{"type":"heartRate",\#(head),"contact":false}"#
            ])
        #expect(
            lines(.value(SensorNotification(.heartRateMeasurement, [], Self.date)), json: true) == [
                #"{"type":"unreadable",\#(head),"characteristic":"2A37","hex":""}"#
            ])
    }

    @Test func `an event is reported once, and again after it was over`() {
        let lost = SensorLinkEvent.changed(.backoff, .lost(.timeout), Self.date)
        let again = SensorLinkEvent.changed(.connecting, .lost(.timeout), Self.date)
        #expect(lines(lost, again) == ["08:00:00  out of range"])
        #expect(lines(lost, .value(SensorNotification(.heartRateMeasurement, [0, 70], Self.date)), lost).count == 3)
        #expect(lines(lost, again, json: true).count == 2)
    }

    @Test func `a low battery is reported as low`() {
        #expect(lines(.battery(15, Self.date)) == ["08:00:00  battery 15 %: low, replace it soon"])
        #expect(lines(.battery(16, Self.date)) == ["08:00:00  battery 16 %"])
    }

    @Test func `power is a line with derived values`() {
        let line = lines(.value(SensorNotification(.cyclingPowerMeasurement, [0, 0, 40, 0], Self.date)))
        #expect(line == ["08:00:00  power 40.00 W"])
    }
}
