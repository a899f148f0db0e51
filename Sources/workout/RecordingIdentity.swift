import Foundation
import HealthKit
import Recordings
import SessionLog

/// Which workout a recording is, whoever reads it, wherever and whenever: `import` and `replay` store it once.
///
/// The log of a session is of the workout that it names, and so is a file that was exported of it. The simulator names a workout by its seed alone, and a log
/// without a header names none: those are known by their content, and any other file by its bytes.
enum RecordingIdentity {
    static func id(
        of recording: Recording, at url: URL, _ formats: [any RecordingFormat] = RecordingFile.formats
    ) throws -> UUID {
        try id(of: recording, in: RecordingFile.source(url, formats: formats))
    }

    static func id(of recording: Recording, in source: RecordingSource) throws -> UUID {
        if recording.file.format == "jsonl" { return recording.header?.ownID ?? recording.id }
        // An export is of the workout that it was written of. One that reads as several workouts has others behind the first.
        if let exported = recording.facts.workoutID {
            guard recording.file.workout > 1 else { return exported }
            var others = FNV1a()
            others.add(exported.uuidString.utf8)
            var place = others
            place.add(UInt64(recording.file.workout))
            return UUID(version8: others.value, place.value)
        }
        return try RecordingFile.identity(source, workout: recording.file.workout)
    }
}

extension Recording {
    /// The same for the same recording, whenever it is read.
    ///
    /// Not the header's UUID alone: recordings of a simulator with one seed share that.
    var id: UUID {
        var first = FNV1a()
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
        return UUID(version8: first.value, second.value)
    }
}
