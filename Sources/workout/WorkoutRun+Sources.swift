import Foundation
import HealthKit
import Recordings

extension WorkoutRun {
    /// Runs a recording.
    /// - Parameters:
    ///   - id: Of the workout that becomes of it.
    ///   - saves: Whether the workout goes into the environment's database; otherwise nothing is kept.
    convenience init(
        replaying recording: Recording, speed: Double, keepsDates: Bool, id: UUID = UUID(), saves: Bool = false,
        environment: HealthEnvironment = .current
    ) throws {
        let sensor = try ReplaySensor(recording, speed: speed, keepsDates: keepsDates)
        let stopped = recording.entries.last { $0.content == .state(.stopped) || $0.content == .state(.ended) }
        let start = recording.entries.start
        try self.init(
            id: id, sensor: sensor, activity: recording.activity, wearer: recording.entries.wearer,
            environment: saves ? environment : environment.keepingNothing,
            plannedSeconds: start.flatMap { start in stopped.map { $0.date.timeIntervalSince(start) } })
    }

    /// Runs the simulator.
    convenience init(
        simulating workout: SimulatedWorkout, activity: ActivityDescription, speed: Double, id: UUID = UUID(),
        saves: Bool = false, environment: HealthEnvironment = .current
    ) throws {
        let sensor = ReplaySensor(workout, recordedStart: workout.start, speed: speed)
        try self.init(
            id: id, sensor: sensor, activity: activity, wearer: workout.prefix(8).wearer,
            environment: saves ? environment : environment.keepingNothing,
            plannedSeconds: workout.seconds.map(Double.init))
    }

    /// - Parameter wearer: Whom the recording is of, for whom nothing else says who wears the sensors.
    private convenience init(
        id: UUID, sensor: ReplaySensor, activity: ActivityDescription, wearer: WearerProfile?,
        environment: HealthEnvironment, plannedSeconds: Double?
    ) throws {
        var environment = environment
        environment.sensors = .success([])
        let recorder = WorkoutRecorder(
            id: id, configuration: activity, sensors: [sensor], wearer: environment.wearer ?? wearer,
            journal: try environment.makeJournal(for: id), time: environment.time)
        self.init(
            store: HKHealthStore(environment: environment), recorder: recorder, plannedSeconds: plannedSeconds)
    }
}

extension HealthEnvironment {
    /// The same, but what is saved is gone with the process.
    fileprivate var keepingNothing: HealthEnvironment {
        var copy = self
        copy.wearer = wearer
        copy.database = SQLiteHealthDatabase(.memory)
        copy.journalFolder = nil
        copy.keepsWorkouts = false
        return copy
    }
}

extension Sequence<SessionEntry> {
    /// Who wore the sensors, where that is said.
    fileprivate var wearer: WearerProfile? {
        for entry in self { if case .wearer(let profile) = entry.content { return profile } }
        return nil
    }
}

extension Recording {
    /// The same for the same recording, whenever it is read.
    ///
    /// Not the header's UUID alone: recordings of a simulator with one seed share that.
    var id: UUID {
        var first = StableHash()
        for entry in entries {
            first.add(entry.date.timeIntervalSinceReferenceDate.bitPattern)
            switch entry.content {
            case .header(let header):
                first.add(header.id.uuidString.utf8)
                first.add(header.activity.activity.utf8)
            case .quantity(let reading):
                first.add(reading.type.utf8)
                first.add(reading.value.bitPattern)
            default: break
            }
        }
        var second = first
        second.add(UInt64(entries.count))
        return UUID(first.value, second.value)
    }

    /// What was done, as the header says it.
    var activity: ActivityDescription {
        for entry in entries { if case .header(let header) = entry.content { return header.activity } }
        return ActivityDescription()
    }
}

/// FNV-1a of 64 bits (Fowler, Noll & Vo 1991). Swift's own hashes differ from process to process.
private struct StableHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    mutating func add(_ word: UInt64) {
        add((0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) })
    }
}

extension UUID {
    /// Of the form that RFC 9562 leaves to applications (version 8).
    fileprivate init(_ high: UInt64, _ low: UInt64) {
        let high = high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000
        let low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let bytes = [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
        self.init(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }
}
