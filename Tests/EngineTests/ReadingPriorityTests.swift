import Engine
import Foundation
import SessionLog
import Testing

@Suite struct ReadingPriorityTests {
    private static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

    private static func reading(_ type: String, _ second: Double) -> [SessionEntry] {
        let date = start + second
        return [SessionEntry(date, .quantity(QuantityReading(type, 1, unit: "count/min", start: date, end: date)))]
    }

    /// Sensor, type, second, and whether the reading counts.
    typealias Step = (sensor: Int, type: String, second: Double, isAdmitted: Bool)

    @Test(
        arguments: [
            [(1, "heartRate", 0, true), (0, "heartRate", 1, true), (1, "heartRate", 1.1, false)],
            [(0, "heartRate", 0, true), (1, "heartRate", 5, false), (1, "heartRate", 5.1, true)],
            [(0, "heartRate", 0, true), (1, "cyclingCadence", 0.1, true), (0, "cyclingCadence", 0.2, true)],
            [
                (0, "heartRate", 0, true), (1, "heartRate", 6, true), (0, "heartRate", 6.5, true),
                (1, "heartRate", 7, false),
            ],
        ] as [[Step]])
    func `the first sensor in order of preference that delivers is used`(steps: [Step]) {
        var priority = ReadingPriority()
        for step in steps {
            let admitted = priority.admit(Self.reading(step.type, step.second), from: step.sensor)
            #expect(!admitted.isEmpty == step.isAdmitted, "\(step)")
        }
    }

    @Test func `a sensor that disappears is replaced at once`() {
        var priority = ReadingPriority()
        _ = priority.admit(Self.reading("heartRate", 0), from: 0)
        let away = SessionEntry(
            Self.start + 1, .sensor(SensorStatus(id: "first", kind: .bluetooth, presence: .away)))
        #expect(priority.admit([away], from: 0) == [away])
        #expect(!priority.admit(Self.reading("heartRate", 1.1), from: 1).isEmpty)
    }
}
