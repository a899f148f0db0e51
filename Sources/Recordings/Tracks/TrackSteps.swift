import SessionLog

/// A source of the steps of a track file, in its order.
protocol TrackSteps: ~Copyable {
    /// Returns nil at the end.
    mutating func next() throws(ByteStreamFault) -> TrackStep?
    /// The position in the file.
    var byte: Int { get }
}

extension TrackReader: TrackSteps {}

/// The steps of a workout in memory, for formats that are read as a whole.
struct StoredTrackSteps: TrackSteps {
    private let steps: [TrackStep]
    private var place = 0
    let byte = 0

    init(_ steps: [TrackStep]) { self.steps = steps }

    mutating func next() -> TrackStep? {
        guard place < steps.count else { return nil }
        defer { place += 1 }
        return steps[place]
    }

    /// Returns the recording of one workout.
    ///
    /// - Parameters:
    ///   - steps: Its steps, which the recording keeps unless they can be made again.
    ///   - again: Returns the same steps whenever the entries are read.
    ///   - leftOut: The contents of the file that no step holds.
    ///   - activity: The activity to use if the file states none.
    static func recording(
        _ steps: [TrackStep], again: (@Sendable () -> [TrackStep])? = nil, leftOut: [String],
        format: any RecordingFormat, activity: String?
    ) -> Recording {
        var survey = TrackSurvey(byte: 0, goesOn: false)
        for step in steps { survey.take(step) }
        let again = again ?? { steps }
        var recording = survey.recording(format, activity) { plan in
            RecordedEntries(source: { () throws(RecordingError) in
                try TrackEntries(plan, StoredTrackSteps(again()), path: format.title)
            })
        }
        recording.file.leftOut = leftOut
        return recording
    }
}
