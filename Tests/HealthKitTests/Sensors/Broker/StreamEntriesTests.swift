import Foundation
import HealthKit
import SessionLog
import Testing

@Suite struct StreamEntriesTests {
    private let start = Date(timeIntervalSinceReferenceDate: 1000)
    /// The other machine's clock is one minute fast.
    private let ahead = 60.0

    private func status(_ presence: SensorStatus.Presence) -> SessionEntry.Content {
        .sensor(SensorStatus(id: "strap", kind: .bluetooth, presence: presence, device: DeviceDescription(name: "H10")))
    }

    private func rate(_ value: Double, at second: Double) -> SessionEntry {
        let date = start + second + ahead
        return SessionEntry(date, .quantity(.heartRate(value, at: date, sensor: "strap")))
    }

    private func story(_ entries: [SessionEntry]) -> [String] {
        entries.map { entry in
            let second = entry.date.timeIntervalSince(start)
            return switch entry.content {
            case .sensor(let status): "\(status.presence.rawValue) at \(second)"
            case .quantity(let reading): "\(Int(reading.value)) at \(reading.end.timeIntervalSince(start))"
            default: "something else"
            }
        }
    }

    @Test func `readings from before the start only name the sensors, and later ones are dated by arrival`() {
        var entries = StreamEntries(from: start)
        #expect(
            entries.receive(SessionEntry(start - 30 + ahead, status(.present)), stored: start - 30, at: start).isEmpty)
        #expect(entries.receive(rate(100, at: -10), stored: start - 10, at: start).isEmpty)
        #expect(
            story(entries.receive(rate(120, at: 1), stored: start + 1, at: start + 1.5)) == [
                "present at 1.5", "120 at 1.5",
            ])
        #expect(story(entries.receive(rate(121, at: 2), stored: start + 2, at: start + 2.25)) == ["121 at 2.25"])
        #expect(story(entries.receive(rate(122, at: 3), stored: start + 3, at: start + 2)) == ["122 at 2.25"])
    }

    @Test func `computed values and decisions of the other session are not adopted`() {
        var entries = StreamEntries(from: start)
        let energy = QuantityReading(
            "activeEnergyBurned", 1, unit: "kcal", start: start, end: start + 1, sensor: nil)
        for content: SessionEntry.Content in [
            .quantity(energy), .state(.paused), .event(EventRecord(.lap, start: start, end: start + 1)),
        ] {
            #expect(entries.receive(SessionEntry(start + 1, content), stored: start + 1, at: start + 1).isEmpty)
        }
    }

    @Test func `after five seconds of silence the sensors are away, until readings arrive again`() {
        var entries = StreamEntries(from: start)
        _ = entries.receive(SessionEntry(start + ahead, status(.present)), stored: start, at: start)
        _ = entries.receive(rate(120, at: 1), stored: start + 1, at: start + 1)
        #expect(entries.becameSilent(at: start + 5.9).isEmpty)
        #expect(story(entries.becameSilent(at: start + 6)) == ["away at 6.0"])
        #expect(entries.becameSilent(at: start + 7).isEmpty && entries.end(at: start + 7).isEmpty)
        #expect(
            story(entries.receive(rate(90, at: 20), stored: start + 20, at: start + 20)) == [
                "present at 20.0", "90 at 20.0",
            ])
        #expect(story(entries.end(at: start + 21)) == ["away at 21.0"])
    }

    @Test func `a list of sensors keeps the hosts of a cluster together`() throws {
        let list = try SensorSpecification.list("nats://h1,h2:4223,h3/gym, ble:AA:BB:CC:DD:EE:FF,nats://h4,h5")
        #expect(
            list == [
                .nats(address: "nats://h1,h2:4223,h3/gym"), .bluetooth(address: "AA:BB:CC:DD:EE:FF"),
                .nats(address: "nats://h4,h5"),
            ])
        #expect(throws: HKError.self) { try SensorSpecification.list("nats://h1/a*") }
    }
}
