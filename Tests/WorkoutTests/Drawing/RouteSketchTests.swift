import Testing

@testable import workout

@Suite struct RouteSketchTests {
    private typealias Position = RouteSketch.Position

    private static let square = [(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)].map {
        Position(latitude: Double($0.0) / 100, longitude: Double($0.1) / 100)
    }

    @Test func `north is up, and a square stays a square`() {
        #expect(
            RouteSketch.lines([Self.square], columns: 40, rows: 4) == [
                "⡏⠉⠉⠉⠉⠉⠉⢹", "⡇      ⢸", "⡇      ⢸", "S⣀⣀⣀⣀⣀⣀⣸",
            ])
        #expect(
            RouteSketch.lines([Array(Self.square.prefix(3))], columns: 9, rows: 5, unicode: false) == [
                "        E", "        *", "        *", "        *", "S********",
            ])
    }

    @Test func `a path across the date line is short`() {
        let track = [Position(latitude: 0, longitude: 179.99), Position(latitude: 0.01, longitude: -179.99)]
        #expect(RouteSketch.lines([track], columns: 20, rows: 5, unicode: false).first?.last == "E")
    }

    @Test func `one position or none has no sketch`() {
        #expect(RouteSketch.lines([], columns: 20, rows: 5).isEmpty)
        #expect(RouteSketch.lines([[Self.square[0], Self.square[0]]], columns: 20, rows: 5).isEmpty)
        #expect(RouteSketch.lines([[Position(latitude: .nan, longitude: 500)]], columns: 20, rows: 5).isEmpty)
    }

    @Test func `a sketch never exceeds its area, wherever it leads`() {
        var random = SplitMix(state: 7)
        for _ in 0..<300 {
            let tracks = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                (0..<Int.random(in: 0...20, using: &random)).map { _ in
                    Position(
                        latitude: .random(in: -90...90, using: &random),
                        longitude: .random(in: -180...180, using: &random))
                }
            }
            let columns = Int.random(in: 0...80, using: &random)
            let rows = Int.random(in: 0...20, using: &random)
            let lines = RouteSketch.lines(tracks, columns: columns, rows: rows, unicode: .random(using: &random))
            #expect(lines.count <= rows && lines.allSatisfy { $0.count <= columns })
        }
    }
}

@Suite struct RangeBarTests {
    @Test func `a range goes from the minimum over the average to the maximum`() {
        #expect(RangeBar.text(minimum: 60, average: 80, maximum: 139, scale: 40...140, columns: 10) == "  ──●─────")
        #expect(
            RangeBar.text(minimum: 40, average: 40, maximum: 40, scale: 40...140, columns: 5, unicode: false) == "o    "
        )
        #expect(RangeBar.text(minimum: 5, average: 5, maximum: 5, scale: 5...5, columns: 3) == " ● ")
    }

    @Test func `invalid positions are left out`() {
        #expect(RangeBar.text(minimum: .nan, average: 1, maximum: 2, scale: 0...2, columns: 4) == "    ")
        #expect(RangeBar.text(minimum: 0, average: .nan, maximum: 2, scale: 0...2, columns: 4) == "────")
    }
}
