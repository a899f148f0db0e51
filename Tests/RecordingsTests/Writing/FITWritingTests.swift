import Foundation
import GATT
import Testing

@testable import Recordings
@testable import SessionLog

struct FITWritingTests {
    private func read(_ file: WrittenFile) throws -> Recording {
        let recordings = try FITFile.read(bytes: file.bytes)
        #expect(recordings.count == 1)
        #expect(recordings[0].file.warnings == [])
        return recordings[0]
    }

    @Test func `data with FIT fields survives unchanged`() throws {
        let entries = SmallRide.entries()
        let file = try WrittenFile(entries, as: "fit")
        let recording = try read(file)
        let (before, after) = (HeldReadings(entries), HeldReadings(recording.entries))
        #expect(after.heartRates == before.heartRates)
        #expect(after.heartRates.count == 50)
        #expect(after.intervals == before.intervals)
        #expect(after.laps == before.laps)
        #expect(after.pauses == before.pauses)
        #expect(abs(after.meters - before.meters) < 0.01)
        for type in ["cyclingSpeed", "cyclingPower", "cyclingCadence"] {
            #expect(after.others[type] == before.others[type])
        }
        #expect(after.positions.map(\.date) == before.positions.map(\.date))
        for (a, b) in zip(after.positions, before.positions) { #expect(abs(a.value - b.value) < 1e-7) }
        #expect(after.start == before.start && after.end == before.end)
        #expect(after.activities == ["cycling"])
        #expect(recording.file.elapsedInSeconds == 60 && recording.file.timerInSeconds == 50)
        #expect(file.leftOut == [])
    }

    @Test func `a file that is read and rewritten stays the same, byte for byte`() throws {
        let first = try read(WrittenFile(SmallRide.entries(), as: "fit"))
        let second = try WrittenFile(Array(first.entries), as: "fit")
        let third = try WrittenFile(Array(read(second).entries), as: "fit")
        #expect(third.bytes == second.bytes)
        #expect(HeldReadings(first.entries) == HeldReadings(try read(third).entries))
    }

    @Test func `sensors keep their names, numbers and batteries`() throws {
        let sensors = try read(WrittenFile(SmallRide.entries(), as: "fit")).entries.compactMap {
            entry -> SensorStatus? in
            if case .sensor(let status) = entry.content { status } else { nil }
        }
        #expect(sensors.map(\.id) == ["recorder", "strap"])
        #expect(sensors.map(\.device.model) == ["Edge 530", "H10"])
        #expect(sensors[0].device.localIdentifier == "1234")
        #expect(sensors[1].batteryPercent == 80)
    }

    @Test func `data without FIT fields is in developer fields with its name and unit`() throws {
        struct Fields: FITMessageReader {
            var values: [Double] = []
            var fields: [FITDeveloperField] = []
            mutating func define(local: Int, number: UInt16, developerFields: [FITDeveloperField]) {
                if number == FITProfile.MessageNumber.record { fields = developerFields }
            }
            mutating func read(_ message: FITMessage) {
                guard message.number == FITProfile.MessageNumber.record, let field = fields.first else { return }
                if let value = message.value(of: field) { values.append(value) }
            }
        }
        var fields = Fields()
        let entries = SmallRide.entries().map { entry in
            guard case .quantity(var reading) = entry.content, reading.type == "respiratoryRate" else { return entry }
            reading.kind = ReadingKind("physicalEffort", unit: "kcal/hr·kg", sensor: reading.sensor)
            return SessionEntry(entry.date, .quantity(reading))
        }
        _ = try FITFile.decode(WrittenFile(entries, as: "fit").bytes, into: &fields)
        #expect(fields.fields.map(\.name) == ["physicalEffort"])
        #expect(fields.fields.map(\.units) == ["kcal/hr·kg"])
        #expect(fields.values == Array(repeating: 20.25, count: 50))
    }

    @Test func `a missing, zero or invalid heart rate is left out, not written as invalid`() throws {
        struct Definitions: FITMessageReader {
            var withHeartRate = 0
            var records = 0
            mutating func read(_ message: FITMessage) {
                guard message.number == FITProfile.MessageNumber.record else { return }
                records += 1
                if message[FITProfile.Record.heartRate] != nil { withHeartRate += 1 }
            }
        }
        var entries = SmallRide.entries()
        for (index, rate) in [(10, 0), (18, 300), (26, -5)] as [(Int, Double)] {
            guard case .quantity(var reading) = entries[index + 3].content else { continue }
            guard reading.type == "heartRate" else { continue }
            reading.value = rate
            entries[index + 3].content = .quantity(reading)
        }
        let zeros = entries.count {
            if case .quantity(let reading) = $0.content {
                reading.type == "heartRate" && !(1...254).contains(reading.value)
            } else {
                false
            }
        }
        var found = Definitions()
        let file = try WrittenFile(entries, as: "fit")
        _ = try FITFile.decode(file.bytes, into: &found)
        #expect(zeros > 0)
        #expect(found.withHeartRate == 50 - zeros)
        #expect(found.records == 50)
    }

    @Test func `a position recorded in a pause adds no speed`() throws {
        var entries = SmallRide.entries()
        let pause = try #require(entries.firstIndex { $0.content == .state(.paused) })
        // Dated in the pause and before it in the log, as devices write it.
        let late = SmallRide.start + 22
        let reading = QuantityReading("cyclingSpeed", 0, unit: "m/s", start: late, end: late, sensor: "recorder")
        let position = PositionReading(
            latitudeInDegrees: 47.5, longitudeInDegrees: -8.25, speedInMetersPerSecond: 0)
        entries.insert(SessionEntry(SmallRide.start + 20, .position(position)), at: pause)
        entries.insert(SessionEntry(SmallRide.start + 20, .quantity(reading)), at: pause + 1)
        let after = HeldReadings(try read(WrittenFile(entries, as: "fit")).entries)
        #expect(after.others["cyclingSpeed"]?.count == 51)
    }

    @Test func `a workout without laps gets one, since an activity file has at least one`() throws {
        let entries = SmallRide.entries().filter {
            if case .event = $0.content { false } else { true }
        }
        let recording = try read(WrittenFile(entries, as: "fit"))
        #expect(HeldReadings(recording.entries).laps == [SmallRide.start...SmallRide.start + 60])
    }

    @Test func `readings during a pause are neither counted nor written`() throws {
        var entries = SmallRide.entries()
        let pause = try #require(entries.firstIndex { $0.content == .state(.paused) })
        let date = SmallRide.start + 25
        entries.insert(
            SessionEntry(date, .quantity(QuantityReading("heartRate", 77, unit: "count/min", start: date, end: date))),
            at: pause + 1)
        let recording = try read(WrittenFile(entries, as: "fit"))
        #expect(!HeldReadings(recording.entries).heartRates.contains { $0.value == 77 })
    }

    @Test func `a workout that ends in a pause keeps it`() throws {
        var entries = SmallRide.entries()
        entries.insert(SessionEntry(SmallRide.start + 60, .state(.paused)), at: entries.count - 1)
        entries[entries.count - 1].date = SmallRide.start + 400
        let after = HeldReadings(try read(WrittenFile(entries, as: "fit")).entries)
        #expect(after.pauses.last == SessionPauses.Pause(start: SmallRide.start + 60, end: SmallRide.start + 400))
        #expect(after.end == SmallRide.start + 400)
    }

    @Test func `the activities of a workout are sessions with their own sports, distance and laps`() throws {
        let swim = SmallRide.entries(activity: "swimBikeRun")
        var entries: [SessionEntry] = []
        for entry in swim {
            if case .state(.running) = entry.content, entry.date == SmallRide.start {
                entries.append(entry)
                entries.append(
                    SessionEntry(
                        entry.date,
                        .activityBegan(
                            ActivityRecord(
                                id: UUID(), activity: ActivityDescription(activity: "cycling", location: .outdoor)))))
                continue
            }
            if case .quantity(let reading) = entry.content, reading.type == "heartRate",
                entry.date == SmallRide.start + 46
            {
                entries.append(
                    SessionEntry(
                        SmallRide.start + 46,
                        .activityBegan(
                            ActivityRecord(
                                id: UUID(), activity: ActivityDescription(activity: "running", location: .outdoor)))))
            }
            entries.append(entry)
        }
        let recording = try read(WrittenFile(entries, as: "fit"))
        let after = HeldReadings(recording.entries)
        #expect(after.activities == ["swimBikeRun", "cycling", "running"])
        #expect(recording.file.sessions == 2)
        #expect(after.laps == HeldReadings(entries).laps)
        // A running distance on a bicycle changes its type, but is not lost.
        #expect(abs(after.meters - 50 * 8.25) < 0.02)
    }

    @Test func `every activity has its number, or is generic with a warning`() {
        let known = [
            "running", "cycling", "walking", "hiking", "swimming", "rowing", "yoga", "elliptical", "tennis", "golf",
            "traditionalStrengthTraining", "handCycling", "crossCountrySkiing", "mixedCardio", "pickleball",
        ]
        for activity in known {
            for location in ActivityDescription.Location.allCases {
                let description = ActivityDescription(activity: activity, location: location)
                let numbers = FITSport.numbers(of: description)
                let back = FITSport.description(
                    sport: numbers.sport, subSport: numbers.subSport, poolLengthInMeters: nil, hasPositions: false)
                #expect(back.activity == activity)
                #expect(numbers.isExact)
            }
        }
        #expect(FITSport.numbers(of: ActivityDescription(activity: "barre")).isExact == false)
    }

    @Test func `dates that FIT does not support are rejected with a remedy`() {
        #expect(throws: RecordingWriteError.self) {
            let date = Date(timeIntervalSince1970: -2e9)
            _ = try WrittenFile(
                [SessionEntry(date, .state(.running)), SessionEntry(date + 5, .state(.stopped))], as: "fit")
        }
    }

    @Test(.enabled(if: FITSamples.isPresent, "needs shared/data"), arguments: FITSamples.names)
    func `devices' files keep their heart rates, beats, laps and pauses`(name: String) throws {
        for recording in try RecordingFile.readAll(FITSamples.folder.appending(path: name))
        where !recording.entries.isEmpty {
            let again = try read(WrittenFile(Array(recording.entries), as: "fit"))
            let (before, after) = (HeldReadings(recording.entries), HeldReadings(again.entries))
            #expect(after.heartRates == before.heartRates)
            #expect(after.intervals == before.intervals)
            if !before.laps.isEmpty { #expect(after.laps == before.laps) }
            #expect(after.pauses == before.pauses)
            #expect(abs(after.meters - before.meters) < 0.02)
            #expect(after.positions.map(\.value) == before.positions.map(\.value))
            #expect(after.start == before.start && after.end == before.end)
            #expect(after.activities == before.activities)
        }
    }
}
