import SessionLog
import XML

/// Converts the texts in track files.
enum TrackScan {
    /// The size of the scanner's buffer: no tag of a track is longer.
    static let capacity = 1 << 17

    /// Returns the date in seconds since 2001. A date without a time zone is taken as UTC, as both formats define it.
    /// Returns nil and warns if the text is not a date.
    static func date(
        _ text: UnsafeBufferPointer<UInt8>, byte: Int, _ warnings: inout RecordingWarnings<String>
    ) -> Double? {
        guard let (seconds, hasZone) = SessionLogDate.parseLoosely(text) else {
            warnings.addOnce(byte: byte, "an invalid time: “\(excerpt(text))”")
            return nil
        }
        if !hasZone { warnings.addOnce(byte: byte, "times have no time zone; UTC was assumed") }
        return seconds
    }

    static func number(
        _ text: UnsafeBufferPointer<UInt8>, byte: Int, _ warnings: inout RecordingWarnings<String>
    ) -> Double? {
        let number = XMLNumber.value(of: text)
        if number == nil { warnings.addOnce(byte: byte, "an invalid number: “\(excerpt(text))”") }
        return number
    }

    private static func excerpt(_ text: UnsafeBufferPointer<UInt8>) -> String {
        String(decoding: text.prefix(40), as: UTF8.self)
    }
}
