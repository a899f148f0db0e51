public import Foundation
public import HealthKit
import Recordings

extension HealthKitWorld {
    /// What came into the store since the world began, in order: workouts and their samples, what the app saved itself. What was
    /// deleted again is not there.
    public var saved: [HKSample] {
        get throws {
            let types = TypeCatalogue.objectTypes.compactMap { $0 as? HKSampleType }
            return try database.changes(types.map { SampleSelection($0) }, after: firstChange, limit: nil).added
        }
    }

    /// The workouts among what was ``saved``.
    public var savedWorkouts: [HKWorkout] {
        get throws {
            try database.changes([SampleSelection(.workoutType())], after: firstChange, limit: nil).added
                .compactMap { $0 as? HKWorkout }
        }
    }

    /// Puts objects into the store, as other apps and devices do: without asking anybody.
    ///
    /// - Parameter source: The app that they come from: its name. Nil for the app that is tested.
    public func place(_ objects: [HKObject], from source: String? = nil) throws {
        let revision = source.map {
            HKSourceRevision(source: HKSource(name: $0, bundleIdentifier: "local.\($0)"), version: nil)
        }
        try database.save(objects, from: revision ?? .current)
    }

    /// The log of a workout: JSON Lines, which `workout replay` reads, and `workout diff` compares. Of the one that was begun last
    /// if `index` says nothing else.
    ///
    /// - Throws: ``WorldError`` where there is no such workout.
    public func log(ofWorkout index: Int? = nil) async throws -> String {
        var encoder = SessionLogEncoder()
        try await sessionLog(ofWorkout: index).forEach { try encoder.append($0) }
        return String(decoding: encoder.bytes, as: UTF8.self)
    }

    /// The same log, entry by entry. Of the workout that was begun last if `index` says nothing else.
    ///
    /// - Throws: ``WorldError`` where there is no such workout.
    public func entries(ofWorkout index: Int? = nil) async throws -> [LogEntry] {
        var entries: [LogEntry] = []
        try await sessionLog(ofWorkout: index).forEach { entries.append(try LogEntry($0)) }
        return entries
    }

    private func sessionLog(ofWorkout index: Int?) async throws -> SessionLog {
        let all = workouts.all
        guard let last = index ?? (all.isEmpty ? nil : all.count - 1), all.indices.contains(last) else {
            throw WorldError("There is no such workout in the world of \(name). \(standing)")
        }
        return await all[last].log
    }

    /// Without faults, and without permissions: the test sees all.
    var database: any HealthDatabase {
        get throws {
            guard let environment = lifetime.environment else {
                throw WorldError("The world of \(name) has ended.")
            }
            // What sessions have measured so far is there, as it is for the app's queries.
            environment.liveSessions.save()
            let database = environment.database
            return (database as? FaultyDatabase)?.whole ?? database
        }
    }
}

/// An entry of a workout's log, as its line says it: `entry["sample"] == "heartRate"`, `entry["value"] == 142`. The article on the
/// session log (`SessionLog.md`) has the names and units.
public struct LogEntry: Sendable, Equatable {
    /// On the session's time line.
    public let date: Date
    /// All of the line but its date.
    public let values: [String: Value]

    /// Nil for what the entry does not say.
    public subscript(name: String) -> Value? { values[name] }

    /// A value of JSON.
    public enum Value: Sendable, Equatable {
        /// A string; dates of further keys, too, as the log writes them.
        case text(String)
        /// Any number, in the unit that the log's article names.
        case number(Double)
        /// True or false.
        case truth(Bool)
        /// Such as RR intervals in milliseconds.
        case list([Value])
        /// Such as a device's properties.
        case object([String: Value])
    }

    init(_ entry: SessionEntry) throws {
        date = entry.date
        var encoder = SessionLogEncoder()
        try encoder.append(entry)
        let object = try JSONDecoder().decode([String: Value].self, from: Data(encoder.bytes))
        values = object.filter { $0.key != "at" }
    }
}

extension LogEntry.Value: Decodable {
    /// Any value of JSON; null is refused.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let truth = try? container.decode(Bool.self) {
            self = .truth(truth)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([Self].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: Self].self))
        }
    }
}

extension LogEntry.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral
{
    /// Lets `entry["event"] == "lap"` be written.
    public init(stringLiteral value: String) { self = .text(value) }
    /// Lets `entry["value"] == 142` be written.
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    /// Lets `entry["value"] == 98.6` be written.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Lets `entry["value"] == true` be written.
    public init(booleanLiteral value: Bool) { self = .truth(value) }
}

extension HealthKitWorld {
    /// What the app's delegates were called with, in order: those of its sessions and of their builders. What was told while an
    /// object had no delegate is not there.
    public var calls: [DelegateCall] { witness.all }
}
