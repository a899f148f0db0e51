import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Energy that files state, and how it is distributed if there are pauses.
struct StatedEnergyTests {
    private func energies(_ recording: Recording) -> [QuantityReading] {
        var pauses = SessionPauses()
        return recording.entries.compactMap { entry in
            if case .state(let phase) = entry.content { pauses.change(to: phase, at: entry.date) }
            guard case .quantity(let reading) = entry.content, reading.type == "activeEnergyBurned" else { return nil }
            // The energy that a session would count.
            #expect(pauses.countsWhole(from: reading.start, to: reading.end))
            return reading
        }
    }

    private static let pausedLap = TrackText.lap(
        0, seconds: 600,
        "<Calories>100</Calories>"
            + TrackText.track(0..<300, { TrackText.heartRate(100 + $0 % 9) })
            + TrackText.track(600...900, { TrackText.heartRate(100 + $0 % 9) }))

    @Test func `the energy of a lap with a pause counts completely`() throws {
        let recording = try TrackText.read(TrackText.tcx(TrackText.activity("Running", Self.pausedLap)))[0]
        #expect(recording.pauseSeconds == [[299, 600]])
        let found = energies(recording)
        #expect(found.count == 2)
        #expect(abs(found.reduce(0) { $0 + $1.value } - 100) < 1e-9)
        #expect(found.map { $0.start.timeIntervalSince(TrackText.start) } == [0, 600])
        #expect(found.map { $0.end.timeIntervalSince(TrackText.start) } == [299, 900])
        #expect(recording.statesEnergy)
    }

    @Test func `a recording without energy states none, in every format`() throws {
        let lap = TrackText.lap(0, TrackText.track(0..<10, { TrackText.heartRate(100 + $0) }))
        #expect(try TrackText.read(TrackText.tcx(TrackText.activity("Running", lap)))[0].statesEnergy == false)
        let table = try TableTexts.read("time,hr\n2026-03-01T10:00:00Z,100\n2026-03-01T10:00:01Z,101\n")
        #expect(table.statesEnergy == false)
        #expect(!Recording(entries: SmallRide.entries(), file: RecordingSummary(format: "jsonl")).statesEnergy)
        #expect(try FITRecordingTests.read(FITBytes.run()).facts.hasEnergy == false)
    }

    @Test func `the energy of a FIT session is read, and counts completely with a pause`() throws {
        var bytes = FITBytes()
        let start = FITBytes.start
        bytes.define(0, 0, FITBytes.fileID)
        bytes.message(0, [4, 1, 2697, 123_456, start])
        bytes.define(1, 21, FITBytes.event)
        bytes.define(2, 20, FITBytes.record)
        bytes.message(1, [start, 0, 0])
        for second in Int64(0)...10 { bytes.message(2, [start + second, 140, 300 * second, 3000]) }
        bytes.message(1, [start + 10, 0, 4])
        bytes.message(1, [start + 30, 0, 0])
        for second in Int64(30)...40 { bytes.message(2, [start + second, 140, 300 * second, 3000]) }
        bytes.message(1, [start + 40, 0, 4])
        bytes.define(4, 18, FITBytes.session + [FITBytes.Field(number: 11, type: 0x84)])
        bytes.message(4, [start + 40, start, 1, 0, 40_000, 20_000, 33])
        let recording = try FITRecordingTests.read(bytes)
        let found = energies(recording)
        #expect(found.reduce(0) { $0 + $1.value } == 33)
        // Known without another reading.
        #expect(recording.facts.hasEnergy == true)
        #expect(found.map { $0.end.timeIntervalSince(FITRecordingTests.start) } == [10, 40])
        #expect(recording.isInOrder)
    }

    @Test func `laps of a FIT file state the energy if its session does not`() throws {
        var bytes = FITBytes.run()
        bytes.define(5, 19, FITBytes.lap + [FITBytes.Field(number: 11, type: 0x84)])
        bytes.message(5, [FITBytes.start + 10, FITBytes.start, 10_000, 21])
        #expect(energies(try FITRecordingTests.read(bytes)).map(\.value) == [21])
    }

    @Test(arguments: ["fit", "tcx", "csv", "tsv", "jsonl"])
    func `energy survives every format that has it`(format: String) throws {
        var entries = SmallRide.entries()
        let laps = entries.indices.filter {
            // The second one ends in a pause.
            if case .event(let event) = entries[$0].content {
                event.kind == .lap && event.end != SmallRide.start + 30
            } else {
                false
            }
        }
        for index in laps.reversed() {
            let date = entries[index].date
            let reading = QuantityReading(
                "activeEnergyBurned", 40, unit: "kcal", start: date - 5, end: date, sensor: "recorder")
            entries.insert(SessionEntry(date, .quantity(reading)), at: index)
        }
        let source = RecordingSource(path: "ride", bytes: try WrittenFile(entries, as: format).bytes)
        let recording = try #require(try RecordingFile.readAll(source).first)
        let sum = recording.entries.reduce(0.0) { sum, entry in
            guard case .quantity(let reading) = entry.content, reading.type == "activeEnergyBurned" else { return sum }
            return sum + reading.value
        }
        #expect(abs(sum - 120) < 1e-6)
        #expect(recording.statesEnergy)
    }

    @Test func `a table's total that is not zero at first was reached before, unless it begins later`() throws {
        func sum(_ rows: String) throws -> Double {
            try TableTexts.read("time,hr,energy_kcal\n" + rows).values("activeEnergyBurned").reduce(0, +)
        }
        #expect(try sum("2026-03-01T10:00:00Z,100,500\n2026-03-01T10:00:09Z,101,501\n") == 1)
        #expect(try sum("2026-03-01T10:00:00Z,100,\n2026-03-01T10:00:09Z,101,500\n") == 500)
    }

    @Test func `a total adds up across and within pauses`() {
        let start = Date(timeIntervalSinceReferenceDate: 0)
        for (first, last) in [(0.0, 0.0), (0, 100), (15, 18), (12, 18), (5, 15), (50, 50)] {
            var pauses = SessionPauses()
            for begin in [10.0, 30, 31, 60] {
                pauses.begin(at: start + begin)
                pauses.end(at: start + begin + (begin == 10 ? 10 : 1))
            }
            let readings = pauses.readings(
                ofTotal: 7.3, "activeEnergyBurned", unit: "kcal", from: start + first, to: start + last, sensor: nil)
            #expect(abs(readings.reduce(0) { $0 + $1.value } - 7.3) < 1e-12)
            for reading in readings { #expect(pauses.countsWhole(from: reading.start, to: reading.end)) }
        }
    }
}
