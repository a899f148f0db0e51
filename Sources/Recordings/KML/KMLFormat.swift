import Foundation
import SessionLog
import XML

/// Tracks in Google Earth's KML, as OpenTracks, My Tracks and GPSBabel write them. A KMZ file is a zip archive with one.
///
/// A track lists times (`when`) and places (`coord`), and may hold arrays of values such as heart rates; the values of
/// one point have the same index in all of them. Each placemark with tracks is a workout, and each track is a segment
/// of it. Elements: OGC KML 2.3, 12-007r2, sections 11.2 and 11.3, and Google's extension `gx`. Units: m, m/s, W, °C,
/// beats and turns per minute. OpenTracks' `distance` counts from the point before.
public struct KMLFormat: RecordingFormat {
    private let activity: String?

    /// - Parameter activity: The activity to use if the file states none: a case of `HKWorkoutActivityType`.
    public init(activity: String? = nil) { self.activity = activity }

    /// `kml`.
    public var name: String { "kml" }
    /// The name in sentences.
    public var title: String { "KML" }
    /// `kml`.
    public var endings: [String] { ["kml"] }

    /// Returns whether the root of the XML is `kml`, in a version that has tracks.
    public func recognizes(_ start: FileStart) -> Bool {
        guard start.xmlRoot == "kml" else { return false }
        let text = start.withoutSpace
        return text.contains("google.com/kml/ext") || text.contains("opengis.net/kml/2.3") || text.contains("Track>")
    }

    /// Reads a recording of each placemark with tracks, in order of time.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        var reader = KMLReader(try source.open().stream)
        do throws(ByteStreamFault) { try reader.readAll() } catch { throw RecordingError(error) }
        guard !reader.workouts.isEmpty else { throw .notReadable(path: source.path, content: .kml) }
        var recordings = reader.workouts.map { workout in
            StoredTrackSteps.recording(
                workout.steps, leftOut: workout.leftOut.sorted().map { "the array \($0)" }, format: self,
                activity: activity)
        }
        recordings.sort { ($0.facts.start ?? .distantFuture) < ($1.facts.start ?? .distantFuture) }
        for index in recordings.indices { recordings[index].file.warnings += reader.warnings }
        return Recording.numbered(recordings)
    }
}

/// Collects the tracks of a KML file.
private struct KMLReader: ~Copyable {
    struct Workout {
        var steps: [TrackStep] = [.workout(byte: 0, goesOn: false), .part]
        /// The names of arrays that no reading can hold.
        var leftOut: Set<String> = []
    }

    /// A placemark. It becomes a workout with its first track.
    private struct Placemark {
        var labels = WorkoutLabels()
        /// The activity in words, and OpenTracks' icon for it.
        var type: String?, icon: String?
        var segments: [[TrackPoint]] = []
        var leftOut: Set<String> = []
    }

    private struct Track {
        var times: [Double] = []
        var places: [[Double]] = []
        var arrays: [(name: String, values: [Double])] = []
    }

    private enum Tag: UInt8, CaseIterable {
        case kml, generator, Placemark, name, description, icon, Data, value, Track, when, coord, SimpleArrayData

        static let names = allCases.map { "\($0)" }
    }

    /// The attribute `name`, the only one that matters.
    private static let nameAttribute = 0

    private(set) var workouts: [Workout] = []
    private var scanner: XMLScanner
    private var generator: String?
    private var placemark: Placemark?
    private var track: Track?
    /// The meaning of the next text.
    private var field: Tag?
    private var isInType = false

    init(_ stream: any ByteStream) {
        scanner = XMLScanner(
            stream, elements: Tag.names, attributes: ["name"], keepsText: true, ignoresPrefixes: true,
            capacity: TrackScan.capacity)
    }

    var warnings: [RecordingWarning] { scanner.warnings.all }

    mutating func readAll() throws(ByteStreamFault) {
        var isOpen = false
        while true {
            let token = try scanner.next()
            let tag = Tag(rawValue: scanner.element)
            switch token {
            case .start:
                field = nil
                if tag == .kml { isOpen = true }
                tag.map { begin($0) }
            case .empty: tag.map { skip($0) }
            case .text: take()
            case .end:
                // An element without text is a point without a value.
                if let field, field == tag { skip(field) }
                field = nil
                if tag == .kml { isOpen = false }
                tag.map { end($0) }
            case .finished:
                if isOpen {
                    scanner.warnings.add(byte: scanner.tokenByte, "the file ends within an element: it was cut off")
                }
                end(.Track)
                end(.Placemark)
                return
            }
        }
    }

    private mutating func begin(_ tag: Tag) {
        switch tag {
        case .Placemark: placemark = Placemark()
        case .Track: if placemark != nil { track = Track() }
        case .SimpleArrayData:
            let name = scanner.value(Self.nameAttribute).map(XMLText.string) ?? ""
            track?.arrays.append((name, []))
        case .Data: isInType = scanner.value(Self.nameAttribute).map(XMLText.string) == "type"
        case .generator, .name, .description, .icon, .value, .when, .coord: field = tag
        case .kml: break
        }
    }

    private mutating func end(_ tag: Tag) {
        switch tag {
        case .Data: isInType = false
        case .Track:
            guard let track else { return }
            let (points, leftOut) = Self.points(track)
            placemark?.segments.append(points)
            placemark?.leftOut.formUnion(leftOut)
            self.track = nil
        case .Placemark:
            if let placemark, !placemark.segments.isEmpty { workouts.append(workout(placemark)) }
            placemark = nil
        default: break
        }
    }

    private mutating func take() {
        guard let field else { return }
        self.field = nil
        let text = scanner.text
        switch field {
        case .when:
            track?.times.append(TrackScan.date(text, byte: scanner.tokenByte, &scanner.warnings) ?? .nan)
        case .coord:
            track?.places.append(XMLText.string(text).split(separator: " ").map { Double($0) ?? .nan })
        case .value:
            if isInType {
                placemark?.type = XMLText.string(text)
            } else if let name = track?.arrays.last?.name, Self.key(name) == nil {
                append(XMLNumber.value(of: text) ?? .infinity)
            } else {
                append(TrackScan.number(text, byte: scanner.tokenByte, &scanner.warnings) ?? .nan)
            }
        case .generator: generator = XMLText.string(text)
        case .icon: placemark?.icon = XMLText.string(text)
        case .name: placemark?.labels.title = WorkoutLabels.title(fromStranger: XMLText.string(text))
        case .description:
            let notes = scanner.lines.trimmingCharacters(in: .whitespacesAndNewlines)
            placemark?.labels.notes = notes.isEmpty ? nil : notes
        default: break
        }
    }

    /// Notes that a point lacks a value.
    private mutating func skip(_ tag: Tag) {
        switch tag {
        case .when: track?.times.append(.nan)
        case .coord: track?.places.append([])
        case .value: append(.nan)
        default: break
        }
    }

    private mutating func append(_ value: Double) {
        guard let track, !track.arrays.isEmpty else { return }
        self.track?.arrays[track.arrays.count - 1].values.append(value)
    }

    private func workout(_ placemark: Placemark) -> Workout {
        var workout = Workout(leftOut: placemark.leftOut)
        let sport = placemark.type ?? placemark.icon
        if let sport {
            let isKnown = SportName.activity(sport) != nil
            workout.steps.append(.sport(isKnown ? sport : placemark.icon ?? sport))
        }
        if let generator { workout.steps.append(.device(TrackDevice(name: generator))) }
        if placemark.labels != WorkoutLabels() { workout.steps.append(.labels(placemark.labels)) }
        var meters = 0.0
        for points in placemark.segments {
            workout.steps.append(.segment)
            for var point in points {
                if !point.distance.isNaN {
                    meters += point.distance
                    point.distance = meters
                }
                workout.steps.append(.point(point))
            }
        }
        return workout
    }

    /// Returns the points of a track, whose distances count from the point before, and the names of unknown arrays.
    private static func points(_ track: Track) -> ([TrackPoint], leftOut: Set<String>) {
        let arrays = track.arrays.map { (key: key($0.name), values: $0.values) }
        let leftOut = track.arrays.filter { name, values in
            key(name) == nil && !derived.contains(name) && values.contains { $0 != 0 && !$0.isNaN }
        }
        let points = track.times.enumerated().map { index, time in
            var point = TrackPoint()
            point.time = time
            if index < track.places.count, case let place = track.places[index], place.count >= 2 {
                point.longitude = place[0]
                point.latitude = place[1]
                if place.count > 2 { point.altitude = place[2] }
            }
            for (key, values) in arrays where index < values.count {
                if let key { point[keyPath: key] = values[index] }
            }
            return point
        }
        return (points, Set(leftOut.map(\.name)))
    }

    /// Arrays that follow from the others.
    private static let derived: Set<String> = ["trackpoint_type", "elevation_gain", "elevation_loss", "bearing"]

    /// Returns the value that an array of this name holds. Names: OpenTracks, My Tracks and GPSBabel.
    private static func key(_ name: String) -> WritableKeyPath<TrackPoint, Double>? {
        switch name.lowercased().filter(\.isLetter) {
        case "heartrate": \.heartRate
        case "cadence": \.cadence
        case "power": \.power
        case "speed": \.speed
        case "distance": \.distance
        case "temperature": \.temperature
        case "accuracyhorizontal": \.horizontalAccuracy
        case "accuracyvertical": \.verticalAccuracy
        default: nil
        }
    }
}
