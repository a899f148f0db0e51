public import Foundation

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
