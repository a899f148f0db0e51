/// Finds tracks in a file, step by step.
protocol TrackReader: ~Copyable, SendableMetatype {
    /// - Parameter byte: Where the stream begins in the file: at its start, or at the element of a workout.
    init(_ stream: any ByteStream, byte: Int)

    /// Nil at the end.
    mutating func next() throws(ByteStreamFault) -> TrackStep?

    /// What was wrong with the bytes so far.
    var warnings: [RecordingWarning] { get }
    /// What the file holds beside tracks, such as plans: why it is no recording if there is no track in it.
    var otherContent: OtherContent? { get }
    /// Where the scanner is.
    var byte: Int { get }
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
    case device(TrackDevice)
    case lapBegan(start: Double)
    case lapEnded(TrackLap)
    /// The track begins anew: it was interrupted, unless a lap just began.
    case segment
    case point(TrackPoint)
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

/// What made the file.
struct TrackDevice: Sendable, Equatable {
    var name = ""
    var unit = ""
    var version = ""

    static let sensor = "recorder"

    func status(_ fallback: String) -> SensorStatus {
        SensorStatus(
            id: Self.sensor, kind: .replay, presence: .present,
            device: DeviceDescription(
                name: name.isEmpty ? fallback : name, softwareVersion: version.isEmpty ? nil : version,
                localIdentifier: unit.isEmpty ? nil : unit))
    }
}
