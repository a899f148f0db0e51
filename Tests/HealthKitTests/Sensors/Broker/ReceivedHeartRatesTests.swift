import Foundation
import HealthKit
import SessionLog
import Testing

@Suite struct ReceivedHeartRatesTests {
    private let start = Date(timeIntervalSinceReferenceDate: 0)

    /// Presences and heart rates, in order.
    private func story(_ entries: [SessionEntry]) -> [String] {
        entries.map { entry in
            switch entry.content {
            case .sensor(let status): status.presence.rawValue
            case .quantity(let reading): "\(Int(reading.value)) at \(entry.date.timeIntervalSince(start))"
            default: "something else"
            }
        }
    }

    @Test func `the sensor is present from its first heart rate on, and away after 5 s of silence`() {
        var rates = ReceivedHeartRates(id: "h/t", name: "t")
        #expect(story(rates.begin(at: start)) == ["away"])
        #expect(rates.silentAt == nil)
        #expect(story(rates.receive(120, at: start + 1)) == ["present", "120 at 1.0"])
        #expect(story(rates.receive(121, at: start + 2)) == ["121 at 2.0"])
        #expect(rates.silentAt == start + 7)
        let gone = rates.becameSilent()
        #expect(story(gone) == ["away"] && gone[0].date == start + 7)
        #expect(rates.silentAt == nil && rates.becameSilent().isEmpty)
        #expect(story(rates.receive(99, at: start + 20)) == ["present", "99 at 20.0"])
    }

    @Test func `a sender without a heart rate makes a gap at once, and impossible values are not readings`() {
        var rates = ReceivedHeartRates(id: "h/t", name: "t")
        _ = rates.receive(120, at: start)
        #expect(story(rates.receive(nil, at: start + 1)) == ["away"])
        #expect(rates.receive(0, at: start + 2).isEmpty)
        #expect(rates.receive(19, at: start + 3).isEmpty)
        #expect(rates.receive(301, at: start + 3).isEmpty)
        #expect(story(rates.receive(300, at: start + 3)) == ["present", "300 at 3.0"])
    }

    @Test func `time does not go backwards`() {
        var rates = ReceivedHeartRates(id: "h/t", name: "t")
        _ = rates.receive(120, at: start + 10)
        #expect(story(rates.receive(121, at: start)) == ["121 at 10.0"])
    }
}
