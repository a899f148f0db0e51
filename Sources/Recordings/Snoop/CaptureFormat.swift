import Foundation
import GATT
import SessionLog

/// Captures of Bluetooth traffic.
public struct CaptureFormat: RecordingFormat {
    /// `btsnoop`, `pcapng` or `pcap`.
    public let name: String
    /// The name in sentences.
    public let title: String
    /// The extensions, the usual one first.
    public let endings: [String]
    /// The possible first bytes of a file.
    private let marks: [[UInt8]]

    /// The format of `btmon -w` and Android's HCI log.
    public static let btsnoop = CaptureFormat(
        name: "btsnoop", title: "btsnoop captures", endings: ["btsnoop", "log"], marks: [Array("btsnoop\0".utf8)])

    /// The format of Wireshark.
    public static let pcapng = CaptureFormat(
        name: "pcapng", title: "pcapng captures", endings: ["pcapng"], marks: [[0x0A, 0x0D, 0x0D, 0x0A]])

    /// The format in either byte order, with microseconds or nanoseconds.
    public static let pcap = CaptureFormat(
        name: "pcap", title: "pcap captures", endings: ["pcap"],
        marks: [
            [0xD4, 0xC3, 0xB2, 0xA1], [0xA1, 0xB2, 0xC3, 0xD4], [0x4D, 0x3C, 0xB2, 0xA1], [0xA1, 0xB2, 0x3C, 0x4D],
        ])

    /// Returns whether the first bytes belong to this kind of capture.
    public func recognizes(_ start: FileStart) -> Bool { marks.contains { start.holds($0) } }

    /// Reads one recording of the straps' notifications in the traffic. Without notifications it has no entries.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        Recording.numbered([try CaptureFile.read(source, format: name)])
    }
}

/// Reads captures of Bluetooth traffic: btsnoop (`btmon -w`, Android's HCI log), pcapng and pcap.
enum CaptureFile {
    /// Reads a capture as a recording of the notifications of all sensors in it.
    ///
    /// Warnings describe damage; everything before it is read. A capture without values of a sensor gives a recording
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
            entries: entries, file: summary.finish(format: format, warnings: survey.warnings + workout.notes),
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

/// The entries of a captured workout, read from the file when they are needed.
final class CaptureEntries {
    private let bytes: RecordingBytes
    private let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)
    private var parser = CaptureParser()
    private var trace: ControllerTrace
    private var recording: CaptureRecording
    private var handedOut = 0
    private var isOver = false

    init(_ workout: CapturedWorkout, id: UUID, _ bytes: RecordingBytes) {
        self.bytes = bytes
        trace = ControllerTrace(named: workout.named)
        recording = CaptureRecording(workout, id: id)
    }

    deinit { room.deallocate() }

    /// Returns nil at the end.
    func read() throws(RecordingError) -> SessionEntry? {
        while handedOut == recording.entries.count {
            if isOver { return nil }
            recording.entries.removeAll(keepingCapacity: true)
            handedOut = 0
            let count = try bytes.read(into: room)
            if count > 0 {
                parser.read(UnsafeBufferPointer(rebasing: room[..<count])) { packet in
                    trace.take(packet) { recording.take($0) }
                }
            } else {
                isOver = true
                recording.finish()
            }
        }
        handedOut += 1
        return recording.entries[handedOut - 1]
    }
}
