import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Laps, legs and devices in files that we write.
struct FilesAgainTests {
    private static let start = SmallRide.start

    private static func log(_ content: [(Double, SessionEntry.Content)], activity: String = "running") -> [SessionEntry]
    {
        let header = SessionHeader(id: UUID(), activity: ActivityDescription(activity: activity))
        let all: [(Double, SessionEntry.Content)] = [(0, .header(header)), (0, .state(.running))] + content
        return all.map { SessionEntry(start + $0.0, $0.1) }
    }

    private static func rate(_ second: Double) -> (Double, SessionEntry.Content) {
        let date = start + second
        return (second, .quantity(QuantityReading("heartRate", 120, unit: "count/min", start: date, end: date)))
    }

    /// - Parameter second: When it was added. Nil means at its end.
    private static func lap(
        _ from: Double, _ to: Double, addedAt second: Double? = nil
    ) -> (Double, SessionEntry.Content) {
        (second ?? to, .event(EventRecord(.lap, start: start + from, end: start + to)))
    }

    private static func position(_ second: Double) -> (Double, SessionEntry.Content) {
        (second, .position(PositionReading(latitudeInDegrees: 46 + second / 10_000, longitudeInDegrees: 14)))
    }

    private func read(_ entries: [SessionEntry], _ format: String) throws -> [Recording] {
        let bytes = try WrittenFile(entries, as: format).bytes
        return try RecordingFile.readAll(RecordingSource(path: "run", bytes: bytes))
    }

    @Test(arguments: ["csv", "fit", "tcx"]) func `laps keep their starts and ends, including rests between them`(
        format: String
    ) throws {
        // The first rest has only a heart rate, and the lap after it has no reading at its start.
        let rates = stride(from: 1.0, through: 60, by: 1).filter { !(31...33).contains($0) }.map(Self.rate)
        let content = (rates + [Self.lap(0, 20), Self.lap(30, 45), Self.lap(45, 60)]).sorted { $0.0 < $1.0 }
        let again = try #require(
            try read(Self.log(content + [(60, .state(.stopped))]), format).first)
        let laps = again.events(.lap).map { [$0.start, $0.end].map { $0.timeIntervalSince(Self.start) } }
        #expect(laps == [[0, 20], [30, 45], [45, 60]])
        #expect(again.file.warnings.isEmpty)
    }

    /// As an app adds them that only notes when a button was pressed.
    @Test(arguments: ["csv", "fit", "tcx"]) func `laps without a length begin where the one before ended`(
        format: String
    ) throws {
        let rates = stride(from: 1.0, through: 60, by: 1).map(Self.rate)
        let content = (rates + [Self.lap(20, 20), Self.lap(50, 50), Self.lap(60, 60)]).sorted { $0.0 < $1.0 }
        let again = try #require(try read(Self.log(content + [(60, .state(.stopped))]), format).first)
        let laps = again.events(.lap).map { [$0.start, $0.end].map { $0.timeIntervalSince(Self.start) } }
        #expect(laps == [[0, 20], [20, 50], [50, 60]])
    }

    /// One reading of the whole distance and energy, and three laps.
    @Test func `a sum across laps counts for each by its time`() throws {
        func whole(_ type: String, _ value: Double, _ unit: String) -> (Double, SessionEntry.Content) {
            let reading = QuantityReading(type, value, unit: unit, start: Self.start, end: Self.start + 100)
            return (100, .quantity(reading))
        }
        let sums = [whole("distanceWalkingRunning", 500, "m"), whole("activeEnergyBurned", 50, "kcal")]
        let entries = Self.log(
            [Self.lap(0, 20), Self.lap(20, 70)] + sums + [Self.lap(70, 100), (100, .state(.stopped))])
        var outline = WorkoutOutline()
        for entry in entries { outline.survey(entry) }
        outline.settle()
        #expect(outline.stretches.map { $0[.distance].sum.rounded() } == [100, 250, 150])
        #expect(outline.stretches.map { $0[.energy].sum.rounded() } == [10, 25, 15])
        #expect(outline.parts.map { $0.span[.distance].sum } == [500])
        for format in ["fit", "tcx"] {
            let meters = try read(entries, format).first?.readings("distanceWalkingRunning").map(\.value)
            #expect(meters?.reduce(0, +) == 500, "\(format)")
        }
        let laps = try #require(try read(entries, "tcx").first).readings("distanceWalkingRunning")
        #expect(laps.map(\.value) == [100, 250, 150])
    }

    /// As an app does that adds its laps when the workout ends. The second one begins after a gap.
    @Test(arguments: ["fit", "tcx", "csv"]) func `laps that were added later are where they were`(
        format: String
    ) throws {
        let meters = (1...60).map { second -> (Double, SessionEntry.Content) in
            let end = Self.start + Double(second)
            let reading = QuantityReading("distanceWalkingRunning", 3, unit: "m", start: end - 1, end: end)
            return (Double(second), .quantity(reading))
        }
        let entries = Self.log(
            meters + [Self.lap(0, 20, addedAt: 60), Self.lap(40, 50, addedAt: 60), (60, .state(.stopped))])
        let again = try #require(try read(entries, format).first)
        let laps = again.events(.lap).map { [$0.start, $0.end].map { $0.timeIntervalSince(Self.start) } }
        #expect(laps == [[0, 20], [40, 50]])
        guard format == "tcx" else { return }
        let stated = try WrittenFile(entries, as: format).text
            .matches(of: #/</TotalTimeSeconds><DistanceMeters>([0-9]+)</#).map { String($0.1) }
        #expect(stated == ["60", "60", "30", "30"])
    }

    @Test(arguments: ["tcx", "gpx", "csv"]) func `the recorder of a ride survives a file`(format: String) throws {
        let again = try #require(try read(SmallRide.entries(), format).first)
        #expect(again.device?.name == "Garmin Edge 530")
        #expect(again.device?.manufacturer == "Garmin")
        #expect(again.device?.model == "Edge 530")
    }

    @Test func `a device without a known number has none in the file`() throws {
        var entries = SmallRide.entries()
        for index in entries.indices {
            guard case .sensor(var status) = entries[index].content, status.id == "recorder" else { continue }
            status.device = DeviceDescription(name: "Phone")
            entries[index].content = .sensor(status)
        }
        let device = try #require(try read(entries, "tcx").first?.device)
        #expect(device.name == "Phone" && device.softwareVersion == nil && device.localIdentifier == nil)
    }

    @Test func `the activities of a workout in GPX are one workout again`() throws {
        func part(_ activity: String, _ second: Double) -> (Double, SessionEntry.Content) {
            (second, .activityBegan(ActivityRecord(id: UUID(), activity: ActivityDescription(activity: activity))))
        }
        func positions(_ seconds: ClosedRange<Int>) -> [(Double, SessionEntry.Content)] {
            seconds.map { Self.position(Double($0)) }
        }
        var content = [part("swimming", 0)]
        content += positions(1...10)
        content += [part("cycling", 20)]
        content += positions(21...30)
        content += [part("running", 30)]
        content += positions(31...40)
        let entries = Self.log(content + [(40, .state(.stopped))], activity: "swimBikeRun")
        let recordings = try read(entries, "gpx")
        #expect(recordings.count == 1)
        let held = HeldReadings(try #require(recordings.first).entries)
        #expect(held.activities.dropFirst() == ["swimming", "cycling", "running"])
        #expect(held.positions.count == 30 && held.pauses.isEmpty)
    }

    @Test(arguments: ["fit", "tcx", "csv"]) func `distance within an activity is covered after its start`(
        format: String
    ) throws {
        var bytes = FITBytes()
        let start = FITBytes.start
        bytes.define(2, 20, FITBytes.record)
        for second in 0...20 as ClosedRange<Int64> { bytes.message(2, [start + second, 140, second * 300, 3000]) }
        bytes.define(4, 18, FITBytes.session)
        bytes.message(4, [start + 10, start, 1, 0, 10_000, 10_000])
        bytes.message(4, [start + 20, start + 10, 2, 0, 10_000, 10_000])
        let recording = try FITRecordingTests.read(bytes)
        let bytesAgain = try WrittenFile(recording.entries, as: format).bytes
        let again = try RecordingFile.readAll(RecordingSource(path: "run", bytes: bytesAgain))
        for found in [recording] + again {
            let cycling = found.readings("distanceCycling")
            #expect(cycling.allSatisfy { $0.start >= FITRecordingTests.start + 10 })
            #expect(abs(cycling.reduce(0) { $0 + $1.value } - 33) < 0.01)
            #expect(abs(found.metersCovered - 60) < 0.01)
        }
    }

    @Test(
        arguments: [
            ("Garmin Edge 500", nil, "Garmin", "Edge 500"), ("Forerunner 410 Software Version 2.20", 1124, nil, nil),
            ("vívoactive HR", 2337, "Garmin", "vivoactive HR"),
            ("Wahoo ELEMNT BOLT", nil, "Wahoo Fitness", "ELEMNT BOLT"),
            ("Zwift", 0, "Zwift", nil), ("Garmin Connect", nil, nil, nil), ("Strava", nil, "Strava", nil),
            ("StravaGPX", nil, nil, nil), ("Miofit", nil, nil, nil),
        ] as [(String, UInt16?, String?, String?)])
    func `manufacturers and models are recognized by the names of devices`(
        name: String, product: UInt16?, manufacturer: String?, model: String?
    ) {
        let maker = FITManufacturer.maker(of: name, product: product)
        #expect(maker?.manufacturer == manufacturer && maker?.model == model)
    }
}
