import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

struct FITDistanceTests {
    /// A ride whose device counts these metres, with one record a second.
    private static func meters(_ counts: [Int64], total: Int64? = nil) throws -> [Double] {
        var bytes = FITBytes()
        bytes.define(2, 20, FITBytes.record)
        for (second, count) in counts.enumerated() {
            bytes.message(2, [FITBytes.start + Int64(second), 140, count * 100, 0xFFFF])
        }
        bytes.define(4, 18, FITBytes.session + [FITBytes.Field(number: 9, type: 0x86)])
        let elapsed = Int64(counts.count) * 1000
        bytes.message(
            4,
            [
                FITBytes.start + Int64(counts.count), FITBytes.start, 2, 0, elapsed, elapsed,
                total.map { $0 * 100 } ?? 0xFFFF_FFFF,
            ])
        return try FITRecordingTests.read(bytes).readings("distanceCycling").map(\.value)
    }

    @Test(arguments: [true, false])
    func `a count that is corrected repeatedly adds up to the device's total`(_ saysTotal: Bool) throws {
        var counts: [Int64] = []
        var count: Int64 = 0
        for second in 0..<3000 {
            count += second % 6 == 5 ? -16 : 5
            counts.append(max(count, 0))
            if counts.last == 0 { count = 0 }
        }
        for _ in 0..<1000 {
            count += 15
            counts.append(count)
        }
        let added = try Self.meters(counts, total: saysTotal ? counts.last : nil)
        #expect(added.reduce(0, +) == Double(try #require(counts.last)))
    }

    @Test func `nothing is added while a count climbs back to its earlier value`() throws {
        #expect(try Self.meters([0, 100, 200, 150, 180, 210, 300]) == [100, 100, 10, 90])
    }

    @Test func `a count that ends below its maximum adds no more than its end`() throws {
        #expect(try Self.meters([0, 100, 200, 300, 260]).reduce(0, +) == 260)
        #expect(try Self.meters([0, 100, 200, 300, 260], total: 260).reduce(0, +) == 260)
    }

    @Test(arguments: [nil, 750] as [Int64?])
    func `a count that restarts within an activity continues`(_ total: Int64?) throws {
        #expect(try Self.meters([0, 200, 400, 500, 0, 100, 200, 250], total: total).reduce(0, +) == 750)
    }

    @Test func `the device's total decides whether a large drop is a restart`() throws {
        #expect(try Self.meters([0, 200, 400, 500, 0, 100, 200, 250], total: 250).reduce(0, +) == 250)
    }

    @Test func `a single wrong number adds nothing`() throws {
        #expect(try Self.meters([0, 100, 200, 0, 300, 400]).reduce(0, +) == 400)
        #expect(try Self.meters([0, 100, 200, 40_000_000, 300, 400]).reduce(0, +) == 400)
    }
}
