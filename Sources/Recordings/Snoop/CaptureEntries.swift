import Bluetooth
import Foundation

/// The entries of a captured workout, read from the file as they are asked for.
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

    /// Nil at the end.
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
