package import Foundation
import SessionLog

/// Puts a workout's entries into a file of a format, whole or not at all, or into a pipe.
package enum RecordingOutput {
    /// Writes a file: under another name until it is whole and on the disk. The owner's alone.
    ///
    /// - Parameters:
    ///   - replacing: A file of this name may go; otherwise it stays and `exists` is thrown.
    ///   - check: Asked between pieces and at the end; what it throws leaves no file.
    /// - Returns: What the format had no place for, in the words of a list.
    /// - Throws: `RecordingWriteError`, `RecordingError` where the entries could not be read to their end, `FileFault`,
    ///   `RecordingOutputError`, and what `check` and the format's writer throw.
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

    /// Writes to whatever takes bytes one after the other. What a format knows of its first bytes only at the end waits in a
    /// file without a name.
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

    /// A link to nothing is there, too.
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
