public import Foundation
package import SessionLog

/// An event of a workout: a pause, a lap, a marker.
///
/// Only laps and segments have a duration. In old data, a lap without a duration marks the end of a lap.
// Sendable holds: the stored properties are `let`s, and metadata contains only immutable values.
public final class HKWorkoutEvent: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The type of the event.
    public let type: HKWorkoutEventType
    /// The interval of the event. Only laps and segments have a duration.
    public let dateInterval: DateInterval
    /// The metadata. Nil if there is none.
    public let metadata: [String: Any]?

    /// The start of the event.
    @available(iOS, deprecated: 11.0, message: "Use dateInterval")
    public var date: Date { dateInterval.start }

    /// Creates an event. Traps if an event other than a lap or a segment has a duration, and if metadata contains a
    /// value that is no `String`, number, `Date` or `HKQuantity`.
    public convenience init(type: HKWorkoutEventType, dateInterval: DateInterval, metadata: [String: Any]?) {
        raising(try Self.check(type, dateInterval))
        self.init(type, dateInterval, raising(try MetadataCoding.normalized(metadata)))
    }

    /// Creates an event without a duration. An older form.
    @available(iOS, deprecated: 11.0, message: "Use init(type:dateInterval:metadata:)")
    public convenience init(type: HKWorkoutEventType, date: Date) {
        self.init(type: type, dateInterval: DateInterval(start: date, duration: 0), metadata: nil)
    }

    /// Creates an event with metadata and without a duration. An older form.
    @available(iOS, deprecated: 11.0, message: "Use init(type:dateInterval:metadata:)")
    public convenience init(type: HKWorkoutEventType, date: Date, metadata: [String: Any]) {
        self.init(type: type, dateInterval: DateInterval(start: date, duration: 0), metadata: metadata)
    }

    private init(_ type: HKWorkoutEventType, _ dateInterval: DateInterval, _ metadata: [String: Any]?) {
        self.type = type
        self.dateInterval = dateInterval
        self.metadata = metadata
    }

    /// Creates an event from the store. Its metadata is normalised.
    package static func stored(
        _ type: HKWorkoutEventType, _ interval: DateInterval, _ metadata: [String: Any]?
    ) -> HKWorkoutEvent {
        HKWorkoutEvent(type, interval, metadata)
    }

    private static func check(_ type: HKWorkoutEventType, _ interval: DateInterval) throws(SampleError) {
        guard interval.duration == 0 || type == .lap || type == .segment else {
            throw .eventWithDuration(kind: type.caseName, seconds: interval.duration)
        }
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: Session logs

    /// Creates an event from a log or a file. Throws ``SampleError`` instead of trapping if the data is invalid.
    package convenience init(_ record: EventRecord) throws(SampleError) {
        guard let type = HKWorkoutEventType(caseName: record.kind.rawValue) else {
            preconditionFailure("EventRecord.Kind and HKWorkoutEventType differ in \(record.kind)")
        }
        guard record.start <= record.end else { throw .eventEndsBeforeStart(kind: type.caseName) }
        let interval = DateInterval(start: record.start, end: record.end)
        try Self.check(type, interval)
        self.init(type, interval, try MetadataCoding.metadata(record.metadata))
    }

    /// Returns the record for session logs. Throws if its metadata cannot be kept exactly.
    package func record() throws(SampleError) -> EventRecord {
        guard let kind = EventRecord.Kind(rawValue: type.caseName) else {
            preconditionFailure("EventRecord.Kind and HKWorkoutEventType differ in \(type)")
        }
        return EventRecord(
            kind, start: dateInterval.start, end: dateInterval.end, metadata: try MetadataCoding.neutral(metadata))
    }

    /// Returns the same event on another time line.
    package func mappingDates(_ map: (Date) -> Date) -> HKWorkoutEvent {
        HKWorkoutEvent(type, DateInterval(start: map(dateInterval.start), end: map(dateInterval.end)), metadata)
    }

    // MARK: Equality

    /// Returns whether type, interval and metadata are equal.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKWorkoutEvent else { return false }
        return type == other.type && dateInterval == other.dateInterval
            && (metadata ?? [:]) as NSDictionary == (other.metadata ?? [:]) as NSDictionary
    }

    /// The hash of type and interval.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(type)
        hasher.combine(dateInterval)
        return hasher.finalize()
    }

    /// The type of the event and its dates.
    public override var description: String { "\(type.caseName) (\(dateInterval.start) - \(dateInterval.end))" }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public convenience init?(coder: NSCoder) {
        guard let type = coder.decodeCount(forKey: "type").flatMap(HKWorkoutEventType.init),
            let start = coder.decodeDate(forKey: "start"), let end = coder.decodeDate(forKey: "end"), start <= end,
            let metadata = coder.decodeMetadata(forKey: "metadata")
        else { return nil }
        let interval = DateInterval(start: start, end: end)
        guard (try? Self.check(type, interval)) != nil else { return nil }
        self.init(type, interval, metadata.isEmpty ? nil : metadata)
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(count: type.rawValue, forKey: "type")
        coder.encode(date: dateInterval.start, forKey: "start")
        coder.encode(date: dateInterval.end, forKey: "end")
        coder.encode(metadata: metadata, forKey: "metadata")
    }
}

/// The type of a workout event.
public enum HKWorkoutEventType: Int, Sendable {
    /// The workout was paused by the user or the app.
    case pause = 1
    /// The workout was resumed by the user or the app.
    case resume = 2
    /// A lap, of a pool or of the app. Without a duration it marks the end of a lap that began where the one before it
    /// ended, or with the workout.
    case lap = 3
    /// A moment that the app marked.
    case marker = 4
    /// Paused automatically because the wearer stood still.
    case motionPaused = 5
    /// Resumed automatically because the wearer moved again.
    case motionResumed = 6
    /// A segment of the workout. May have a duration, and may overlap others.
    case segment = 7
    /// The user asked to pause or resume. The app decides what happens.
    case pauseOrResumeRequest = 8
}
