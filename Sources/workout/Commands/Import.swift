import ArgumentParser
import Foundation
import HealthKit
import Recordings
import Synchronization

/// `workout import`: takes files into the health store.
struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Takes Apple Health exports and recordings into the health store.",
        discussion: """
            FILE is export.zip or export.xml of the Health app, or a recording of any readable format (FIT, session log), \
            recognised by its content; a recording becomes a workout. What is in the store already stays as it is: \
            importing a file twice adds nothing.
            """
    )

    @Argument(help: "The files.", completion: .file())
    var files: [String]

    @Flag(help: "Print one JSON object a file and nothing else.")
    var json = false

    func run() async throws {
        var failure: (any Error)?
        for file in files {
            do {
                try await take(file)
            } catch let error as CommandFailure where files.count > 1 && error.exitCode != .interrupted {
                // One bad file does not keep the others from being read.
                error.report()
                failure = failure ?? error.exitCode
            }
        }
        if let failure { throw failure }
    }

    private func take(_ file: String) async throws {
        let url = URL(fileURLWithPath: file)
        if HealthExport.isHealthExport(url) {
            try await importExport(file, url)
        } else if Self.isArchive(url) {
            throw CommandFailure(
                exitCode: .badInput,
                message:
                    "cannot read \(file): it is a zip archive in which no Apple Health export can be found; get it again "
                    + "if it was cut off, or unpack it")
        } else {
            try await importRecording(file, url)
        }
    }

    /// The mark of a file in a zip archive (APPNOTE 4.3.7). What cannot be read says so where it is read.
    private static func isArchive(_ url: URL) -> Bool {
        guard let file = FileHandle(forReadingAtPath: url.path) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: 4)) == Data([0x50, 0x4B, 3, 4])
    }

    // MARK: Apple Health

    /// Ctrl-C ends the import: what was read until then is saved and reported.
    private func importExport(_ file: String, _ url: URL) async throws {
        let progress = json ? nil : ImportProgress()
        let clock = ContinuousClock()
        let start = clock.now
        let database = HealthEnvironment.current.database
        let isEnded = Atomic(false)
        let outcome = Mutex<Result<HealthImportSummary, any Error>?>(nil)
        _ = try await Interruption.calling({ isEnded.store(true, ordering: .relaxed) }) {
            let result = Result {
                try HealthImport.run(url, into: database, isCancelled: { isEnded.load(ordering: .relaxed) }) {
                    progress?.show($0)
                }
            }
            outcome.withLock { $0 = result }
        }
        progress?.clear()
        guard let result = outcome.withLock({ $0 }) else { return }
        let summary = try CommandFailure.storeFault {
            do {
                return try result.get()
            } catch let error as HealthExportError {
                throw CommandFailure(exitCode: .badInput, message: CommandFailure.describe(error))
            }
        }
        let report = ImportReport(file: file, summary: summary, seconds: (clock.now - start) / .seconds(1))
        if json { print(report.json.text) } else { for line in report.lines { print(line) } }
        if summary.wasInterrupted { throw ExitCode.interrupted }
    }

    // MARK: Recordings

    private func importRecording(_ file: String, _ url: URL) async throws {
        let recording = try CommandFailure.badInput { try RecordingFile.read(url) }
        let id = try CommandFailure.badInput { try RecordingIdentity.id(of: recording, at: url) }
        let isStored = try CommandFailure.storeFault { try HealthEnvironment.current.database.contains(id) }
        guard !isStored else {
            if json {
                print(
                    JSONText.object([
                        ("source", .string(file)), ("added", .integer(0)), ("known", .integer(1)),
                        ("id", .string(id.uuidString)),
                    ]).text)
            } else {
                print("\(file): the workout \(id) is in the store already; nothing added")
            }
            return
        }
        let run = try CommandFailure.badInput {
            try WorkoutRun(replaying: recording, speed: .infinity, keepsDates: true, id: id, saves: true)
        }
        let finished = try await CommandFailure.ownFault {
            try await LiveOutput(speed: .infinity, json: json).follow(run)
        }
        try SummaryOutput(json: json).print(WorkoutSummary(finished), FileSummary(recording.file))
        if finished.wasInterrupted { throw ExitCode.interrupted }
    }
}

/// Which workout a recording is: the one that a session log names, else one that the bytes of the file name.
enum RecordingIdentity {
    static func id(of recording: Recording, at url: URL) throws -> UUID {
        for entry in recording.entries.prefix(1) where recording.file.format == "jsonl" {
            if case .header(let header) = entry.content { return header.id }
        }
        var print = HealthFingerprint()
        print.combine("recording")
        let bytes = try Data(contentsOf: url)
        print.combine(UInt64(bytes.count))
        bytes.withUnsafeBytes { bytes in
            var place = 0
            while place < bytes.count {
                var word: UInt64 = 0
                for byte in bytes[place..<min(place + 8, bytes.count)] { word = word << 8 | UInt64(byte) }
                print.combine(word)
                place += 8
            }
        }
        return print.uuid
    }
}

extension CommandFailure {
    /// Reading or writing the health store.
    static func storeFault<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as CommandFailure {
            throw failure
        } catch let error as HKError where error.isOfStore {
            throw CommandFailure(exitCode: .serviceMissing, message: describe(error))
        } catch {
            throw CommandFailure(exitCode: .ownFault, message: describe(error))
        }
    }
}
