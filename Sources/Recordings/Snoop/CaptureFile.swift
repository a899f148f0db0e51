import Foundation

/// Captures of Bluetooth traffic, as files to be read: btsnoop (`btmon -w`, Android's HCI log), pcapng and pcap.
enum CaptureFile {
    /// Reads a capture as a recording: the notifications of all sensors in it.
    ///
    /// Damage is told by warnings; what came before it is read. A capture without any sensor's values gives a recording
    /// without entries.
    static func read(
        _ source: RecordingSource, format: String
    ) throws(RecordingError) -> Recording {
        let survey = try survey(source.open())
        guard let workout = CapturedWorkout(survey) else {
            return CaptureRecording.nothing(format: format, warnings: survey.warnings)
        }
        var summary = CaptureRecording.Summary()
        let again = CaptureEntries(workout, id: UUID(), try source.open())
        while let entry = try again.read() { summary.add(entry) }
        let id = workout.id(entryCount: summary.count)
        let entries = RecordedEntries(reading: { () throws(RecordingError) in
            let reading = CaptureEntries(workout, id: id, try source.open())
            return { () throws(RecordingError) in try reading.read() }
        })
        return Recording(
            entries: entries, file: summary.finish(format: format, warnings: survey.warnings),
            facts: Recording.Facts(start: workout.time.lowerBound, end: workout.time.upperBound, hasPackets: true))
    }

    private static func survey(_ bytes: RecordingBytes) throws(RecordingError) -> CaptureSurvey {
        var survey = CaptureSurvey()
        var isEmpty = true
        try bytes.forEach { (piece) throws(RecordingError) in
            isEmpty = false
            survey.read(piece)
        }
        if isEmpty { throw bytes.warning.map { .invalid(bytes.path, $0) } ?? .empty(path: bytes.path) }
        do throws(CaptureRefusal) {
            try survey.finish()
            return survey
        } catch {
            throw .invalid(path: bytes.path, byte: 0, reason: error.reason)
        }
    }
}
