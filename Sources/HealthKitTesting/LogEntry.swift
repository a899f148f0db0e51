public import Foundation
import HealthKit
import Recordings

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
