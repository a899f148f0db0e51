public import Foundation
import SessionLog

/// Files that hold recordings, whatever their names say: the format is found in the content, packed by gzip or alone in a zip
/// archive.
public enum RecordingFile {
    /// Reads one workout of a file of any readable format.
    ///
    /// Damage within a file is told by warnings of the recording; what can be read is.
    ///
    /// - Parameters:
    ///   - workout: Which of several, in order of time, from 1 on.
    ///   - formats: Those that it may be of, asked in this order.
    /// - Throws: `noWorkout` when there are not so many.
    public static func read(
        _ url: URL, workout: Int = 1, formats: [any RecordingFormat] = formats
    ) throws(RecordingError) -> Recording {
        let all = try readAll(url, formats: formats)
        guard all.indices.contains(workout - 1) else {
            throw .noWorkout(path: url.path, number: workout, count: all[0].file.workouts)
        }
        return all[workout - 1]
    }

    /// Reads a file of any readable format: all the workouts that it holds, in order of time. A file without any gives one
    /// recording without entries.
    public static func readAll(
        _ url: URL, formats: [any RecordingFormat] = formats
    ) throws(RecordingError) -> [Recording] { try readAll(source(url, formats: formats), formats: formats) }

    /// Reads all the workouts of one recording.
    ///
    /// - Parameter formats: Those that it may be of, asked in this order.
    public static func readAll(
        _ source: RecordingSource, formats: [any RecordingFormat] = formats
    ) throws(RecordingError) -> [Recording] {
        let bytes = try source.open()
        let start = FileStart(try bytes.start(FileStart.size))
        if start.bytes.isEmpty { throw bytes.warning.map { .invalid(source.path, $0) } ?? .empty(path: source.path) }
        if let content = ForeignContent(start, isPacked: bytes.isPacked), content == .polarAccessLink {
            throw .notReadable(path: source.path, content: content)
        }
        guard let format = format(startingWith: start, among: formats) else {
            if let content = ForeignContent(start, isPacked: bytes.isPacked) {
                throw .notReadable(path: source.path, content: content)
            }
            throw .unknown(path: source.path, formats: formats.map(\.title))
        }
        var recordings = try format.read(source)
        if let damage = source.damage {
            for index in recordings.indices { recordings[index].file.warnings.append(damage) }
        }
        return recordings
    }

    /// The format of a file that starts so; nil for one that is not known.
    public static func format(
        startingWith start: FileStart, among formats: [any RecordingFormat] = formats
    ) -> (any RecordingFormat)? {
        formats.first { $0.recognizes(start) }
    }

    /// The recording in a file: the file itself, or what alone is one in a zip archive.
    ///
    /// - Throws: `severalRecordings` for an archive of more.
    public static func source(
        _ url: URL, formats: [any RecordingFormat] = formats
    ) throws(RecordingError) -> RecordingSource {
        let source = RecordingSource(url)
        let bytes = try source.open()
        guard !bytes.isPacked, ZipArchive.isArchive(startingWith: try bytes.start(4)) else { return source }
        let archive: ZipArchive
        do throws(ByteStreamFault) {
            archive = try ZipArchive(SharedFile(url.path), takesCut: true)
        } catch { throw RecordingError(error) }
        var found: RecordingSource?
        for entry in archive.files {
            let inner = RecordingSource(entry, in: archive)
            let start = try inner.start()
            if start.xmlRoot == "HealthData" { throw .notReadable(path: url.path, content: .appleHealth) }
            guard format(startingWith: start, among: formats) != nil else { continue }
            if found != nil { throw .severalRecordings(path: url.path) }
            found = inner
        }
        guard let found else { throw .notReadable(path: url.path, content: .zip) }
        return found
    }

    /// Says why this cannot be a recording before anything is read of it: a folder, a pipe, a device, nothing at all. Does not
    /// wait for the other end of a pipe.
    public static func check(_ url: URL) throws(RecordingError) {
        do throws(ByteStreamFault) { _ = try SharedFile(url.path) } catch { throw RecordingError(error) }
    }
}

extension RecordingFile {
    /// The formats of recordings, in the order in which they are asked: those that are sure of themselves first.
    public static let formats = formats(TableOptions())

    /// The same, with what whoever reads them knows of what they leave open.
    public static func formats(_ tables: TableOptions) -> [any RecordingFormat] {
        [
            FITFormat(), PolarFlowFormat(tables), FitbitFormat(), GoldenCheetahFormat(activity: tables.activity),
            SuuntoFormat(tables), StravaStreamsFormat(tables), SessionLogFormat(),
            TCXFormat(activity: tables.activity), GPXFormat(activity: tables.activity),
            PWXFormat(activity: tables.activity), CaptureFormat.btsnoop,
            CaptureFormat.pcapng, CaptureFormat.pcap, PolarHRMFormat(tables), RRIntervalFormat(tables),
            CSVFormat(tables), CSVFormat(tables, delimiter: .tab),
        ]
    }

    /// The formats that workouts can be written in, the usual ones first.
    public static let writableFormats = formats.filter { $0.writer() != nil }

    /// The format that a file's name asks for by its ending, in capitals or not; nil for one that names none.
    public static func format(ofName name: String) -> (any RecordingFormat)? {
        let ending = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last?.lowercased()
        return ending.flatMap { ending in writableFormats.first { $0.endings.contains(ending) } }
    }
}

extension RecordingFile {
    /// Names a workout of a file by the file's bytes: the same wherever it lies, whatever its name, packed or not, alone in an archive or not.
    ///
    /// - Parameter workout: Which of several, from 1 on.
    public static func identity(_ url: URL, workout: Int = 1) throws(RecordingError) -> UUID {
        try identity(source(url), workout: workout)
    }

    /// The same of a recording that lies elsewhere, as in an archive of many.
    public static func identity(_ source: RecordingSource, workout: Int = 1) throws(RecordingError) -> UUID {
        var print = HealthFingerprint()
        print.combine("recording")
        print.combine(UInt64(try source.open().count()))
        var word: UInt64 = 0
        var taken = 0
        try source.open().forEach { (bytes) throws(RecordingError) in
            for byte in bytes {
                word = word << 8 | UInt64(byte)
                taken += 1
                if taken % 8 == 0 {
                    print.combine(word)
                    word = 0
                }
            }
        }
        if taken % 8 != 0 { print.combine(word) }
        // The first one is named as the only one: one more in the same file does not make it another.
        if workout > 1 { print.combine(UInt64(workout)) }
        return print.uuid
    }
}
