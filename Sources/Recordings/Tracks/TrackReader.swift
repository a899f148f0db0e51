import Foundation
import SessionLog
import XML

/// Reads the steps of a track file in its order.
struct TrackReader<Grammar: TrackGrammar>: ~Copyable {
    private var elements: TrackElements
    private var grammar = Grammar()

    /// - Parameter byte: The offset in the file where the stream begins: 0, or the element of a workout.
    init(_ stream: any ByteStream, byte: Int) {
        elements = TrackElements(stream, byte: byte, names: Grammar.names, attributes: Grammar.attributes)
    }

    /// The faults found so far.
    var warnings: [RecordingWarning] { elements.scanner.warnings.all }
    /// What the file holds instead of tracks, such as plans. It explains why a file without tracks is no recording.
    var otherContent: UnsupportedContent? { grammar.otherContent }
    /// The position of the scanner in the file.
    var byte: Int { elements.scanner.bytesRead }

    /// Returns nil at the end.
    mutating func next() throws(ByteStreamFault) -> TrackStep? {
        while true {
            if let step = elements.nextStep() { return step }
            guard let token = try elements.nextToken() else { return nil }
            switch token {
            case .start: grammar.begin(&elements)
            case .text: grammar.take(&elements)
            case .end:
                if let done = grammar.end(&elements) { return done }
            case .empty:
                if elements.scanner.element == Grammar.mayBeEmpty {
                    grammar.begin(&elements)
                    grammar.endOpen(&elements)
                }
            case .finished: grammar.endOpen(&elements)
            }
        }
    }
}

/// The meaning of the elements in a track format.
protocol TrackGrammar: SendableMetatype {
    /// The names of the elements and attributes that matter, in the order of their numbers in the scanner.
    static var names: [String] { get }
    static var attributes: [String] { get }
    /// The element whose attributes alone are meaningful.
    static var mayBeEmpty: UInt8 { get }

    init()

    /// Handles the beginning of the scanner's current element.
    mutating func begin(_ elements: inout TrackElements)
    /// Handles the text of the element.
    mutating func take(_ elements: inout TrackElements)
    /// Handles the end of the element.
    /// - Returns: A step that no other step precedes.
    mutating func end(_ elements: inout TrackElements) -> TrackStep?
    /// Ends everything that is still open. The default ends the point.
    mutating func endOpen(_ elements: inout TrackElements)

    var otherContent: UnsupportedContent? { get }
}

extension TrackGrammar {
    mutating func endOpen(_ elements: inout TrackElements) { elements.endPoint() }
}

/// An item of a track file, in its order.
enum TrackStep {
    /// A workout begins with the element at this byte. If `goesOn` is true and it starts shortly after the end of the
    /// previous workout, it continues that one.
    case workout(byte: Int, goesOn: Bool)
    /// A part of the workout begins: one of several sports, or the only one.
    case part
    /// The sport of the current part, in words.
    case sport(String)
    /// The activity of the current part, which replaces the sport.
    case activity(ActivityDescription)
    /// The summary of the current part.
    case session(TrackSession)
    case device(TrackDevice)
    /// This package wrote the file from the stored workout with this ID.
    case identity(UUID)
    /// The labels of the workout. Later ones replace earlier ones.
    case labels(WorkoutLabels)
    case lapBegan(start: Double)
    case lapEnded(TrackLap)
    /// A new segment of the track begins. The track was interrupted, unless a lap has just begun.
    case segment
    /// The workout was paused, after the points so far.
    case pause(TimeSpan)
    case point(TrackPoint)
    /// RR intervals that ended at a time.
    case beats(TrackBeats)
}

/// RR intervals, oldest first.
struct TrackBeats: Sendable {
    /// When the last interval ended, in seconds since 2001.
    var time: Double
    var intervalsInMilliseconds: [Double]
}

/// The stated figures of a lap. Missing values are NaN.
struct TrackLap: BitwiseCopyable {
    /// A longer duration (a hundred days) is ignored.
    static let longest = 8_640_000.0

    /// The duration with pauses.
    var elapsedSeconds = Double.nan
    /// The duration without pauses.
    var seconds = Double.nan
    var distanceInMeters = Double.nan
    var kilocalories = Double.nan
    /// False for a stretch between laps, which a format has no other place for.
    var isLap = true
}

/// The stated figures of a part of a workout. Missing values are NaN.
struct TrackSession: BitwiseCopyable {
    /// The start in seconds since 2001.
    var start = Double.nan
    /// The duration with pauses.
    var seconds = Double.nan
    /// The duration without pauses. 0 is unknown, and more than ``seconds`` counts as that.
    var activeSeconds = Double.nan
    var distanceInMeters = Double.nan
    var kilocalories = Double.nan
    var steps = Double.nan
}

/// The device or program that made the file.
struct TrackDevice: Sendable, Equatable {
    var name = ""
    var unit = ""
    var version = ""
    /// Garmin's product number.
    var product: UInt16?

    static let sensor = "recorder"

    func status(_ fallback: String) -> SensorStatus {
        let maker = FITManufacturer.maker(of: name, product: product)
        // The product number gives a device the same name in every file.
        let isKnown = maker.map { !name.hasPrefix($0.manufacturer) && $0.manufacturer == "Garmin" } ?? false
        let fullName = isKnown ? [maker?.manufacturer, maker?.model].compactMap { $0 }.joined(separator: " ") : name
        // Zeros mean “unknown”.
        func known(_ text: String) -> String? { text.allSatisfy { $0 == "0" || $0 == "." } ? nil : text }
        return SensorStatus(
            id: Self.sensor, kind: .replay, presence: .present,
            device: DeviceDescription(
                name: fullName.isEmpty ? fallback : fullName, manufacturer: maker?.manufacturer, model: maker?.model,
                softwareVersion: known(version), localIdentifier: known(unit)))
    }
}
