import Foundation
import HealthKit
import SessionLog
import Testing

@testable import workout

@Suite struct ClassViewTests {
    private func tile(_ name: String, _ rate: Double?, zone: Int? = nil, contact: Bool = true) -> ClassView.Tile {
        ClassView.Tile(
            name: name, heartRate: rate, zone: zone, zoneCount: 5, phase: .running, durationInSeconds: 65,
            hasContact: contact)
    }

    private func view(_ tiles: [ClassView.Tile]) -> ClassView {
        ClassView(title: "Indoor cycling", timeOfDay: "18:05", tiles: tiles)
    }

    @Test func `the hardest effort comes first, then lost contacts, then those who finished`() {
        var ended = tile("Eva", nil)
        ended.end = "saved"
        var view = view([
            tile("Anna", 120, zone: 2), ended, tile("Ben", 171, zone: 4), tile("Carl", 90, contact: false),
            tile("Dora", 169, zone: 4),
        ])
        #expect(view.sorted.map(\.name) == ["Ben", "Dora", "Anna", "Carl", "Eva"])
        view.order = .roster
        #expect(view.sorted.map(\.name) == ["Anna", "Eva", "Ben", "Carl", "Dora"])
    }

    @Test func `a tile shows what the athlete needs`() {
        #expect(tile("A", 120, zone: 2).status == "Z2 1:05")
        #expect(tile("A", nil).status == "no heart rate 1:05")
        #expect(tile("A", 120, contact: false).status == "no contact")
        var waiting = tile("A", nil)
        waiting.phase = .prepared
        #expect(waiting.status == "waiting")
        waiting.heartRate = 70
        #expect(waiting.status == "ready")
    }

    @Test(arguments: [(80, 24, 3), (80, 24, 12), (120, 40, 30), (200, 60, 60), (40, 10, 30), (20, 5, 3)])
    func `everybody fits, or the rest is counted`(columns: Int, rows: Int, count: Int) {
        let view = view((1...count).map { tile("Person \($0)", 100 + Double($0), zone: $0 % 5 + 1) })
        let lines = view.lines(TerminalSize(columns: columns, rows: rows), .plain)
        #expect(lines.count == rows)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= columns })
        let text = lines.joined(separator: "\n")
        let shown = (1...count).count { text.contains(columns < 30 ? "Person \($0)" : "Person \($0)") }
        #expect(shown >= count || text.contains("more"))
    }

    @Test func `keys apply to everybody, or to the selected athlete`() {
        var keys = ClassKeys()
        let names = ["Anna", "Ben"]
        let now = Date(timeIntervalSinceReferenceDate: 0)
        func press(_ key: Key, after seconds: Double = 0) -> (request: ClassKeys.Request, target: ClassKeys.Target)? {
            keys.press(key, among: names, at: now + seconds)
        }
        #expect(press(.character("s"))! == (.start, .all))
        #expect(press(.right) == nil)
        #expect(press(.character("p"))! == (.pause, .one("Anna")))
        #expect(press(.right) == nil && press(.character("L"))! == (.lap, .one("Ben")))
        #expect(press(.right) == nil && press(.character("r"))! == (.resume, .all))
        #expect(press(.left) == nil && keys.selected == "Ben")
        #expect(press(.escape) == nil && keys.selected == nil)
        // Ending needs a confirmation.
        #expect(press(.character("y")) == nil)
        #expect(press(.character("q")) == nil && press(.character("x")) == nil && press(.character("y")) == nil)
        #expect(press(.character("q")) == nil && press(.character("y"), after: 11) == nil)
        #expect(press(.character("q")) == nil && press(.character("y"), after: 9)! == (.end, .all))
    }
}
