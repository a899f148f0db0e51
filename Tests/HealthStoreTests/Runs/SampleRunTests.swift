import Analytics
import Foundation
import Testing

@testable import HealthStore

@Suite struct SampleRunTests {
    private func decoded(_ bytes: [UInt8], base: UUID = .zero) throws -> SampleRun {
        try bytes.withUnsafeBytes { try SampleRun($0, firstSequence: 7, base: base) }
    }

    private func bits(_ numbers: [Double]) -> [UInt64] { numbers.map(\.bitPattern) }

    private func check(_ run: SampleRun, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let back = try decoded(run.encoded(firstSequence: 7), base: run.ids.base ?? .zero)
        #expect(bits(back.starts) == bits(run.starts), sourceLocation: sourceLocation)
        #expect(bits(back.ends) == bits(run.ends), sourceLocation: sourceLocation)
        #expect(bits(back.values) == bits(run.values), sourceLocation: sourceLocation)
        #expect(back.sequences == run.sequences, sourceLocation: sourceLocation)
        #expect(back.ids == run.ids, sourceLocation: sourceLocation)
    }

    private func run(_ starts: [Double], _ ends: [Double]? = nil, _ values: [Double]) -> SampleRun {
        SampleRun(
            starts: starts, ends: ends ?? starts, values: values, sequences: starts.indices.map { 7 + Int64($0) },
            ids: .counted(base: UUID().base, ordinals: starts.indices.map { UInt16(truncatingIfNeeded: $0) }))
    }

    @Test(arguments: [1, 2, 127, 128, 129, 4096])
    func `evenly spaced heart rates take about a byte each`(count: Int) throws {
        let starts = (0..<count).map { 800_000_000 + Double($0) }
        let values = (0..<count).map { 120 + Double(($0 * 7) % 11) }
        let run = run(starts, nil, values)
        try check(run)
        if count == 4096 { #expect(run.encoded(firstSequence: 7).count < count) }
    }

    private static let awkward: [[Double]] = [
        [0.1, 0.2, 0.3] as [Double], [-0.0, 0.0] as [Double], [Double.nan, Double.infinity, -Double.infinity],
        [Double.leastNonzeroMagnitude, Double.greatestFiniteMagnitude],
        [1, 71, 123].map { (count: Double) in count / 60 },
        [9_007_199_254_740_992, -1e18, 3e18] as [Double], [1e300, 1] as [Double], [0.30000000000000004] as [Double],
    ]

    @Test(arguments: awkward)
    func `every number is restored bit by bit`(numbers: [Double]) throws {
        try check(run(numbers, nil, numbers))
        try check(run(numbers, numbers.reversed(), numbers))
    }

    @Test(arguments: 0..<200)
    func `random runs are restored`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 1...600, using: &random)
        let scale = [1.0, 0.001, 1.0 / 8_388_608, .pi][Int.random(in: 0..<4, using: &random)]
        let spread = [1.0, 100, 1e6, 1e12][Int.random(in: 0..<4, using: &random)]
        var starts: [Double] = []
        var ends: [Double] = []
        var values: [Double] = []
        for _ in 0..<count {
            let start = (Double.random(in: 0..<spread, using: &random)).rounded() * scale + 700_000_000
            starts.append(start)
            ends.append(Bool.random(using: &random) ? start : start + Double.random(in: 0..<spread, using: &random))
            values.append(
                Bool.random(using: &random)
                    ? Double(Int.random(in: -1000...1000, using: &random)) / 10
                    : Double(bitPattern: random.next()))
        }
        var samples = run(starts, ends, values)
        if seed % 3 == 0 { samples.ids = .listed((0..<count).map { _ in UUID() }) }
        try check(samples)
    }

    @Test(arguments: [ColumnScale.whole, .tenths, .thousandths, .sixtieths, .clock, .semicircles, .bits])
    func `many integers become the numbers that each becomes alone`(scale: ColumnScale) {
        let columns: [[Int64]] = [
            [0, 1, -1, 127, -4096, (1 << 51) - 1, -(1 << 51)], [5, 1 << 51], [-(1 << 51) - 1, 3], [.max, .min, 0],
        ]
        for integers in columns {
            #expect(bits(scale.doubles(integers)) == integers.map { scale.double($0).bitPattern })
        }
    }

    @Test func `integers of any size are restored`() throws {
        var random = SeededGenerator(seed: 9)
        for width in 0...64 {
            let mask: UInt64 = width == 64 ? .max : (1 << UInt64(width)) - 1
            for count in [1, 2, 5, 128, 131, 300] {
                let numbers = (0..<count).map { _ in Int64(bitPattern: random.next() & mask) &- 5 }
                var bytes: [UInt8] = []
                PackedIntegers.append(numbers, to: &bytes)
                try bytes.withUnsafeBytes { buffer in
                    var reader = ByteReader(buffer)
                    let read = try PackedIntegers.read(count, from: &reader)
                    #expect(read == numbers)
                    #expect(reader.remaining == 0)
                }
            }
        }
    }

    /// Differences that continue through all blocks, each in 64 bits as its distance from 0.
    private func ofVersion1(_ numbers: [Int64]) -> [UInt8] {
        var bytes: [UInt8] = [1]
        var previous: Int64 = 0
        for (index, number) in numbers.enumerated() {
            if index % PackedIntegers.blockLength == 0 { bytes += [64, 0] }
            let difference = number &- previous
            withUnsafeBytes(of: difference.littleEndian) { bytes.append(contentsOf: $0) }
            previous = number
        }
        return bytes
    }

    @Test(arguments: [1, 2, 128, 129, 1000])
    func `runs of version 1 are read`(count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        let starts: [Int64] = (0..<count).map { 800_000_000 + Int64($0) * 3 }
        let values: [Int64] = (0..<count).map { _ in Int64.random(in: 40...200, using: &random) }
        var bytes: [UInt8] = [1]
        PackedIntegers.appendVarint(UInt64(count), to: &bytes)
        bytes.append(0)
        bytes += ofVersion1(starts)
        bytes += ofVersion1([Int64](repeating: 0, count: count))
        bytes.append(0)
        bytes += ofVersion1(values)
        bytes += ofVersion1(starts.indices.map(Int64.init))
        bytes.append(0)
        bytes += ofVersion1([Int64](repeating: 9, count: count))
        bytes += [0, 0, 0, 0]
        let read = try decoded(bytes)
        #expect(read.starts == starts.map(Double.init) && read.ends == read.starts)
        #expect(read.values == values.map(Double.init))
        #expect(read.sequences == starts.indices.map { Int64($0) + 7 })
        for first in stride(from: 0, to: count, by: 100) {
            let range = first..<min(first + 70, count)
            let part = try bytes.withUnsafeBytes { try TimedValues($0, in: range) }
            for place in range {
                let start = Double(starts[place])
                #expect(part[place] == MeasuredValue(value: Double(values[place]), start: start, end: start))
            }
        }
    }

    @Test(arguments: 0..<50)
    func `damaged bytes are an error or other samples, never a trap`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 1...300, using: &random)
        let whole = run(
            (0..<count).map { Double($0) }, nil, (0..<count).map { _ in Double(Int.random(in: 0..<99, using: &random)) }
        ).encoded(firstSequence: 7)
        #expect(whole.withUnsafeBytes { SampleRun.isIntact($0) })
        for _ in 0..<200 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 1...bytes.count, using: &random)) }
            if let run = try? decoded(bytes) { #expect(run.starts.count == run.values.count) }
            if bytes != whole { #expect(!bytes.withUnsafeBytes { SampleRun.isIntact($0) }) }
        }
        for _ in 0..<200 {
            let noise = (0..<Int.random(in: 0...100, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            _ = try? decoded([1 + UInt8(seed % 2)] + noise)
        }
    }

    @Test func `dense runs end with the hour, sparse ones do not`() {
        let dense = run((0..<10_000).map(Double.init), nil, [Double](repeating: 60, count: 10_000))
        #expect(dense.cut().map(\.count) == [3600, 3600, 2800])
        let thin = run((0..<1000).map { Double($0) * 300 }, nil, [Double](repeating: 60, count: 1000))
        #expect(thin.cut().map(\.count) == [1000])
        let reaching = run(
            (0..<7200).map(Double.init), (0..<7200).map { Double($0) + 1.5 }, [Double](repeating: 1, count: 7200))
        #expect(reaching.cut().map(\.count) == [3599, 1, 3599, 1])
    }

    @Test(arguments: [3, 16, 1000, 3590])
    func `a run ends at the last UUID of a counted sequence`(before: Int) {
        let (first, second) = (UUID().base, UUID().base)
        let ids =
            (0..<before).map { first.with(ordinal: UInt16($0)) }
            + (0..<3600 - before).map { second.with(ordinal: UInt16($0)) }
        var counted = run((0..<3600).map(Double.init), nil, [Double](repeating: 60, count: 3600))
        counted.ids = .listed(ids)
        let runs = counted.cut()
        #expect(runs.map(\.count) == [before, 3600 - before])
        #expect(runs.map(\.ids.base) == [first, second])
    }

    @Test func `foreign UUIDs end no run`() {
        var random = run((0..<3600).map(Double.init), nil, [Double](repeating: 60, count: 3600))
        random.ids = .listed((0..<3600).map { _ in UUID() })
        #expect(random.cut().map(\.count) == [3600])
    }

    @Test func `UUIDs of this process count upwards and share a run`() {
        let ids = (0..<1000).map { _ in UUID.next() }
        #expect(Set(ids).count == 1000)
        #expect(ids.allSatisfy { $0.uuid.6 >> 4 == 8 && $0.uuid.8 >> 6 == 2 })
        #expect(Set(ids.map(\.base)).count <= 2)
    }
}
