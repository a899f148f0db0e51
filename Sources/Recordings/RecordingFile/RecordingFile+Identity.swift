public import Foundation

extension RecordingFile {
    /// Names a workout of a file by the file's bytes: the same wherever it lies, whatever its name, packed or not, alone in an archive or not.
    ///
    /// - Parameter workout: Which of several, from 1 on.
    public static func identity(_ url: URL, workout: Int = 1) throws(RecordingError) -> UUID {
        try identity(source(url), workout: workout)
    }

    /// The same of a recording that lies elsewhere, as in an archive of many.
    public static func identity(_ source: RecordingSource, workout: Int = 1) throws(RecordingError) -> UUID {
        var print = HealthFingerprint()
        print.combine("recording")
        print.combine(UInt64(try source.open().count()))
        var word: UInt64 = 0
        var taken = 0
        try source.open().forEach { (bytes) throws(RecordingError) in
            for byte in bytes {
                word = word << 8 | UInt64(byte)
                taken += 1
                if taken % 8 == 0 {
                    print.combine(word)
                    word = 0
                }
            }
        }
        if taken % 8 != 0 { print.combine(word) }
        // The first one is named as the only one: one more in the same file does not make it another.
        if workout > 1 { print.combine(UInt64(workout)) }
        return print.uuid
    }
}
