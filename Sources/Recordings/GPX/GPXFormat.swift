/// The GPS Exchange Format, versions 1.0 and 1.1: positions, and what extensions add to them.
///
/// A workout is a track, with those that go on within an hour. A new segment ends a pause. There is no distance in a GPX file: it
/// is that between the positions.
public struct GPXFormat: RecordingFormat {
    public let name = "gpx"
    public let title = "GPX"
    public let endings = ["gpx"]

    private let activity: String?

    /// - Parameter activity: What was done where the file does not say it: a case of `HKWorkoutActivityType`.
    public init(activity: String? = nil) { self.activity = activity }

    public func recognizes(_ start: FileStart) -> Bool { start.xmlRoot == "gpx" }

    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        try TrackFile<GPXGrammar>.read(source, format: self, activity: activity)
    }

    public func writer() -> (any RecordingWriter)? { TrackWriter(GPXTrackFile.self) }
}
