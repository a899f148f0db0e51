import Foundation
import HealthKit
import Recordings
import SessionLog

/// The ID of the workout in a recording. It is the same for every reader, place and time, so that `import` and `replay`
/// store a workout once.
///
/// A session log and an exported file name their workout. The simulator names a workout by its seed alone, and a log
/// without a header names none, so their ID comes from their content. That of any other file comes from its bytes.
enum RecordingIdentity {
    static func id(
        of recording: Recording, at url: URL, _ formats: [any RecordingFormat] = RecordingFile.formats
    ) throws -> UUID {
        try id(of: recording, in: RecordingFile.source(url, formats: formats))
    }

    static func id(of recording: Recording, in source: RecordingSource) throws -> UUID {
        if recording.file.format == "jsonl" { return recording.header?.ownID ?? recording.id }
        // An export has the ID of its workout. If it reads as several workouts, the later ones get other IDs.
        if let exported = recording.facts.workoutID {
            guard recording.file.workout > 1 else { return exported }
            var others = FNV1a()
            others.add(exported.uuidString.utf8)
            var place = others
            place.add(UInt64(recording.file.workout))
            return UUID(version8: others.value, place.value)
        }
        if let id = recording.file.ownID { return id }
        return try RecordingFile.identity(source, workout: recording.file.workout)
    }
}

extension Recording {
    /// The ID, the same for the same recording whenever it is read.
    ///
    /// The header's UUID alone is not enough, because simulated recordings with one seed share it.
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
