import Foundation
import SessionLog

/// Reads a file of tracks from one end to the other.
struct TrackReader<Grammar: TrackGrammar>: ~Copyable {
    private var elements: TrackElements
    private var grammar = Grammar()

    /// - Parameter byte: Where the stream begins in the file: at its start, or at the element of a workout.
    init(_ stream: any ByteStream, byte: Int) {
        elements = TrackElements(stream, byte: byte, names: Grammar.names, attributes: Grammar.attributes)
    }

    /// What was wrong with the bytes so far.
    var warnings: [RecordingWarning] { elements.scanner.warnings.all }
    /// What the file holds beside tracks, such as plans: why it is no recording if there is no track in it.
    var otherContent: UnsupportedContent? { grammar.otherContent }
    /// Where the scanner is.
    var byte: Int { elements.scanner.bytesRead }

    /// Nil at the end.
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

/// What the elements of a format of tracks mean.
protocol TrackGrammar: SendableMetatype {
    /// Of the elements and attributes that mean something; the scanner numbers them so.
    static var names: [String] { get }
    static var attributes: [String] { get }
    /// The element that says something by its attributes alone.
    static var mayBeEmpty: UInt8 { get }

    init()

    /// The element at which the scanner is has begun.
    mutating func begin(_ elements: inout TrackElements)
    /// Text stands in it.
    mutating func take(_ elements: inout TrackElements)
    /// It has ended.
    /// - Returns: A step that nothing comes before.
    mutating func end(_ elements: inout TrackElements) -> TrackStep?
    /// What is still open ends: the point, if the format has nothing else.
    mutating func endOpen(_ elements: inout TrackElements)

    var otherContent: UnsupportedContent? { get }
}

extension TrackGrammar {
    mutating func endOpen(_ elements: inout TrackElements) { elements.endPoint() }
}

/// What stands in a file of tracks, in its order.
enum TrackStep {
    /// A workout begins, with the element at this byte of the file. A workout that `goesOn` is more of the one before where
    /// that ended shortly before it.
    case workout(byte: Int, goesOn: Bool)
    /// A part of the workout begins: a sport of several, or the only one.
    case part
    /// What the current part says of its sport.
    case sport(String)
    /// What it says of all of itself.
    case session(TrackSession)
    case device(TrackDevice)
    /// This package wrote the file, of the stored workout with this identity.
    case identity(UUID)
    /// The labels of the workout. A later one replaces an earlier one.
    case labels(WorkoutLabels)
    case lapBegan(start: Double)
    case lapEnded(TrackLap)
    /// The track begins anew: it was interrupted, unless a lap just began.
    case segment
    case point(TrackPoint)
    /// RR intervals that ended at a time.
    case beats(TrackBeats)
}

/// RR intervals, oldest first.
struct TrackBeats: Sendable {
    /// When the last one ended: seconds since 2001.
    var time: Double
    var intervalsInMilliseconds: [Double]
}

/// What a lap says of itself. What it does not is NaN.
struct TrackLap: BitwiseCopyable {
    /// What says that it took longer (a hundred days) says nothing.
    static let longest = 8_640_000.0

    /// Without pauses.
    var seconds = Double.nan
    var distanceInMeters = Double.nan
    var kilocalories = Double.nan
}

/// What a part of a workout says of all of itself. What it does not is NaN.
struct TrackSession: BitwiseCopyable {
    /// Seconds since 2001.
    var start = Double.nan
    /// Pauses included.
    var seconds = Double.nan
    var distanceInMeters = Double.nan
    var kilocalories = Double.nan
}

/// What made the file.
struct TrackDevice: Sendable, Equatable {
    var name = ""
    var unit = ""
    var version = ""
    /// Garmin's number of it.
    var product: UInt16?

    static let sensor = "recorder"

    func status(_ fallback: String) -> SensorStatus {
        let maker = FITManufacturer.maker(of: name, product: product)
        // By its number a device is called the same in every file.
        let isKnown = maker.map { !name.hasPrefix($0.manufacturer) && $0.manufacturer == "Garmin" } ?? false
        let fullName = isKnown ? [maker?.manufacturer, maker?.model].compactMap { $0 }.joined(separator: " ") : name
        // Zeros stand for what is not known.
        func known(_ text: String) -> String? { text.allSatisfy { $0 == "0" || $0 == "." } ? nil : text }
        return SensorStatus(
            id: Self.sensor, kind: .replay, presence: .present,
            device: DeviceDescription(
                name: fullName.isEmpty ? fallback : fullName, manufacturer: maker?.manufacturer, model: maker?.model,
                softwareVersion: known(version), localIdentifier: known(unit)))
    }
}
