public import Foundation
import SessionLog

/// Reads files that hold recordings, whatever their names. The content shows the format, even if gzip packed it or it
/// is the only recording in a zip archive.
public enum RecordingFile {
    /// Reads one workout from a file of any readable format.
    ///
    /// Everything readable is read; the recording's warnings describe damage.
    ///
    /// - Parameters:
    ///   - workout: The number of the workout among several, in order of time, from 1 on.
    ///   - formats: The possible formats, tried in this order.
    /// - Throws: `noWorkout` if there are fewer workouts.
    public static func read(
        _ url: URL, workout: Int = 1, formats: [any RecordingFormat] = formats
    ) throws(RecordingError) -> Recording {
        let all = try readAll(url, formats: formats)
        guard all.indices.contains(workout - 1) else {
            throw .noWorkout(path: url.path, number: workout, count: all[0].file.workouts)
        }
        return all[workout - 1]
    }

    /// Reads all the workouts of a file of any readable format, in order of time. A file without workouts gives one
    /// recording without entries.
    public static func readAll(
        _ url: URL, formats: [any RecordingFormat] = formats
    ) throws(RecordingError) -> [Recording] { try readAll(source(url, formats: formats), formats: formats) }

    /// Reads all the workouts of one recording.
    ///
    /// - Parameter formats: The possible formats, tried in this order.
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

    /// Returns the format of a file that starts like this, or nil if it is unknown.
    public static func format(
        startingWith start: FileStart, among formats: [any RecordingFormat] = formats
    ) -> (any RecordingFormat)? {
        formats.first { $0.recognizes(start) }
    }

    /// Returns the recording in a file: the file itself, or the only recording in a zip archive.
    ///
    /// - Throws: `severalRecordings` if an archive holds more than one.
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

    /// Throws the reason why this cannot be a recording before anything is read: a folder, a pipe, a device, no file.
    /// It does not wait for the other end of a pipe.
    public static func check(_ url: URL) throws(RecordingError) {
        do throws(ByteStreamFault) { _ = try SharedFile(url.path) } catch { throw RecordingError(error) }
    }
}

extension RecordingFile {
    /// The formats of recordings in the order in which they are tried. Those that are easiest to recognise come first.
    public static let formats = formats(TableOptions())

    /// Returns the same formats, with the caller's settings for what tables do not state, and the files that lie beside a
    /// list of exercises.
    public static func formats(_ tables: TableOptions, files: TakeoutFiles? = nil) -> [any RecordingFormat] {
        [
            FITFormat(), PolarFlowFormat(tables), FitbitFormat(files: files, zone: tables.zone),
            SamsungFormat(files: files, activity: tables.activity),
            XiaomiFormat(files: files, activity: tables.activity, zone: tables.zone),
            AdidasFormat(files: files, activity: tables.activity),
            DatabaseFormat(files: files, activity: tables.activity),
            GoldenCheetahFormat(activity: tables.activity),
            HealthAutoExportFormat(activity: tables.activity), SuuntoFormat(tables), StravaStreamsFormat(tables),
            SessionLogFormat(),
            TCXFormat(activity: tables.activity), GPXFormat(activity: tables.activity),
            PWXFormat(activity: tables.activity), KMLFormat(activity: tables.activity), CaptureFormat.btsnoop,
            CaptureFormat.pcapng, CaptureFormat.pcap, JSONTableFormat(tables), PolarHRMFormat(tables),
            RRIntervalFormat(tables),
            CSVFormat(tables), CSVFormat(tables, delimiter: .tab),
        ]
    }

    /// The formats in which workouts can be written, the most common first.
    public static let writableFormats = formats.filter { $0.writer() != nil }

    /// Returns the format for the extension of a file's name, in upper or lower case. Nil if there is none.
    public static func format(ofName name: String) -> (any RecordingFormat)? {
        let ending = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last?.lowercased()
        return ending.flatMap { ending in writableFormats.first { $0.endings.contains(ending) } }
    }
}

extension RecordingFile {
    /// Returns an ID for a workout of a file, made from the file's bytes. It does not depend on the file's place and
    /// name, on packing, or on an archive around it.
    ///
    /// - Parameter workout: The number of the workout among several, from 1 on.
    public static func identity(_ url: URL, workout: Int = 1) throws(RecordingError) -> UUID {
        try identity(source(url), workout: workout)
    }

    /// Returns the same ID for a recording elsewhere, such as in an archive of many.
    public static func identity(_ source: RecordingSource, workout: Int = 1) throws(RecordingError) -> UUID {
        var print = HealthFingerprint()
        print.combine("recording")
        print.combine(UInt64(try source.open().count()))
        var word: UInt64 = 0
        var taken = 0
        func take(_ byte: UInt8) {
            word = word << 8 | UInt64(byte)
            taken += 1
            guard taken % 8 == 0 else { return }
            print.combine(word)
            word = 0
        }
        try source.open().forEach { (bytes) throws(RecordingError) in
            let head = bytes.prefix((8 - taken % 8) % 8)
            for byte in head { take(byte) }
            let rest = UnsafeRawBufferPointer(bytes)
            var at = head.count
            while at + 8 <= rest.count {
                print.combine(UInt64(bigEndian: rest.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
                at += 8
            }
            taken += at - head.count
            for byte in bytes[at...] { take(byte) }
        }
        if taken % 8 != 0 { print.combine(word) }
        // The first workout gets the ID of an only one, so that another workout in the same file does not change it.
        if workout > 1 { print.combine(UInt64(workout)) }
        return print.uuid
    }
}
