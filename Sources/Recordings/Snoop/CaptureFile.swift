public import Bluetooth
public import Foundation

/// Captures of Bluetooth traffic, as files to be read: btsnoop (`btmon -w`, Android's HCI log), pcapng and pcap.
public enum CaptureFile {
    /// Reads a capture as a recording: the notifications of all sensors in it.
    ///
    /// Damage is told by warnings; what came before it is read. A capture without any sensor's values gives a recording
    /// without entries.
    static func read(_ url: URL, format: RecordingFile.Format) throws(RecordingError) -> Recording {
        let capture = try events(url)
        return CaptureRecording.recording(capture.events, format: format, warnings: capture.warnings)
    }

    /// The recording that a capture's events make.
    package static func recording(_ events: [CapturedEvent]) -> Recording {
        CaptureRecording.recording(events, format: .btsnoop, warnings: [])
    }

    /// What happened between the host and its devices, in order of time: to be played by `CaptureCentral`.
    ///
    /// - Throws: `RecordingError.unreadable`, `notRegular`, `empty`, or `invalid` for a capture of something else.
    public static func events(
        _ url: URL
    ) throws(RecordingError) -> (events: [CapturedEvent], warnings: [RecordingWarning]) {
        let file = try RecordingFile.open(url)
        var reader = CaptureReader()
        var room = [UInt8](repeating: 0, count: 1 << 18)
        var size = 0
        do throws(FileFault) {
            while true {
                let count = try room.withUnsafeMutableBufferPointer { (buffer) throws(FileFault) in
                    try file.read(into: buffer, at: size)
                }
                if count == 0 { break }
                size += count
                reader.read(room[..<count])
            }
        } catch {
            throw .unreadable(error)
        }
        if size == 0 { throw .empty(path: url.path) }
        do throws(CaptureRefusal) {
            return try reader.finish()
        } catch {
            throw .invalid(path: url.path, byte: 0, reason: error.reason)
        }
    }
}

/// Why nothing of a capture can be read.
package struct CaptureRefusal: Error, Equatable {
    package var reason: String
}

/// Reads a capture that is handed over in pieces.
package struct CaptureReader {
    private var parser = CaptureParser()
    private var trace = ControllerTrace()

    package init() {}

    package mutating func read(_ bytes: some Collection<UInt8>) {
        parser.read(bytes) { trace.take($0) }
    }

    package mutating func finish() throws(CaptureRefusal) -> (events: [CapturedEvent], warnings: [RecordingWarning]) {
        parser.finish()
        if let reason = parser.refusal { throw CaptureRefusal(reason: reason) }
        trace.finish()
        return (trace.events, parser.warnings + trace.warnings.map { RecordingWarning(byte: 0, message: $0) })
    }
}
