package import Foundation
import SessionLog

/// Writes the entries of a workout to a file in some format, completely or not at all, or to a pipe.
package enum RecordingOutput {
    /// Writes a file under a temporary name until it is complete and on the disk. Only its owner can read it.
    ///
    /// - Parameters:
    ///   - replacing: Whether to replace an existing file. If false and there is one, it stays and `exists` is thrown.
    ///   - check: Called between pieces and at the end. If it throws, no file remains.
    /// - Returns: The values that the format cannot hold, as names for a list.
    /// - Throws: `RecordingWriteError`, `RecordingError` if the entries could not all be read, `FileFault`,
    ///   `RecordingOutputError`, and errors of `check` and the format's writer.
    package static func write(
        _ entries: RecordedEntries, as format: any RecordingFormat, to url: URL, replacing: Bool,
        check: () throws -> Void = {}
    ) throws -> [String] {
        guard var writer = format.writer() else { throw RecordingOutputError.notWritable(format: format.title) }
        if !replacing, isThere(url) { throw RecordingOutputError.exists(path: url.path) }
        var file = try UnfinishedFile(url)
        try writer.write(entries) { bytes in
            try check()
            try file.write(bytes)
        }
        try check()
        if let head = writer.head { try file.replaceStart(by: head) }
        try file.finish(replacing: replacing)
        return writer.leftOut
    }

    /// Writes to a function that receives the bytes in order. If a format only knows its first bytes at the end, the
    /// rest waits in a temporary file without a name.
    package static func write(
        _ entries: RecordedEntries, as format: any RecordingFormat, to output: ([UInt8]) throws -> Void
    ) throws -> [String] {
        guard var writer = format.writer() else { throw RecordingOutputError.notWritable(format: format.title) }
        guard writer.head != nil else {
            try writer.write(entries, output: output)
            return writer.leftOut
        }
        let file = try UnfinishedFile(waitingIn: FileManager.default.temporaryDirectory)
        try writer.write(entries) { try file.write($0) }
        if let head = writer.head { try file.replaceStart(by: head) }
        try file.forEachPiece(output)
        return writer.leftOut
    }

    /// Returns whether a file exists. A link without a target counts.
    package static func isThere(_ url: URL) -> Bool {
        var status = stat()
        return lstat(url.path, &status) == 0
    }
}

package enum RecordingOutputError: Error, Equatable, CustomStringConvertible {
    case exists(path: String)
    case notWritable(format: String)

    package var description: String {
        switch self {
        case .exists(let path): "cannot write \(path): it already exists; choose another name or add --force"
        case .notWritable(let format): "\(format) can only be read; choose another format"
        }
    }
}
