import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Pool swims: lengths with strokes and styles, from FIT and back.
struct FITPoolLengthTests {
    /// Four lengths of 25 m (freestyle, breaststroke, a rest, butterfly without counted strokes), and a lap of two.
    private static func swim() -> FITBytes {
        typealias Field = FITBytes.Field
        var bytes = FITBytes()
        let start = FITBytes.start
        bytes.define(0, 0, FITBytes.fileID)
        bytes.message(0, [4, 1, 2697, 123_456, start])
        bytes.define(1, 21, FITBytes.event)
        bytes.message(1, [start, 0, 0])
        bytes.define(
            2, 101,
            [
                Field(number: 253, type: 0x86), Field(number: 2, type: 0x86), Field(number: 3, type: 0x86),
                Field(number: 5, type: 0x84), Field(number: 7, type: 0x00), Field(number: 12, type: 0x00),
            ])
        bytes.message(2, [start + 31, start, 30_500, 18, 0, 1])
        bytes.message(2, [start + 70, start + 31, 38_250, 22, 2, 1])
        bytes.define(3, 19, FITBytes.lap)
        bytes.message(3, [start + 70, start, 70_000])
        bytes.message(2, [start + 90, start + 70, 20_000, 0xFFFF, 0xFF, 0])
        bytes.message(2, [start + 120, start + 90, 29_000, 0xFFFF, 3, 1])
        bytes.message(3, [start + 120, start + 70, 50_000])
        bytes.message(1, [start + 120, 0, 4])
        bytes.define(
            4, 18, FITBytes.session + [Field(number: 44, type: 0x84), Field(number: 11, type: 0x84)])
        bytes.message(4, [start + 120, start, 5, 17, 120_000, 120_000, 2500, 20])
        return bytes
    }

    private struct Lengths: FITMessageReader {
        var fields: [[Int64?]] = []
        mutating func read(_ message: FITMessage) {
            typealias Field = FITProfile.Length
            if message.number == FITProfile.MessageNumber.length {
                fields.append(
                    [Field.totalElapsedTime, Field.totalStrokes, Field.swimStroke, Field.lengthType].map { message[$0] }
                )
            }
        }
    }

    @Test func `lengths, strokes, styles and the pool survive FIT`() throws {
        let first = try FITRecordingTests.read(Self.swim())
        #expect(first.header?.activity.lapLengthInMeters == 25)
        #expect(first.header?.activity.swimmingLocation == .pool)
        #expect(first.events(.segment).count == 4)
        #expect(first.readings("swimmingStrokeCount").map(\.value) == [18, 22])
        let file = try WrittenFile(Array(first.entries), as: "fit")
        #expect(!file.leftOut.contains { $0.contains("segment") || $0.contains("troke") }, "\(file.leftOut)")
        let second = try FITFile.read(bytes: file.bytes)[0]
        #expect(second.file.warnings == [])
        #expect(second.header?.activity == first.header?.activity)
        #expect(second.events(.segment) == first.events(.segment))
        #expect(second.events(.lap).count == 2)
        #expect(
            second.readings("swimmingStrokeCount").map {
                [$0.value, $0.end.timeIntervalSince(FITRecordingTests.start)]
            }
                == [[18, 30.5], [22, 68.75]])
        #expect(abs(second.metersCovered - 75) < 0.01 && first.metersCovered == 75)
        #expect(second.readings("activeEnergyBurned").map(\.value) == [20])
        var lengths = Lengths()
        _ = try FITFile.decode(file.bytes, into: &lengths)
        #expect(
            lengths.fields == [[30_500, 18, 0, 1], [38_250, 22, 2, 1], [20_000, nil, nil, 0], [29_000, nil, 3, 1]])
    }

    @Test func `strokes without a length have a field of their own, and survive`() throws {
        let start = FITRecordingTests.start
        func strokes(_ value: Double, _ second: Double) -> SessionEntry {
            SessionEntry(
                start + second,
                .quantity(
                    QuantityReading(
                        "swimmingStrokeCount", value, unit: "count", start: start + second - 5, end: start + second)))
        }
        let activity = ActivityDescription(activity: "swimming", swimmingLocation: .pool, lapLengthInMeters: 50)
        for hasLength in [true, false] {
            var entries = [
                SessionEntry(start, .header(SessionHeader(id: UUID(), activity: activity))),
                SessionEntry(start, .state(.running)), strokes(10, 10), strokes(12, 20),
            ]
            if hasLength {
                entries.append(SessionEntry(start + 25, .event(EventRecord(.segment, start: start, end: start + 25))))
            }
            entries += [strokes(7, 40), SessionEntry(start + 60, .state(.stopped))]
            let read = try FITFile.read(bytes: try WrittenFile(entries, as: "fit").bytes)[0]
            #expect(read.readings("swimmingStrokeCount").map(\.value) == (hasLength ? [22, 7] : [10, 12, 7]))
        }
    }

    @Test(
        .enabled(if: FITSamples.isPresent, "../shared/data is not here"),
        arguments: ["fit/fr910xt-poolswim-lengths.fit", "fit/fr735xt-poolswim-hr-messages.fit"])
    func `swims of watches keep their lengths and strokes`(name: String) throws {
        let first = try FITSamples.read(name)
        let second = try FITFile.read(bytes: try WrittenFile(Array(first.entries), as: "fit").bytes)[0]
        #expect(second.events(.segment).count == first.events(.segment).count)
        #expect(second.events(.segment).map(\.metadata) == first.events(.segment).map(\.metadata))
        #expect(
            second.readings("swimmingStrokeCount").map(\.value) == first.readings("swimmingStrokeCount").map(\.value))
        #expect(second.header?.activity.lapLengthInMeters == first.header?.activity.lapLengthInMeters)
        #expect(abs(second.metersCovered - first.metersCovered) < 0.1)
    }
}
