import Foundation

/// The heart rates of whole days in an export of Fitbit: files such as `heart_rate-2020-01-29.json` beside the list of
/// exercises, which has averages only, or Google's tables (``GoogleDays``).
///
/// The files of JSON state no time zone, and programs that read them disagree on it. So their times are taken for those
/// of the exercises, and for those of a clock in another time zone. Heart rates count for an exercise only if their mean
/// is the average that it states.
final class FitbitHeartRates: Sendable {
    private let days: [String: RecordingSource]
    private let tables: GoogleDays?
    private let latest = LatestValues<String, [Reading]>(3)

    struct Reading: Equatable {
        /// On the file's clock, as if it showed UTC.
        var date: Date
        var beatsPerMinute: Double
    }

    private static let prefix = "heart_rate-"
    private static let megabytes = 16
    /// The average is rounded, and the first and the last reading may lie outside.
    private static let tolerance = 2.0
    /// The same where times have a time zone: the average may be that of another device.
    private static let tableTolerance = 10.0
    /// Fewer do not show that the mean is right.
    private static let fewest = 10

    /// Creates the heart rates of an export. Nil without any.
    /// - Parameter files: Names with their folders, and contents. Other files are ignored.
    init?(_ files: some Sequence<(name: String, source: RecordingSource)>) {
        var days: [String: RecordingSource] = [:]
        for (name, source) in files {
            guard let day = Self.day(of: name) else { continue }
            days[day] = source
        }
        tables = GoogleDays(files, prefix: "heart_rate_", columns: ["beats per minute"])
        self.days = days
        guard !days.isEmpty || tables != nil else { return nil }
    }

    /// Returns the day of a file, such as `2020-01-29`.
    private static func day(of name: String) -> String? {
        guard let last = name.split(separator: "/").last, last.hasPrefix(prefix) else { return nil }
        let day = last.dropFirst(prefix.count).prefix(10)
        return day.wholeMatch(of: #/\d{4}-\d\d-\d\d/#) == nil ? nil : String(day)
    }

    /// Returns the heart rates from `start` to `end`, with the dates of the exercise. Those of files without a time zone
    /// are left out if their mean is not the average, or if there are too few.
    /// - Parameters:
    ///   - average: The mean of the exercise, if it states one.
    ///   - zone: The time zone of the clock, if it did not show UTC.
    func readings(from start: Date, to end: Date, averaging average: Double?, zone: TimeZone) -> [Reading] {
        let rows = tables?.rows(from: start, to: end).filter { 20...300 ~= $0.values[0] } ?? []
        if rows.count >= Self.fewest {
            let mean = rows.reduce(0) { $0 + $1.values[0] } / Double(rows.count)
            if let average, average > 0, abs(mean - average) > Self.tableTolerance { return [] }
            return rows.map {
                Reading(date: Date(timeIntervalSinceReferenceDate: $0.time), beatsPerMinute: $0.values[0])
            }
        }
        guard let average else { return [] }
        let offset = Double(zone.secondsFromGMT(for: start))
        var best: (difference: Double, readings: [Reading])?
        for shift in offset == 0 ? [0] : [0, offset, -offset] {
            let found = readings(on: start + shift...max(start, end) + shift)
            guard found.count >= Self.fewest else { continue }
            let mean = found.reduce(0) { $0 + $1.beatsPerMinute } / Double(found.count)
            let difference = abs(mean - average)
            guard difference <= Self.tolerance, difference < best?.difference ?? .infinity else { continue }
            best = (difference, found.map { Reading(date: $0.date - shift, beatsPerMinute: $0.beatsPerMinute) })
        }
        return best?.readings ?? []
    }

    private func readings(on clock: ClosedRange<Date>) -> [Reading] {
        let days = [clock.lowerBound, clock.upperBound].map { String($0.ISO8601Format().prefix(10)) }
        return Set(days).sorted().flatMap { readings(of: $0) }.filter { clock.contains($0.date) }
    }

    /// A day that cannot be read has no heart rates, and is no fault of a workout.
    private func readings(of day: String) -> [Reading] {
        latest.value(of: day) { days[day].flatMap { try? Self.readings(in: $0) } ?? [] }
    }

    private struct Entry: Decodable {
        var dateTime: String
        var value: Value

        struct Value: Decodable {
            var bpm: Double
            /// From 0 to 3. With 0, the tracker was not worn.
            var confidence: Int?
        }
    }

    private static func readings(in source: RecordingSource) throws -> [Reading] {
        let bytes = try source.all(atMost: megabytes, which: "no day of heart rates")
        var midnights: [Substring: Date] = [:]
        return try JSONDecoder().decode([Entry].self, from: Data(bytes)).compactMap { entry in
            guard entry.value.confidence != 0, 20...300 ~= entry.value.bpm else { return nil }
            // 01/29/20 16:55:30
            let day = entry.dateTime.prefix(8)
            let clock = entry.dateTime.dropFirst(9).split(separator: ":").compactMap { Double($0) }
            guard let midnight = midnights[day] ?? Self.date("\(day) 00:00:00"), clock.count == 3 else {
                return nil
            }
            midnights[day] = midnight
            return Reading(
                date: midnight + clock[0] * 3600 + clock[1] * 60 + clock[2], beatsPerMinute: entry.value.bpm)
        }.sorted { $0.date < $1.date }
    }

    /// Reads a date as exports write it: `01/29/20 16:55:30`.
    static func date(_ text: String) -> Date? {
        guard let match = text.wholeMatch(of: #/(\d\d)/(\d\d)/(\d\d) (\d\d):(\d\d):(\d\d)/#) else { return nil }
        var date = DateComponents()
        date.calendar = Calendar(identifier: .gregorian)
        date.timeZone = .gmt
        (date.month, date.day, date.year) = (Int(match.1), Int(match.2), Int(match.3).map { $0 + 2000 })
        (date.hour, date.minute, date.second) = (Int(match.4), Int(match.5), Int(match.6))
        return date.isValidDate ? date.date : nil
    }
}
