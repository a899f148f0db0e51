public import Foundation
import SessionLog

// The files of an export, other than its XML, that are read as a whole.

extension HealthExport {
    /// An electrocardiogram has 150 KB, a record from a clinic a few. A document inside one may have some MB.
    private static let documentLimit = 32 << 20

    // MARK: Electrocardiograms

    /// The files of electrocardiograms that came with the export, in the archive or beside the XML file, sorted by
    /// name. The XML does not mention them.
    public var electrocardiogramFiles: [String] {
        let folder = "electrocardiograms"
        if let (archive, _) = archive {
            return archive.entries.filter { entry in
                // macOS adds a `._` file for each real one.
                entry.name.lowercased().hasSuffix(".csv") && !entry.fileName.hasPrefix("._")
                    && entry.name.split(separator: "/").dropLast().last?.lowercased() == folder
            }.map(\.name).sorted()
        }
        let url = URL(fileURLWithPath: file.path).deletingLastPathComponent().appendingPathComponent(folder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return names.filter { $0.lowercased().hasSuffix(".csv") && !$0.hasPrefix("._") }.sorted()
            .map { url.appendingPathComponent($0).path }
    }

    /// Reads one of the ``electrocardiogramFiles``.
    public func electrocardiogram(in name: String) throws(HealthExportError) -> HealthElectrocardiogram {
        let stream: any ByteStream
        if let (archive, _) = archive {
            guard let entry = archive.entry(named: name) else { throw .noDocument(path: name) }
            stream = try Self.stream(archive, entry)
        } else {
            do throws(ByteStreamFault) {
                stream = FileStream(try SharedFile(name))
            } catch { throw HealthExportError(error) }
        }
        return try HealthElectrocardiogramFile.read(Self.bytes(of: stream, name), path: name)
    }

    // MARK: Records from clinics

    /// Reads a file that an element names, such as `/clinical-records/Observation-1.json`, from the archive or from the
    /// folder of the XML file.
    public func document(at path: String) throws(HealthExportError) -> Data {
        let parts = path.split(separator: "/").map(String.init)
        // The path comes from the file and must not lead out of the export.
        guard !parts.isEmpty, !parts.contains(".."), !parts.contains(".") else { throw .noDocument(path: path) }
        let stream: any ByteStream
        if let (archive, xml) = archive {
            let folder = xml.name.split(separator: "/").dropLast().map(String.init)
            guard let entry = archive.entry(named: (folder + parts).joined(separator: "/")) else {
                throw .noDocument(path: path)
            }
            stream = try Self.stream(archive, entry)
        } else {
            var url = URL(fileURLWithPath: file.path).deletingLastPathComponent()
            for part in parts { url.appendPathComponent(part) }
            do throws(ByteStreamFault) {
                stream = FileStream(try SharedFile(url.path))
            } catch {
                if case .unreadable(let fault) = error, fault.code == ENOENT { throw .noDocument(path: path) }
                throw HealthExportError(error)
            }
        }
        return Data(try Self.bytes(of: stream, path))
    }

    /// Reads all bytes of a stream, whatever length it states.
    private static func bytes(of stream: any ByteStream, _ path: String) throws(HealthExportError) -> [UInt8] {
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)
        defer { buffer.deallocate() }
        var bytes: [UInt8] = []
        while true {
            let count: Int
            do throws(ByteStreamFault) {
                count = try stream.read(into: buffer)
            } catch { throw HealthExportError(error) }
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: buffer[..<count])
            guard bytes.count <= documentLimit else {
                throw .notADocument(path: path, reason: "it has more than \(documentLimit >> 20) MB")
            }
        }
    }
}
