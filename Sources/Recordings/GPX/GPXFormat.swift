/// The GPS Exchange Format, versions 1.0 and 1.1: positions, with the values that extensions add.
///
/// A workout is a track, with the tracks that follow within an hour. A new segment ends a pause. A GPX file has no
/// distance: it is computed from the positions.
public struct GPXFormat: RecordingFormat {
    /// `gpx`.
    public let name = "gpx"
    /// The name in sentences.
    public let title = "GPX"
    /// `gpx`.
    public let endings = ["gpx"]

    private let activity: String?

    /// - Parameter activity: The activity to use if the file states none: a case of `HKWorkoutActivityType`.
    public init(activity: String? = nil) { self.activity = activity }

    /// Returns whether the root of the XML is `gpx`.
    public func recognizes(_ start: FileStart) -> Bool { start.xmlRoot == "gpx" }

    /// Reads a recording of each workout: a track, with the tracks that follow within an hour.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        try TrackFile<GPXGrammar>.read(source, format: self, activity: activity)
    }

    /// Returns a writer of positions, times, and extensions such as heart rates; <doc:WrittenFiles> lists them.
    public func writer() -> (any RecordingWriter)? { TrackWriter(GPXTrackFile.self) }
}
