import Testing

@testable import SessionLog

struct WayAlongPositionsTests {
    /// Positions some metres to the north of a place, one for each second.
    private func meters(_ north: [Double], secondsApart: Double = 1) -> [Double?] {
        var way = WayAlongPositions()
        return north.enumerated().map { index, north in
            way.add((47 + north / 111_177.5, 8), at: Double(index) * secondsApart).map { $0.rounded() }
        }
    }

    @Test func `an unreachable position is left out`() {
        #expect(meters([0, 3, 6, 5000, 12, 15]) == [0, 3, 3, nil, 6, 3])
    }

    @Test func `a path that continues from there counts, and so does a fast one`() {
        #expect(meters([0, 3, 6003, 6006, 6009]) == [0, 3, nil, 6003, 3])
        // Another leg begins here.
        #expect(meters([0, 3, 403, 406, 409]) == [0, 3, nil, 403, 3])
        #expect(meters([0, 300, 600, 900, 1200, 1210]) == [0, nil, 600, 300, 300, 10])
    }

    @Test func `a slow enough path counts, and so does a step within a second`() {
        #expect(meters([0, 6000, 12_000], secondsApart: 30) == [0, 6000, 6000])
        #expect(meters([0, 100, 200], secondsApart: 0) == [0, 100, 100])
        #expect(meters([0, 200, 400]) == [0, 200, 200])
    }

    @Test func `the path across an interruption does not count`() {
        var way = WayAlongPositions()
        #expect(way.add((47, 8), at: 0) == 0)
        way.interrupt()
        #expect(way.add((48, 8), at: 1) == 0)
        #expect(way.add((48, 8), at: 2) == 0)
    }
}
