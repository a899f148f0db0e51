import Foundation
import Testing

@testable import Reports

/// Pages of a day at 1 Hz whose values differ from second to second as much as possible.
@Suite struct PageSizeTests {
    private static let seconds = 86_400

    private static func noise(_ seed: UInt64) -> Trace {
        var trace = Trace()
        var state = seed
        for second in 0..<seconds {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            trace.add(Double(state >> 40) / Double(1 << 24) * 150 + 50, at: Double(second))
        }
        return trace
    }

    @Test func `a day at 1 Hz is a page of less than 2 MB`() throws {
        let axis = TimeAxis(
            seconds: 0...Double(Self.seconds), laps: (1...96).map { Double($0) * 900 }
        ) { "\(Int($0) / 3600):00:00" }
        var document = ReportDocument(title: "A day")
        var traces: [Trace] = []
        for seed in 1...8 {
            let trace = Self.noise(UInt64(seed))
            traces.append(trace)
            let track = TimeTrack("Track \(seed)", unit: "bpm", trace, style: "line heart") { "\(Int($0)) bpm" }
            document.body.append(try #require(track.markup(axis)))
        }
        let places = traces[0].points.map { point in
            let turn = point.seconds / 500
            return WorkoutTimeline.Place(
                seconds: point.seconds, latitudeInDegrees: 47 + 0.2 * sin(turn) + point.value / 1e6,
                longitudeInDegrees: 8 + 0.2 * cos(turn * 1.1))
        }
        let colourings = zip(["heart-rate", "speed", "power", "elevation"], traces).map { key, trace in
            RoutePicture.Colouring(key: key, title: key, trace: trace) { "\(Int($0))" }
        }
        let route = try #require(RoutePicture(places, colourings: colourings))
        document.body.append(route.markup(title: "Route") { "\(Int($0)) m" })
        let lengths = traces[1].points.map { $0.value * 10 }
        let pairs = Array(zip(lengths, lengths.dropFirst()))
        document.body.append(try #require(PoincarePlot(pairs).markup(label: "Pairs") { "\(Int($0))" }))
        let size = document.bytes.count
        #expect(size < 2_000_000, "\(size) bytes")
        // Nothing was dropped to save space: each column shows the greatest and least value of its seconds.
        #expect(size > 200_000, "\(size) bytes")
    }
}
