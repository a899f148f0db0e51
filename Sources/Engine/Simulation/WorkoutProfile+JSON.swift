import Analytics
package import Foundation
import SessionLog

extension WorkoutProfile {
    /// Reads a profile from a JSON file.
    ///
    /// Only `activity` and `segments` are required. A segment needs `seconds` and `intensity` (optional for a pause),
    /// or a nested list of `segments` and the number of times to `repeat` it. All keys:
    ///
    /// ```json
    /// {
    ///   "name": "hill repeats", "activity": "running", "location": "outdoor",
    ///   "swimmingLocation": "openWater", "poolLengthInMeters": 25, "temperatureInCelsius": 25,
    ///   "athlete": {"restingHeartRate": 52, "maximumHeartRate": 186, "fitness": "trained"},
    ///   "segments": [
    ///     {"seconds": 600, "intensity": 0.5, "speedInMetersPerSecond": 2.6, "lap": false},
    ///     {"repeat": 6, "segments": [
    ///       {"seconds": 90, "intensity": 0.95, "speedInMetersPerSecond": 3.9},
    ///       {"seconds": 120, "intensity": 0.4, "speedInMetersPerSecond": 2.0}]},
    ///     {"seconds": 60, "pause": true},
    ///     {"seconds": 900, "intensity": 0.6, "activity": "cycling", "location": "outdoor",
    ///      "speedInMetersPerSecond": 8.5, "powerInWatts": 200, "cadencePerMinute": 90}],
    ///   "dropouts": [{"start": 300, "seconds": 25}],
    ///   "artefacts": {"missed": 0.01, "extra": 0.005, "ectopic": 0.002, "heartRateNoise": 1}
    /// }
    /// ```
    ///
    /// An unknown key is an error, so that a misspelt one is not ignored.
    package init(contentsOf file: URL) throws(WorkoutProfileError) {
        let data: Data
        do { data = try Data(contentsOf: file) } catch {
            throw .unreadable(path: file.path, reason: "\((error as NSError).localizedDescription)")
        }
        try self.init(json: data, path: file.path)
    }

    /// - Parameter path: The source of the data, for error messages.
    package init(json: Data, path: String) throws(WorkoutProfileError) {
        do {
            try self.init(JSONDecoder().decode(ProfileFile.self, from: json), name: path)
        } catch let error as InvalidValue {
            throw .invalid(path: path, place: Self.place(error.codingPath), problem: error.problem)
        } catch let error as DecodingError {
            let (codingPath, problem) = Self.explain(error)
            throw .invalid(path: path, place: Self.place(codingPath), problem: problem)
        } catch {
            throw .invalid(path: path, place: "", problem: "\(error)")
        }
    }

    private init(_ file: ProfileFile, name: String) throws {
        self.init(
            name: file.name ?? name, activity: file.activity,
            athlete: file.athlete ?? SimulatedAthlete(), temperatureInCelsius: file.temperatureInCelsius ?? 18,
            segments: file.segments, dropouts: file.dropouts ?? [], artefacts: file.artefacts ?? .none)
    }

    /// `segments[2].intensity`
    private static func place(_ codingPath: [any CodingKey]) -> String {
        codingPath.reduce(into: "") { place, key in
            if let index = key.intValue {
                place += "[\(index)]"
            } else {
                place += (place.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }

    private static func explain(_ error: DecodingError) -> ([any CodingKey], String) {
        switch error {
        case .keyNotFound(let key, let context): (context.codingPath + [key], "it is missing.")
        case .valueNotFound(_, let context): (context.codingPath, "it is null.")
        case .typeMismatch(let type, let context): (context.codingPath, "it is not a \(describe(type)).")
        case .dataCorrupted(let context): (context.codingPath, context.debugDescription)
        @unknown default: ([], "\(error)")
        }
    }

    private static func describe(_ type: any Any.Type) -> String {
        switch type {
        case is Double.Type, is Int.Type: "number"
        case is Bool.Type: "true or false"
        case is String.Type: "string"
        case is [Any].Type: "list"
        default: "JSON object"
        }
    }
}

/// A readable but unusable value.
private struct InvalidValue: Error {
    var codingPath: [any CodingKey]
    var problem: String
}

/// Any key, so that unknown ones are found.
private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// Reads the keys of a JSON object with checks.
private struct Fields {
    private let container: KeyedDecodingContainer<Key>

    init(_ decoder: any Decoder, known: Set<String>) throws {
        container = try decoder.container(keyedBy: Key.self)
        for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue })
        where !known.contains(key.stringValue) {
            throw misfit(key.stringValue, "unknown key; known are \(known.sorted().joined(separator: ", ")).")
        }
    }

    func has(_ key: String) -> Bool { container.contains(Key(stringValue: key)) }

    func value<Value: Decodable>(_ key: String, as type: Value.Type = Value.self) throws -> Value {
        try container.decode(type, forKey: Key(stringValue: key))
    }

    func optional<Value: Decodable>(_ key: String, as type: Value.Type = Value.self) throws -> Value? {
        try container.decodeIfPresent(type, forKey: Key(stringValue: key))
    }

    func number(_ key: String, in range: ClosedRange<Double>) throws -> Double? {
        guard let number = try optional(key, as: Double.self) else { return nil }
        guard range.contains(number) else {
            throw misfit(key, "it must be \(range.lowerBound) … \(range.upperBound), not \(number).")
        }
        return number
    }

    func integer(_ key: String, in range: ClosedRange<Int>) throws -> Int {
        let number: Double = try value(key)
        guard let integer = Int(exactly: number), range.contains(integer) else {
            throw misfit(
                key, "it must be a whole number, \(range.lowerBound) … \(range.upperBound), not \(number).")
        }
        return integer
    }

    func choice<Choice: RawRepresentable & CaseIterable>(_ key: String) throws -> Choice?
    where Choice.RawValue == String {
        guard let name = try optional(key, as: String.self) else { return nil }
        guard let choice = Choice(rawValue: name) else {
            let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw misfit(key, "it must be one of \(choices), not “\(name)”.")
        }
        return choice
    }

    func misfit(_ key: String, _ problem: String) -> InvalidValue {
        InvalidValue(codingPath: container.codingPath + [Key(stringValue: key)], problem: problem)
    }

    static let activityKeys: Set = ["activity", "location", "swimmingLocation", "poolLengthInMeters"]

    func activity() throws -> ActivityDescription {
        ActivityDescription(
            activity: try value("activity"), location: try choice("location") ?? .unknown,
            swimmingLocation: try choice("swimmingLocation") ?? .unknown,
            lapLengthInMeters: try number("poolLengthInMeters", in: 5...200))
    }
}

private struct ProfileFile: Decodable {
    var name: String?
    var activity: ActivityDescription
    var athlete: SimulatedAthlete?
    var temperatureInCelsius: Double?
    var segments: [WorkoutProfile.Segment]
    var dropouts: [WorkoutProfile.Dropout]?
    var artefacts: StrapModel.Artefacts?

    private static let keys: Set = ["name", "temperatureInCelsius", "athlete", "segments", "dropouts", "artefacts"]

    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder, known: Self.keys.union(Fields.activityKeys))
        name = try fields.optional("name")
        activity = try fields.activity()
        temperatureInCelsius = try fields.number("temperatureInCelsius", in: -40...55)
        athlete = try fields.optional("athlete", as: AthletePart.self)?.athlete
        dropouts = try fields.optional("dropouts", as: [DropoutPart].self)?.map(\.dropout)
        artefacts = try fields.optional("artefacts", as: ArtefactsPart.self)?.artefacts
        segments = try fields.value("segments", as: [SegmentPart].self).flatMap(\.segments)
        guard !segments.isEmpty else { throw fields.misfit("segments", "it is empty.") }
    }
}

private struct AthletePart: Decodable {
    var athlete = SimulatedAthlete()

    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder, known: ["restingHeartRate", "maximumHeartRate", "fitness"])
        athlete.restingHeartRate = try fields.number("restingHeartRate", in: 25...110) ?? athlete.restingHeartRate
        athlete.maximumHeartRate = try fields.number("maximumHeartRate", in: 120...240) ?? athlete.maximumHeartRate
        athlete.fitness = try fields.choice("fitness") ?? athlete.fitness
    }
}

/// One segment, or several of them repeated.
private struct SegmentPart: Decodable {
    var segments: [WorkoutProfile.Segment]

    private static let segmentLimit = 10_000
    private static let keys: Set = [
        "seconds", "intensity", "speedInMetersPerSecond", "powerInWatts", "cadencePerMinute", "pause", "lap",
    ]

    init(from decoder: any Decoder) throws {
        let all = try Fields(
            decoder, known: Self.keys.union(Fields.activityKeys).union(["repeat", "segments"]))
        if all.has("repeat") || all.has("segments") {
            let fields = try Fields(decoder, known: ["repeat", "segments"])
            let times = try fields.integer("repeat", in: 1...1000)
            let parts: [SegmentPart] = try fields.value("segments")
            let once = parts.flatMap(\.segments)
            // Nested repeats multiply.
            guard once.count * times <= Self.segmentLimit else {
                throw fields.misfit("repeat", "it makes more than \(Self.segmentLimit) segments.")
            }
            segments = Array(repeating: once, count: times).flatMap { $0 }
            return
        }
        let isPause = try all.optional("pause", as: Bool.self) ?? false
        let seconds = try all.integer("seconds", in: 1...86_400)
        if isPause {
            _ = try Fields(decoder, known: ["seconds", "pause"])
            segments = [.pause(seconds: seconds)]
            return
        }
        guard let intensity = try all.number("intensity", in: 0...2) else {
            throw all.misfit("intensity", "it is missing.")
        }
        segments = [
            WorkoutProfile.Segment(
                seconds: seconds, intensity: intensity,
                speedInMetersPerSecond: try all.number("speedInMetersPerSecond", in: 0...40),
                powerInWatts: try all.number("powerInWatts", in: 0...3000),
                cadencePerMinute: try all.number("cadencePerMinute", in: 0...300),
                activity: all.has("activity") ? try all.activity() : nil,
                endsLap: try all.optional("lap") ?? true)
        ]
    }
}

private struct DropoutPart: Decodable {
    var dropout: WorkoutProfile.Dropout

    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder, known: ["start", "seconds"])
        dropout = WorkoutProfile.Dropout(
            start: try fields.integer("start", in: 0...864_000), seconds: try fields.integer("seconds", in: 1...86_400))
    }
}

private struct ArtefactsPart: Decodable {
    var artefacts = StrapModel.Artefacts.none

    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder, known: ["missed", "extra", "ectopic", "heartRateNoise"])
        artefacts.missed = try fields.number("missed", in: 0...1) ?? 0
        artefacts.extra = try fields.number("extra", in: 0...1) ?? 0
        artefacts.ectopic = try fields.number("ectopic", in: 0...1) ?? 0
        artefacts.heartRateNoise = try fields.number("heartRateNoise", in: 0...20) ?? 0
    }
}
