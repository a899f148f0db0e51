import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

private func date(_ text: String) throws -> Date { try Date.ISO8601FormatStyle().parse(text) }

struct HealthExportReaderTests {
    @Test func `a record has its type, value, unit, source, device, dates and metadata`() throws {
        let content = try HealthExportContent(SmallExport.record)
        let record = try #require(content.records.first)
        #expect(record.type == "HKQuantityTypeIdentifierHeartRate")
        #expect(record.value == .number(74))
        #expect(record.unit == "count/min")
        #expect(
            record.source
                == HealthSource(name: "Watch", version: "10.2", device: DeviceDescription(name: "Apple Watch")))
        #expect(try record.startDate == date("2023-12-31T23:01:36Z"))
        #expect(try record.creationDate == date("2023-12-31T23:01:42Z"))
        #expect(record.metadata["HKMetadataKeyHeartRateMotionContext"] == "1")
        #expect(content.summary.recordsByType == ["HKQuantityTypeIdentifierHeartRate": 1])
        #expect(content.summary.warnings.isEmpty && content.summary.skipped.isEmpty && content.summary.isComplete)
    }

    @Test func `an export has its locale, version, date and owner`() throws {
        let content = try HealthExportContent(xml: Array(SmallExport.xml.utf8))
        #expect(content.summary.locale == "en_US")
        #expect(content.summary.version == 14)
        #expect(try content.summary.exportDate == date("2024-06-01T06:10:05Z"))
        #expect(content.characteristics?.biologicalSex == "HKBiologicalSexFemale")
        #expect(try #require(content.characteristics?.dateOfBirth) == (1985, 2, 28))
        #expect(content.summary.elements["Record"] == 4)
        #expect(content.summary.warnings.isEmpty)
    }

    @Test func `a workout has its events at both levels, activities, statistics and route`() throws {
        let workout = try #require(try HealthExportContent(SmallExport.workout).workouts.first)
        #expect(workout.activityType == "HKWorkoutActivityTypeRunning")
        #expect(workout.duration == HealthQuantity(value: 30, unit: "min"))
        #expect(workout.metadata.entries.count == 2)
        #expect(workout.events.map(\.kind) == [.lap])
        #expect(workout.events.first?.durationInSeconds == 330)
        #expect(workout.events.first?.metadata["HKSWOLFScore"] == "60")
        #expect(workout.statistics.map(\.sum) == [5.25])

        let activity = try #require(workout.activities.first)
        #expect(activity.uuid == UUID(uuidString: "01234567-89AB-4CDE-8F01-23456789ABCD"))
        #expect(activity.events.map(\.kind) == [.pause])
        #expect(activity.statistics.first?.average == 150.5)
        #expect(activity.statistics.first?.maximum == 181)
        #expect(
            activity.metadata["HKAverageMETs"].flatMap(HealthQuantity.init)
                == HealthQuantity(value: 9, unit: "kcal/hr·kg"))

        let route = try #require(workout.routes.first)
        #expect(route.files == ["/workout-routes/route_1.gpx"])
        #expect(route.metadata["HKMetadataKeySyncVersion"] == "2")
        let point = try #require(route.points.first)
        #expect(try point.date == date("2024-01-01T08:00:01Z"))
        #expect(
            point.position
                == PositionReading(
                    latitudeInDegrees: 37.5, longitudeInDegrees: -122.25, altitudeInMeters: 21.5,
                    horizontalAccuracyInMeters: 2.5, speedInMetersPerSecond: 2.5))
    }

    @Test func `a workout of an old system has its totals as attributes`() throws {
        let workout = try #require(
            try HealthExportContent(
                """
                <Workout workoutActivityType="HKWorkoutActivityTypeCycling" duration="31.5" durationUnit="min" \
                totalDistance="0.4971749504535062" totalDistanceUnit="mi" totalEnergyBurned="48.74499999999999" \
                totalEnergyBurnedUnit="Cal" sourceName="A" startDate="2016-11-14 07:25:41 -0700" \
                endDate="2016-11-14 07:57:11 -0700"/>
                """
            ).workouts.first)
        #expect(workout.totalDistance == HealthQuantity(value: 0.4971749504535062, unit: "mi"))
        #expect(workout.totalEnergyBurned == HealthQuantity(value: 48.74499999999999, unit: "Cal"))
    }

    @Test func `a record within a correlation has the fingerprint of its twin outside`() throws {
        let content = try HealthExportContent(SmallExport.pressure + SmallExport.correlation)
        let correlation = try #require(content.correlations.first)
        #expect(content.records.count == 1)
        #expect(correlation.records.count == 1)
        #expect(correlation.records.first?.fingerprint == content.records.first?.fingerprint)
        #expect(correlation.metadata["HKWasUserEntered"] == "1")
        #expect(content.summary.recordsInCorrelations == 1)
        #expect(content.summary.records == 1)
    }

    @Test func `the fingerprint does not depend on offset, device address or order of metadata`() throws {
        let metadata = ["<MetadataEntry key=\"a\" value=\"1\"/>", "<MetadataEntry key=\"b\" value=\"2\"/>"]
        func record(_ address: String, _ start: String, _ metadata: [String], value: String = "74") -> String {
            """
            <Record type="T" sourceName="S" device="&lt;&lt;HKDevice: \(address)&gt;, name:N&gt;" startDate="\(start)" \
            endDate="\(start)" value="\(value)">\(metadata.joined())</Record>
            """
        }
        let first = record("0x1", "2024-01-01 01:00:00 +0200", metadata)
        let same = record("0x2", "2023-12-31 23:00:00 +0000", metadata.reversed() + metadata)
        let other = record("0x1", "2024-01-01 01:00:00 +0200", metadata, value: "75")
        let prints = try HealthExportContent(first + same + other).records.map(\.fingerprint)
        #expect(prints[0] == prints[1])
        #expect(prints[0].uuid == prints[1].uuid)
        #expect(prints[0] != prints[2])
        #expect(prints[0].uuid.uuidString.dropFirst(14).first == "8")
    }

    @Test func `the fingerprint is stable across versions`() throws {
        let record = try #require(try HealthExportContent(SmallExport.record).records.first)
        // Values stored under these bits must be found again.
        #expect(record.fingerprint.uuid.uuidString == "CE162C3A-7D13-8D59-9A83-7CC373275446")
    }

    @Test func `equal records share a fingerprint although the device's address changes`() throws {
        let other = SmallExport.record.replacingOccurrences(of: "0x1&", with: "0x2ffe&")
        let records = try HealthExportContent(SmallExport.record + other).records
        #expect(records[0].kind === records[1].kind)
        #expect(records[0].metadata === records[1].metadata)
    }

    @Test(arguments: ["7:47:41.86 AM", "7:47:41.86\u{202F}AM", "07:47:41,86", "19.47.41,86", "上午7:47:41.86"])
    func `beats are dated within their record, whatever the language of the phone`(time: String) throws {
        let record = try #require(
            try HealthExportContent(
                """
                <Record type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN" sourceName="W" unit="ms" \
                startDate="2024-01-01 07:47:30 +0100" endDate="2024-01-01 07:48:30 +0100" value="40.5">
                 <HeartRateVariabilityMetadataList>
                  <InstantaneousBeatsPerMinute bpm="64" time="\(time)"/>
                  <InstantaneousBeatsPerMinute bpm="65" time="noon"/>
                 </HeartRateVariabilityMetadataList>
                </Record>
                """
            ).records.first)
        #expect(record.beats.map(\.beatsPerMinute) == [64, 65])
        let beat = try #require(record.beats[0].date)
        #expect(abs(beat.timeIntervalSince(try date("2024-01-01T06:47:41Z")) - 0.86) < 1e-6)
        #expect(record.beats[1].date == nil)
    }

    @Test func `category values are texts or numbers`() throws {
        func record(_ value: String) -> String {
            "<Record type=\"T\" sourceName=\"S\" startDate=\"2024-01-01 01:00:00 +0000\" "
                + "endDate=\"2024-01-01 01:00:00 +0000\" \(value)/>"
        }
        let values = try HealthExportContent(
            record("value=\"HKCategoryValueSleepAnalysisInBed\"") + record("value=\"0\"") + record("")
                + record("value=\"nan\"")
        ).records.map(\.value)
        #expect(values == [.text("HKCategoryValueSleepAnalysisInBed"), .number(0), .none, .text("nan")])
    }

    @Test func `a day's rings have their goals`() throws {
        let day = try #require(
            try HealthExportContent(xml: Array(SmallExport.xml.utf8)).activitySummaries.first)
        #expect((day.year, day.month, day.day) == (2024, 1, 1))
        #expect(day.activeEnergyBurned == HealthQuantity(value: 590.5, unit: "kcal"))
        #expect(day.appleExerciseTimeInMinutes == 68)
        #expect(day.appleMoveTimeInMinutes == nil)
        #expect(day.appleStandHoursGoal == 12)
    }

    @Test func `elements that are not read are counted with the reason`() throws {
        let content = try HealthExportContent(
            """
            <ClinicalRecord type="Allergy" identifier="x"/><ClinicalRecord type="Lab" identifier="y"/>
            <Audiogram type="A"><MetadataEntry key="a" value="b"/><SensitivityPoint frequencyValue="500"/></Audiogram>
            <HolodeckRecord><Anything/></HolodeckRecord>
            <Record type="T" sourceName="S" startDate="yesterday" endDate="2024-01-01 01:00:00 +0000"/>
            <Record sourceName="S" startDate="2024-01-01 01:00:00 +0000" endDate="2024-01-01 01:00:00 +0000"/>
            <Location latitude="1" longitude="1"/>
            \(SmallExport.step)
            """)
        let skipped = content.summary.skipped
        #expect(
            skipped.map(\.element) == ["ClinicalRecord", "Audiogram", "HolodeckRecord", "Record", "Record", "Location"])
        #expect(skipped.map(\.count) == [2, 1, 1, 1, 1, 1])
        #expect(content.records.count == 1)
        #expect(content.summary.elements["HolodeckRecord"] == 1)
        #expect(content.summary.warnings.isEmpty)
    }

    @Test func `a workout without an end tag ends where the next one begins`() throws {
        let open = SmallExport.workout.replacingOccurrences(of: "</Workout>", with: "")
        let content = try HealthExportContent(open + SmallExport.workout + SmallExport.step)
        #expect(content.workouts.count == 2)
        #expect(content.workouts[0].metadata == content.workouts[1].metadata)
        #expect(content.workouts[0].routes == content.workouts[1].routes)
        #expect(content.records.count == 1)
        #expect(content.summary.warnings.map(\.message) == ["Workout has no end before this place"])
    }

    @Test func `a truncated element is not delivered, and the summary mentions it`() throws {
        let whole = "<HealthData>\n\(SmallExport.step)\n\(SmallExport.workout)"
        let content = try HealthExportContent(xml: Array(whole.dropLast(20).utf8))
        #expect(content.records.count == 1)
        #expect(content.workouts.isEmpty)
        #expect(!content.summary.isComplete)
        #expect(content.summary.warnings.last?.message.contains("cut off") == true)
    }

    @Test func `progress reaches the end`() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "progress-\(UUID()).xml")
        defer { try? FileManager.default.removeItem(at: url) }
        let steps = String(repeating: SmallExport.step + "\n", count: 8000)
        try Data("<HealthData>\n\(steps)</HealthData>".utf8).write(to: url)
        var told: [HealthExportProgress] = []
        let summary = try HealthExport.read(url, progress: { told.append($0) }) { _ in }
        #expect(summary.records == 8000)
        #expect(told.count >= 3)
        #expect(told.last?.fraction == 1)
        #expect(zip(told, told.dropFirst()).allSatisfy { $0.bytesRead <= $1.bytesRead })
    }

    @Test func `an error of the caller ends the reading`() throws {
        struct Enough: Error {}
        var count = 0
        #expect(throws: Enough.self) {
            try HealthExport.read(xml: Array(SmallExport.xml.utf8)) { _ in
                count += 1
                if count == 2 { throw Enough() }
            }
        }
        #expect(count == 2)
    }
}
