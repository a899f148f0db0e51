import Foundation

@testable import Recordings
@testable import SessionLog

/// Files with tracks, as text.
enum TrackText {
    /// 2024-05-01T08:00:00Z.
    static let start = Date(timeIntervalSinceReferenceDate: 736_243_200)

    static func time(_ second: Int) -> String {
        "2024-05-01T\(two(8 + second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))Z"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    static func read(
        _ text: String, formats: [any RecordingFormat] = RecordingFile.formats
    ) throws(RecordingError)
        -> [Recording]
    {
        try RecordingFile.readAll(RecordingSource(path: "file", bytes: Array(text.utf8)), formats: formats)
    }

    static func tcx(_ activities: String) -> String {
        """
        <?xml version="1.0"?>
        <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2" \
        xmlns:ns3="http://www.garmin.com/xmlschemas/ActivityExtension/v2"><Activities>\(activities)</Activities>
        </TrainingCenterDatabase>
        """
    }

    static func activity(_ sport: String, _ laps: String) -> String {
        "<Activity Sport=\"\(sport)\"><Id>\(time(0))</Id>\(laps)</Activity>"
    }

    static func lap(_ second: Int, seconds: Double? = nil, meters: Double? = nil, _ tracks: String) -> String {
        let total = seconds.map { "<TotalTimeSeconds>\($0)</TotalTimeSeconds>" } ?? ""
        let distance = meters.map { "<DistanceMeters>\($0)</DistanceMeters>" } ?? ""
        return "<Lap StartTime=\"\(time(second))\">\(total)\(distance)\(tracks)</Lap>"
    }

    static func track(_ seconds: some Sequence<Int>, _ content: (Int) -> String = { _ in "" }) -> String {
        "<Track>" + seconds.map { "<Trackpoint><Time>\(time($0))</Time>\(content($0))</Trackpoint>" }.joined()
            + "</Track>"
    }

    static func distance(_ meters: Double) -> String { "<DistanceMeters>\(meters)</DistanceMeters>" }
    static func heartRate(_ rate: Int) -> String { "<HeartRateBpm><Value>\(rate)</Value></HeartRateBpm>" }

    static func gpx(_ tracks: String) -> String { "<gpx version=\"1.1\" creator=\"Test\">\(tracks)</gpx>" }

    static func segment(_ seconds: some Sequence<Int>, _ content: (Int) -> String = { _ in "" }) -> String {
        "<trkseg>"
            + seconds.map {
                "<trkpt lat=\"47.0\" lon=\"\(8 + Double($0) / 10_000)\"><time>\(time($0))</time>\(content($0))</trkpt>"
            }.joined() + "</trkseg>"
    }
}

extension Recording {
    var metersCovered: Double {
        entries.reduce(0) { sum, entry in
            guard case .quantity(let reading) = entry.content, reading.type.hasPrefix("distance") else { return sum }
            return sum + reading.value
        }
    }

    /// From the start, in seconds.
    var pauseSeconds: [[Double]] {
        pauses.map { [$0.start, $0.end].map { $0.timeIntervalSince(TrackText.start) } }
    }
}
