import ArgumentParser
import Foundation
import HealthKit
import Recordings
import SessionLog

/// An item that an import reads: a file, or a file in an archive.
struct ImportItem: Sendable {
    /// The name that the user knows: `takeout.zip/activities/1.fit.gz`.
    var name: String
    var content: Content
    /// Whether the user named it, directly or by a pattern. It is then an error if it is not a workout, unlike for a
    /// file found in a folder or an archive.
    var isNamed: Bool

    enum Content: Sendable {
        /// An Apple Health export, packed or unpacked.
        case export(URL)
        case recording(RecordingSource)
        /// An archive within an archive, unpacked in its turn.
        case archive(ZipEntry, in: ZipArchive, depth: Int)
    }

    /// The extension, without that of packing. Empty for a name without one.
    var ending: String {
        var name = self.name.split(separator: "/").last.map { $0.lowercased() } ?? ""
        if name.hasSuffix(".gz") { name.removeLast(3) }
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return String(name[dot...].prefix(12))
    }
}

/// Finds the items that a name on the command line stands for.
enum ImportSearch {
    /// The maximum depth of archives in archives. No real takeout is deeper.
    static let deepest = 3
    /// The name shown for `-`.
    static let pipe = "standard input"

    /// - Throws: `CommandFailure` if nothing is found for the name.
    static func items(of argument: String) throws -> [ImportItem] {
        if argument == "-" {
            return try file(pipe, RecordingArgument("-").url, isNamed: true)
        }
        return try names(argument).flatMap { try file($0, URL(fileURLWithPath: $0), isNamed: true) }
    }

    /// Returns the names that match a quoted pattern. The name of an existing file is taken literally.
    static func names(_ argument: String) throws -> [String] {
        try RecordingArgument.check(argument)
        guard argument != "-", (try? FileManager.default.attributesOfItem(atPath: argument)) == nil,
            argument.contains(where: { "*?[".contains($0) })
        else { return [argument] }
        return try matches(argument)
    }

    /// Returns whether the name may stand for more than one file.
    static func mayBeSeveral(_ argument: String) -> Bool {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder) else {
            return argument.contains(where: { "*?[".contains($0) })
        }
        if isFolder.boolValue { return true }
        // Reading a pipe would wait. It is refused later.
        let url = URL(fileURLWithPath: argument)
        return (try? RecordingFile.check(url)) != nil && isArchive(url)
    }

    /// Expands a pattern as a shell would.
    private static func matches(_ pattern: String) throws -> [String] {
        var found = glob_t()
        defer { globfree(&found) }
        let result = glob(pattern, GLOB_TILDE, nil, &found)
        guard result == 0, found.gl_pathc > 0 else {
            throw CommandFailure(exitCode: .badInput, message: "no file matches \(pattern)")
        }
        return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
    }

    private static func file(_ name: String, _ url: URL, isNamed: Bool) throws -> [ImportItem] {
        // Anything that is no file is refused before a read can wait. A folder may be an unpacked export.
        do throws(RecordingError) {
            try RecordingFile.check(url)
        } catch {
            guard case .directory = error else { throw CommandFailure(exitCode: .badInput, message: "\(error)") }
            if try isHealthExport(url) { return [ImportItem(name: name, content: .export(url), isNamed: isNamed)] }
            return try folder(name, url)
        }
        if try isHealthExport(url) { return [ImportItem(name: name, content: .export(url), isNamed: isNamed)] }
        if isArchive(url) {
            do throws(ByteStreamFault) {
                let found = try ZipArchive(SharedFile(url.path), takesCut: true)
                if let damage = found.damage {
                    CommandFailure(exitCode: .success, message: "\(name): \(damage.message)").report()
                }
                return archive(name, found, depth: 1)
            } catch {
                throw CommandFailure(exitCode: .badInput, message: "\(RecordingError(error))")
            }
        }
        return [ImportItem(name: name, content: .recording(RecordingSource(url)), isNamed: isNamed)]
    }

    /// Returns whether it is an export. A malicious archive is neither an export nor anything else.
    private static func isHealthExport(_ url: URL) throws -> Bool {
        do throws(HealthExportError) {
            _ = try HealthExport(url)
            return true
        } catch {
            guard case .tooLarge = error else { return false }
            throw CommandFailure(exitCode: .badInput, message: error.description)
        }
    }

    private static func isArchive(_ url: URL) -> Bool {
        guard let file = FileHandle(forReadingAtPath: url.path) else { return false }
        defer { try? file.close() }
        return ZipArchive.isArchive(startingWith: Array((try? file.read(upToCount: 4)) ?? Data()))
    }

    /// Returns all files below the folder, by name. Skips hidden names, which begin with a dot, and does not follow
    /// links to folders.
    private static func folder(_ name: String, _ url: URL) throws -> [ImportItem] {
        let content = try CommandFailure.badInput {
            try FileManager.default.contentsOfDirectory(
                at: url, includingPropertiesForKeys: [.isDirectoryKey, .isSymbolicLinkKey, .isRegularFileKey])
        }.filter { !$0.lastPathComponent.hasPrefix(".") }.sorted { $0.lastPathComponent < $1.lastPathComponent }
        let base = name.hasSuffix("/") ? name : name + "/"
        return content.flatMap { inner -> [ImportItem] in
            let innerName = base + inner.lastPathComponent
            let values = try? inner.resourceValues(forKeys: [.isDirectoryKey, .isSymbolicLinkKey])
            if values?.isDirectory == true, values?.isSymbolicLink != true {
                if (try? isHealthExport(inner)) == true {
                    return [ImportItem(name: innerName, content: .export(inner), isNamed: false)]
                }
                return (try? folder(innerName, inner)) ?? []
            }
            // A pipe or a device is no file. A file that cannot be read is reported in its turn.
            if case .notRegular? = fault({ () throws(RecordingError) in try RecordingFile.check(inner) }) { return [] }
            return (try? file(innerName, inner, isNamed: false))
                ?? [ImportItem(name: innerName, content: .recording(RecordingSource(inner)), isNamed: false)]
        }
    }

    private static func fault(_ body: () throws(RecordingError) -> Void) -> RecordingError? {
        do throws(RecordingError) {
            try body()
            return nil
        } catch { return error }
    }

    /// Returns the files of an archive.
    static func archive(_ name: String, _ archive: ZipArchive, depth: Int) -> [ImportItem] {
        archive.files.map { entry in
            let isInner = entry.name.lowercased().hasSuffix(".zip") && depth < deepest
            return ImportItem(
                name: name + "/" + entry.name,
                content: isInner
                    ? .archive(entry, in: archive, depth: depth + 1) : .recording(RecordingSource(entry, in: archive)),
                isNamed: false)
        }
    }

    /// Returns the files of an archive in an archive, and the unpacked file, which must be kept while they are read.
    static func unpack(_ item: ImportItem) throws -> (items: [ImportItem], file: UnnamedFile)? {
        guard case .archive(let entry, let archive, let depth) = item.content else { return nil }
        do {
            let file = try UnnamedFile(of: item.name) { write in
                let stream = try archive.stream(entry)
                let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 17)
                defer { room.deallocate() }
                while case let count = try stream.read(into: room), count > 0 {
                    try write(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<count]))
                }
            }
            let inner = try ZipArchive(SharedFile(file.path))
            return (self.archive(item.name, inner, depth: depth), file)
        } catch let fault as ByteStreamFault {
            throw RecordingError(fault)
        }
    }
}
