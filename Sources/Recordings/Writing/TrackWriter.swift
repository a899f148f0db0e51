import Foundation
import SessionLog

/// A format of rows, which writes moments and the marks between them.
protocol RowFile {
    /// The distance between the times that moments are rounded to. 0 keeps times as they are.
    static var secondsApart: Double { get }
    /// Whether each part counts its distance from 0.
    static var countsPartsAnew: Bool { get }
    /// Whether the file names every sensor, not only the device that recorded the workout.
    static var holdsSensors: Bool { get }
    /// Whether the file holds ``WorkoutOutline/labels``.
    static var holdsLabels: Bool { get }
    /// Returns whether the file holds the metadata of this key.
    static func holdsMetadata(_ key: String) -> Bool

    /// - Throws: An error if the format cannot hold this workout at all.
    init(_ outline: WorkoutOutline) throws
    mutating func begin(to output: inout [UInt8])
    mutating func write(_ moment: TrackMoment, to output: inout [UInt8])
    mutating func write(_ mark: TrackMark, to output: inout [UInt8])
    mutating func finish(to output: inout [UInt8])
    /// The final first bytes. Nil if they stay as they were written.
    var head: [UInt8]? { get }
    var leftOut: Omissions { get set }
    /// Whether ``head`` is ever used.
    static var hasHead: Bool { get }
}

extension RowFile {
    var head: [UInt8]? { nil }
    static var hasHead: Bool { false }
    static var holdsSensors: Bool { false }
    static var holdsLabels: Bool { false }
    static func holdsMetadata(_ key: String) -> Bool { false }
}

/// An event between moments.
enum TrackMark {
    case started(Date)
    case paused(Date)
    case resumed(Date)
    /// The stretch of the outline with this number ended, and the next one begins.
    case stretchEnded(Int)
    /// The stretch with this number, which has already ended, belongs to the lap whose entry comes here.
    case lapNamed(Int)
    /// The part with this number begins. The first part has no mark if it begins with the workout.
    case partBegan(Int)
    case event(EventRecord, Date)
    case stopped(Date)
}

/// Writes a workout in a format of rows.
///
/// It is not generic over the format, because then the compiler would not specialise it and would copy the file for
/// every entry.
struct TrackWriter: RecordingWriter {
    private let format: any RowFile.Type
    private var outline = WorkoutOutline()
    private var held = HeldLap()
    private var counted = CountedEntries()
    private var stretches = WorkoutStretches()
    private var moments: TrackMoments?
    private var file: (any RowFile)?
    private var late = LateLaps()
    private var pass = Pass.findingLaps
    private var hasBegun = false
    private var phase = SessionPhase.notStarted
    /// The end of a part after which no other has begun.
    private var partEnd: Date?
    private var hasStarted = false
    private var other = Omissions()
    private var lostKeys: Set<String> = []

    /// Metadata that the activity or the readings also hold, and the number of warnings about an imported file.
    private static var metadataOfActivity: Set<String> {
        ["HKLapLength", "HKSwimmingLocationType", "HKWeatherTemperature", RecordingWarning.countKey]
    }

    private static let indoorKey = "HKIndoorWorkout"

    /// Keys as people read them.
    private static let words = [
        indoorKey: "that it was indoors", "HKTimeZone": "the time zone", "FITSport": "FIT's number of the sport",
        "FITSubSport": "FIT's number of the sub-sport",
    ]

    /// At most this many keys are named; for the others there is only one general note.
    private static let mostNamedKeys = 5

    /// Notes the metadata that the file does not hold.
    private mutating func note(_ metadata: [String: MetadataValue], of whole: String = "") {
        let lost = metadata.filter { key, value in
            // A workout in a file is outdoors unless it says otherwise.
            if key == Self.indoorKey, [.bool(false), .number(0)].contains(value) { return false }
            let isHeld =
                Self.metadataOfActivity.contains(key) || format.holdsMetadata(key)
                || format.holdsLabels && WorkoutLabels.keys.contains(key)
            return !isHeld
        }
        for key in lost.keys.sorted() where !lostKeys.contains(key + whole) {
            lostKeys.insert(key + whole)
            let words = Self.words[key] ?? "the metadata \(key)"
            other.note(lostKeys.count > Self.mostNamedKeys ? "more metadata" : words + whole)
        }
    }

    init(_ format: any RowFile.Type) { self.format = format }

    /// The passes before writing. Most workouts need only the first one.
    private enum Pass { case findingLaps, placingLateLaps, cuttingGaps }

    mutating func survey(_ entry: SessionEntry) {
        guard !late.isEmpty || entry.isLap else { return outline.survey(entry) }
        var late = late
        self.late = LateLaps()
        late.take(entry) { outline.survey($0) }
        self.late = late
    }

    mutating func endSurvey() -> Bool {
        var late = late
        late.finish { outline.survey($0) }
        outline.settle()
        late.begin()
        self.late = late
        if pass == .findingLaps, !late.isEmpty {
            pass = .placingLateLaps
            outline = WorkoutOutline()
            return true
        }
        guard pass != .cuttingGaps, !outline.foundLapStarts.isEmpty else { return false }
        pass = .cuttingGaps
        outline = WorkoutOutline(lapStarts: outline.foundLapStarts)
        return true
    }

    mutating func write(_ entry: SessionEntry, to output: inout [UInt8]) throws {
        if !hasBegun { try begin(to: &output) }
        guard !late.isEmpty else { return hold(entry, &output) }
        var late = late
        self.late = LateLaps()
        late.take(entry) { hold($0, &output) }
        self.late = late
    }

    private mutating func hold(_ entry: SessionEntry, _ output: inout [UInt8]) {
        guard !held.isEmpty || entry.isLap else { return count(entry, &output) }
        var held = held
        self.held = HeldLap()
        held.take(entry) { count($0, &output) }
        self.held = held
    }

    private mutating func count(_ entry: SessionEntry, _ output: inout [UInt8]) {
        switch counted.take(entry) {
        case .all: take(entry, &output)
        case .nothing: break
        case .parts(let parts): for part in parts { take(part, &output) }
        }
    }

    mutating func finish(to output: inout [UInt8]) throws {
        if !hasBegun { try begin(to: &output) }
        var late = late
        late.finish { hold($0, &output) }
        var held = held
        held.finish { count($0, &output) }
        notePartEnd(before: outline.end ?? .distantPast)
        flush(at: outline.end ?? .distantPast, &output)
        file?.write(.stopped(outline.end ?? .distantPast), to: &output)
        file?.finish(to: &output)
    }

    var head: [UInt8]? { format.hasHead ? file?.head ?? [] : nil }

    var leftOut: [String] {
        var all = file?.leftOut ?? Omissions()
        for (type, count) in (moments?.unusable ?? [:]).sorted(by: { $0.key < $1.key }) {
            all.add("readings of \(type) that are no usable number, or in a unit that is not known", count: count)
        }
        let recorder = outline.recorder
        for sensor in outline.sensors where !format.holdsSensors && sensor.status.device != recorder {
            all.note("the sensor \(sensor.status.device.name ?? sensor.status.id)")
        }
        return all.words + other.words
    }

    private mutating func begin(to output: inout [UInt8]) throws {
        outline.settle()
        file = try format.init(outline)
        hasBegun = true
        counted = outline.countedEntries
        stretches = WorkoutStretches(lapStarts: outline.lapStarts)
        moments = TrackMoments(outline, secondsApart: format.secondsApart)
        file?.begin(to: &output)
    }

    private mutating func take(_ entry: SessionEntry, _ output: inout [UInt8]) {
        while let start = stretches.lapStart(before: entry) {
            flush(at: start, &output)
            mark(.stretchEnded(stretches.stretch - 1), &output)
        }
        let stretch = stretches.stretch
        let part = stretches.part
        let change = stretches.take(entry)
        if change != .none { flush(at: entry.date, &output) }
        switch change {
        case .none: break
        case .ended: mark(.stretchEnded(stretch), &output)
        case .named: mark(.lapNamed(stretch - 1), &output)
        case .part(let endsStretch):
            if endsStretch { mark(.stretchEnded(stretch), &output) }
            if stretches.part != part {
                let countsAnew = format.countsPartsAnew
                moments?.begin(part: stretches.part, countingAnew: countsAnew)
                mark(.partBegan(stretches.part), &output)
            }
        }
        switch entry.content {
        case .quantity(let reading) where reading.type == WorkoutLabels.effortType && format.holdsLabels: break
        case .quantity(let reading):
            moments?.add(reading, at: entry.date)
            writeMoments(&output)
        case .position(let position):
            moments?.add(position, at: entry.date)
            writeMoments(&output)
        case .beats(let beats):
            moments?.add(beats, at: entry.date)
            writeMoments(&output)
        case .state(let next): changePhase(to: next, at: entry.date, &output)
        case .event(let event) where event.kind != .lap && event.kind != .pause && event.kind != .resume:
            flush(at: entry.date, &output)
            file?.write(.event(event, entry.date), to: &output)
        case .event(let event) where event.kind == .lap: note(event.metadata, of: " of laps")
        case .waveform(let reading): other.add(reading.signal.words)
        case .category: other.add("category samples")
        case .object: other.add("other samples")
        case .metadata(let values): note(values)
        case .activityEnded: partEnd = entry.date
        case .activityBegan: notePartEnd(before: entry.date)
        case .header, .collection, .activityMetadata, .event, .sensor, .notification, .routeDiscarded, .wearer, .zones,
            .remoteData, .companion, .clockSet:
            break
        }
    }

    /// Notes that a part ended before the next one began, or before the workout ended: in files it lasts until then.
    private mutating func notePartEnd(before date: Date) {
        if let partEnd, date.timeIntervalSince(partEnd) >= 1 { other.note("that there is time between legs") }
        partEnd = nil
    }

    private mutating func changePhase(to next: SessionPhase, at date: Date, _ output: inout [UInt8]) {
        guard phase.canChange(to: next) else { return }
        let previous = phase
        phase = next
        flush(at: date, &output)
        switch next {
        case .running where previous == .paused: file?.write(.resumed(date), to: &output)
        case .running: start(at: date, &output)
        case .paused: file?.write(.paused(date), to: &output)
        case .notStarted, .prepared, .stopped, .ended: break
        }
    }

    private mutating func start(at date: Date, _ output: inout [UInt8]) {
        guard !hasStarted else { return }
        hasStarted = true
        file?.write(.started(date), to: &output)
    }

    private mutating func mark(_ mark: TrackMark, _ output: inout [UInt8]) { file?.write(mark, to: &output) }

    private mutating func writeMoments(_ output: inout [UInt8]) {
        while let moment = moments?.next() {
            guard !moment.isEmpty else { continue }
            start(at: outline.start ?? moment.date, &output)
            file?.write(moment, to: &output)
        }
    }

    /// Writes all moments, because something else follows at this date.
    private mutating func flush(at date: Date, _ output: inout [UInt8]) {
        moments?.end(at: date)
        writeMoments(&output)
    }
}

/// The reason why a format cannot hold a workout at all.
public enum RecordingWriteError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The format holds only positions, only dates of some years, or the like.
    case nothingToHold(format: String, reason: String, advice: String)

    /// The reason for the user, and what to do instead.
    public var description: String {
        switch self {
        case .nothingToHold(let format, let reason, let advice):
            "\(format) cannot hold this workout: \(reason); \(advice)"
        }
    }
}
