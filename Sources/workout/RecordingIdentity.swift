import Foundation
import HealthKit
import Recordings

/// Which workout a recording is, whoever reads it, wherever and whenever: `import` and `replay` store it once.
///
/// The log of a session is of the workout that it names. The simulator names a workout by its seed alone, and a log
/// without a header names none: those are known by their content, and any other file by its bytes.
enum RecordingIdentity {
    static func id(of recording: Recording, at url: URL) throws -> UUID {
        if recording.file.format == "jsonl" {
            guard let header = recording.header, header.id != .ofUnnamedWorkout,
                header.creator?.hasPrefix("simulator") != true
            else { return recording.id }
            return header.id
        }
        return try RecordingFile.identity(url, workout: recording.file.workout)
    }
}

extension Recording {
    /// The same for the same recording, whenever it is read.
    ///
    /// Not the header's UUID alone: recordings of a simulator with one seed share that.
    var id: UUID {
        var first = StableHash()
        var count: UInt64 = 0
        for entry in entries {
            count += 1
            first.add(entry.date.timeIntervalSinceReferenceDate.bitPattern)
            switch entry.content {
            case .header(let header):
                first.add(header.id.uuidString.utf8)
                first.add(header.activity.activity.utf8)
            case .quantity(let reading):
                first.add(reading.type.utf8)
                first.add(reading.value.bitPattern)
            default: break
            }
        }
        var second = first
        second.add(count)
        return UUID(first.value, second.value)
    }
}

/// FNV-1a of 64 bits (Fowler, Noll & Vo 1991). Swift's own hashes differ from process to process.
private struct StableHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    mutating func add(_ word: UInt64) {
        add((0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) })
    }
}

extension UUID {
    /// Of the form that RFC 9562 leaves to applications (version 8).
    fileprivate init(_ high: UInt64, _ low: UInt64) {
        let high = high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000
        let low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let bytes = [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
        self.init(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }
}
