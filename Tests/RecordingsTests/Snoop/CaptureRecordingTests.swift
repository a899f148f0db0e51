import Analytics
import Foundation
import GATT
import MadeEntries
import Testing

@testable import Recordings
@testable import SessionLog

struct CaptureRecordingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func seconds(_ date: Date) -> Double {
        (date.timeIntervalSince(CaptureBuilder.start) * 1000).rounded() / 1000
    }

    private func read(_ capture: CaptureBuilder) throws -> Recording {
        let url = folder.url.appending(path: "capture.bin")
        try Data(capture.bytes).write(to: url)
        return try RecordingFile.read(url)
    }

    @Test(arguments: [
        (CaptureBuilder.Container.monitor, "btsnoop"), (.pcapng, "pcapng"), (.pcap, "pcap"),
    ])
    func `a capture is a workout from the first value to the last`(
        _ container: CaptureBuilder.Container, _ format: String
    ) throws {
        let recording = try read(CaptureBuilder.workout(container))
        #expect(recording.file.format == format)
        #expect(recording.file.heartRate.count == 7)
        #expect(recording.file.heartRate.maximum == 71)
        #expect(recording.file.rrIntervalsInMilliseconds == [Double](repeating: 976.5625, count: 7))
        #expect(recording.file.warnings == [])
        guard case .header(let header)? = recording.list.first?.content else {
            Issue.record("no header")
            return
        }
        #expect(header.activity == ActivityDescription())
        #expect(recording.list[1].content == .state(.running))
        #expect(seconds(recording.list[1].date) == 2)
        #expect(recording.list.last?.content == .state(.stopped))
        #expect(try seconds(#require(recording.list.last?.date)) == 22)
        #expect(recording.list.dropFirst().map(\.date) == recording.list.dropFirst().map(\.date).sorted())
    }

    @Test func `a lost link is a gap, and the battery is logged`() throws {
        let recording = try read(CaptureBuilder.workout(.uart))
        let told = recording.list.compactMap { entry in
            if case .sensor(let status) = entry.content {
                "\(seconds(entry.date)) \(status.presence) \(status.batteryPercent ?? 0)"
            } else {
                nil
            }
        }
        #expect(told == ["2.0 present 0", "6.5 present 77", "7.0 away 77", "21.0 present 77"])
    }

    @Test func `a strap that falls silent or has no contact is away after five seconds`() throws {
        var capture = CaptureBuilder(.uart)
        capture.connect(at: 0)
        capture.discover(at: 0)
        capture.heartRate([0x06, 60], at: 1)
        for time in 2...9 { capture.heartRate([0x04, 0], at: Double(time)) }
        capture.heartRate([0x06, 61], at: 10)
        capture.heartRate([0x06, 62], at: 11)
        let recording = try read(capture)
        let told = recording.list.compactMap { entry -> String? in
            guard case .sensor(let status) = entry.content else { return nil }
            return "\(seconds(entry.date)) \(status.presence)"
        }
        #expect(told == ["1.0 present", "6.0 away", "10.0 present"])
        #expect(recording.file.heartRate.count == 3)
        #expect(recording.file.records == 11)
    }

    @Test func `the same capture is the same workout`() throws {
        #expect(
            try read(CaptureBuilder.workout(.uart)).list == read(CaptureBuilder.workout(.uart)).list)
    }

    @Test func `packets whose timestamps step back keep the order of the file`() throws {
        var capture = CaptureBuilder(.uart)
        capture.connect(at: 0)
        capture.discover(at: 0)
        for (index, time) in ([1, 2, 3, 2.6, 4, 3.9, 5] as [Double]).enumerated() {
            capture.heartRate([0x10, 60, UInt8(index), 4], at: time)
        }
        let recording = try read(capture)
        let expected = (0..<7).map { Double(1024 + $0) * 1000 / 1024 }
        #expect(recording.file.rrIntervalsInMilliseconds == expected)
        #expect(recording.list.map(\.date) == recording.list.map(\.date).sorted())
        #expect(recording.file.warnings.isEmpty)
    }

    @Test func `a clock set back within a capture is reported, and later intervals are kept`() throws {
        var capture = CaptureBuilder(.uart)
        capture.connect(at: 4000)
        capture.discover(at: 4000)
        for time in 0..<10 { capture.heartRate([0, 60], at: 4001 + Double(time)) }
        for time in 0..<10 { capture.heartRate([0, 61], at: 411 + Double(time)) }
        let recording = try read(capture)
        #expect(recording.file.heartRate.count == 20)
        let first = try #require(recording.list.first?.date)
        let last = try #require(recording.list.last?.date)
        #expect(last.timeIntervalSince(first) == 18)
        #expect(
            recording.file.warnings.map(\.message) == [
                "the clock was set back by 3599 s; what follows is dated on from there"
            ])
    }

    @Test func `a capture without a sensor gives no workout and a reason`() throws {
        var capture = CaptureBuilder(.uart)
        capture.connect(at: 0)
        let recording = try read(capture)
        #expect(recording.list.isEmpty)
        #expect(recording.file.warnings.map(\.message) == ["the capture holds no values of a sensor"])
    }

    @Test func `a network capture is rejected by name`() throws {
        let file = try folder.file("net.pcap", "")
        try Data([0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0] + [UInt8](repeating: 0, count: 12) + [1, 0, 0, 0]).write(to: file)
        #expect { try RecordingFile.read(file) } throws: {
            "\($0)".contains("it is a capture of link type 1, not of a Bluetooth controller")
        }
    }

    // MARK: The shared captures, compared with tshark; skipped without them.

    private struct Truth: Sendable, CustomTestStringConvertible {
        var file: String
        var count: Int
        var minimum: Double
        var mean: Double
        var maximum: Double
        var intervals: Int
        var intervalSum: Double
        /// Root mean square of the successive differences, in ms.
        var rmssd: Double
        var away: Int
        var testDescription: String { file }
    }

    @Test(
        .enabled(if: FITSamples.isPresent, "the shared recordings are not there"),
        arguments: [
            Truth(
                file: "ble/h10-exercise.btsnoop", count: 6119, minimum: 42, mean: 112.4542, maximum: 145,
                intervals: 11463, intervalSum: 6_124_295.898, rmssd: 56.1994, away: 2),
            Truth(
                file: "ble/h7-style-linkloss.pcapng", count: 95, minimum: 88, mean: 94.3895, maximum: 103,
                intervals: 150, intervalSum: 95426.758, rmssd: 7.6469, away: 1),
        ])
    private func `the shared capture gives what tshark finds`(_ truth: Truth) throws {
        let recording = try RecordingFile.read(FITSamples.folder.appending(path: truth.file))
        let summary = recording.file
        #expect(summary.warnings == [])
        #expect(summary.records == truth.count)
        #expect(summary.heartRate.count == truth.count)
        #expect(summary.heartRate.minimum == truth.minimum)
        #expect(summary.heartRate.maximum == truth.maximum)
        #expect(abs(try #require(summary.heartRate.mean) - truth.mean) < 1e-4)
        #expect(summary.rrIntervalsInMilliseconds.count == truth.intervals)
        #expect(abs(summary.rrIntervalsInMilliseconds.reduce(0, +) - truth.intervalSum) < 1e-3)
        #expect(abs(try #require(BeatStatistics(summary.rrIntervalsInMilliseconds).rmssd) - truth.rmssd) < 1e-4)
        let read = recording.list.flatMap { entry -> [Double] in
            guard case .notification(let packet) = entry.content else { return [] }
            return HeartRateMeasurement(packet.bytes).map { $0.rrIntervals.map(RRIntervals.milliseconds) } ?? []
        }
        #expect(read == summary.rrIntervalsInMilliseconds)
        let away = recording.list.count {
            if case .sensor(let status) = $0.content { status.presence == .away } else { false }
        }
        #expect(away == truth.away)
    }
}
