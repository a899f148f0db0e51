import Engine
import Foundation
import HealthKit
import SessionLog

/// A sensor on wall time that sends what the test pushes.
struct PushedSensor: Sensor {
    let pace = SessionTimeline.Pace.wall
    let fixedStart: Date? = nil
    private let stream = AsyncThrowingStream.makeStream(of: [SessionEntry].self)

    func batches(from start: Date, time: any TimeSource) -> AsyncThrowingStream<[SessionEntry], any Error> {
        stream.stream
    }

    func push(_ batch: [SessionEntry]) { stream.continuation.yield(batch) }
}

/// The start, readings and queries that sessions in this suite have in common.
extension TestSession {
    static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)
    static let perMinute = HKUnit.count().unitDivided(by: .minute())

    /// Runs, and its builder collects samples.
    func begin() async throws {
        session.startActivity(with: Self.start)
        try await builder.beginCollection(at: Self.start)
    }

    /// One heart rate each second, as a strap sends them.
    func pulse(_ values: [Double], from second: Double = 0, sensor: String? = nil) async {
        for (index, value) in values.enumerated() {
            await collect([Self.pulse(value, at: second + Double(index), sensor: sensor)])
        }
    }

    static func pulse(_ value: Double, at second: Double, sensor: String? = nil) -> SessionEntry {
        let date = start + second
        return SessionEntry(date, .quantity(.heartRate(value, at: date, sensor: sensor)))
    }

    /// What a sensor reports about itself.
    static func status(of sensor: String, name: String, at second: Double) -> SessionEntry {
        SessionEntry(
            start + second,
            .sensor(
                SensorStatus(
                    id: sensor, kind: .bluetooth, presence: .present, device: DeviceDescription(name: name))))
    }

    func finish(at second: Double) async throws -> HKWorkout? {
        session.stopActivity(with: Self.start + second)
        await settle()
        try await builder.endCollection(at: Self.start + second)
        let workout = try await builder.finishWorkout()
        session.end()
        await settle()
        return workout
    }

    /// The heart rates that a query finds, oldest first.
    func heartRates(_ predicate: NSPredicate? = nil) async throws -> [HKQuantitySample] {
        try await Self.heartRates(in: store, predicate)
    }

    static func heartRates(in store: HKHealthStore, _ predicate: NSPredicate? = nil) async throws -> [HKQuantitySample]
    {
        try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.heartRate), predicate: predicate)],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
    }
}

extension [HKQuantitySample] {
    /// Beats per minute.
    var rates: [Double] { map { $0.quantity.doubleValue(for: TestSession.perMinute) } }
}
