import Analytics
import Foundation
import SessionLog
import Testing

@testable import HealthStore

/// Routes that are longer than one piece of the stored bytes.
@Suite struct PositionColumnsTests {
    private static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

    private static let semicircle = 180.0 / 0x1p31

    private static func degrees(_ semicircles: Int) -> Double { Double(semicircles) * semicircle }

    private func made(_ count: Int, _ random: inout SeededGenerator) -> [(date: Date, position: PositionReading)] {
        (0..<count).map { index in
            let accuracy = Int.random(in: 0..<3, using: &random) == 0 ? Double.random(in: 1...9, using: &random) : nil
            let altitude: Double? = index > 9000 ? Double(index % 50) / 5 : nil
            let position = PositionReading(
                latitudeInDegrees: Self.degrees(520_000_000 + index),
                longitudeInDegrees: Self.degrees(-80_000_000 - index * 7), altitudeInMeters: altitude,
                horizontalAccuracyInMeters: accuracy, speedInMetersPerSecond: Double(index % 9000) / 1000)
            return (Self.start + Double(index), position)
        }
    }

    private func decoded(_ columns: PositionColumns) throws -> [(date: Date, position: PositionReading)] {
        try encoded(columns).withUnsafeBytes { try PositionColumns.decoded($0) }
    }

    private func encoded(_ columns: PositionColumns) throws -> [UInt8] {
        var all: [UInt8] = []
        try columns.bytes.forEachPart { all += $0 }
        #expect(all.count == columns.bytes.count)
        return all
    }

    @Test(arguments: [0, 1, 8191, 8192, 8193, 20_000])
    func `a route of any length is restored, complete or not`(count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        let positions = made(count, &random)
        var columns = PositionColumns(positions)
        for _ in 0..<2 {
            let back = try decoded(columns)
            #expect(back.map(\.date) == positions.map(\.date))
            #expect(back.map(\.position) == positions.map(\.position))
            try columns.finish()
        }
        #expect(columns.count == count)
    }

    /// With numbers of 64 bits, they would need twice as many bytes.
    @Test func `positions in semicircles take few bytes`() throws {
        var columns = PositionColumns()
        for index in 0..<20_000 {
            let latitude = Self.degrees(520_000_000 + index * 7 + index % 3)
            let longitude = Self.degrees(80_000_000 + index * 11 - index % 5)
            columns.append(
                PositionReading(latitudeInDegrees: latitude, longitudeInDegrees: longitude),
                at: Self.start + Double(index))
        }
        #expect(columns.bytes.count < 20_000 * 2)
    }

    @Test func `unordered positions are sorted, and discarded ones left out`() throws {
        var random = SeededGenerator(seed: 4)
        let positions = made(20_000, &random)
        var columns = PositionColumns()
        var kept: [(date: Date, position: PositionReading)] = []
        for index in positions.indices.reversed() {
            var (date, position) = positions[index]
            position.isAdded = index % 3 == 0
            columns.append(position, at: date)
            if index == 10_000 { columns.removeAdded() }
            if index % 3 != 0 || index < 10_000 { kept.append(positions[index]) }
        }
        try columns.finish()
        #expect(columns.count == kept.count)
        #expect(columns.firstTime == kept.last?.date.timeIntervalSinceReferenceDate)
        #expect(columns.lastTime == kept.first?.date.timeIntervalSinceReferenceDate)
        let back = try decoded(columns)
        #expect(back.map(\.date) == kept.reversed().map(\.date))
        #expect(back.map(\.position) == kept.reversed().map(\.position))
    }

    @Test func `a truncated route is an error`() throws {
        var random = SeededGenerator(seed: 5)
        let bytes = try encoded(PositionColumns(made(9000, &random)))
        for count in [0, 1, bytes.count / 2, bytes.count - 1] {
            #expect(throws: SampleRunError.self) {
                try bytes.prefix(count).withUnsafeBytes { try PositionColumns.decoded($0) }
            }
        }
    }

    @Test func `copies of a route that is too long for memory do not affect each other`() throws {
        let position = { (index: Int) in
            PositionReading(
                latitudeInDegrees: Double(index % 901) / 7, longitudeInDegrees: Double(index % 877) / 11,
                altitudeInMeters: Double(index % 13) / 3)
        }
        func dates(_ columns: PositionColumns) throws -> [Double] {
            try decoded(columns).map { $0.date.timeIntervalSince(Self.start) }
        }
        var first = PositionColumns()
        for index in 0..<50_000 { first.append(position(index), at: Self.start + Double(index)) }
        #expect(first.bytes.count > SpooledBytes.bytesInMemory)
        var second = first
        for index in 50_000..<100_000 {
            first.append(position(index), at: Self.start + Double(index))
            second.append(position(index), at: Self.start + Double(2 * index))
        }
        #expect(try dates(first) == (0..<100_000).map(Double.init))
        #expect(try dates(second) == (0..<100_000).map { Double($0 < 50_000 ? $0 : 2 * $0) })
    }
}
