import Foundation
import HealthKit
import HealthKitTesting
import Testing

// Stand-ins for sessions and builders as apps' own test suites write them: subclasses that override the calls of the
// code under test.

/// Inherits the initialisers of a session.
private final class PausedByTheTest: HKWorkoutSession, @unchecked Sendable {
    var calls: [String] = []
    var pretended = HKWorkoutSessionState.running

    override var state: HKWorkoutSessionState { pretended }
    override var startDate: Date? { Date(timeIntervalSinceReferenceDate: 0) }
    override func pause() {
        calls.append("pause")
        pretended = .paused
    }
    override func resume() {
        calls.append("resume")
        pretended = .running
    }
    override func end() {
        calls.append("end")
        super.end()
    }
    override func sendToRemoteWorkoutSession(data: Data) async throws { calls.append("send \(data.count)") }
    override func associatedWorkoutBuilder() -> HKLiveWorkoutBuilder { ten }

    lazy var ten = AlwaysTenKilometers(
        healthStore: HKHealthStore(), configuration: workoutConfiguration, device: nil)
}

/// Has an initialiser of its own, and therefore the one for archives, too.
private final class NamedSession: HKWorkoutSession, @unchecked Sendable {
    let name: String

    init(name: String) throws {
        self.name = name
        try super.init(healthStore: HKHealthStore(), configuration: HKWorkoutConfiguration())
    }

    required init?(coder: NSCoder) { fatalError("a stand-in is not archived") }
}

private final class AlwaysTenKilometers: HKLiveWorkoutBuilder, @unchecked Sendable {
    private(set) var finished = 0

    override var elapsedTime: TimeInterval { 3000 }
    override func statistics(for quantityType: HKQuantityType) -> HKStatistics? { nil }
    override func beginCollection(at start: Date) async throws {}
    override func finishWorkout() async throws -> HKWorkout? {
        finished += 1
        return nil
    }
}

/// Holds them as an app's view model does.
private struct Controls {
    let session: HKWorkoutSession

    func toggle() { session.state == .running ? session.pause() : session.resume() }
    func finish() async throws -> HKWorkout? {
        session.end()
        return try await session.associatedWorkoutBuilder().finishWorkout()
    }
}

@Suite struct StandInTests {
    private static let run = {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        return configuration
    }()

    @Test(.healthKit()) func `a session's double answers in its place`() async throws {
        let session = try PausedByTheTest(healthStore: HKHealthStore(), configuration: Self.run)
        let controls = Controls(session: session)
        controls.toggle()
        #expect(session.state == .paused)
        controls.toggle()
        #expect(try await controls.finish() == nil)
        #expect(session.calls == ["pause", "resume", "end"])
        #expect(session.ten.finished == 1)
        #expect(session.associatedWorkoutBuilder().elapsedTime == 3000)
        #expect(session.associatedWorkoutBuilder().statistics(for: HKQuantityType(.heartRate)) == nil)
        try await session.sendToRemoteWorkoutSession(data: Data([1, 2]))
        #expect(session.calls.last == "send 2")
        #expect(session.activityType == .running)
        #expect(try NamedSession(name: "interval").name == "interval")
    }

    @Test(.healthKit(authorization: .allowedBefore)) func `methods that a double does not override keep working`()
        async throws
    {
        final class Delegate: NSObject, HKLiveWorkoutBuilderDelegate, @unchecked Sendable {
            var types: Set<HKSampleType> = []
            func workoutBuilder(_ builder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>) {
                types.formUnion(collectedTypes)
            }
            func workoutBuilderDidCollectEvent(_ builder: HKLiveWorkoutBuilder) {}
        }
        final class Builder: HKLiveWorkoutBuilder, @unchecked Sendable {}
        let builder = Builder(healthStore: HKHealthStore(), configuration: Self.run, device: .local())
        let delegate = Delegate()
        builder.delegate = delegate
        #expect(builder.workoutSession == nil)
        #expect(builder.device == .local())
        let end = Date()
        let start = end - 60
        try await builder.beginCollection(at: start)
        let heartRate = HKQuantityType(.heartRate)
        let quantity = HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 120)
        try await builder.addSamples([HKQuantitySample(type: heartRate, quantity: quantity, start: end, end: end)])
        #expect(builder.statistics(for: heartRate)?.averageQuantity() == quantity)
        try await builder.endCollection(at: end)
        let workout = try await builder.finishWorkout()
        #expect(workout?.duration == 60)
        try await HealthKitWorld.current.until { delegate.types == [heartRate] }
    }

    /// The messages that a watch sends its phone in Apple's sample "Building a multidevice workout app".
    @Test(.healthKit(authorization: .allowedBefore))
    func `statistics received from the other side are read as an array`()
        async throws
    {
        let builder = HKWorkoutBuilder(healthStore: HKHealthStore(), configuration: Self.run, device: nil)
        let start = Date(timeIntervalSinceReferenceDate: 700_000_000)
        try await builder.beginCollection(at: start)
        let samples = [(HKQuantityType(.heartRate), "count/min", 120.0), (HKQuantityType(.distanceCycling), "m", 900)]
            .map { type, unit, value in
                HKQuantitySample(
                    type: type, quantity: HKQuantity(unit: HKUnit(from: unit), doubleValue: value), start: start,
                    end: start + 60)
            }
        try await builder.addSamples(samples)
        let all = Array(builder.allStatistics.values)
        let data = try NSKeyedArchiver.archivedData(withRootObject: all, requiringSecureCoding: true)
        let read = try #require(try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: HKStatistics.self, from: data))
        #expect(read.count == 2)
        let distance = read.first { $0.quantityType == HKQuantityType(.distanceCycling) }
        #expect(distance?.sumQuantity() == HKQuantity(unit: .meter(), doubleValue: 900))
        // The receiver tries one kind of message after another.
        for other in [Data(), Data("{\"elapsed\":3}".utf8), data.prefix(data.count / 2)] {
            #expect(throws: (any Error).self) {
                try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: HKStatistics.self, from: other)
            }
        }
        let units = try NSKeyedArchiver.archivedData(withRootObject: [HKUnit.meter()], requiringSecureCoding: true)
        #expect(throws: (any Error).self) {
            try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: HKStatistics.self, from: units)
        }
        let single = try NSKeyedArchiver.archivedData(withRootObject: all[0], requiringSecureCoding: true)
        #expect(throws: (any Error).self) {
            try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: HKStatistics.self, from: single)
        }
        let dates = [NSDate(), NSDate(timeIntervalSince1970: 0)]
        let other = try NSKeyedArchiver.archivedData(withRootObject: dates, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: NSDate.self, from: other) == dates)
    }

    @Test(.healthKit(authorization: .allowedBefore)) func `medication doses have a predicate of their own`()
        async throws
    {
        let predicate: HKSamplePredicate<HKMedicationDoseEvent> = .medicationDoseEvent()
        let descriptor = HKSampleQueryDescriptor(predicates: [predicate], sortDescriptors: [])
        let doses: [HKMedicationDoseEvent] = try await descriptor.result(for: HKHealthStore())
        #expect(doses.isEmpty)
        let taken = HKQuery.predicateForMedicationDoseEvent(status: .taken)
        #expect(HKSamplePredicate.medicationDoseEvent(taken).nsPredicate == taken)
        #expect(predicate.sampleType == .medicationDoseEventType())
    }
}
