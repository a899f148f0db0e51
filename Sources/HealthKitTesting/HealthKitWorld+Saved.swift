import Engine
public import Foundation
public import HealthKit
import SessionLog

extension HealthKitWorld {
    /// Objects that were stored since the world began, in order: workouts with their samples, and objects that the app saved.
    /// Deleted ones are not included.
    public var saved: [HKSample] {
        get throws {
            let types = TypeCatalogue.objectTypes.compactMap { $0 as? HKSampleType }
            return try database.changes(types.map { SampleSelection($0) }, after: firstChange, limit: nil).added
        }
    }

    /// The workouts in ``saved``.
    public var savedWorkouts: [HKWorkout] {
        get throws {
            try database.changes([SampleSelection(.workoutType())], after: firstChange, limit: nil).added
                .compactMap { $0 as? HKWorkout }
        }
    }

    /// Stores objects like other apps and devices, without permission.
    ///
    /// - Parameter source: The name of the app that saved them. Nil for the tested app.
    public func place(_ objects: [HKObject], from source: String? = nil) throws {
        let revision = source.map {
            HKSourceRevision(source: HKSource(name: $0, bundleIdentifier: "local.\($0)"), version: nil)
        }
        try database.save(objects, from: revision ?? .current)
    }

    /// The log of a workout as JSON Lines, for `workout replay` and `workout diff`. Without `index`, of the last workout that began.
    ///
    /// - Throws: ``WorldError`` if there is no such workout.
    public func log(ofWorkout index: Int? = nil) async throws -> String {
        var encoder = SessionLogEncoder()
        try await sessionLog(ofWorkout: index).forEach { try encoder.append($0) }
        return String(decoding: encoder.bytes, as: UTF8.self)
    }

    /// The entries of a workout's log. Without `index`, of the last workout that began.
    ///
    /// - Throws: ``WorldError`` if there is no such workout.
    public func entries(ofWorkout index: Int? = nil) async throws -> [LogEntry] {
        var entries: [LogEntry] = []
        try await sessionLog(ofWorkout: index).forEach { entries.append(try LogEntry($0)) }
        return entries
    }

    private func sessionLog(ofWorkout index: Int?) async throws -> LiveSessionLog {
        let all = workouts.all
        guard let last = index ?? (all.isEmpty ? nil : all.count - 1), all.indices.contains(last) else {
            throw WorldError("There is no such workout in the world of \(name). \(status)")
        }
        return await all[last].log
    }

    /// Without faults, and without permissions: the test sees all.
    var database: any HealthDatabase {
        get throws {
            guard let environment = lifetime.environment else {
                throw WorldError("The world of \(name) has ended.")
            }
            // It contains the samples of running sessions so far, as for the app's queries.
            environment.liveSessions.save()
            let database = environment.database
            return (database as? FaultyDatabase)?.whole ?? database
        }
    }
}

/// An entry of a workout's log, with the keys of its line: `entry["sample"] == "heartRate"`, `entry["value"] == 142`. The article on
/// the session log (`LogFormat.md`) lists names and units.
public struct LogEntry: Sendable, Equatable {
    /// The entry's date, by the session's clock.
    public let date: Date
    /// All values of the line except its date.
    public let values: [String: Value]

    /// The value of a key. Nil if the entry doesn't have it.
    public subscript(name: String) -> Value? { values[name] }

    /// A value of JSON.
    public enum Value: Sendable, Equatable {
        /// A string, also for dates.
        case text(String)
        /// A number, in the unit of the log's article.
        case number(Double)
        /// True or false.
        case truth(Bool)
        /// A list, such as RR intervals in milliseconds.
        case list([Value])
        /// An object, such as a device's properties.
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
    /// Any value of JSON except null.
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
    /// The calls of the app's delegates of sessions and builders, in order. Calls without a delegate are not included.
    public var calls: [DelegateCall] { delegateCalls.all }
}
