import Bluetooth
import Engine
import Foundation
import GATT
import SessionLog
import Testing

/// How packets of sensors become readings.
@Suite struct SensorEntriesTests {
    private static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

    /// Packets one second apart, each from a characteristic.
    private func readings(
        _ activity: String, _ packets: [(BluetoothUUID, [UInt8])]
    ) -> [QuantityReading] {
        var entries = SensorEntries(
            PairedSensor(address: DeviceAddress(value: 1)), activity: ActivityDescription(activity: activity),
            keepsNotifications: false)
        return packets.enumerated().flatMap { second, packet in
            entries.entries(for: .value(SensorNotification(packet.0, packet.1, Self.start + Double(second))))
        }.compactMap { if case .quantity(let reading) = $0.content { reading } else { nil } }
    }

    private func values(_ readings: [QuantityReading], _ type: String) -> [Double] {
        readings.filter { $0.type == type }.map(\.value)
    }

    @Test func `a foot pod gives speed, steps, stride and distance`() {
        // 2.5 m/s, 170 steps a minute of 1 m each, and a total of 1,000 m that grows by 2.5 m a second.
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

    @Test func `a pod that counts one foot gives two steps for each`() {
        let packet: (BluetoothUUID, [UInt8]) = (.runningSpeedAndCadenceMeasurement, [0x05, 0x80, 0x02, 90, 200, 0])
        let readings = readings("running", Array(repeating: packet, count: 5))
        #expect(values(readings, "stepCount").reduce(0, +) == 12)
        #expect(values(readings, "runningStrideLength").first == 1)
        #expect(values(readings, "distanceWalkingRunning").reduce(0, +) == 10)
    }

    @Test(arguments: [("cycling", "cyclingPower"), ("running", "runningPower")])
    func `power belongs to the session's activity`(activity: String, type: String) {
        #expect(values(readings(activity, [(.cyclingPowerMeasurement, [0, 0, 200, 0])]), type) == [200])
    }

    private func hundredths(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }

    @Test func `an indoor bike gives speed, cadence, power, distance and resistance`() {
        // 36 km/h, 90 turns a minute, 10 m a second, level 8, 200 W, and an invalid heart rate.
        let packets = (0..<4).map { second -> (BluetoothUUID, [UInt8]) in
            (
                .indoorBikeData,
                [0x74, 0x02] + hundredths(3600) + [180, 0] + [UInt8(10 * second), 0, 0] + [8, 0, 200, 0, 0]
            )
        }
        let ride = readings("cycling", packets)
        #expect(values(ride, "cyclingSpeed") == Array(repeating: 10, count: 4))
        #expect(values(ride, "cyclingCadence") == Array(repeating: 90, count: 4))
        #expect(values(ride, "cyclingPower") == Array(repeating: 200, count: 4))
        #expect(values(ride, "distanceCycling") == [10, 10, 10])
        #expect(values(ride, NeutralType.resistanceLevel) == Array(repeating: 8, count: 4))
        #expect(values(ride, QuantityReading.heartRateType).isEmpty)
    }

    @Test func `a moment in two notifications is counted once`() {
        // 36 km/h, and the distance in a separate notification.
        let packets = (0..<4).flatMap { second -> [(BluetoothUUID, [UInt8])] in
            [(.indoorBikeData, [0, 0] + hundredths(3600)), (.indoorBikeData, [0x11, 0, UInt8(20 * second), 0, 0])]
        }
        #expect(values(readings("cycling", packets), "distanceCycling") == [20, 20, 20])
    }

    @Test func `a treadmill without a counter is measured by its speed`() {
        let packet: (BluetoothUUID, [UInt8]) = (.treadmillData, [0x08, 0] + hundredths(900) + [20, 0, 0, 0])
        let run = readings("running", Array(repeating: packet, count: 4))
        #expect(values(run, "runningSpeed") == Array(repeating: 2.5, count: 4))
        #expect(values(run, "distanceWalkingRunning") == [2.5, 2.5, 2.5])
        #expect(values(run, NeutralType.inclination) == Array(repeating: 0.02, count: 4))
        #expect(values(readings("walking", [packet]), "walkingSpeed") == [2.5])
    }

    @Test func `a rower gives its pace as a speed, and its strokes as a cadence`() {
        let packets = (0..<3).map { second -> (BluetoothUUID, [UInt8]) in
            (
                .rowerData,
                [0x2C, 0, 48] + hundredths(10 + second) + [UInt8(4 * second), 0, 0] + hundredths(125) + [150, 0]
            )
        }
        let row = readings("rowing", packets)
        #expect(values(row, "rowingSpeed") == [4, 4, 4])
        #expect(values(row, NeutralType.cadence) == [24, 24, 24])
        #expect(values(row, NeutralType.power) == [150, 150, 150])
        #expect(values(row, "distanceRowing") == [4, 4])
    }

    @Test func `a counter that restarts or jumps adds nothing`() {
        let totals: [UInt8] = [100, 110, 0, 10, 250]
        let packets = totals.map { (BluetoothUUID.indoorBikeData, [0x11, 0, $0, 0, 0] as [UInt8]) }
        #expect(values(readings("cycling", packets), "distanceCycling") == [10, 10])
    }

    @Test func `a trainer that measures in three services is counted once`() {
        let packets = (0..<3 as Range<UInt8>).flatMap { second -> [(BluetoothUUID, [UInt8])] in
            [
                (.cyclingPowerMeasurement, [0, 0, 200, 0]),
                (.indoorBikeData, [0x44, 0] + hundredths(3600) + [180, 0, 199, 0]),
            ]
        }
        let ride = readings("cycling", packets)
        #expect(values(ride, "cyclingPower") == [200, 200, 200])
        #expect(values(ride, "cyclingCadence") == [90, 90, 90])
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

    @Test func `values decoded at their source are not decoded again`() throws {
        // The measurement differs from the bytes, which shows which one is read.
        let measurement = try #require(HeartRateMeasurement([0x10, 61, 0x00, 0x02] as [UInt8]))
        let notification = SensorNotification(
            .heartRateMeasurement, [0x10, 60, 0x00, 0x04], .heartRate(measurement), Self.start)
        var entries = SensorEntries(
            PairedSensor(address: DeviceAddress(value: 1)), activity: ActivityDescription(),
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

    @Test func `the sensor is away before its first reading, and its battery and manufacturer are noted`() throws {
        var entries = SensorEntries(
            PairedSensor(address: DeviceAddress(value: 1)), activity: ActivityDescription(),
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
