import Testing

@testable import Analytics

@Suite struct SlidingWindowTests {
    @Test(arguments: [1, 2, 3, 11, 91], [0, 1, 5, 46, 47, 240])
    func `each window contains the values around its centre, sorted`(width: Int, count: Int) {
        var random = SeededGenerator(seed: UInt64(width * 1000 + count))
        // Few different values, so many are equal.
        let values = (0..<count).map { _ in Double(Int.random(in: 0..<20, using: &random)) }
        var windows: [[Double]] = []
        _ = SlidingWindow.map(values, width: width) {
            windows.append($0)
            return 0
        }
        let reach = width / 2
        #expect(
            windows
                == values.indices.map { i in
                    values[max(0, i - reach)...min(count - 1, i + reach)].sorted()
                })
    }
}
