import ArgumentParser
import Foundation
import HealthKit
import Recordings
import SessionLog

/// `workout convert`: converts recordings to another format, without a store.
struct Convert: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Convert recordings to another format, without storing them.",
        discussion: """
            Input formats are detected by content; the output format is chosen by the extension of the last name, or by \
            --format. Several recordings, a folder, an archive or a quoted glob go into a folder. '-' means standard input or \
            output.

            Examples:
              workout convert ride.fit ride.gpx
              workout convert takeout.zip tcx/ --format tcx
              workout convert 'takeout/*.tcx' fit/ --format fit
              workout simulate -o - | workout convert - - --format csv
            """)

    @Argument(help: "Input recordings followed by the output file or folder.", completion: .file())
    var files: [String]

    @OptionGroup var options: WritingOptions

    @OptionGroup var tables: TableArguments

    @Option(help: "Which workout to use if the file holds several (1 is the first). Into a folder: all of them.")
    var session: Int?

    func validate() throws {
        if files.count < 2 {
            throw ValidationError("name at least one recording, followed by the output file or folder.")
        }
        if let session, session < 1 { throw ValidationError("--session must be 1 or more.") }
    }

    func run() async throws {
        let names = Array(files.dropLast())
        let output = files[files.count - 1]
        let options = try tables.options()
        let destinations = self.options
        let formats = RecordingFile.formats(options)
        let items = try Self.items(names, isIntoFile: !RecordingDestination.isFolder(output), formats)
        let (json, session) = (destinations.json, session)
        let isOfSeveral =
            items.count > 1
            || items.contains { if case .archive = $0.content { true } else { !$0.isNamed } }
        try await destinations.writing(to: output, isOfSeveral: isOfSeveral) { destination in
            var conversion = Conversion(
                to: destination, session: session, tables: options, json: json, isOfSeveral: isOfSeveral)
            defer { conversion.end() }
            try conversion.take(items)
            if let failure = conversion.failure { throw failure }
        }
    }

    /// Returns the recordings to convert. If the destination is a file, an archive of one recording counts as that
    /// recording.
    private static func items(
        _ names: [String], isIntoFile: Bool, _ formats: [any RecordingFormat]
    ) throws -> [ImportItem] {
        if names.count == 1, isIntoFile, names[0] != "-", try ImportSearch.names(names[0]) == names,
            !RecordingDestination.isFolder(names[0])
        {
            let source = try CommandFailure.badInput {
                try RecordingFile.source(URL(fileURLWithPath: names[0]), formats: formats)
            }
            return [ImportItem(name: names[0], content: .recording(source), isNamed: true)]
        }
        return try names.flatMap { try ImportSearch.items(of: $0) }
    }
}

/// Converts one recording after the other.
private struct Conversion {
    private let destination: RecordingDestination
    private let session: Int?
    private let tables: TableOptions
    /// Those of the folder or archive that is read.
    private var files: TakeoutFiles?
    private let json: Bool
    private let isOfSeveral: Bool
    private let progress: ImportProgress?
    private var others = SkippedFiles()
    private var unstored = UnstoredData()
    /// The file names used in the folder, which several recordings may share.
    private var taken: [String: Int] = [:]
    private var done = 0
    private var total = 0
    /// The exit code of the first recording that could not be converted.
    private(set) var failure: ExitCode?

    init(
        to destination: RecordingDestination, session: Int?, tables: TableOptions, json: Bool, isOfSeveral: Bool
    ) {
        self.destination = destination
        self.session = session
        self.tables = tables
        self.json = json
        self.isOfSeveral = isOfSeveral
        progress = json ? nil : ImportProgress()
    }

    mutating func take(_ items: [ImportItem]) throws {
        total += items.count
        let index = TakeoutIndex(items)
        let outer = files
        files = index.files.completed(by: outer)
        defer { files = outer }
        for item in items {
            if isOfSeveral { progress?.show(done: done, of: total, item.name) }
            do {
                if index.isPart(item) { others.add(.ending(item.ending)) } else { try take(item, index[item]) }
            } catch let error as CommandFailure where isOfSeveral && error.exitCode != .interrupted {
                // A bad file does not keep the others from being converted.
                progress?.clear()
                error.report()
                failure = failure ?? error.exitCode
            }
            done += 1
        }
    }

    /// Prints the summary after the last recording.
    func end() {
        progress?.clear()
        if !json { unstored.report() }
        if let sentence = others.sentence { CommandOutput.error.print("notice: \(sentence)") }
    }

    private mutating func take(_ item: ImportItem, _ said: ActivityIndex.Activity?) throws {
        switch item.content {
        case .recording(let source): try convert(item, source, said)
        case .archive:
            guard let unpacked = try CommandFailure.badInput({ try ImportSearch.unpack(item) }) else { return }
            try take(unpacked.items)
            withExtendedLifetime(unpacked.file) {}
        case .export:
            throw CommandFailure(
                exitCode: .badInput,
                message:
                    "\(item.name) is an Apple Health export, not a single recording; import it with 'workout import', "
                    + "then run 'workout export --all'")
        }
    }

    private mutating func convert(
        _ item: ImportItem, _ source: RecordingSource, _ said: ActivityIndex.Activity?
    ) throws {
        let formats = RecordingFile.formats(tables.adding(said), files: files)
        let recordings: [Recording]
        do {
            recordings = try RecordingFile.readAll(source, formats: formats)
        } catch {
            if let kind = item.kindOfOther(error, source, formats) { return others.add(kind) }
            throw CommandFailure(
                exitCode: .badInput,
                message: CommandFailure.describe(error).replacingOccurrences(
                    of: source.path, with: item.isNamed && !source.path.hasPrefix("/proc/") ? source.path : item.name))
        }
        if recordings.allSatisfy({ $0.facts.start == nil }) {
            if item.isNamed { throw CommandFailure(noWorkoutIn: recordings, of: item.name) }
            return others.add(.ending(item.ending))
        }
        for recording in try chosen(recordings, item.name) where recording.facts.start != nil {
            let number = recordings.count > 1 ? "-\(recording.file.workout)" : ""
            var written = try destination.write(
                recording.adding(said?.labels.metadata ?? [:]).entriesWithReadings,
                named: unused(Self.baseName(item.name) + number), otherwise: "fit")
            written.leftOut += recording.file.leftOut
            progress?.clear()
            written.notify(json: json, source: item.name == ImportSearch.pipe ? "-" : item.name)
            unstored.add(written)
        }
    }

    /// Returns the workouts to write: all of a recording into a folder, one into a file.
    private func chosen(_ recordings: [Recording], _ name: String) throws -> [Recording] {
        if let session {
            guard recordings.indices.contains(session - 1) else {
                throw CommandFailure(
                    exitCode: .badInput,
                    message:
                        "\(RecordingError.noWorkout(path: name, number: session, count: recordings[0].file.workouts))")
            }
            return [recordings[session - 1]]
        }
        if case .folder = destination.place { return recordings }
        if recordings.count > 1 {
            CommandFailure(
                exitCode: .success,
                message:
                    "\(name) holds \(recordings.count) workouts; the first was converted. Use --session 2 for the second, "
                    + "or a folder as output for all"
            ).report()
        }
        return Array(recordings.prefix(1))
    }

    /// Returns a name not used yet, for files of the same name from several folders.
    private mutating func unused(_ name: String) -> String {
        taken[name, default: 0] += 1
        return taken[name] == 1 ? name : "\(name)-\(taken[name] ?? 0)"
    }

    /// Removes the folders and the extension, for a packed file both extensions.
    private static func baseName(_ source: String) -> String {
        guard source != ImportSearch.pipe else { return "workout" }
        var url = URL(fileURLWithPath: source)
        if ["gz", "zip"].contains(url.pathExtension.lowercased()) { url.deletePathExtension() }
        url.deletePathExtension()
        return url.lastPathComponent
    }
}
