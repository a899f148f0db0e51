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
            recognised by its content, packed by gzip or not; '-' is what is piped in. Each workout of a recording becomes \
            one; of several files each is told in a line. Of an export, the electrocardiograms and the records from clinics \
            in the folders beside export.xml are taken, too. What is in the store already stays as it is: \
            importing a file twice adds nothing.
            """
    )

    @Argument(help: "The files.", completion: .file())
    var files: [String]

    @Flag(help: "Print one JSON object a file and nothing else.")
    var json = false

    func run() async throws {
        var failure: (any Error)?
        var listing = ImportListing(files: files.count, json: json)
        defer { listing.end() }
        for file in files {
            do {
                try await take(file, &listing)
            } catch let error as CommandFailure where files.count > 1 && error.exitCode != .interrupted {
                // One bad file does not keep the others from being read.
                listing.isRefused(error)
                failure = failure ?? error.exitCode
            }
        }
        if let failure { throw failure }
    }

    private func take(_ file: String, _ listing: inout ImportListing) async throws {
        let argument = try RecordingArgument(file)
        let url = argument.url
        // What is no file is refused before anything waits for it; a folder may be an unpacked export.
        do throws(RecordingError) {
            try RecordingFile.check(url)
        } catch {
            if case .directory = error {} else { throw CommandFailure(exitCode: .badInput, message: "\(error)") }
        }
        if try Self.isHealthExport(url) {
            try await importExport(file, url, &listing)
        } else if Self.isArchive(url) {
            throw CommandFailure(
                exitCode: .badInput,
                message:
                    "cannot read \(file): it is a zip archive in which no Apple Health export can be found; get it again "
                    + "if it was cut off, or unpack it")
        } else {
            try await importRecordings(file, argument, &listing)
        }
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
        return (try? file.read(upToCount: 4)) == Data([0x50, 0x4B, 3, 4])
    }

    // MARK: Apple Health

    /// Ctrl-C ends the import within a moment: what is saved by then is reported, and importing again adds the rest.
    private func importExport(_ file: String, _ url: URL, _ listing: inout ImportListing) async throws {
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
        listing.isTaken(ImportReport(file: file, summary: summary, seconds: (clock.now - start) / .seconds(1)))
        if summary.wasInterrupted { throw ExitCode.interrupted }
    }

    // MARK: Recordings

    /// All the workouts of a file.
    private func importRecordings(
        _ file: String, _ argument: RecordingArgument, _ listing: inout ImportListing
    ) async throws {
        for recording in try argument.reading({ try RecordingFile.readAll($0) }) {
            try await importRecording(recording, file, argument, &listing)
        }
    }

    private func importRecording(
        _ recording: Recording, _ file: String, _ argument: RecordingArgument, _ listing: inout ImportListing
    ) async throws {
        let id = try argument.reading { try RecordingIdentity.id(of: recording, at: $0) }
        let isStored = try CommandFailure.storeFault { try HealthEnvironment.current.database.contains(id) }
        guard !isStored else { return listing.isKnown(id, of: file) }
        let run = try CommandFailure.badInput {
            try WorkoutRun(replaying: recording, speed: .infinity, keepsDates: true, id: id, saves: true)
        }
        let finished = try await CommandFailure.ownFault {
            try await LiveOutput(speed: .infinity, json: json).follow(run)
        }
        // Half of it would be taken for all of it when it is imported again.
        guard !finished.wasInterrupted else {
            try CommandFailure.storeFault { try Self.remove(id) }
            throw CommandFailure(
                exitCode: .interrupted, message: "\(file) was not read to its end, and nothing of it is stored")
        }
        listing.isAdded(try WorkoutSummary(finished), FileSummary(recording.file), of: file)
    }

    private static func remove(_ id: UUID) throws {
        let database = HealthEnvironment.current.database
        var deletion = WorkoutDeletion()
        deletion.workouts = [try StoredWorkouts(database).workout(id.uuidString)]
        deletion.samples = try StoredWorkouts(database).ownSamples(of: deletion.workouts[0])
        try deletion.carryOut(database)
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
