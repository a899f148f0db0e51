import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

struct GPXTests {
    private typealias Text = TrackText

    private func one(_ track: String) throws -> Recording {
        try #require(Text.read(Text.gpx("<trk>\(track)</trk>")).first)
    }

    @Test(arguments: [
        """
        <extensions><gpxtpx:TrackPointExtension><gpxtpx:atemp>21</gpxtpx:atemp><gpxtpx:hr>141</gpxtpx:hr>
        <gpxtpx:cad>88</gpxtpx:cad></gpxtpx:TrackPointExtension><power>230</power></extensions>
        """,
        """
        <extensions><ns9:TrackPointExtension><ns9:hr>141</ns9:hr><ns9:cad>88</ns9:cad><ns9:atemp>21</ns9:atemp>
        </ns9:TrackPointExtension><pwr:PowerInWatts>230</pwr:PowerInWatts></extensions>
        """,
        """
        <extensions><gpxdata:hr>141</gpxdata:hr><gpxdata:cadence>88</gpxdata:cadence><gpxdata:temp>21</gpxdata:temp>
        <watts>230</watts></extensions>
        """,
        "<heartrate>141</heartrate><cadence>88</cadence><power>230</power><temperature>21</temperature>",
        "<extensions><bpm>141</bpm><cad>88</cad><watts>230</watts><temp>21</temp></extensions>",
    ])
    func `heart rate, cadence, power and temperature are found under any prefix`(extensions: String) throws {
        let ride = try one("<type>mountain_biking</type>" + Text.segment(0...1) { $0 == 1 ? extensions : "" })
        #expect(ride.readings("heartRate").map(\.value) == [141])
        #expect(ride.readings("cyclingCadence").map(\.value) == [88])
        #expect(ride.readings("cyclingPower").map(\.value) == [230])
        #expect(
            ride.list.contains { $0.content == .metadata(["HKWeatherTemperature": .quantity(21, unit: "degC")]) })
    }

    @Test func `unordered points have the whole distance, and a wrong position adds none`() throws {
        func point(_ second: Int, north: Double) -> String {
            let date = Text.start.addingTimeInterval(Double(second)).ISO8601Format()
            return "<trkpt lat=\"\(47 + north / 111_186)\" lon=\"8\"><time>\(date)</time></trkpt>"
        }
        func meters(_ points: [String]) throws -> Double {
            let run = try one("<type>running</type><trkseg>\(points.joined())</trkseg>")
            return run.readings("distanceWalkingRunning").reduce(0) { $0 + $1.value }.rounded()
        }
        let points = (0...100).map { point($0, north: Double($0) * 3) }
        #expect(try meters(points) == 300)
        #expect(try meters(Array(points[50...] + points[..<50])) == 300)
        var wrong = points
        wrong[40] = point(40, north: 5000)
        #expect(try meters(wrong) == 300)
    }

    @Test func `version 1.0 has its own speed and course`() throws {
        let track = Text.segment(0...1) { _ in "<ele>510.5</ele><course>271</course><speed>3.5</speed>" }
        let run = try Text.read("<gpx version=\"1.0\"><trk><type>Run</type>\(track)</trk></gpx>")[0]
        #expect(run.readings("runningSpeed").map(\.value) == [3.5, 3.5])
        guard
            case .position(let position)? = run.list.map(\.content).first(where: {
                if case .position = $0 { true } else { false }
            })
        else { throw RecordingError.empty(path: "no position") }
        #expect(position.altitudeInMeters == 510.5)
        #expect(position.courseInDegrees == 271)
        #expect(position.speedInMetersPerSecond == 3.5)
    }

    @Test func `a segment ends a pause, unless it continues at once`() throws {
        let track = Text.segment(0...10) + Text.segment(11...20) + Text.segment(80...90)
        let walk = try one(track)
        #expect(walk.pauseSeconds == [[20, 80]])
        // Ten times a ten-thousandth of a degree, twice, and across 180°; not across the pause.
        let step = 76.058 / 10
        #expect(abs(walk.metersCovered - 30 * step) < 0.3)
    }

    @Test func `tracks that continue within the hour are one workout, and others are separate`() throws {
        let file = Text.gpx(
            "<trk><type>running</type>\(Text.segment(0...10))</trk><trk>\(Text.segment(600...610))</trk>"
                + "<trk>\(Text.segment(9000...9010))</trk><trk><type>cycling</type>\(Text.segment(9020...9030))</trk>")
        let all = try Text.read(file)
        #expect(all.map(\.file.records) == [22, 11, 11])
        #expect(all[0].pauseSeconds == [[10, 600]])
        #expect(all.map { $0.list.count { if case .position = $0.content { true } else { false } } } == [22, 11, 11])
        #expect(all.map(\.file.workouts) == [3, 3, 3])
    }

    @Test func `points without a time are counted and left out`() throws {
        let track = Text.segment(0...9).replacing("<time>\(Text.time(4))</time>", with: "")
        let walk = try one(track)
        #expect(walk.file.records == 10)
        #expect(walk.list.count { if case .position = $0.content { true } else { false } } == 9)
        #expect(walk.file.warnings.map(\.message).contains { $0.hasPrefix("1 points have no usable time") })
    }

    @Test func `a route and a track without times are rejected with a sentence`() throws {
        let route = "<gpx><rte><rtept lat=\"1\" lon=\"2\"></rtept></rte></gpx>"
        #expect { try Text.read(route) } throws: { "\($0)".contains("it contains waypoints or a route") }
        let plan = Text.gpx(
            "<trk><trkseg><trkpt lat=\"1\" lon=\"2\"/><trkpt lat=\"1\" lon=\"2\"><ele>1</ele></trkpt></trkseg></trk>")
        #expect { try Text.read(plan) } throws: { "\($0)".contains("it contains positions without times") }
    }

    @Test func `byte order mark, prefixes, comments and CDATA are accepted`() throws {
        let text =
            "\u{FEFF}<?xml version='1.0'?><!-- from <gpx> --><g:gpx xmlns:g=\"http://www.topografix.com/GPX/1/1\"><g:trk>"
            + "<g:name><![CDATA[a <b> & c]]></g:name><g:type>hiking</g:type><g:trkseg><g:trkpt lon='8' lat='47'><g:time>"
            + "\(Text.time(3))</g:time></g:trkpt></g:trkseg></g:trk></g:gpx>"
        let hike = try Text.read(text)[0]
        #expect(hike.header?.activity.activity == "hiking")
        #expect(hike.file.records == 1)
        #expect(hike.start?.timeIntervalSince(Text.start) == 3)
    }

    @Test(arguments: [
        ("1", "cycling"), ("9", "running"), ("Ride", "cycling"), ("trail_running", "running"),
        ("gravel_cycling", "cycling"),
        ("lap_swimming", "swimming"), ("resort_skiing_snowboarding_ws", "snowboarding"),
        ("Nordic Ski", "crossCountrySkiing"),
        ("strength_training", "traditionalStrengthTraining"), ("inline_skating", "skatingSports"),
        ("indoor_rowing", "rowing"),
        ("transition_v2", "transition"), ("Stand Up Paddling", "paddleSports"), ("E-Bike Ride", "cycling"),
        ("unknown", "other"),
        ("horse riding", "equestrianSports"), ("Wanderung", "hiking"), ("", "other"),
        ("Trekking", "hiking"), ("Trekking bike", "cycling"), ("Spin class", "cycling"),
    ])
    func `sports are recognized by the words of other programs`(name: String, activity: String) {
        #expect(SportName.description(name, hasPositions: true).activity == activity)
    }
}
