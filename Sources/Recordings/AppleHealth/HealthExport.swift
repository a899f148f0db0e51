public import Foundation
import SessionLog

/// A complete export of an iPhone's Health app: `export.zip`, or the XML file from it.
///
/// The names of files and folders do not matter, because the app translates them. The XML is recognised by its content.
public final class HealthExport: Sendable {
    /// The number of bytes at the start of a file that show whether it is an export.
    private static let prefixLength = 4096

    let file: SharedFile
    /// Nil for an XML file.
    let archive: (ZipArchive, xml: ZipEntry)?

    /// Opens an export and finds the XML in it.
    public init(_ url: URL) throws(HealthExportError) {
        let start: [UInt8]
        do throws(ByteStreamFault) {
            file = try SharedFile(url.path)
            start = try file.bytes(at: 0, count: Self.prefixLength)
        } catch { throw HealthExportError(error) }
        if ZipArchive.isArchive(startingWith: start) {
            let archive = try Self.archive(file)
            self.archive = (archive, try Self.xml(in: archive))
        } else if Self.isXML(start) {
            archive = nil
        } else {
            throw .notAnExport(path: url.path)
        }
    }

    /// Returns whether a file is an export. It also looks into archives.
    public static func isHealthExport(_ url: URL) -> Bool { (try? HealthExport(url)) != nil }

    /// - Parameter isCancelled: Called for each piece of the file. Once it returns true, reading throws
    ///   ``HealthExportError/cancelled(path:)``.
    public func reader(
        isCancelled: @escaping () -> Bool = { false }
    ) throws(HealthExportError) -> HealthExportReader {
        let stream = try archive.map(Self.stream) ?? FileStream(file)
        return HealthExportReader(CancellableStream(stream, path: file.path, isCancelled: isCancelled))
    }

    /// Reads an export to its end and returns a summary. `progress` is called about every half megabyte.
    ///
    /// Throws the errors of `each`, a `HealthExportError` if the file cannot be read any further, and
    /// `CancellationError` if the task is cancelled.
    @discardableResult
    public static func read(
        _ url: URL, progress: (HealthExportProgress) -> Void = { _ in }, each: (HealthExportElement) throws -> Void
    ) throws -> HealthExportSummary {
        var reader = try HealthExport(url).reader()
        return try read(&reader, progress: progress, each: each)
    }

    /// Reads the XML of an export in memory.
    @discardableResult
    public static func read(
        xml: [UInt8], each: (HealthExportElement) throws -> Void
    ) throws -> HealthExportSummary {
        var reader = HealthExportReader(MemoryStream(xml))
        return try read(&reader, progress: { _ in }, each: each)
    }

    private static func read(
        _ reader: inout HealthExportReader, progress: (HealthExportProgress) -> Void,
        each: (HealthExportElement) throws -> Void
    ) throws -> HealthExportSummary {
        var reported = 0
        while let element = try reader.next() {
            try each(element)
            if reader.bytesRead - reported >= 1 << 19 {
                reported = reader.bytesRead
                try Task.checkCancellation()
                progress(reader.progress)
            }
        }
        progress(reader.progress)
        return reader.summary
    }

    // MARK: Routes

    /// Whether the file of a route is with the export.
    package func hasRouteFile(at path: String) -> Bool {
        switch (try? routeFile(at: path))?.place {
        case .entry: true
        case .file(let path): FileManager.default.fileExists(atPath: path)
        case nil: false
        }
    }

    /// Returns the file of a route that a workout names, such as `/workout-routes/route_2019-06-11_3.00pm.gpx`, from
    /// the archive or the folder of the XML file. All spellings of one file's name give the same result.
    public func routeFile(at path: String) throws(HealthExportError) -> RouteFile {
        let parts = path.split(separator: "/").map(String.init)
        // The path comes from the file and must not lead out of the export.
        guard let name = parts.last, !parts.contains(".."), !parts.contains(".") else { throw .noRoute(path: path) }
        if let (archive, xml) = archive {
            let folder = xml.name.split(separator: "/").dropLast().map(String.init)
            guard
                let entry = archive.entry(named: (folder + parts).joined(separator: "/"))
                    ?? archive.entry(withFileNameLike: name)
            else { throw .noRoute(path: path) }
            return RouteFile(path: path, place: .entry(entry))
        }
        var url = URL(fileURLWithPath: file.path).deletingLastPathComponent()
        for part in parts { url.appendPathComponent(part) }
        return RouteFile(path: path, place: .file(url.path))
    }

    /// The place of a route in an export.
    public struct RouteFile: Sendable, Hashable {
        fileprivate enum Place: Sendable, Hashable {
            case entry(ZipEntry)
            case file(String)
        }

        fileprivate let path: String
        fileprivate let place: Place

        /// Returns whether both are the same file, however its name was spelt.
        public static func == (a: RouteFile, b: RouteFile) -> Bool { a.place == b.place }
        /// Hashes the place of the file.
        public func hash(into hasher: inout Hasher) { hasher.combine(place) }
    }

    /// Reads the route in a file.
    public func route(
        in routeFile: RouteFile, isCancelled: @escaping () -> Bool = { false }
    ) throws(HealthExportError) -> HealthRoute {
        let stream: any ByteStream
        switch routeFile.place {
        case .entry(let entry):
            guard let (archive, _) = archive else { throw .noRoute(path: routeFile.path) }
            stream = try Self.stream(archive, entry)
        case .file(let path):
            do throws(ByteStreamFault) {
                stream = FileStream(try SharedFile(path))
            } catch {
                if case .unreadable(let fault) = error, fault.code == ENOENT { throw .noRoute(path: routeFile.path) }
                throw HealthExportError(error)
            }
        }
        let route = try HealthRouteFile.read(
            CancellableStream(stream, path: routeFile.path, isCancelled: isCancelled))
        guard !route.points.isEmpty else { throw .notARoute(path: routeFile.path) }
        return route
    }

    /// Reads the route of a workout, by the path that the workout states.
    /// - Throws: ``HealthExportError`` if the export does not contain the file, or the file is not a route.
    public func route(at path: String) throws(HealthExportError) -> HealthRoute {
        try route(in: routeFile(at: path))
    }

    // MARK: Finding

    private static func isXML(_ start: [UInt8]) -> Bool { FileStart(start).xmlRoot == "HealthData" }

    private static func archive(_ file: SharedFile) throws(HealthExportError) -> ZipArchive {
        do throws(ByteStreamFault) { return try ZipArchive(file) } catch { throw HealthExportError(error) }
    }

    static func stream(_ archive: ZipArchive, _ entry: ZipEntry) throws(HealthExportError) -> any ByteStream {
        do throws(ByteStreamFault) { return try archive.stream(entry) } catch { throw HealthExportError(error) }
    }

    /// Returns the entry that is an export. macOS adds a file that also ends in `export.xml` for each real one, and the
    /// export itself has a clinical document that is XML too.
    private static func xml(in archive: ZipArchive) throws(HealthExportError) -> ZipEntry {
        let candidates = archive.entries.filter { !$0.isFolder && $0.size > 0 }
        let likely = candidates.filter { $0.name.lowercased().hasSuffix(".xml") }.sorted { $0.size > $1.size }
        let others = candidates.filter { !$0.name.lowercased().hasSuffix(".xml") }.sorted { $0.size > $1.size }
        var fault: HealthExportError?
        for entry in likely + others {
            do throws(ByteStreamFault) {
                let stream = try archive.stream(entry, inputSize: prefixLength)
                if isXML(try start(of: stream)) { return entry }
            } catch {
                fault = fault ?? HealthExportError(error)
            }
        }
        throw fault ?? .noExportInArchive(path: archive.file.path)
    }

    private static func start(of stream: ZipEntryStream) throws(ByteStreamFault) -> [UInt8] {
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: prefixLength)
        defer { buffer.deallocate() }
        let count = try stream.read(into: buffer)
        return Array(buffer[..<count])
    }
}
