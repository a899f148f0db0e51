import Bluetooth
import Engine
import Foundation
import GATT
import HealthKit
import Recordings
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

/// Electrocardiograms of straps: from packets to the log, to the store, and back.
struct ElectrocardiogramTests {
    private let start = Date(timeIntervalSinceReferenceDate: 700_000_000)

    private func entries(_ gapAt: Int? = nil, seconds: Int = 20) -> [SessionEntry] {
        var entries = [
            SessionEntry(
                start, .header(SessionHeader(id: UUID(), activity: ActivityDescription(activity: "running")))),
            SessionEntry(start, .state(.running)),
            SessionEntry(
                start,
                .sensor(
                    SensorStatus(
                        id: "strap", kind: .bluetooth, presence: .present,
                        device: DeviceDescription(name: "Polar H10", localIdentifier: "strap")))),
        ]
        for second in 0..<seconds where second != gapAt {
            let date = start + Double(second)
            entries.append(
                SessionEntry(date, .quantity(.heartRate(Double(100 + second), at: date, sensor: "strap"))))
            let values = (0..<130).map { Int32(second * 130 + $0 - 500) }
            entries.append(
                SessionEntry(
                    date + 0.99,
                    .waveform(
                        WaveformReading(
                            .electrocardiogram, values, samplesPerSecond: 130, start: date, sensor: "strap"))))
            entries.append(
                SessionEntry(
                    date + 0.99,
                    .waveform(
                        WaveformReading(
                            .acceleration, [0, 0, 1000], samplesPerSecond: 1, start: date, sensor: "strap"))))
        }
        return entries + [SessionEntry(start + Double(seconds), .state(.stopped))]
    }

    private func store(_ entries: [SessionEntry], in runs: StoredRuns) throws -> (HKWorkout, [HKElectrocardiogram]) {
        let recording = Recording(entries: entries, file: RecordingSummary(format: "jsonl"))
        let log = try HKHealthStore(environment: runs.environment).save(recording, as: UUID())
        let samples = try runs.database.samples(
            [SampleSelection(HKObjectType.electrocardiogramType(), .workout(log.id))],
            sortedBy: [SampleSort(.startDate)], limit: nil)
        return (
            try StoredWorkouts(runs.database).workout(log.id.uuidString),
            samples.compactMap { $0 as? HKElectrocardiogram }
        )
    }

    @Test func `pieces become one electrocardiogram with its voltages, device and heart rate`() throws {
        let runs = StoredRuns()
        let (workout, found) = try store(entries(), in: runs)
        let sample = try #require(found.first)
        #expect(found.count == 1)
        #expect(sample.numberOfVoltageMeasurements == 2600)
        #expect(sample.samplingFrequency == HKQuantity(unit: .hertz(), doubleValue: 130))
        #expect(sample.startDate == start)
        #expect(abs(sample.endDate.timeIntervalSince(start + 20)) < 0.001)
        #expect(sample.device?.name == "Polar H10")
        let mean = sample.averageHeartRate?.doubleValue(for: .count().unitDivided(by: .minute()))
        // The first heart rate came before the first piece.
        #expect(mean == 110)
        #expect(try runs.database.voltages(sample.uuid) == (0..<2600).map { Double($0 - 500) })

        let read = try StoredWorkoutEntries(workout, in: runs.database).compactMap { entry -> WaveformReading? in
            if case .waveform(let reading) = entry.content { reading } else { nil }
        }
        #expect(read.count == 20)
        #expect(read.flatMap(\.values) == (0..<2600).map { Int32($0 - 500) })
        #expect(try runs.database.checkIntegrity() == [])
    }

    @Test func `an edit keeps an electrocardiogram whole, and undo restores it`() throws {
        let runs = StoredRuns()
        let (workout, _) = try store(entries(), in: runs)
        let store = HKHealthStore(environment: runs.environment)
        func stored() throws -> [[Double]] {
            try runs.database.samples(
                [SampleSelection(HKObjectType.electrocardiogramType(), .all)], sortedBy: [], limit: nil
            ).map { try runs.database.voltages($0.uuid) }
        }
        let before = try stored()
        let parts = try store.edit([workout], by: [.split(at: [start + 8])], named: "split", at: Date())
        #expect(parts.count == 2)
        #expect(try stored() == before)
        let last = try #require(parts.last)
        #expect(
            try runs.database.samples(
                [SampleSelection(HKObjectType.electrocardiogramType(), .workout(last.uuid))], sortedBy: [], limit: nil
            ).count == 1)
        _ = try store.undoEdit(at: Date())
        #expect(try stored() == before)
        #expect(try runs.database.checkIntegrity() == [])
    }

    @Test func `a gap begins another electrocardiogram`() throws {
        let (_, found) = try store(entries(7), in: StoredRuns())
        #expect(found.map(\.numberOfVoltageMeasurements) == [7 * 130, 12 * 130])
        #expect(found.last?.startDate == start + 8)
    }

    @Test func `an electrocardiogram of a whole day is split by the hour`() throws {
        let (_, found) = try store(entries(seconds: 7300), in: StoredRuns())
        #expect(found.map(\.numberOfVoltageMeasurements) == [3600 * 130, 3600 * 130, 100 * 130])
    }

    @Test func `packets become entries at the time of the sensor's clock`() throws {
        let sensor = PairedSensor(
            address: try #require(DeviceAddress("C2:00:00:00:00:10")), addressKind: .random, name: "Polar")
        var sensors = SensorEntries(sensor, activity: ActivityDescription(), keepsNotifications: false)
        _ = sensors.entries(for: .value(SensorNotification(.heartRateMeasurement, [0, 60], start)))
        func packet(_ nanoseconds: UInt64, arrived seconds: Double) -> WaveformReading? {
            let frame = PolarFrame(nanoseconds: nanoseconds, .voltages([Int32](repeating: 5, count: 65)))
            let entries = sensors.entries(for: .streamed(frame, samplesPerSecond: 130, start + seconds))
            guard case .waveform(let reading)? = entries.first?.content else { return nil }
            return reading
        }
        let first = try #require(packet(5_000_000_000, arrived: 1))
        // The second packet is late by 0.2 s.
        let second = try #require(packet(5_500_000_000, arrived: 1.7))
        #expect(abs(second.start.timeIntervalSince(first.end)) < 0.001)
        // The sensor's clock was set.
        let third = try #require(packet(900_000_000_000, arrived: 2))
        #expect(abs(third.end.timeIntervalSince(start + 2)) < 0.02)
    }

    @Test(arguments: [true, false])
    func `pulse intervals replace missing RR intervals`(hasOwn: Bool) throws {
        let sensor = PairedSensor(
            address: try #require(DeviceAddress("C2:00:00:00:00:11")), addressKind: .random, name: "Polar")
        var sensors = SensorEntries(sensor, activity: ActivityDescription(), keepsNotifications: false)
        _ = sensors.entries(
            for: .value(SensorNotification(.heartRateMeasurement, hasOwn ? [0x10, 60, 0, 4] : [0, 60], start)))
        let pulses = [840, 860, 900].map {
            PolarFrame.Pulse(
                heartRate: 70, intervalInMilliseconds: $0, errorInMilliseconds: 5, isDoubtful: $0 == 900)
        }
        let entries = sensors.entries(
            for: .streamed(PolarFrame(nanoseconds: 0, .pulses(pulses)), samplesPerSecond: nil, start + 2))
        let reading = BeatReading(intervalsInMilliseconds: [840, 860], sensor: "\(sensor.address)")
        #expect(entries == (hasOwn ? [] : [SessionEntry(start + 2, .beats(reading))]))
    }
}
