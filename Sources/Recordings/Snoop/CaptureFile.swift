public import Bluetooth
public import Foundation

/// Captures of Bluetooth traffic, as files to be read: btsnoop (`btmon -w`, Android's HCI log), pcapng and pcap.
public enum CaptureFile {
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

    /// The recording that a capture's events make.
    package static func recording(_ events: [CapturedEvent]) -> Recording {
        CaptureRecording.recording(events)
    }

    /// What happened between the host and its devices, in the order of the file.
    ///
    /// - Throws: `RecordingError.unreadable`, `notRegular`, `empty`, or `invalid` for a capture of something else.
    public static func events(
        _ url: URL
    ) throws(RecordingError) -> (events: [CapturedEvent], warnings: [RecordingWarning]) {
        let survey = try survey(RecordingSource(url).open())
        var parser = CaptureParser()
        var trace = ControllerTrace(named: survey.named)
        var events: [CapturedEvent] = []
        try RecordingSource(url).open().forEach { (piece) throws(RecordingError) in
            parser.read(piece) { packet in trace.take(packet) { events.append($0) } }
        }
        return (events, survey.warnings)
    }
}

/// Reads a capture that is handed over in pieces, and holds its packets.
package struct CaptureReader {
    private var parser = CaptureParser()
    private var survey = CaptureSurvey()
    private var packets: [CapturePacket] = []

    package init() {}

    package mutating func read(_ bytes: some Collection<UInt8>) {
        survey.read(bytes)
        parser.read(bytes) { packets.append($0) }
    }

    package mutating func finish() throws(CaptureRefusal) -> (events: [CapturedEvent], warnings: [RecordingWarning]) {
        try survey.finish()
        var trace = ControllerTrace(named: survey.named)
        var events: [CapturedEvent] = []
        for packet in packets { trace.take(packet) { events.append($0) } }
        return (events, survey.warnings)
    }
}
