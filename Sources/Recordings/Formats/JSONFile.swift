import Foundation

/// Reads JSON files as a whole.
enum JSONFile {
    static func object(
        _ source: RecordingSource, atMost megabytes: Int, title: String
    ) throws(RecordingError) -> [String: Any] {
        guard let object = try value(source, atMost: megabytes, title: title) as? [String: Any] else {
            throw .invalid(path: source.path, byte: 0, reason: "it is not a \(title) file: it contains no JSON object")
        }
        return object
    }

    static func value(
        _ source: RecordingSource, atMost megabytes: Int, title: String
    ) throws(RecordingError) -> Any {
        var bytes = try source.all(atMost: megabytes, which: "no \(title) file")
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        do { return try JSONSerialization.jsonObject(with: Data(bytes)) } catch {
            throw .invalid(
                path: source.path, byte: bytes.count,
                reason: "it is cut off or damaged: \(title) files are read whole; get it again from where it came")
        }
    }

    /// Returns nil if the value is not a number.
    static func number(_ value: Any?) -> Double? {
        guard let number = (value as? NSNumber)?.doubleValue ?? value as? Double, number.isFinite else { return nil }
        return number
    }
}

extension FileStart {
    /// The first bytes as text without white space.
    var withoutSpace: String { String(decoding: text.filter { $0 > 0x20 }, as: UTF8.self) }
}
