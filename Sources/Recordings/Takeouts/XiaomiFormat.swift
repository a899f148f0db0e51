public import Foundation
import SessionLog

/// A person's exercises from Xiaomi's Mi Fitness or from Zepp (Zepp Life, Mi Fit): a list with the totals of each. Heart
/// rates are in files of all days beside it (``TakeoutFiles``).
///
/// The list of Mi Fitness is `…_MiFitness_hlth_center_sport_record.csv`, with an object of JSON in each row. That of Zepp
/// is `SPORT_….csv`. Field names and units: files of exports from 2019 on.
public struct XiaomiFormat: RecordingFormat {
    /// `xiaomi`.
    public let name = "xiaomi"
    /// The name in sentences.
    public let title = "Mi Fitness, Zepp"
    /// `csv`: the content distinguishes it from other tables.
    public let endings = ["csv"]

    private let files: TakeoutFiles?
    private let activity: String?
    private let zone: TimeZone

    /// Creates the format.
    ///
    /// - Parameters:
    ///   - files: The files beside the list.
    ///   - activity: The activity to use if the list states none: a case of `HKWorkoutActivityType`.
    ///   - zone: The time zone of Zepp's heart rates, which state none.
    public init(files: TakeoutFiles? = nil, activity: String? = nil, zone: TimeZone = .current) {
        self.files = files
        self.activity = activity
        self.zone = zone
    }

    private static let megabytes = 256
    private static let zeppHeader = Array("type,startTime,sportTime(s)".utf8)

    /// Returns whether the first row names the columns of a list of exercises.
    public func recognizes(_ start: FileStart) -> Bool {
        if start.text.starts(with: Self.zeppHeader) { return true }
        let text = String(decoding: start.text, as: UTF8.self)
        let header = text.prefix { !$0.isNewline }
        return header.contains(",Key,") && header.contains(",Value,") && text.contains("sport_type")
    }

    /// Reads a recording of each exercise, in order of time.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        let bytes = try source.all(atMost: Self.megabytes, which: "no list of exercises")
        let isZepp = FileStart(bytes).text.starts(with: Self.zeppHeader)
        let (exercises, undated) = isZepp ? Self.zepp(bytes) : Self.miFitness(bytes)
        let ordered = exercises.sorted { $0.start < $1.start }
        let recordings = ordered.map { $0.recording(self, files, activity: activity, zone: zone) }
        return Recording.list(recordings, undated: undated, format: name)
    }

    private static func zepp(_ bytes: [UInt8]) -> (exercises: [XiaomiExercise], undated: Int) {
        let rows = QuotedRows.named(bytes)
        let exercises = rows.compactMap(XiaomiExercise.init(zepp:))
        return (exercises, rows.count - exercises.count)
    }

    private static func miFitness(_ bytes: [UInt8]) -> (exercises: [XiaomiExercise], undated: Int) {
        var exercises: [XiaomiExercise] = []
        var undated = 0
        var header: [Substring] = []
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            guard !header.isEmpty else {
                header = line.split(separator: ",", omittingEmptySubsequences: false)
                continue
            }
            // The object is quoted, with its quotes doubled, in most exports. In others, it contains bare commas.
            guard let open = line.firstIndex(of: "{"), let close = line.lastIndex(of: "}") else {
                undated += 1
                continue
            }
            let before = line[..<open].split(separator: ",", omittingEmptySubsequences: false)
            let key = header.firstIndex(of: "Key").flatMap { before.indices.contains($0) ? String(before[$0]) : nil }
            let isQuoted = line[..<open].last == "\""
            let object = String(line[open...close])
            let json = isQuoted ? object.replacing("\"\"", with: "\"") : object
            if let exercise = XiaomiExercise(key: key ?? "", json: json) {
                exercises.append(exercise)
            } else {
                undated += 1
            }
        }
        return (exercises, undated)
    }
}

/// An exercise of Mi Fitness or Zepp, with what the band counted. Unknown figures are NaN.
struct XiaomiExercise {
    /// The start and the end in seconds since 2001.
    let start: Double
    private let end: Double
    private let activeSeconds: Double
    private let meters: Double
    private let kilocalories: Double
    private let steps: Double
    /// What the sport is called. Nil for one without a known name.
    private let sport: String?
    private let app: String

    /// Reads an object of Mi Fitness. Returns nil without a start or a duration.
    /// - Parameter key: The name of the sport, such as `outdoor_running`.
    fileprivate init?(key: String, json: String) {
        guard let object = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any] else {
            return nil
        }
        func number(_ name: String) -> Double {
            JSONFile.number(object[name]).flatMap { $0 > 0 ? $0 : nil } ?? .nan
        }
        start = TrackPoint.time(unixSeconds: number("start_time"))
        activeSeconds = number("duration")
        let stated = TrackPoint.time(unixSeconds: number("end_time"))
        end = stated > start ? stated : start + activeSeconds
        meters = number("distance")
        kilocalories = number("calories")
        steps = number("steps")
        // Riding is cycling, unless there is a horse.
        sport = key.contains("horse") ? key : key.replacingOccurrences(of: "riding", with: "cycling")
        app = "Mi Fitness"
        guard TakeoutFiles.canLast(from: start, to: end) else { return nil }
    }

    /// Reads a row of Zepp. Returns nil without a start or a duration.
    fileprivate init?(zepp fields: [String: String]) {
        func number(_ name: String) -> Double {
            fields[name].flatMap(Double.init).flatMap { $0 > 0 ? $0 : nil } ?? .nan
        }
        guard let moment = fields["startTime"]?.tableMoment() else { return nil }
        start = moment.seconds
        activeSeconds = number("sportTime(s)")
        end = start + activeSeconds
        meters = number("distance(m)")
        kilocalories = number("calories(kcal)")
        steps = .nan
        sport = fields["type"].flatMap { Self.zeppSports[$0] }
        app = "Zepp"
        guard TakeoutFiles.canLast(from: start, to: end) else { return nil }
    }

    /// Zepp's numbers of sports, as programs that read its exports have them. Numbers on which they differ are left out.
    private static let zeppSports = [
        "1": "running", "6": "walking", "7": "trail running", "8": "treadmill", "9": "cycling",
        "10": "indoor cycling", "14": "pool swimming", "15": "open water swimming", "17": "tennis",
        "23": "indoor rowing", "49": "HIIT", "52": "strength training", "54": "stairs", "76": "dance",
        "92": "badminton", "140": "kayak",
    ]

    func recording(
        _ format: XiaomiFormat, _ files: TakeoutFiles?, activity: String?, zone: TimeZone
    ) -> Recording {
        let rates = files?.bandHeartRates?.readings(from: start, to: end, zone: zone) ?? (readings: [], hasZone: true)
        var session = TrackSession(
            start: start, seconds: end - start, distanceInMeters: meters, kilocalories: kilocalories)
        session.activeSeconds = activeSeconds
        session.steps = steps
        var steps: [TrackStep] = [.workout(byte: 0, goesOn: false), .part]
        if let sport { steps.append(.activity(SportName.description(sport, hasPositions: false))) }
        steps += [.session(session), .device(TrackDevice(name: app))]
        steps += rates.readings.map { .point(TrackPoint(time: $0.time, heartRate: $0.value)) }
        var recording = StoredTrackSteps.recording(steps, leftOut: [], format: format, activity: activity)
        if !rates.hasZone, !rates.readings.isEmpty {
            let message = "its heart rates have no time zone; \(zone.identifier) was assumed"
            recording.file.warnings.append(RecordingWarning(byte: 0, message: message))
        }
        recording.identify(in: app, readings: rates.readings.count) { $0.combine(start.bitPattern) }
        return recording
    }
}
