/// Garmin's Training Center Database: laps, points, and what a device says of itself.
///
/// A workout is an `Activity`, or all those of a `MultiSportSession`. A `Track` that begins within a lap ends a pause; so does a
/// point after the longest times without one, as far as a lap says that it took less time than passed.
public struct TCXFormat: RecordingFormat {
    /// `tcx`.
    public let name = "tcx"
    /// As it stands in a sentence.
    public let title = "TCX"
    /// `tcx`.
    public let endings = ["tcx"]

    private let activity: String?

    /// - Parameter activity: What was done where the file does not say it: a case of `HKWorkoutActivityType`.
    public init(activity: String? = nil) { self.activity = activity }

    /// Whether the root of the XML is `TrainingCenterDatabase`.
    public func recognizes(_ start: FileStart) -> Bool { start.xmlRoot == "TrainingCenterDatabase" }

    /// A recording of each `Activity` or `MultiSportSession`, in order of time.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        try TrackFile<TCXGrammar>.read(source, format: self, activity: activity)
    }

    /// Writes laps and trackpoints; which fields, <doc:WrittenFiles> says.
    public func writer() -> (any RecordingWriter)? { TrackWriter(TCXTrackFile.self) }
}
