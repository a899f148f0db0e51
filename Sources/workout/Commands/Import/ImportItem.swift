import ArgumentParser
import Foundation
import HealthKit
import Recordings
import SessionLog

/// Something that an import looks at: a file, or a file in an archive.
struct ImportItem: Sendable {
    /// As the user knows it: `takeout.zip/activities/1.fit.gz`.
    var name: String
    var content: Content
    /// Named by the user, or by a pattern: a file that is no workout is a fault. One that was found in a folder or an archive
    /// is not.
    var isNamed: Bool

    enum Content: Sendable {
        /// An Apple Health export, packed or unpacked.
        case export(URL)
        case recording(RecordingSource)
        /// An archive within an archive, which is unpacked when its turn comes.
        case archive(ZipEntry, in: ZipArchive, depth: Int)
    }

    /// How the name ends, packing left out; empty for a name without an ending.
    var ending: String {
        var name = self.name.split(separator: "/").last.map { $0.lowercased() } ?? ""
        if name.hasSuffix(".gz") { name.removeLast(3) }
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return String(name[dot...].prefix(12))
    }
}

/// Finds what is to be imported behind a name on the command line.
enum ImportSearch {
    /// Archives in archives in archives: more is no takeout.
    static let deepest = 3
    /// What `-` is called.
    static let pipe = "standard input"

    /// - Throws: `CommandFailure` for a name with nothing behind it.
    static func items(of argument: String) throws -> [ImportItem] {
        if argument == "-" {
            return try file(pipe, RecordingArgument("-").url, isNamed: true)
        }
        return try names(argument).flatMap { try file($0, URL(fileURLWithPath: $0), isNamed: true) }
    }

    /// The names that a pattern in quotes means; a name that is there is meant as it stands.
    static func names(_ argument: String) throws -> [String] {
        guard argument != "-", (try? FileManager.default.attributesOfItem(atPath: argument)) == nil,
            argument.contains(where: { "*?[".contains($0) })
        else { return [argument] }
        return try matches(argument)
    }

    /// Whether more than one file may be behind it.
    static func mayBeSeveral(_ argument: String) -> Bool {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder) else {
            return argument.contains(where: { "*?[".contains($0) })
        }
        if isFolder.boolValue { return true }
        // A pipe would be waited for: it is refused later.
        let url = URL(fileURLWithPath: argument)
        return (try? RecordingFile.check(url)) != nil && isArchive(url)
    }

    /// What a shell would have made of a pattern.
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
        // What is no file is refused before anything waits for it; a folder may be an unpacked export.
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

    /// Whether it is an export; an archive that is made to do harm is neither that nor anything else.
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

    /// All files below it, in order of their names; what begins with a point is hidden, and links to folders are not followed.
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
            // A pipe or a device is no file; what cannot be read is said when its turn comes.
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

    /// The files of an archive.
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

    /// The files of an archive in an archive, and what has to be kept as long as they are read.
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
