import Bluetooth
import Foundation
import GATT
import HealthKit
import StoredWorkouts
import Testing

@testable import workout

@Suite struct ScanReportTests {
    private static let date = Date(timeIntervalSince1970: 1_800_000_000)

    private func heard(_ address: UInt64, _ name: String?, signal: Int? = nil) -> Advertisement {
        Advertisement(
            address: DeviceAddress(value: address), name: name, services: [.heartRateService],
            signalInDecibelMilliwatts: signal, date: Self.date)
    }

    @Test func `a device is listed once it has a name`() {
        var report = ScanReport(paired: [])
        #expect(report.add(heard(1, nil)) == nil)
        #expect(report.nameless.count == 1)
        #expect(report.add(heard(1, "Lab"))?.name == "Lab")
        #expect(report.add(heard(1, "Lab", signal: -40)) == nil)
        #expect(report.nameless.isEmpty)
    }

    @Test func `the nearest device comes first, and lost ones last`() {
        var report = ScanReport(paired: [])
        for (address, signal) in [(1, -80), (2, -40), (3, nil)] as [(UInt64, Int?)] {
            _ = report.add(heard(address, "\(address)", signal: signal))
        }
        #expect(report.byDistance.map(\.name) == ["2", "1", "3"])
    }

    @Test func `a device is printed as an object`() {
        let report = ScanReport(paired: [DeviceAddress(value: 1)])
        #expect(
            report.json(heard(1, "Lab", signal: -55)).text
                == #"{"address":"00:00:00:00:00:01","addressKind":"random","name":"Lab","signal":-55,"#
                + #""services":["180D"],"measures":["heartRate"],"paired":true,"connected":false,"bonded":false,"#
                + #""date":"2027-01-15T08:00:00.000Z"}"#)
    }

    @Test func `a sensor that no session records is named`() {
        var scale = heard(2, "Scale")
        scale.services = [BluetoothUUID(0x181D), BluetoothUUID(0x1808)]
        let report = ScanReport(paired: [])
        guard case .values(let values) = report.row(scale) else { return #expect(Bool(false), "no row") }
        #expect(values.contains("blood glucose (not supported), weight"))
        #expect(
            report.json(scale).text.contains(
                #""measures":[],"forMeasure":["weight"],"unsupported":["blood glucose"],"#))
    }
}
