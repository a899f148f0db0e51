import GATT

@testable import Recordings
@testable import SessionLog

/// Reads a capture in pieces, and keeps its packets.
struct CaptureReader {
    private var parser = CaptureParser()
    private var survey = CaptureSurvey()
    private var packets: [CapturePacket] = []

    init() {}

    mutating func read(_ bytes: some Collection<UInt8>) {
        survey.read(bytes)
        parser.read(bytes) { packets.append($0) }
    }

    mutating func finish() throws(CaptureRefusal) -> (events: [CapturedEvent], warnings: [RecordingWarning]) {
        try survey.finish()
        var trace = ControllerTrace(named: survey.named)
        var events: [CapturedEvent] = []
        for packet in packets { trace.take(packet) { events.append($0) } }
        return (events, survey.warnings)
    }
}
