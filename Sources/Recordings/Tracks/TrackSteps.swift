/// What gives the steps of a file of tracks, one after the other.
protocol TrackSteps: ~Copyable {
    /// Nil at the end.
    mutating func next() throws(ByteStreamFault) -> TrackStep?
    /// Where it is in the file.
    var byte: Int { get }
}

extension TrackReader: TrackSteps {}

/// The steps of a workout in memory: of formats that are read whole.
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

    /// The recording of one workout.
    ///
    /// - Parameters:
    ///   - leftOut: What the file holds and no step tells.
    ///   - activity: What was done if the file does not say it.
    static func recording(
        _ steps: [TrackStep], leftOut: [String], format: any RecordingFormat, activity: String?
    ) -> Recording {
        var survey = TrackSurvey(byte: 0, goesOn: false)
        for step in steps { survey.take(step) }
        var recording = survey.recording(format, activity) { plan in
            RecordedEntries(source: { () throws(RecordingError) in
                try TrackEntries(plan, StoredTrackSteps(steps), path: format.title)
            })
        }
        recording.file.leftOut = leftOut
        return recording
    }
}
