import ArgumentParser
import Bluetooth
import Foundation
import GATT
import SessionLog
import Testing

@testable import workout

struct BroadcastReadingsTests {
    private let start = Date(timeIntervalSinceReferenceDate: 0)

    private func entry(
        _ type: String, _ value: Double, _ unit: String, seconds: Double = 0, sensor: String? = nil
    )
        -> SessionEntry
    {
        SessionEntry(
            start + seconds,
            .quantity(QuantityReading(type, value, unit: unit, start: start, end: start + seconds, sensor: sensor)))
    }

    @Test func `readings of a session keep their units`() {
        var readings = BroadcastReadings()
        #expect(readings.readings(of: entry("heartRate", 72, "count/min")) == [.heartRate(72)])
        #expect(readings.readings(of: entry("runningSpeed", 3.5, "m/s")) == [.speed(metersPerSecond: 3.5)])
        #expect(readings.readings(of: entry("cyclingPower", 250, "W")) == [.power(watts: 250)])
        #expect(readings.readings(of: entry("distanceCycling", 8, "m", seconds: 1)) == [.distance(meters: 8)])
        #expect(readings.readings(of: entry("activeEnergyBurned", 1, "kcal")) == [.energy(kilojoules: 4.184)])
        // 172 steps a minute are 86 for each foot.
        #expect(readings.readings(of: entry("stepCount", 172, "count", seconds: 60)) == [.cadence(perMinute: 86)])
        #expect(readings.readings(of: entry("stepCount", 3, "count")).isEmpty)
        #expect(readings.readings(of: entry("bodyMass", 70, "kg")).isEmpty)
        let beats = SessionEntry(start, .beats(BeatReading(intervalsInMilliseconds: [820.5])))
        #expect(readings.readings(of: beats) == [.beats([820.5])])
    }

    @Test func `only the heart rate sensor loses contact`() {
        var readings = BroadcastReadings()
        func status(_ id: String, _ presence: SensorStatus.Presence, battery: Int? = nil) -> SessionEntry {
            SessionEntry(
                start, .sensor(SensorStatus(id: id, kind: .bluetooth, presence: presence, batteryPercent: battery)))
        }
        #expect(readings.readings(of: status("strap", .present, battery: 80)) == [.battery(percent: 80)])
        _ = readings.readings(of: entry("heartRate", 72, "count/min", sensor: "strap"))
        #expect(readings.readings(of: status("pod", .away)).isEmpty)
        #expect(readings.readings(of: status("strap", .away)) == [.contact(false)])
        #expect(readings.readings(of: status("strap", .present)) == [.contact(true)])
    }

    @Test func `packets of one sensor are forwarded, and another's after a silence`() {
        var readings = BroadcastReadings()
        func packet(_ sensor: String, at seconds: Double) -> SessionEntry {
            let record = NotificationRecord(characteristic: 0x2A37, bytes: [0, 72], sensor: sensor)
            return SessionEntry(start + seconds, .notification(record))
        }
        let passed = [BroadcastReading.packet(.heartRateMeasurement, [0, 72])]
        #expect(readings.readings(of: packet("one", at: 0)) == passed)
        #expect(readings.readings(of: packet("two", at: 1)).isEmpty)
        #expect(readings.readings(of: packet("one", at: 2)) == passed)
        #expect(readings.readings(of: packet("two", at: 12)) == passed)
    }

    @Test func `the services are those that the source has`() {
        let run = BroadcastOffer(types: ["heartRate", "runningSpeed"], activity: "running")
        #expect(run.measurements == [.heartRateMeasurement, .runningSpeedAndCadenceMeasurement])
        let ride = BroadcastOffer(types: ["heartRate", "cyclingSpeed", "cyclingPower"], activity: "cycling")
        #expect(
            ride.measurements == [
                .heartRateMeasurement, .cyclingSpeedAndCadenceMeasurement, .cyclingPowerMeasurement, .indoorBikeData,
            ])
        #expect(!run.hasEnergy && run.batteryPercent == nil)
        #expect(BroadcastOffer(types: ["activeEnergyBurned"], activity: "other").hasEnergy)
    }

    @Test(arguments: [
        ["replay", "a.fit", "--broadcast", "--speed", "max"], ["simulate", "--broadcast", "--speed", "max"],
        ["simulate", "--broadcast", "-o", "a.jsonl"], ["broadcast", "from"], ["broadcast", "replay"],
        ["broadcast", "replay", "a.fit", "--name", "a name of more than 25 bytes"],
        ["broadcast", "from", "C0:DE:00:00:00:01", "--adapter", "hci0"],
    ])
    func `a source that cannot be broadcast is wrong usage`(arguments: [String]) {
        #expect(throws: (any Error).self) { try Workout.parseAsRoot(arguments) }
    }
}
