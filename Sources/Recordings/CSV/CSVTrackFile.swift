import Foundation
import SessionLog

/// The separator of columns in a table.
protocol TableDelimiter {
    static var byte: UInt8 { get }
}

/// RFC 4180.
enum Commas: TableDelimiter { static let byte = UInt8(ascii: ",") }
enum Tabs: TableDelimiter { static let byte: UInt8 = 0x09 }

/// A workout as a table: a row per moment and a column per quantity, separated by commas (RFC 4180) or tabs.
///
/// There are columns only for values that the workout has: `time` (ISO 8601, UTC, milliseconds), `seconds` since the
/// start, `event` and the quantities with their units in their names. Events are `start running`, `workout` with its
/// ID, `device` with its name, `pause`, `resume`, `lap` (with its seconds if it does not begin at the end of the
/// previous lap), `part cycling`, `end`, and other events by their names.
/// A moment with several RR intervals, or with several values of a kind, has several rows of the same time, so that
/// each cell holds one number.
struct CSVTrackFile<Delimiter: TableDelimiter>: RowFile {
    static var secondsApart: Double { 0 }
    static var countsPartsAnew: Bool { false }

    private enum Column {
        case channel(TrackChannel)
        case latitude, longitude, altitude, horizontalAccuracy, verticalAccuracy, course, interval
        case other(Int)
    }

    private let outline: WorkoutOutline
    private let columns: [(name: String, column: Column)]
    private var bytes: [UInt8] = []
    private var latestLapEnd: Date?
    var leftOut = Omissions()

    init(_ outline: WorkoutOutline) throws {
        self.outline = outline
        var columns: [(String, Column)] = []
        let names: [(TrackChannel, String)] = [
            (.heartRate, "heart_rate_bpm"), (.distance, "distance_m"), (.speed, "speed_m_s"),
            (.cadence, "cadence_rpm"), (.power, "power_w"), (.temperature, "temperature_c"), (.energy, "energy_kcal"),
            (.strideLength, "stride_length_m"), (.verticalOscillation, "vertical_oscillation_cm"),
            (.groundContactTime, "ground_contact_time_ms"),
        ]
        for (channel, name) in names {
            let isMeasured = outline.parts.contains { $0.types[channel] != nil }
            if isMeasured || channel == .speed && outline.hasPositions { columns.append((name, .channel(channel))) }
        }
        if outline.hasBeats { columns.append(("rr_ms", .interval)) }
        if outline.hasPositions {
            columns += [
                ("latitude", .latitude), ("longitude", .longitude), ("altitude_m", .altitude),
                ("horizontal_accuracy_m", .horizontalAccuracy), ("vertical_accuracy_m", .verticalAccuracy),
                ("course_deg", .course),
            ]
        }
        for type in outline.typesWithoutChannel {
            let (name, unit) = outline.types[type]
            columns.append(("\(name) (\(unit))", .other(type)))
        }
        self.columns = columns
    }

    mutating func begin(to output: inout [UInt8]) {
        for (index, name) in (CSVHeader.ownNames + columns.map(\.name)).enumerated() {
            if index > 0 { output.append(Delimiter.byte) }
            output += Array(Self.quoted(name).utf8)
        }
        output += [0x0D, 0x0A]
    }

    mutating func write(_ moment: TrackMoment, to output: inout [UInt8]) {
        var intervals = moment.beatsInMilliseconds[...]
        row(at: moment.date, event: "", moment, interval: intervals.popFirst())
        while let next = intervals.popFirst() { row(at: moment.date, event: "", nil, interval: next) }
        take(to: &output)
    }

    mutating func write(_ mark: TrackMark, to output: inout [UInt8]) {
        switch mark {
        case .started(let date):
            row(at: date, event: "start \(outline.parts[0].activity.activity)", nil)
            if let id = outline.header?.ownID { row(at: date, event: TableEvent.workout(id), nil) }
            if let name = outline.recorder?.name { row(at: date, event: TableEvent.device(name), nil) }
        case .paused(let date): row(at: date, event: "pause", nil)
        case .resumed(let date): row(at: date, event: "resume", nil)
        case .stretchEnded(let number):
            guard outline.stretches.indices.contains(number), outline.stretches[number].isLap else { break }
            let lap = outline.stretches[number]
            let before = latestLapEnd ?? outline.start ?? lap.start
            let goesOn = abs(lap.start.timeIntervalSince(before)) < 0.0005
            let seconds = (lap.elapsedInSeconds * 1000).rounded() / 1000
            row(at: lap.end, event: TableEvent.lap(goesOn ? nil : seconds), nil)
            latestLapEnd = lap.end
        case .lapNamed: break
        case .partBegan(let number):
            let part = outline.parts[number]
            row(at: part.span.start, event: "part \(part.activity.activity)", nil)
        case .event(let event, let date): row(at: date, event: event.kind.rawValue, nil)
        case .stopped(let date): row(at: date, event: "end", nil)
        }
        take(to: &output)
    }

    func finish(to output: inout [UInt8]) {}

    private mutating func take(to output: inout [UInt8]) {
        output += bytes
        bytes.removeAll(keepingCapacity: true)
    }

    private mutating func row(at date: Date, event: String, _ moment: TrackMoment?, interval: Double? = nil) {
        SessionLogDate.appendText(date, to: &bytes)
        bytes.append(Delimiter.byte)
        let seconds = outline.start.map { date.timeIntervalSince($0) } ?? 0
        if seconds.isFinite { JSONNumber.append((seconds * 1e6).rounded() / 1e6, to: &bytes) }
        bytes.append(Delimiter.byte)
        bytes += Array(Self.quoted(event).utf8)
        for (_, column) in columns {
            bytes.append(Delimiter.byte)
            guard let value = value(column, moment, interval), value.isFinite else { continue }
            JSONNumber.append(value, to: &bytes)
        }
        bytes += [0x0D, 0x0A]
    }

    private func value(_ column: Column, _ moment: TrackMoment?, _ interval: Double?) -> Double? {
        switch column {
        case .channel(let channel): moment?[channel]
        case .latitude: moment?.position?.latitudeInDegrees
        case .longitude: moment?.position?.longitudeInDegrees
        case .altitude: moment?.position?.altitudeInMeters
        case .horizontalAccuracy: moment?.position?.horizontalAccuracyInMeters
        case .verticalAccuracy: moment?.position?.verticalAccuracyInMeters
        case .course: moment?.position?.courseInDegrees
        case .interval: interval
        case .other(let type): moment?.others.first { $0.type == type }?.value
        }
    }

    private static func quoted(_ text: String) -> String {
        guard text.utf8.contains(Delimiter.byte) || text.contains(where: { $0 == "\"" || $0.isNewline }) else {
            return text
        }
        return "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }
}
