/// The GPS Exchange Format, versions 1.0 and 1.1: positions, and what extensions add to them.
///
/// A workout is a track, with those that go on within an hour. A new segment ends a pause. There is no distance in a GPX file: it
/// is that between the positions.
public struct GPXFormat: RecordingFormat {
    /// `gpx`.
    public let name = "gpx"
    /// As it stands in a sentence.
    public let title = "GPX"
    /// `gpx`.
    public let endings = ["gpx"]

    private let activity: String?

    /// - Parameter activity: What was done where the file does not say it: a case of `HKWorkoutActivityType`.
    public init(activity: String? = nil) { self.activity = activity }

    /// Whether the root of the XML is `gpx`.
    public func recognizes(_ start: FileStart) -> Bool { start.xmlRoot == "gpx" }

    /// A recording of each workout: a track, with those that go on within an hour.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        try TrackFile<GPXGrammar>.read(source, format: self, activity: activity)
    }

    /// Writes positions and times, heart rates as extensions; which, <doc:WrittenFiles> says.
    public func writer() -> (any RecordingWriter)? { TrackWriter(GPXTrackFile.self) }
}
