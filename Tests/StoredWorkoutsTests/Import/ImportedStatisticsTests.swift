import Analytics
import Foundation
import FoundationXML
import GRDB
import MadeSamples
import SessionLog
import StoredWorkouts
import Testing

/// Counts, sums, hourly and daily figures of imported data, compared with those that this file computes from the XML:
/// with another parser, without runs and summaries, and second by second.
@Suite struct ImportedStatisticsTests {
    private static let files = [
        "mini-workout-route.xml", "phone-steps-v3.xml", "watch-attributes-multiline.xml", "synthetic-v14.xml",
        "synthetic-ios16-broken-dtd.xml",
    ]

    // The exports are not part of this repository.
    @Test(.enabled(if: HealthImportTests.hasData), arguments: files)
    func `hours and days of an export are those of its XML`(name: String) throws {
        try Self.compare(Data(contentsOf: HealthImportTests.folder.appending(path: name)))
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `hours and days of a generated export are those of its XML, also at clock changes`(seed: UInt64) throws {
        try Self.compare(Data(MadeExport.text(seed: seed).utf8))
    }

    private static func compare(_ xml: Data) throws {
        let records = try RecordsOfXML.read(xml)
        try #require(!records.isEmpty)
        try TemporaryFolder.with { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let file = URL(fileURLWithPath: folder + "/export.xml")
            try xml.write(to: file)
            let path = folder + "/health.sqlite"
            let database = SQLiteHealthDatabase(.file(path))
            let summary = try HealthImport.run(file, into: database)
            // Later sources come first.
            let priority = try DatabaseQueue(path: path).read {
                try String.fetchAll($0, sql: "SELECT name FROM source ORDER BY id DESC")
            }
            for (identifier, list) in Dictionary(grouping: records, by: \.type) {
                guard let type = TypeCatalogue.quantityType(identifier: identifier) else { continue }
                #expect(summary.types[identifier]?.added == list.count, "\(identifier)")
                let expected = try ExpectedFigures(list, type, priority)
                for bounds in [expected.hours(), expected.days()] {
                    let buckets = try database.statistics(
                        SampleSelection(type), bounds: .dates(bounds), separatingSources: true)
                    expected.compare(buckets, bounds)
                }
            }
        }
    }
}

private struct RecordOfXML {
    var type = ""
    var source = ""
    var unit = ""
    var value = 0.0
    var start = Date()
    var end = Date()
}

/// The top-level records of an export, read with Foundation's parser.
private final class RecordsOfXML: NSObject, XMLParserDelegate {
    private var records: [RecordOfXML] = []
    private var depth = 0
    private let dates = DateFormatter()

    static func read(_ xml: Data) throws -> [RecordOfXML] {
        var text = String(decoding: xml, as: UTF8.self)
        // Apple's document types are ill-formed in some versions, and not needed.
        if let begin = text.range(of: "<!DOCTYPE"),
            let end = text.range(of: "]>", range: begin.upperBound..<text.endIndex)
        {
            text.removeSubrange(begin.lowerBound..<end.upperBound)
        }
        text.unicodeScalars.removeAll { $0.value < 0x20 && !["\n", "\r", "\t"].contains($0) }
        let reader = RecordsOfXML()
        reader.dates.locale = Locale(identifier: "en_US_POSIX")
        reader.dates.dateFormat = "yyyy-MM-dd HH:mm:ss Z"
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = reader
        try #require(parser.parse(), "\(String(describing: parser.parserError))")
        return reader.records
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        depth += 1
        // The members of correlations are at the top level, too.
        guard name == "Record", depth == 2, let value = attributes["value"].flatMap(Double.init),
            let unit = attributes["unit"], let start = attributes["startDate"].flatMap(dates.date),
            let end = attributes["endDate"].flatMap(dates.date)
        else { return }
        records.append(
            RecordOfXML(
                type: attributes["type"] ?? "", source: attributes["sourceName"] ?? "", unit: unit, value: value,
                start: start, end: end))
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        depth -= 1
    }
}

private struct ExpectedFigures {
    private struct Value {
        var value: Double
        var start: Double
        var end: Double
    }

    /// Figures that are as simple as possible.
    private struct Figures {
        var count = 0
        var sum = 0.0
        var minimum = Double.infinity
        var maximum = -Double.infinity
        var integral = 0.0
        var seconds = 0.0

        mutating func add(_ other: Figures) {
            count += other.count
            sum += other.sum
            minimum = min(minimum, other.minimum)
            maximum = max(maximum, other.maximum)
            integral += other.integral
            seconds += other.seconds
        }
    }

    private let type: HKQuantityType
    private let bySource: [String: [Value]]
    /// The highest priority first.
    private let priority: [String]
    private let calendar: Calendar

    init(_ records: [RecordOfXML], _ type: HKQuantityType, _ priority: [String]) throws {
        self.type = type
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
        self.calendar = calendar
        var bySource: [String: [Value]] = [:]
        for record in records {
            let quantity = HKQuantity(unit: try HKUnit.parse(record.unit), doubleValue: record.value)
            bySource[record.source, default: []].append(
                Value(
                    value: quantity.doubleValue(for: type.recordingUnit),
                    start: record.start.timeIntervalSinceReferenceDate,
                    end: record.end.timeIntervalSinceReferenceDate))
        }
        self.bySource = bySource.mapValues { $0.sorted { ($0.start, $0.end) < ($1.start, $1.end) } }
        self.priority = priority.filter { bySource[$0] != nil }
    }

    private var first: Date { Date(timeIntervalSinceReferenceDate: bySource.values.map { $0[0].start }.min() ?? 0) }
    private var last: Date {
        Date(timeIntervalSinceReferenceDate: bySource.values.flatMap { $0.map(\.end) }.max() ?? 0)
    }

    func hours() -> [Date] {
        let first = (first.timeIntervalSinceReferenceDate / 3600).rounded(.down) * 3600
        return stride(from: first, through: last.timeIntervalSinceReferenceDate + 3600, by: 3600).map {
            Date(timeIntervalSinceReferenceDate: $0)
        }
    }

    func days() -> [Date] {
        var days = [calendar.startOfDay(for: first)]
        while let day = days.last, day <= last {
            days.append(calendar.startOfDay(for: day + 30 * 3600))
        }
        return days
    }

    // MARK: By source

    private func own(_ values: [Value], from: Double, to: Double) -> Figures {
        let isCumulative = type.aggregationStyle == .cumulative
        var figures = Figures()
        var previous: Value?
        for value in values {
            let isMoment = value.start == value.end
            guard isMoment ? value.start >= from && value.start < to : value.start < to && value.end > from else {
                continue
            }
            let start = max(value.start, from)
            let end = min(value.end, to)
            let share = isCumulative && !isMoment ? (end - start) / (value.end - value.start) : 1
            figures.count += 1
            figures.sum += value.value * share
            figures.minimum = min(figures.minimum, value.value * share)
            figures.maximum = max(figures.maximum, value.value * share)
            figures.integral += value.value * (end - start)
            figures.seconds += end - start
            if let previous, start > previous.end, start - previous.end <= 30 {
                figures.integral += previous.value * (start - previous.end)
                figures.seconds += start - previous.end
            }
            previous = Value(value: value.value, start: start, end: end)
        }
        return figures
    }

    // MARK: All sources

    /// The sum in which overlapping time counts once: between two moments at which something begins or ends, the
    /// first source with a value counts.
    private func mergedSum(from: Double, to: Double) -> Double {
        let all = bySource.mapValues { $0.filter { $0.start < to && $0.end >= from } }
        let moments = Set(all.values.flatMap { $0.flatMap { [$0.start, $0.end] } } + [from, to]).sorted()
            .filter { $0 >= from && $0 <= to }
        var sum = 0.0
        for (start, end) in zip(moments, moments.dropFirst()) {
            for source in priority {
                let here = (all[source] ?? []).filter { $0.start <= start && $0.end >= end && $0.start < $0.end }
                guard !here.isEmpty else { continue }
                sum += here.reduce(0) { $0 + $1.value * (end - start) / ($1.end - $1.start) }
                break
            }
        }
        // A value without a duration counts if no earlier source covers its moment.
        for (index, source) in priority.enumerated() {
            for value in all[source] ?? [] where value.start == value.end && value.start < to {
                let isCovered = priority[..<index].contains { other in
                    (all[other] ?? []).contains { $0.start <= value.start && $0.end > value.start }
                }
                if !isCovered { sum += value.value }
            }
        }
        return sum
    }

    func compare(_ buckets: [StatisticsBucket], _ bounds: [Date]) {
        let byStart = Dictionary(uniqueKeysWithValues: buckets.map { ($0.start, $0) })
        var counted = 0
        for (start, end) in zip(bounds, bounds.dropFirst()) {
            let from = start.timeIntervalSinceReferenceDate
            let to = end.timeIntervalSinceReferenceDate
            var total = Figures()
            for (source, values) in bySource {
                let own = own(values, from: from, to: to)
                total.add(own)
                let stored = byStart[start]?.bySource.first { $0.key.name == source }?.value
                #expect((stored?.count ?? 0) == own.count, "\(type.identifier) of \(source) from \(start)")
                guard let stored, own.count > 0 else { continue }
                expect(stored, own, "\(source) from \(start)")
            }
            counted += total.count
            guard let bucket = byStart[start] else { continue }
            #expect(bucket.end == end)
            if type.aggregationStyle == .cumulative {
                let sum = mergedSum(from: from, to: to)
                #expect(
                    isNear(bucket.total.sum, sum), "\(type.identifier) from \(start): \(bucket.total.sum), not \(sum)")
            } else {
                expect(bucket.total, total, "all from \(start)")
            }
        }
        #expect(counted >= bySource.values.reduce(0) { $0 + $1.count })
    }

    private func expect(_ stored: RunningStatistics, _ own: Figures, _ place: String) {
        #expect(stored.count == own.count, "\(type.identifier) of \(place)")
        #expect(isNear(stored.sum, own.sum), "\(type.identifier) of \(place): \(stored.sum), not \(own.sum)")
        #expect(isNear(stored.minimum, own.minimum), "\(type.identifier) of \(place)")
        #expect(isNear(stored.maximum, own.maximum), "\(type.identifier) of \(place)")
        let mean = own.sum / Double(own.count)
        let average: Double? =
            switch type.averagingRule {
            case .arithmetic: mean
            case .temporal: own.seconds > 0 ? own.integral / own.seconds : mean
            case .continuousLevel: nil
            }
        if let average { #expect(isNear(stored.average ?? .nan, average), "\(type.identifier) of \(place)") }
    }

    private func isNear(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= 1e-6 * max(1, abs(a), abs(b)) }
}

/// Three days around both clock changes of a year: overlapping steps of a watch and a phone, and heart rates at any
/// interval.
private enum MadeExport {
    static func text(seed: UInt64) -> String {
        var random = SeededGenerator(seed: seed)
        var body = ""
        for (day, offsets) in [("2024-03-30", [1, 2]), ("2024-10-26", [2, 1])] {
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.dateFormat = "yyyy-MM-dd HH:mm:ss Z"
            guard let first = formatter.date(from: "\(day) 00:00:00 +0\(offsets[0])00") else { continue }
            // A phone writes all dates in one time zone, whatever it was at the time.
            formatter.timeZone = TimeZone(secondsFromGMT: offsets[Int.random(in: 0...1, using: &random)] * 3600)
            for source in ["Watch", "Phone"] {
                var second = 0
                while second < 3 * 86_400 {
                    let length = [0, 30, 600, 5000][Int.random(in: 0..<4, using: &random)]
                    body += record(
                        "StepCount", source, "count", "\(Int.random(in: 1...400, using: &random))",
                        formatter.string(from: first + Double(second)),
                        formatter.string(from: first + Double(second + length)))
                    second += length + Int.random(in: 0...1200, using: &random)
                }
            }
            var second = 0
            while second < 3 * 86_400 {
                let date = formatter.string(from: first + Double(second))
                body += record(
                    "HeartRate", "Watch", "count/min", "\(Int.random(in: 45...185, using: &random))", date, date)
                second += [1, 5, 29, 31, 300][Int.random(in: 0..<5, using: &random)]
            }
        }
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<HealthData locale=\"de_DE\">\n\(body)</HealthData>\n"
    }

    private static func record(
        _ type: String, _ source: String, _ unit: String, _ value: String, _ start: String, _ end: String
    ) -> String {
        " <Record type=\"HKQuantityTypeIdentifier\(type)\" sourceName=\"\(source)\" unit=\"\(unit)\" "
            + "creationDate=\"\(end)\" startDate=\"\(start)\" endDate=\"\(end)\" value=\"\(value)\"/>\n"
    }
}
