import Foundation
import Recordings
import Testing

@testable import Recordings
@testable import SessionLog

/// TCX and GPX files of real users, compared with other tools; see ``FITSamples``.
enum TrackSamples {
    static let names: [String] = truths.keys.sorted()

    nonisolated static let truths: [String: Truth] = GroundTruth.truths(of: "tcx", "gpx")

    struct Truth: Decodable {
        struct HeartRate: Decodable {
            var count: Int
            var min: Double?
            var mean: Double?
            var max: Double?
        }
        struct Activity: Decodable {
            struct Lap: Decodable {
                var start: String
                var total_time_s: Double
                var distance_m: Double
                var calories: Double
            }
            var timer_s: Double
            var elapsed_s: Double
            var lap_list: [Lap]
        }
        struct Check: Decodable { var length_2d_m: Double? }
        var trackpoints: Int?
        var points: Int?
        var laps: Int?
        var activities: Int?
        var heart_rate: HeartRate
        var first_utc: String
        var last_utc: String
        var elapsed_s: Double?
        var activity_list: [Activity]?
        var trackpoints_without_position: Int?
        var cross_check: Check
    }

    static func seconds(_ text: String) throws -> Double {
        var text = text
        return try #require(text.withUTF8 { SessionLogDate.parse($0) })
    }
}

@Suite(.enabled(if: FITSamples.isPresent, "the recorded files lie beside the repository"))
struct TrackGroundTruthTests {
    @Test(arguments: TrackSamples.names)
    func `the contents are those that other tools find`(_ name: String) throws {
        let truth = try #require(TrackSamples.truths[name])
        let recording = try FITSamples.read(name)
        let file = recording.file
        #expect(file.format == String(name.prefix(3)))
        #expect(file.records == truth.trackpoints ?? truth.points)
        #expect(file.laps == truth.laps ?? 0)
        #expect(file.sessions == truth.activities ?? 0)
        #expect(file.heartRate.count == truth.heart_rate.count)
        if truth.heart_rate.count > 0 {
            #expect(file.heartRate.minimum == truth.heart_rate.min)
            #expect(file.heartRate.maximum == truth.heart_rate.max)
            let mean = try #require(truth.heart_rate.mean)
            #expect(abs(try #require(file.heartRate.mean) - mean) < 0.001)
        }
        if let activity = truth.activity_list?.first {
            #expect(abs(try #require(file.timerInSeconds) - activity.timer_s) < 0.001)
        } else {
            #expect(file.timerInSeconds == nil)
        }
        #expect(file.elapsedInSeconds == nil)
        let expected = name.contains("1901") ? 2 : 0
        #expect(file.warnings.count == expected, "\(file.warnings)")
    }

    @Test(arguments: TrackSamples.names)
    func `start, end and every reading are those of the file, in order of time`(_ name: String) throws {
        let truth = try #require(TrackSamples.truths[name])
        let recording = try FITSamples.read(name)
        let start = try #require(recording.start)
        let end = try #require(recording.end)
        let lap = try truth.activity_list?.first?.lap_list.first.map { try TrackSamples.seconds($0.start) }
        let point = try TrackSamples.seconds(truth.first_utc)
        let first = min(point, lap ?? point)
        #expect(abs(start.timeIntervalSinceReferenceDate - first) < 0.001)
        #expect(abs(end.timeIntervalSinceReferenceDate - (try TrackSamples.seconds(truth.last_utc))) < 0.001)
        #expect(recording.isInOrder)
        #expect(recording.list.allSatisfy { (start...end).contains($0.date) })
        #expect(recording.list.first?.content == recording.header.map { .header($0) })
        #expect(recording.list.last?.content == .state(.stopped))
        #expect(recording.readings("heartRate").count == truth.heart_rate.count)
        let positions = recording.list.count { if case .position = $0.content { true } else { false } }
        let points = truth.trackpoints ?? truth.points ?? 0
        #expect(positions == points - (truth.trackpoints_without_position ?? 0))
        #expect(recording.list == Array(recording.entries))
    }

    @Test(arguments: TrackSamples.names.filter { $0.hasPrefix("tcx") })
    func `laps, energy, distance and active time are those that the laps state`(_ name: String) throws {
        let truth = try #require(TrackSamples.truths[name]?.activity_list?.first)
        let recording = try FITSamples.read(name)
        let laps = recording.events(.lap)
        let starts = try truth.lap_list.map { try TrackSamples.seconds($0.start) }
        #expect(laps.map(\.start.timeIntervalSinceReferenceDate) == starts)
        #expect(zip(laps, laps.dropFirst()).allSatisfy { $0.end <= $1.start })
        let energy = recording.readings("activeEnergyBurned").reduce(0.0) { $0 + $1.value }
        let calories = truth.lap_list.reduce(0.0) { $0 + $1.calories }
        #expect(abs(energy - calories) < 0.01)
        let meters = truth.lap_list.reduce(0.0) { $0 + $1.distance_m }
        #expect(abs(recording.metersCovered - meters) < 5)
        let elapsed = try #require(recording.end).timeIntervalSince(try #require(recording.start))
        #expect(abs(elapsed - recording.pausedInSeconds - truth.timer_s) < 2.5)
    }

    @Test(arguments: TrackSamples.names.filter { $0.hasPrefix("gpx") })
    func `the distance is that between the positions`(_ name: String) throws {
        let truth = try #require(TrackSamples.truths[name]?.cross_check.length_2d_m)
        let recording = try FITSamples.read(name)
        // The other tool treats the earth as a sphere.
        #expect(abs(recording.metersCovered - truth) <= truth * 0.004 + 0.02)
    }

    @Test func `sport and device are those of the file`() throws {
        let run = try FITSamples.read("tcx/run-laps.tcx")
        #expect(run.header?.activity == ActivityDescription(activity: "running", location: .outdoor))
        let device = run.list.compactMap { if case .sensor(let status) = $0.content { status.device } else { nil } }
        #expect(device.map(\.name) == ["Forerunner 410 Software Version 2.20"])
        #expect(device.map(\.localIdentifier) == ["3854007508"])
        #expect(device.map(\.softwareVersion) == ["2.20"])
        #expect(try FITSamples.read("gpx/ride-garmin-hr-ns3.gpx").header?.activity.activity == "cycling")
        #expect(try FITSamples.read("gpx/ride-strava-hr.gpx").header?.activity.activity == "cycling")
        #expect(try FITSamples.read("gpx/fractional-offset-time.gpx").header?.activity.activity == "running")
        #expect(try FITSamples.read("tcx/ride-offset-timestamps.tcx").header?.activity.activity == "cycling")
        #expect(try FITSamples.read("tcx/paddle-other-sport.tcx").header?.activity.activity == "other")
    }
}
