import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Files with intervals, compared with other tools. Their folder is beside the repository and not part of it; without
/// it, these tests are skipped.
@Suite(.enabled(if: FITSamples.isPresent, "the recorded files lie beside the repository"))
struct RRGroundTruthTests {
    struct Truth: Decodable {
        struct RR: Decodable {
            var count: Int
            var sum_ms: Double
            var min_ms: Double
            var max_ms: Double
            var sdnn_ms_n_minus_1: Double?
            var rmssd_ms: Double?
        }
        var rr: RR
        var unparsable_lines: [Int]?
        var first_utc: String?
        var last_utc: String?
        var backward_or_equal_timestamps: Int?
    }

    static let files: [String: Truth] = GroundTruth.truths(of: "rr")

    @Test func `every file of the folder is tested`() { #expect(Self.files.count == 5) }

    @Test(arguments: files.keys.sorted())
    func `intervals and their variability are those that other tools find`(_ name: String) throws {
        let truth = try #require(Self.files[name])
        let recording = try FITSamples.read(name)
        let intervals = recording.file.rrIntervalsInMilliseconds
        #expect(intervals.count == truth.rr.count)
        #expect(intervals.reduce(0, +) == truth.rr.sum_ms)
        #expect(intervals.min() == truth.rr.min_ms && intervals.max() == truth.rr.max_ms)
        #expect(recording.beats.flatMap(\.reading.intervalsInMilliseconds) == intervals)
        #expect(recording.isInOrder)
        let mean = intervals.reduce(0, +) / Double(intervals.count)
        let variance = intervals.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(intervals.count - 1)
        if let sdnn = truth.rr.sdnn_ms_n_minus_1 { #expect(abs(variance.squareRoot() - sdnn) < 0.0001) }
        let squares = zip(intervals, intervals.dropFirst()).map { ($1 - $0) * ($1 - $0) }
        if let rmssd = truth.rr.rmssd_ms {
            #expect(abs((squares.reduce(0, +) / Double(squares.count)).squareRoot() - rmssd) < 0.0001)
        }
        let complaints = recording.complaints.filter { $0.contains("is not an RR interval") }
        #expect(complaints.map { $0.prefix { $0 != "," } } == (truth.unparsable_lines ?? []).map { "line \($0)" })
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        func differs(_ date: Date?, _ text: String) throws -> Double {
            abs(try #require(date).timeIntervalSince(Date(text, strategy: format)))
        }
        if let first = truth.first_utc { #expect(try differs(recording.start, first) < 0.0005) }
        if let last = truth.last_utc { #expect(try differs(recording.end, last) < 0.0005) }
        if truth.first_utc == nil { #expect(abs((recording.facts.seconds ?? 0) - truth.rr.sum_ms / 1000) < 0.001) }
    }

    @Test func `data that a Polar monitor stores beside the beats is kept`() throws {
        let source = RecordingSource(FITSamples.folder.appending(path: "rr/exercise-polar.hrm"))
        let formats = RecordingFile.formats(TableOptions(zone: .gmt))
        let recording = try RecordingFile.readAll(source, formats: formats)[0]
        #expect(recording.start == TableTexts.date("2008-02-08T08:50:31Z"))
        #expect(
            recording.facts.wearer
                == WearerProfile(massInKilograms: 76, restingHeartRate: 70, maximumHeartRate: 180, vo2Max: 30))
        #expect(recording.file.laps == recording.events(.lap).count)
        #expect(abs((recording.events(.lap).first.map { $0.end.timeIntervalSince($0.start) } ?? 0) - 365.6) < 1e-6)
    }
}
