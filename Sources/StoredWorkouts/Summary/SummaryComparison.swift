/// The differences between two summaries, which are JSON as `workout show --json` and `workout replay --json` print it.
///
/// Each run of a workout has its own identity and dates, so `id` and `source` are not compared, and times count from the start
/// of the workout. The parts `file` are compared if both have one.
package struct SummaryComparison: Sendable {
    /// A member with different values, or that only one of the two has.
    package struct Difference: Sendable, Equatable, CustomStringConvertible {
        /// The path of the member: `workout.statistics.HKQuantityTypeIdentifierHeartRate.average`.
        package var path: String
        /// Nil if it lacks the member.
        package var first: String?
        package var second: String?

        package var description: String {
            switch (first, second) {
            case (let first?, let second?): "\(path): \(first), not \(second)"
            case (let first?, nil): "\(path): \(first) only in the first"
            case (nil, let second): "\(path): \(second ?? "nothing") only in the second"
            }
        }
    }

    private let tolerance: SummaryTolerance
    private static let passedOver: Set = ["id", "source"]

    package init(_ tolerance: SummaryTolerance = SummaryTolerance()) {
        self.tolerance = tolerance
    }

    /// - Parameters: One JSON object each, in UTF-8.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for anything else.
    package func differences(_ first: Data, _ second: Data) throws -> [Difference] {
        var first = try Self.summary(first)
        var second = try Self.summary(second)
        // A stored workout has no file.
        if first["file"] == nil || second["file"] == nil, first["workout"] != nil, second["workout"] != nil {
            first["file"] = nil
            second["file"] = nil
        }
        var found: [Difference] = []
        compare(first, second, [], Self.start(of: first), Self.start(of: second), &found)
        return found
    }

    private static func summary(_ data: Data) throws -> [String: Any] {
        guard let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            object["workout"] is [String: Any] || object["file"] is [String: Any]
        else {
            throw HKError.make(
                .errorInvalidArgument,
                "This is not a workout summary: it must be one JSON object, as 'workout show --json' prints.")
        }
        return object
    }

    /// Returns whether bytes look like a summary.
    package static func isSummary(_ data: Data) -> Bool { (try? summary(data)) != nil }

    private static func start(of summary: [String: Any]) -> Date? {
        ((summary["workout"] as? [String: Any])?["start"] as? String).flatMap(date)
    }

    private static func date(_ text: String) -> Date? {
        try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private func compare(
        _ first: Any, _ second: Any, _ path: [String], _ firstStart: Date?, _ secondStart: Date?,
        _ found: inout [Difference]
    ) {
        if let a = first as? [String: Any], let b = second as? [String: Any] {
            for name in Set(a.keys).union(b.keys).sorted() where !Self.passedOver.contains(name) {
                compareMembers(a[name], b[name], path + [name], firstStart, secondStart, &found)
            }
        } else if let a = first as? [Any], let b = second as? [Any] {
            for index in 0..<max(a.count, b.count) {
                let name = String(index)
                compareMembers(
                    index < a.count ? a[index] : nil, index < b.count ? b[index] : nil, path + [name], firstStart,
                    secondStart, &found)
            }
        } else if let a = Self.number(first, from: firstStart), let b = Self.number(second, from: secondStart) {
            if !tolerance.allows(a, b, at: path) { found.append(difference(path, first, second)) }
        } else if Self.text(first) != Self.text(second) {
            found.append(difference(path, first, second))
        }
    }

    /// Compares members that one of them may lack.
    private func compareMembers(
        _ first: Any?, _ second: Any?, _ path: [String], _ firstStart: Date?, _ secondStart: Date?,
        _ found: inout [Difference]
    ) {
        if let first, let second { return compare(first, second, path, firstStart, secondStart, &found) }
        found.append(
            Difference(path: path.joined(separator: "."), first: first.map(Self.text), second: second.map(Self.text)))
    }

    private func difference(_ path: [String], _ first: Any, _ second: Any) -> Difference {
        Difference(path: path.joined(separator: "."), first: Self.text(first), second: Self.text(second))
    }

    /// Returns a time as seconds since the start.
    private static func number(_ value: Any, from start: Date?) -> Double? {
        if let text = value as? String { return start.flatMap { start in date(text)?.timeIntervalSince(start) } }
        return (value as? NSNumber)?.doubleValue
    }

    private static func text(_ value: Any) -> String {
        if let text = value as? String { return text }
        if let number = value as? NSNumber { return number.stringValue }
        let data = try? JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
        return data.map { String(decoding: $0, as: UTF8.self) } ?? "\(value)"
    }
}
