public import Foundation

/// Files that hold recordings, whatever their names say: the format is found in the content.
public enum RecordingFile {
    /// The formats that are told apart.
    public enum Format: String, Sendable, Equatable, CaseIterable {
        case fit
        /// The session log.
        case jsonl
        case tcx, gpx
        /// The `export.xml` of Apple Health.
        case appleHealth
        case xml, zip, gzip, btsnoop, pcapng, pcap
    }

    /// Reads one workout of a file of any readable format.
    ///
    /// Damage within a file is told by warnings of the recording; what can be read is.
    ///
    /// - Parameter workout: Which of several, in order of time, from 1 on.
    /// - Throws: `noWorkout` when there are not so many.
    public static func read(_ url: URL, workout: Int = 1) throws(RecordingError) -> Recording {
        let all = try readAll(url)
        guard all.indices.contains(workout - 1) else {
            throw .noWorkout(path: url.path, number: workout, count: all[0].file.workouts)
        }
        return all[workout - 1]
    }

    /// Reads a file of any readable format: all the workouts that it holds, in order of time. A file without any gives one
    /// recording without entries.
    public static func readAll(_ url: URL) throws(RecordingError) -> [Recording] {
        let bytes = try RecordingBytes(url)
        let start = try bytes.start(4096)
        if start.isEmpty { throw bytes.warning.map { .invalid(url.path, $0) } ?? .empty(path: url.path) }
        guard let format = format(startingWith: start) else { throw .unknown(path: url.path) }
        var recordings: [Recording]
        switch format {
        case .jsonl: recordings = try SessionLogFile.read(url, bytes)
        case .fit: recordings = try FITFile.read(bytes)
        case .btsnoop, .pcapng, .pcap:
            recordings = Recording.numbered([try CaptureFile.read(url, bytes, format: format)])
        case .tcx, .gpx, .appleHealth, .xml, .zip, .gzip:
            throw .notReadable(path: url.path, format: bytes.isPacked && format != .gzip ? .gzip : format)
        }
        if let warning = bytes.warning {
            for index in recordings.indices { recordings[index].file.warnings.append(warning) }
        }
        return recordings
    }

    /// The format of a file that starts with these bytes, of which a thousand suffice; nil for one that is not known.
    public static func format(startingWith bytes: [UInt8]) -> Format? {
        func holds(_ magic: [UInt8], at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: magic) }
        // FIT protocol, "File Header": the data type field.
        if holds(Array(".FIT".utf8), at: 8) { return .fit }
        if holds([0x50, 0x4B, 0x03, 0x04]) || holds([0x50, 0x4B, 0x05, 0x06]) { return .zip }
        if holds([0x1F, 0x8B]) { return .gzip }
        if holds(Array("btsnoop\0".utf8)) { return .btsnoop }
        if holds([0x0A, 0x0D, 0x0D, 0x0A]) { return .pcapng }
        if [[0xD4, 0xC3, 0xB2, 0xA1], [0xA1, 0xB2, 0xC3, 0xD4], [0x4D, 0x3C, 0xB2, 0xA1], [0xA1, 0xB2, 0x3C, 0x4D]]
            .contains(where: { holds($0) })
        {
            return .pcap
        }
        let text = bytes.dropFirst(holds([0xEF, 0xBB, 0xBF]) ? 3 : 0).drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        switch text.first {
        case UInt8(ascii: "{"): return .jsonl
        case UInt8(ascii: "<"): return xmlFormat(String(decoding: text, as: UTF8.self))
        default: return nil
        }
    }

    private static func xmlFormat(_ text: String) -> Format? {
        // The first of these decides. Apple Health's document type is so long that its root may not be in sight.
        let roots: [(name: String, format: Format)] = [
            ("<TrainingCenterDatabase", .tcx), ("<gpx", .gpx), ("<HealthData", .appleHealth),
            ("<!DOCTYPE HealthData", .appleHealth),
        ]
        let found = roots.compactMap { root in text.range(of: root.name).map { ($0.lowerBound, root.format) } }
        if let first = found.min(by: { $0.0 < $1.0 }) { return first.1 }
        return text.hasPrefix("<?xml") ? .xml : nil
    }

    /// Says why this cannot be a recording before anything is read of it: a folder, a pipe, a device, nothing at all. Does not
    /// wait for the other end of a pipe.
    public static func check(_ url: URL) throws(RecordingError) { _ = try open(url) }

    /// Opens a regular file to read it.
    static func open(_ url: URL) throws(RecordingError) -> OpenFile {
        let file = try opened(url.path)
        let kind: OpenFile.Kind
        do throws(FileFault) { kind = try file.status().kind } catch { throw .unreadable(error) }
        switch kind {
        case .regular: return file
        case .directory: throw .directory(path: url.path)
        case .other: throw .notRegular(path: url.path)
        }
    }

    private static func opened(_ path: String) throws(RecordingError) -> OpenFile {
        do throws(FileFault) {
            return try OpenFile(reading: path)
        } catch {
            // What the system says of a socket.
            if error.code == ENXIO { throw .notRegular(path: path) }
            throw .unreadable(error)
        }
    }
}

/// Why a file could not be read as a recording.
public enum RecordingError: Error, Sendable, Equatable {
    /// The system refused to open or read it.
    case unreadable(FileFault)
    case directory(path: String)
    /// A pipe, a socket or a device: recordings are read more than once, which these cannot be.
    case notRegular(path: String)
    case empty(path: String)
    /// The file holds only `count` workouts.
    case noWorkout(path: String, number: Int, count: Int)
    /// The format is known, and not read by this build.
    case notReadable(path: String, format: RecordingFile.Format)
    case unknown(path: String)
    /// The file is not what it begins as. `byte` is where that shows.
    case invalid(path: String, byte: Int, reason: String)
}

extension RecordingError {
    static func invalid(_ path: String, _ warning: RecordingWarning) -> RecordingError {
        .invalid(path: path, byte: warning.byte, reason: warning.message)
    }
}

extension RecordingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let fault):
            fault.description
        case .directory(let path):
            "cannot read \(path): it is a folder; name a file in it"
        case .notRegular(let path):
            "cannot read \(path): it is a pipe, a socket or a device; save its content to a file first"
        case .empty(let path):
            "cannot read \(path): the file is empty; get it again from where it came"
        case .noWorkout(let path, let number, let count):
            "there is no session \(number) in \(path): it holds \(count == 1 ? "one workout" : "\(count) workouts"); "
                + "sessions are counted from 1"
        case .notReadable(let path, let format):
            "cannot read \(path): it is \(format.advice)"
        case .unknown(let path):
            "cannot read \(path): its content is of no known format; recordings are FIT, JSON Lines or capture files"
        case .invalid(let path, let byte, let reason):
            "cannot read \(path): \(reason) (byte \(byte))"
        }
    }
}

extension RecordingFile.Format {
    /// What a file of the format is, and what to do about it.
    fileprivate var advice: String {
        switch self {
        case .fit: "a FIT file"
        case .jsonl: "a session log"
        case .tcx: "a TCX file, which is not yet readable; export it as FIT"
        case .gpx: "a GPX file, which is not yet readable; export it as FIT"
        case .appleHealth:
            "an Apple Health export, which is no single recording; take it into the store: workout import FILE"
        case .xml: "an XML file of an unknown kind"
        case .zip:
            "a zip archive; the export.zip of Apple Health is taken into the store by workout import FILE, any other has "
                + "to be unpacked first"
        case .gzip:
            "a gzip file of something that is no recording by itself (an archive, an export); unpack it with gunzip first"
        case .btsnoop: "a btsnoop capture"
        case .pcapng, .pcap: "a packet capture"
        }
    }
}
