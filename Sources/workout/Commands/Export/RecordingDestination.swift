import ArgumentParser
import Foundation
import HealthKit
import Recordings
import SessionLog
import StoredWorkouts

/// The place that workouts are written to: a file, a folder or a pipe.
struct RecordingDestination {
    enum Place: Equatable {
        case file(URL)
        case folder(URL)
        /// A device, a named pipe and the like, which receives bytes as they come.
        case pipe(path: String)
        case standardOutput
    }

    let place: Place
    let replaces: Bool
    private let format: (any RecordingFormat)?
    /// Returns whether to stop. It is called between pieces, and the unfinished file is then removed.
    private let isEnded: @Sendable () -> Bool

    /// - Parameters:
    ///   - name: The name as it was typed. Nil means the current folder.
    ///   - formatName: Overrides the extension of the name.
    ///   - isOfSeveral: Whether several workouts are written. A name that does not exist is then a folder's.
    init(
        _ name: String?, formatName: String?, isOfSeveral: Bool, replaces: Bool, isEnded: @escaping @Sendable () -> Bool
    ) throws {
        self.isEnded = isEnded
        self.replaces = replaces
        place = Self.place(name ?? ".", isOfSeveral: isOfSeveral)
        if let formatName {
            format = try Self.format(formatName)
        } else if case .file(let url) = place {
            guard let found = RecordingFile.format(ofName: url.lastPathComponent) else {
                throw CommandFailure(
                    exitCode: .wrongUsage,
                    message:
                        "'\(url.lastPathComponent)' has no known extension: use \(Self.endings), or add --format")
            }
            format = found
        } else if case .folder = place {
            format = nil
        } else {
            format = RecordingFile.format(ofName: name ?? "")
            guard format != nil else {
                throw CommandFailure(
                    exitCode: .wrongUsage, message: "'\(name ?? "")' has no extension: add --format")
            }
        }
        if isOfSeveral, case .file(let url) = place {
            throw CommandFailure(
                exitCode: .wrongUsage, message: "\(url.path) is a file; several workouts need a folder"
            )
        }
        if isOfSeveral, case .folder = place, let name, !name.hasSuffix("/"),
            !FileManager.default.fileExists(atPath: name),
            RecordingFile.format(ofName: name) != nil
        {
            throw CommandFailure(
                exitCode: .wrongUsage,
                message:
                    "'\(name)' is one file; several workouts need a folder, such as out/")
        }
        if isOfSeveral, place == .standardOutput {
            throw CommandFailure(
                exitCode: .wrongUsage, message: "'-' takes one workout; use a folder for several")
        }
    }

    private static func place(_ name: String, isOfSeveral: Bool) -> Place {
        if name == "-" { return .standardOutput }
        let url = URL(fileURLWithPath: name)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            return name.hasSuffix("/") || isOfSeveral ? .folder(url) : .file(url)
        }
        if isFolder.boolValue { return .folder(url) }
        // A link stays, and its target is replaced. A link whose target has no name is a pipe of the shell.
        let file = url.resolvingSymlinksInPath()
        let kind = try? FileManager.default.attributesOfItem(atPath: file.path)[.type] as? FileAttributeType
        return kind == .typeRegular ? .file(file) : .pipe(path: url.path)
    }

    /// Returns whether the name is an existing folder, or meant to be one.
    static func isFolder(_ name: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: name, isDirectory: &isFolder)
            ? isFolder.boolValue : name.hasSuffix("/")
    }

    static var endings: String {
        RecordingFile.writableFormats.map { ".\($0.endings[0])" }.joined(separator: ", ")
    }

    private static func format(_ name: String) throws -> any RecordingFormat {
        let wanted = name.lowercased()
        guard
            let format = RecordingFile.writableFormats.first(where: { $0.name == wanted || $0.endings.contains(wanted) }
            )
        else {
            let names = RecordingFile.writableFormats.map(\.name).joined(separator: ", ")
            throw CommandFailure(
                exitCode: .wrongUsage, message: "cannot write the format '\(name)'; choose one of \(names)")
        }
        return format
    }

    /// Returns the format, or the one of `name` if the user named none.
    func format(otherwise name: String) throws -> any RecordingFormat { try format ?? Self.format(name) }

    /// Writes one workout and reports the result.
    ///
    /// - Parameters:
    ///   - name: The name in a folder, without an extension.
    ///   - otherwise: The name of the format if nothing else determines it.
    ///   - failure: Returns why the entries ended before the workout. The unfinished file is then removed.
    func write(
        _ entries: RecordedEntries, named name: String, otherwise: String, failure: () -> (any Error)? = { nil }
    ) throws -> WrittenRecording {
        func check() throws {
            if isEnded() { throw CancellationError() }
            if let failure = failure() { throw failure }
        }
        let format = try format(otherwise: otherwise)
        do {
            switch place {
            case .file(let url): return try write(entries, format, to: url, check)
            case .folder(let folder):
                try DurableFile.makeFolder(folder)
                return try write(
                    entries, format, to: folder.appendingPathComponent("\(name).\(format.endings[0])"), check)
            case .pipe(let path):
                guard let pipe = FileHandle(forWritingAtPath: path) else {
                    throw CommandFailure(
                        exitCode: .badInput, message: "cannot write \(path): \(String(cString: strerror(errno)))")
                }
                var count = 0
                let left = try RecordingOutput.write(entries, as: format) { bytes in
                    try check()
                    do { try pipe.write(contentsOf: bytes) } catch {
                        throw CommandFailure(
                            exitCode: .outputFault, message: "cannot write \(path): \(CommandFailure.describe(error))")
                    }
                    count += bytes.count
                }
                try check()
                return WrittenRecording(file: path, format: format, bytes: count, leftOut: left)
            case .standardOutput:
                var count = 0
                let left = try RecordingOutput.write(entries, as: format) { bytes in
                    try check()
                    // A reader that has left had what it wanted.
                    if CommandOutput.standard.isClosed { throw ExitCode.success }
                    CommandOutput.standard.write(bytes)
                    count += bytes.count
                }
                try check()
                return WrittenRecording(file: "-", format: format, bytes: count, leftOut: left)
            }
        } catch {
            throw Self.failure(error)
        }
    }

    private func write(
        _ entries: RecordedEntries, _ format: any RecordingFormat, to url: URL, _ check: () throws -> Void
    ) throws -> WrittenRecording {
        let left = try RecordingOutput.write(entries, as: format, to: url, replacing: replaces, check: check)
        let size = try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize
        return WrittenRecording(file: url.path, format: format, bytes: size ?? 0, leftOut: left)
    }

    private static func failure(_ error: any Error) -> any Error {
        switch error {
        case is CommandFailure, is ExitCode: return error
        case is CancellationError:
            return CommandFailure(exitCode: .interrupted, message: "interrupted; the partial file was removed")
        case let fault as FileFault where fault.code == EEXIST:
            return CommandFailure(
                exitCode: .badInput,
                message: "cannot write \(fault.path): it already exists; choose another name or add --force")
        case let fault as FileFault:
            // The error names the temporary file, which the user does not know.
            let message = fault.description.replacingOccurrences(of: ".\(getpid()).part", with: "")
            return CommandFailure(exitCode: .outputFault, message: message)
        case let error as HKError where error.isOfStore:
            return CommandFailure(exitCode: .serviceMissing, message: CommandFailure.describe(error))
        case is HKError: return CommandFailure(exitCode: .ownFault, message: CommandFailure.describe(error))
        case is RecordingError, is RecordingWriteError, is RecordingOutputError, is SessionLogError:
            return CommandFailure(exitCode: .badInput, message: CommandFailure.describe(error))
        default: return CommandFailure(exitCode: .outputFault, message: CommandFailure.describe(error))
        }
    }
}

/// A written workout, for people and for programs.
struct WrittenRecording {
    var file: String
    var format: any RecordingFormat
    var bytes: Int
    var leftOut: [String]

    func json(of source: String) -> JSONText {
        .object([
            ("source", .string(source)), ("file", .string(file)), ("format", .string(format.name)),
            ("bytes", .integer(bytes)), ("leftOut", .array(leftOut.map { .string($0) })),
        ])
    }

    /// `ride.tcx  TCX, 84 kB`
    var line: String { "\(file)  \(format.title), \(ByteCount.text(bytes))" }

    /// Prints the file's line on standard output, unless the file itself went there.
    func notify(json: Bool, source: String) {
        if json {
            let text = self.json(of: source).text
            return file == "-" ? CommandOutput.error.print(text) : CommandOutput.standard.print(text)
        }
        if file != "-" { CommandOutput.standard.print(line) }
        CommandOutput.standard.flush()
    }
}

/// What the formats could not store in one command. It is printed once, however many files were written.
struct UnstoredData {
    private var kinds: [(format: String, kinds: [String])] = []

    mutating func add(_ written: WrittenRecording) {
        // Only JSON has the counts.
        for kind in written.leftOut.map({ String($0.drop { $0.isNumber || $0 == " " }) }) {
            guard let index = kinds.firstIndex(where: { $0.format == written.format.title }) else {
                kinds.append((written.format.title, [kind]))
                continue
            }
            if !kinds[index].kinds.contains(kind) { kinds[index].kinds.append(kind) }
        }
    }

    /// `not stored in FIT: position accuracies, courses`, a line for each format.
    var sentences: [String] { kinds.map { "not stored in \($0.format): \($0.kinds.joined(separator: ", "))" } }

    func report() {
        for sentence in sentences { CommandOutput.error.print("warning: \(sentence)") }
    }
}
