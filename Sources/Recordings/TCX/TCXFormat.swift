/// Garmin's Training Center Database: laps, points, and the device that recorded them.
///
/// A workout is an `Activity`, or all activities of a `MultiSportSession`. A `Track` that begins within a lap ends a
/// pause. If a lap states less time than passed, the longest times without a point are pauses too.
public struct TCXFormat: RecordingFormat {
    /// `tcx`.
    public let name = "tcx"
    /// The name in sentences.
    public let title = "TCX"
    /// `tcx`.
    public let endings = ["tcx"]

    private let activity: String?

    /// - Parameter activity: The activity to use if the file states none: a case of `HKWorkoutActivityType`.
    public init(activity: String? = nil) { self.activity = activity }

    /// Returns whether the root of the XML is `TrainingCenterDatabase`.
    public func recognizes(_ start: FileStart) -> Bool { start.xmlRoot == "TrainingCenterDatabase" }

    /// Reads a recording of each `Activity` or `MultiSportSession`, in order of time.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        try TrackFile<TCXGrammar>.read(source, format: self, activity: activity)
    }

    /// Returns a writer of laps and trackpoints; <doc:WrittenFiles> lists their fields.
    public func writer() -> (any RecordingWriter)? { TrackWriter(TCXTrackFile.self) }
}
