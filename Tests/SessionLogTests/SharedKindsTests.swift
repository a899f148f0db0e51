import Analytics
import Foundation
import SessionLog
import Testing

/// Whether readings share the object that describes their kind affects only speed.
@Suite struct SharedKindsTests {
    private static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

    private static func log(_ random: inout SeededGenerator) -> [SessionEntry] {
        let kinds = [
            ReadingKind("heartRate", unit: "count/min", sensor: "strap"),
            ReadingKind("heartRate", unit: "count/min", sensor: "watch"),
            ReadingKind("heartRate", unit: "count/s", sensor: "strap"), ReadingKind("heartRate", unit: "m"),
            ReadingKind("cyclingPower", unit: "W"), ReadingKind("distanceCycling", unit: "m", sensor: "wheel"),
            ReadingKind("nothing that HealthKit knows", unit: "W"),
        ]
        var log = [
            SessionEntry(start, .header(SessionHeader(id: UUID(), activity: ActivityDescription(activity: "cycling")))),
            SessionEntry(start, .wearer(WearerProfile(sex: .female, restingHeartRate: 50, maximumHeartRate: 190))),
            SessionEntry(start, .state(.running)), SessionEntry(start, .collection(.began(events: true))),
        ]
        var kind = kinds[0]
        for second in 1...400 {
            let date = start + Double(second)
            if Int.random(in: 0..<4, using: &random) == 0 {
                kind = kinds[Int.random(in: kinds.indices, using: &random)]
            }
            switch Int.random(in: 0..<60, using: &random) {
            case 0: log.append(SessionEntry(date, .state(.paused)))
            case 1: log.append(SessionEntry(date, .state(.running)))
            case 2:
                let strap = SensorStatus(id: "strap", kind: .replay, presence: .away)
                log.append(SessionEntry(date, .sensor(strap)))
            default:
                let value = second % 50 == 0 ? Double.nan : Double.random(in: 1...180, using: &random)
                let length = kind.type == "heartRate" ? 0 : Double(Int.random(in: 0...3, using: &random))
                log.append(SessionEntry(date, .quantity(QuantityReading(kind, value, start: date - length, end: date))))
            }
        }
        return log + [SessionEntry(start + 400, .state(.stopped)), SessionEntry(start + 400, .collection(.ended))]
    }

    @Test(arguments: 0..<50)
    func `a session's state does not depend on whether readings share their kinds`(seed: UInt64) {
        var random = SeededGenerator(seed: seed + 1)
        var (shared, apart) = (SessionState(), SessionState())
        for entry in Self.log(&random) {
            shared.apply(entry)
            guard case .quantity(let reading) = entry.content else {
                apart.apply(entry)
                continue
            }
            let own = QuantityReading(
                reading.type, reading.value, unit: reading.unit, start: reading.start, end: reading.end,
                sensor: reading.sensor)
            apart.apply(SessionEntry(entry.date, .quantity(own)))
        }
        #expect(shared == apart)
        #expect(shared.quantities["heartRate"]?.statistics.count ?? 0 > 0)
    }
}
