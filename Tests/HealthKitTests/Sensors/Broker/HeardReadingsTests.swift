import Foundation
import HealthKit
import SessionLog
import Testing

@Suite struct HeardReadingsTests {
    private let start = Date(timeIntervalSinceReferenceDate: 1000)
    private let first = UUID()
    private let second = UUID()

    private func status(_ presence: SensorStatus.Presence) -> SessionEntry.Content {
        .sensor(SensorStatus(id: "strap", kind: .bluetooth, presence: presence))
    }

    /// A machine that publishes. Its clock is wrong, and its messages take some time to the servers.
    private func hears(
        _ readings: inout HeardReadings, _ machine: UUID, _ value: Double, at second: Double, clock: Double, way: Double
    ) -> [String] {
        let date = start + second + clock
        let entry = SessionEntry(date, .quantity(.heartRate(value, at: date, sensor: "strap")))
        return values(readings.receive(entry, from: machine, stored: start + second + way, at: start + second + way))
    }

    private func values(_ entries: [SessionEntry]) -> [String] {
        entries.map { entry in
            switch entry.content {
            case .sensor(let status): status.presence.rawValue
            case .quantity(let reading): "\(Int(reading.value))"
            default: "something else"
            }
        }
    }

    @Test func `readings received by two machines count once, whatever their clocks`() {
        var readings = HeardReadings(from: start)
        for (machine, clock) in [(first, -3600.0), (second, 12)] {
            let entry = SessionEntry(start - 1 + clock, status(.present))
            #expect(readings.receive(entry, from: machine, stored: start - 1 + 0.1, at: start).isEmpty)
        }
        var all: [String] = []
        for tick in 1...60 {
            let value = 100 + Double(tick)
            // The second machine is sometimes quicker, and misses some readings.
            let slow = tick.isMultiple(of: 3) ? 0.3 : 0.02
            all += hears(&readings, first, value, at: Double(tick), clock: -3600, way: slow)
            if !tick.isMultiple(of: 7) {
                all += hears(&readings, second, value, at: Double(tick) + 0.05, clock: 12, way: 0.01)
            }
        }
        #expect(all == ["present"] + (1...60).map { "\(100 + $0)" })
    }

    @Test func `readings that only one machine receives count too`() {
        var readings = HeardReadings(from: start)
        _ = readings.receive(SessionEntry(start, status(.present)), from: first, stored: start, at: start)
        _ = readings.receive(SessionEntry(start, status(.present)), from: second, stored: start, at: start)
        let all = (1...10).flatMap { tick in
            hears(&readings, tick <= 5 ? first : second, Double(tick), at: Double(tick), clock: 0, way: 0.01)
        }
        #expect(all == ["present"] + (1...10).map { "\($0)" })
    }

    @Test func `readings published after a disconnection are not current`() {
        var readings = HeardReadings(from: start)
        _ = hears(&readings, first, 100, at: 1, clock: 0, way: 0.01)
        #expect(hears(&readings, first, 101, at: 2, clock: 0, way: 30).isEmpty)
        #expect(hears(&readings, first, 131, at: 32, clock: 0, way: 0.01) == ["131"])
    }

    @Test func `a sensor is present as long as one machine receives it`() {
        var readings = HeardReadings(from: start)
        for machine in [first, second] {
            _ = readings.receive(SessionEntry(start, status(.present)), from: machine, stored: start, at: start)
        }
        #expect(hears(&readings, first, 100, at: 1, clock: 0, way: 0) == ["present", "100"])
        #expect(hears(&readings, second, 101, at: 3, clock: 0, way: 0) == ["101"])
        #expect(
            readings.receive(SessionEntry(start + 3, status(.away)), from: first, stored: start + 3, at: start + 3)
                .isEmpty)
        #expect(readings.pass(at: start + 7.9).isEmpty)
        #expect(values(readings.pass(at: start + 8)) == ["away"])
        #expect(hears(&readings, second, 102, at: 9, clock: 0, way: 0) == ["present", "102"])
        #expect(values(readings.end(second, at: start + 10)) == ["away"])
    }

    @Test func `readings from before the session, and values the other session computed, are left out`() {
        var readings = HeardReadings(from: start)
        #expect(hears(&readings, first, 100, at: -5, clock: 0, way: 0).isEmpty)
        let energy = QuantityReading("activeEnergyBurned", 1, unit: "kcal", start: start, end: start + 1, sensor: nil)
        #expect(
            readings.receive(SessionEntry(start + 1, .quantity(energy)), from: first, stored: start + 1, at: start + 1)
                .isEmpty)
    }
}
