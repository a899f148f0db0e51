import Analytics
import Foundation
import Synchronization

/// The heart rates of all days in an export of Mi Fitness (`…hlth_center_fitness_data.csv`) or Zepp
/// (`HEARTRATE_AUTO_….csv` and `HEARTRATE_….csv`), mostly one a minute.
final class BandHeartRates: Sendable {
    private let sources: [(kind: Kind, source: RecordingSource)]
    private let all = Mutex<(readings: [TimedReading], hasZone: Bool)?>(nil)

    private enum Kind { case miFitness, zepp }

    /// Returns nil without such a file.
    /// - Parameter files: Names with their folders, and contents. Other files are ignored.
    init?(_ files: some Sequence<(name: String, source: RecordingSource)>) {
        sources = files.compactMap { name, source in
            let last = TakeoutFiles.lastPart(of: name)
            if last.hasSuffix("hlth_center_fitness_data.csv") { return (.miFitness, source) }
            return last.wholeMatch(of: #/HEARTRATE(_AUTO)?_\d+\.csv/#) == nil ? nil : (.zepp, source)
        }
        if sources.isEmpty { return nil }
    }

    /// Returns the heart rates of a time, and whether their times have a time zone.
    /// - Parameters:
    ///   - start: In seconds since 2001, as is the end.
    ///   - zone: The time zone of times that state none. Always the same.
    func readings(from start: Double, to end: Double, zone: TimeZone) -> (readings: [TimedReading], hasZone: Bool) {
        let (readings, hasZone) = all.withLock { all in
            if let all { return all }
            let read = Self.read(sources, zone)
            all = read
            return read
        }
        let first = readings.partitioningIndex { $0.time >= start }
        return (Array(readings[first...].prefix { $0.time <= end }), hasZone)
    }

    /// If a file cannot be read to its end, the heart rates before it count: its damage is no fault of a workout.
    private static func read(
        _ sources: [(kind: Kind, source: RecordingSource)], _ zone: TimeZone
    ) -> (readings: [TimedReading], hasZone: Bool) {
        var readings: [TimedReading] = []
        var hasZone = true
        for (kind, source) in sources {
            guard let bytes = try? source.open(),
                let lines = try? TableLines(bytes, lineEnd: 0x0A, from: TableLayout.Place())
            else { continue }
            var midnight = (day: "", seconds: 0.0)
            while let line = (try? lines.next()) ?? nil {
                let reading: TimedReading?
                switch kind {
                case .miFitness: reading = Self.miFitness(line)
                case .zepp: reading = Self.zepp(line, zone, &midnight, &hasZone)
                }
                if let reading, 20...300 ~= reading.value { readings.append(reading) }
            }
        }
        return (readings.sorted { $0.time < $1.time }, hasZone)
    }

    /// Reads a row with the key `heart_rate` and an object such as `{"time":1772323200,"bpm":60}`, whose quotes may be
    /// doubled.
    private static func miFitness(_ line: UnsafeBufferPointer<UInt8>) -> TimedReading? {
        guard line.contains("heart_rate"), let time = line.number(after: "\"time\""),
            let rate = line.number(after: "\"bpm\"")
        else { return nil }
        return TimedReading(time: TrackPoint.time(unixSeconds: time), value: rate)
    }

    /// Reads `2026-03-01,00:01,61`, or `2026-03-01 00:01:00+0000,61`.
    private static func zepp(
        _ line: UnsafeBufferPointer<UInt8>, _ zone: TimeZone, _ midnight: inout (day: String, seconds: Double),
        _ hasZone: inout Bool
    ) -> TimedReading? {
        let fields = String(decoding: line, as: UTF8.self).split { $0 == "," || $0.isNewline }
        guard let rate = fields.last.flatMap({ Double($0) }) else { return nil }
        if fields.count == 2 {
            return String(fields[0]).tableMoment().map { TimedReading(time: $0.seconds, value: rate) }
        }
        guard fields.count == 3, let clock = String(fields[1]).tableClockOfDay else { return nil }
        if midnight.day != fields[0] {
            guard let moment = String(fields[0]).tableMoment() else { return nil }
            midnight = (String(fields[0]), moment.seconds)
        }
        hasZone = false
        let seconds = midnight.seconds + clock
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: seconds))
        return TimedReading(time: seconds - Double(offset), value: rate)
    }
}

extension UnsafeBufferPointer<UInt8> {
    private func end(of text: StaticString) -> Int? {
        guard let base = baseAddress else { return nil }
        let length = text.utf8CodeUnitCount
        var place = 0
        while place + length <= count {
            guard let found = memchr(base + place, Int32(text.utf8Start[0]), count - place - length + 1) else {
                return nil
            }
            place = base.distance(to: UnsafePointer(found.assumingMemoryBound(to: UInt8.self)))
            if memcmp(base + place, text.utf8Start, length) == 0 { return place + length }
            place += 1
        }
        return nil
    }

    fileprivate func contains(_ text: StaticString) -> Bool { end(of: text) != nil }

    /// Returns the number behind a name, quotes and a colon.
    fileprivate func number(after name: StaticString) -> Double? {
        guard let end = end(of: name) else { return nil }
        let rest = self[end...].drop { [UInt8(ascii: "\""), UInt8(ascii: ":"), UInt8(ascii: " ")].contains($0) }
        return Double(String(decoding: rest.prefix { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }, as: UTF8.self))
    }
}
