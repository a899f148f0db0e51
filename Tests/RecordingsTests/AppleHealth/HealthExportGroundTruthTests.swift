import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Exports from the tests of other people's tools, and generated ones, compared with lxml's results. Their folder is
/// beside the repository and not part of it; without it, these tests are skipped.
enum HealthExportTruth {
    static let folder = GroundTruth.folder
    static let isPresent = GroundTruth.isPresent

    static let names: [String] = truths.keys.sorted()

    static let truths: [String: Truth] = GroundTruth.truths(of: "applehealth", dates: .iso8601)

    struct Truth: Decodable, Sendable {
        struct HeartRate: Decodable {
            var count: Int
            var min: Double?
            var mean: Double?
            var max: Double?
            var first_utc: Date?
            var last_utc: Date?
        }
        struct Workout: Decodable {
            var type: String
            var start_utc: Date
            var end_utc: Date
            var duration: Double?
            var total_distance: String?
            var total_energy: String?
            var events: [String: Int]?
            var activities: Int
            var statistics: Int
            var metadata_entries: Int
            var metadata_distinct_keys: Int
            var routes: Int
            var hr_statistics: [String: String]?
            var HKTimeZone: String?
        }
        var export_version: String?
        var locale: String
        var export_date: String
        var me: [String: String]
        var elements: [String: Int]
        var records_top_level: Int
        var records_inside_correlations: Int
        var records_by_type: [String: Int]
        var sources: Int
        var records_with_device: Int
        var heart_rate: HeartRate
        var workouts: Int
        var workout_events_all_levels: [String: Int]
        var units: [String: [String: Int]]
        var workout_list: [Workout]
    }
}

@Suite(.enabled(if: HealthExportTruth.isPresent, "the recorded data is not beside the repository"))
struct HealthExportGroundTruthTests {
    @Test(arguments: HealthExportTruth.names)
    func `everything that lxml finds is found`(name: String) throws {
        let truth = try #require(HealthExportTruth.truths[name])
        let content = try HealthExportContent(HealthExportTruth.folder.appending(path: name))
        #expect(content.summary.locale == truth.locale)
        #expect(content.summary.version == truth.export_version.flatMap { Int($0) })
        #expect(content.characteristics?.values == truth.me)
        #expect(content.summary.elements == truth.elements)
        #expect(content.summary.isComplete)
        #expect(content.summary.skipped.isEmpty)
        #expect(content.records.count == truth.records_top_level)
        #expect(content.summary.recordsInCorrelations == truth.records_inside_correlations)
        #expect(content.summary.recordsByType == truth.records_by_type)
        #expect(content.records.count { $0.source.device != nil } == truth.records_with_device)
        #expect(Set(content.records.map(\.source.name)).count == truth.sources)
        #expect(content.activitySummaries.count == truth.elements["ActivitySummary"] ?? 0)
        #expect(content.correlations.count == truth.elements["Correlation"] ?? 0)
        let beats = content.records.reduce(0) { $0 + $1.beats.count }
        #expect(beats == truth.elements["InstantaneousBeatsPerMinute"] ?? 0)

        for (type, units) in truth.units {
            let found = Dictionary(grouping: content.records.filter { $0.type == type }.compactMap(\.unit)) { $0 }
            #expect(found.mapValues(\.count) == units)
        }
        // All of them have a single fault, U+000B in a text.
        #expect(content.summary.warnings.count == (name.contains("broken-dtd") ? 1 : 0))
    }

    @Test(arguments: HealthExportTruth.names)
    func `heart rates are those that lxml finds`(name: String) throws {
        let truth = try #require(HealthExportTruth.truths[name]).heart_rate
        let rates = try HealthExportContent(HealthExportTruth.folder.appending(path: name)).records
            .filter { $0.type == "HKQuantityTypeIdentifierHeartRate" }
        let values = rates.compactMap { record -> Double? in
            if case .number(let value) = record.value { value } else { nil }
        }
        #expect(values.count == truth.count)
        #expect(values.min() == truth.min)
        #expect(values.max() == truth.max)
        if let mean = truth.mean { #expect(abs(values.reduce(0, +) / Double(values.count) - mean) < 1e-4) }
        #expect(rates.map(\.startDate).min() == truth.first_utc)
        #expect(rates.map(\.startDate).max() == truth.last_utc)
    }

    @Test(arguments: HealthExportTruth.names)
    func `workouts are those that lxml finds, with their events at all levels`(name: String) throws {
        let truth = try #require(HealthExportTruth.truths[name])
        let workouts = try HealthExportContent(HealthExportTruth.folder.appending(path: name)).workouts
        #expect(workouts.count == truth.workouts)
        let events = workouts.flatMap { $0.events + $0.activities.flatMap(\.events) }
        #expect(Dictionary(grouping: events, by: \.type).mapValues(\.count) == truth.workout_events_all_levels)
        #expect(events.allSatisfy { $0.kind != nil })

        for (workout, expected) in zip(workouts, truth.workout_list) {
            #expect(workout.activityType == expected.type)
            #expect(workout.startDate == expected.start_utc)
            #expect(workout.endDate == expected.end_utc)
            if let duration = expected.duration { #expect(abs((workout.duration?.value ?? 0) - duration) < 1e-6) }
            #expect(workout.totalDistance?.value == expected.total_distance.flatMap(Double.init))
            #expect(workout.totalEnergyBurned?.value == expected.total_energy.flatMap(Double.init))
            let direct = Dictionary(grouping: workout.events) { String($0.type.dropFirst("HKWorkoutEventType".count)) }
            #expect(direct.mapValues(\.count) == expected.events ?? [:])
            #expect(workout.activities.count == expected.activities)
            #expect(workout.statistics.count == expected.statistics)
            #expect(workout.metadata.entries.count == expected.metadata_entries)
            #expect(Set(workout.metadata.entries.map(\.key)).count == expected.metadata_distinct_keys)
            #expect(workout.routes.count == expected.routes)
            #expect(workout.metadata["HKTimeZone"] == expected.HKTimeZone)
            let rates = workout.statistics.first { $0.type == "HKQuantityTypeIdentifierHeartRate" }
            for (key, text) in expected.hr_statistics ?? [:] {
                let value = [
                    "average": rates?.average, "minimum": rates?.minimum, "maximum": rates?.maximum,
                ][key]
                #expect(value == .some(Double(text)))
            }
        }
    }

    @Test(arguments: ["applehealth/synthetic-v14.xml", "applehealth/synthetic-ios16-broken-dtd.xml"])
    func `sums are those computed from the lines`(name: String) throws {
        let url = HealthExportTruth.folder.appending(path: name)
        var expected: [String: Double] = [:]
        // One element per line; those of the top level are indented by one space.
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
        where line.hasPrefix(" <Record ") {
            func attribute(_ name: String) -> Substring? {
                line.firstRange(of: " \(name)=\"").map { line[$0.upperBound...].prefix { $0 != "\"" } }
            }
            guard let type = attribute("type"), let value = attribute("value").flatMap({ Double($0) }) else { continue }
            expected[String(type), default: 0] += value
        }
        var found: [String: Double] = [:]
        for record in try HealthExportContent(url).records {
            if case .number(let value) = record.value { found[record.type, default: 0] += value }
        }
        #expect(expected.count > 10)
        #expect(found == expected)
    }

    @Test func `the route of a real phone is read`() throws {
        let url = HealthExportTruth.folder.appending(path: "applehealth/mini-route-2019.gpx")
        let route = try HealthRouteFile.read(FileStream(SharedFile(url.path)))
        #expect(route.points.count == 3)
        #expect(route.points.first?.position.speedInMetersPerSecond == 0.180883)
        #expect(route.points.last?.position.verticalAccuracyInMeters == 6.549587)
        let format = Date.ISO8601FormatStyle()
        #expect(route.points.first?.date == (try format.parse("2019-06-11T22:00:42Z")))
        #expect(route.points.last?.date == (try format.parse("2019-06-11T22:00:43Z")))
        #expect(route.warnings.isEmpty)
    }

    @Test func `old exports contain the points of a route`() throws {
        let url = HealthExportTruth.folder.appending(path: "applehealth/mini-workout-route.xml")
        let points = try #require(try HealthExportContent(url).workouts.first?.routes.first?.points)
        #expect(points.map(\.position.altitudeInMeters) == [21.2694, 21.2677])
        #expect(points.map(\.position.courseInDegrees) == [nil, nil])
    }

    @Test func `an archive made on a Mac equals its XML`() throws {
        let archive = try HealthExportContent(HealthExportTruth.folder.appending(path: "applehealth/watch-export.zip"))
        let file = try HealthExportContent(
            HealthExportTruth.folder.appending(path: "applehealth/watch-attributes-multiline.xml"))
        #expect(archive.elements == file.elements)
    }
}
