import Analytics
import Testing

struct SeededGeneratorTests {
    /// xoshiro256** with the state that SplitMix64 makes of 0; computed with the authors' C code rewritten in Python.
    @Test func `the numbers of a seed are those of the published algorithm`() {
        var random = SeededGenerator(seed: 0)
        #expect((0..<4).map { _ in random.next() } == referenceNumbers)
    }

    @Test func `one seed always gives one sequence, and other seeds and streams give others`() {
        func numbers(_ seed: UInt64, _ stream: UInt64) -> [UInt64] {
            var random = SeededGenerator(seed: seed, stream: stream)
            return (0..<10).map { _ in random.next() }
        }
        #expect(numbers(1, 0) == numbers(1, 0))
        #expect(numbers(1, 0) != numbers(2, 0))
        #expect(numbers(1, 0) != numbers(1, 1))
    }

    @Test func `normal numbers have mean 0 and deviation 1`() throws {
        var random = SeededGenerator(seed: 7)
        var spread = RunningVariance()
        for _ in 0..<100_000 { spread.add(random.normal()) }
        #expect(abs(spread.mean) < 0.01)
        #expect(isClose(spread.sampleVariance, 1, within: 0.02))
    }
}

private let referenceNumbers: [UInt64] = [
    0x99EC5F36CB75F2B4, 0xBF6E1F784956452A, 0x1A5F849D4933E6E0, 0x6AA594F1262D2D2C,
]
