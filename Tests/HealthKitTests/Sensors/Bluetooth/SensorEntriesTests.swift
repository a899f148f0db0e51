import Bluetooth
import Foundation
import GATT
import HealthKit
import SessionLog
import Testing

/// What a sensor sends, as readings.
@Suite struct SensorEntriesTests {
    private static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

    /// Packets a second apart, each of a characteristic.
    private func readings(
        _ activity: String, _ packets: [(BluetoothUUID, [UInt8])]
    ) -> [QuantityReading] {
        var entries = SensorEntries(
            PairedSensor(address: BluetoothAddress(value: 1)), activity: ActivityDescription(activity: activity),
            keepsNotifications: false)
        return packets.enumerated().flatMap { second, packet in
            entries.entries(for: .value(SensorNotification(packet.0, packet.1, Self.start + Double(second))))
        }.compactMap { if case .quantity(let reading) = $0.content { reading } else { nil } }
    }

    private func values(_ readings: [QuantityReading], _ type: String) -> [Double] {
        readings.filter { $0.type == type }.map(\.value)
    }

    @Test func `a foot pod gives speed, steps, stride and distance`() {
        // 2.5 m/s, 170 steps a minute of 1 m, 1,000 m and 2.5 m a second more.
        let packets = (0..<5).map { second -> (BluetoothUUID, [UInt8]) in
            let total = 10_000 + 25 * second
            return (
                .runningSpeedAndCadenceMeasurement,
                [0x07, 0x80, 0x02, 0xAA, 100, 0, UInt8(total & 0xFF), UInt8(total >> 8), 0, 0]
            )
        }
        let running = readings("running", packets)
        #expect(values(running, "runningSpeed") == Array(repeating: 2.5, count: 5))
        #expect(values(running, "runningStrideLength") == Array(repeating: 1, count: 5))
        #expect(values(running, "distanceWalkingRunning") == Array(repeating: 2.5, count: 4))
        #expect(values(running, "stepCount").reduce(0, +) == 11)
        #expect(values(readings("walking", packets), "walkingSpeed").count == 5)
    }

    @Test func `a pod that counts one foot takes two steps for each`() {
        let packet: (BluetoothUUID, [UInt8]) = (.runningSpeedAndCadenceMeasurement, [0x05, 0x80, 0x02, 90, 200, 0])
        let readings = readings("running", Array(repeating: packet, count: 5))
        #expect(values(readings, "stepCount").reduce(0, +) == 12)
        #expect(values(readings, "runningStrideLength").first == 1)
        #expect(values(readings, "distanceWalkingRunning").reduce(0, +) == 10)
    }

    @Test(arguments: [("cycling", "cyclingPower"), ("running", "runningPower")])
    func `power is of the session's activity`(activity: String, type: String) {
        #expect(values(readings(activity, [(.cyclingPowerMeasurement, [0, 0, 200, 0])]), type) == [200])
    }

    @Test func `a trainer that counts its crank twice is counted once`() {
        var packets: [(BluetoothUUID, [UInt8])] = []
        for second in 0..<4 as Range<UInt8> {
            let crank: [UInt8] = [second, 0, 0, 4 * second]
            packets.append((.cyclingPowerMeasurement, [0x20, 0, 200, 0] + crank))
            packets.append((.cyclingSpeedAndCadenceMeasurement, [0x02] + crank))
        }
        #expect(values(readings("cycling", packets), "cyclingCadence").count == 3)
    }

    @Test func `what was decoded where it arrived is not decoded again`() throws {
        // Which of the two is read shows: the measurement is another one than the bytes'.
        let measurement = try #require(HeartRateMeasurement([0x10, 61, 0x00, 0x02] as [UInt8]))
        let notification = SensorNotification(
            .heartRateMeasurement, [0x10, 60, 0x00, 0x04], .heartRate(measurement), Self.start)
        var entries = SensorEntries(
            PairedSensor(address: BluetoothAddress(value: 1)), activity: ActivityDescription(),
            keepsNotifications: true)
        let log = entries.entries(for: .value(notification)).map(\.content)
        #expect(
            log.dropFirst() == [
                .notification(
                    NotificationRecord(
                        characteristic: 0x2A37, bytes: [0x10, 60, 0x00, 0x04], sensor: "00:00:00:00:00:01")),
                .quantity(
                    QuantityReading(
                        "heartRate", 61, unit: "count/min", start: Self.start, end: Self.start,
                        sensor: "00:00:00:00:00:01")),
                .beats(BeatReading(intervalsInMilliseconds: [500], sensor: "00:00:00:00:00:01")),
            ])
    }

    @Test func `the sensor is away before its first reading, and its battery and maker are noted`() throws {
        var entries = SensorEntries(
            PairedSensor(address: BluetoothAddress(value: 1)), activity: ActivityDescription(),
            keepsNotifications: false)
        var log = entries.begin(at: Self.start)
        log += entries.entries(for: .battery(80, Self.start + 1))
        log += entries.entries(for: .battery(80, Self.start + 2))
        var details = SensorDetails(name: "Lab", information: DeviceInformation())
        details.information[.manufacturerName] = "Test"
        log += entries.entries(for: .details(details))
        log += entries.entries(for: .value(SensorNotification(.heartRateMeasurement, [0, 70], Self.start + 3)))
        let statuses = log.compactMap { if case .sensor(let status) = $0.content { status } else { nil } }
        #expect(statuses.map(\.presence) == [.away, .away, .away, .present])
        let last = try #require(statuses.last)
        #expect(last.batteryPercent == 80 && last.device.manufacturer == "Test" && last.device.name == "Lab")
    }
}
