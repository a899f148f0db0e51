import ArgumentParser
import Foundation
import HealthKit
import Recordings
import SessionLog
import StoredWorkouts
import Synchronization

/// Imports one item after the other into the store, until all are done or the user interrupts.
///
/// A recording becomes the workout that a replay of it would make. It is stored whole or not at all.
actor ImportRun {
    private let environment: HealthEnvironment
    private var database: any HealthDatabase { environment.database }
    private let tables: TableOptions
    /// Those of the folder or archive that is read.
    private var files: TakeoutFiles?
    private let keepsDuplicates: Bool
    private let json: Bool
    private var listing: ImportListing
    private let progress: ImportProgress?
    private let interruption = ImportInterruption()
    /// The error of the first file that could not be read.
    private var failure: (any Error)?
    /// The best efforts of the workouts stored so far.
    private var efforts: [UUID: WorkoutEfforts] = [:]
    /// The number of items done. The total is counted as far as it is known.
    private var done = 0
    private var total = 0

    init(_ tables: TableOptions, isOfSeveral: Bool, keepsDuplicates: Bool, json: Bool) {
        environment = .current
        self.tables = tables
        self.keepsDuplicates = keepsDuplicates
        self.json = json
        listing = ImportListing(isOfSeveral: isOfSeveral, json: json)
        progress = json ? nil : ImportProgress()
    }

    /// - Throws: The error that the command ends with, after everything that could be done is done.
    func run(_ arguments: [String]) async throws {
        defer {
            progress?.clear()
            listing.end()
        }
        let interruption = interruption
        let wasInterrupted = try await Interruption.calling({ interruption.end() }) {
            try await self.takeAll(arguments)
        }
        if wasInterrupted { throw ExitCode.interrupted }
        findRecords()
        if let failure { throw failure }
    }

    /// Keeps the best efforts of new workouts. If that fails, the next 'list' does it, so errors are ignored.
    private func findRecords() {
        guard listing.added > 0 else { return }
        progress?.show("Looking for personal records …")
        _ = try? BestEfforts(in: database, computed: efforts)
    }

    private func takeAll(_ arguments: [String]) async throws {
        for argument in arguments where !interruption.isEnded {
            try await guarding {
                let items = try ImportSearch.items(of: argument)
                try await self.take(items)
            }
        }
    }

    /// Runs `body` so that a bad file does not keep the others from being read. A missing store does.
    private func guarding(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as CommandFailure where error.exitCode != .serviceMissing && error.exitCode != .interrupted {
            guard listing.isOfSeveral else { throw error }
            progress?.clear()
            listing.isRefused(error)
            failure = failure ?? error.exitCode
        }
    }

    private func take(_ items: [ImportItem]) async throws {
        total += items.count
        let index = TakeoutIndex(items)
        let outer = files
        files = index.files.completed(by: outer)
        defer { files = outer }
        for item in items where !interruption.isEnded {
            if listing.isOfSeveral { progress?.show(done: done, of: total, item.name) }
            if index.isPart(item) {
                listing.isNoWorkout(.ending(item.ending))
            } else {
                try await guarding { try await self.take(item, index[item]) }
            }
            done += 1
        }
    }

    /// - Parameter said: What the takeout's own list states about the file.
    private func take(_ item: ImportItem, _ said: ActivityIndex.Activity?) async throws {
        switch item.content {
        case .export(let url): try importExport(item.name, url)
        case .recording(let source): try await importRecordings(item, source, said)
        case .archive:
            let unpacked = try reading(item, "\(item.name)") { try ImportSearch.unpack(item) }
            guard let unpacked else { return }
            try await take(unpacked.items)
            withExtendedLifetime(unpacked.file) {}
        }
    }

    /// Runs `body` and names a file that cannot be read as the user knows it.
    private func reading<Result>(_ item: ImportItem, _ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try CommandFailure.badInput(body)
        } catch var failure as CommandFailure {
            if path.hasPrefix("/proc/self/fd/") {
                failure.message = failure.message.replacingOccurrences(of: path, with: item.name)
            }
            throw failure
        }
    }

    // MARK: Apple Health

    /// Imports an Apple Health export. If interrupted, it ends within a moment and reports what is saved. Importing
    /// again adds the rest.
    private func importExport(_ name: String, _ url: URL) throws {
        let clock = ContinuousClock()
        let start = clock.now
        let interruption = interruption
        defer { progress?.clear() }
        let (summary, poorer) = try CommandFailure.storeFault {
            let copies = ExportCopies(database, keepsAll: keepsDuplicates)
            do {
                let summary = try HealthImport.run(
                    url, into: database, isCancelled: { interruption.isEnded }, adopting: { try copies.adopted($0, $1) }
                ) { progress?.show($0) }
                return (summary, try copies.replaced())
            } catch let error as HealthExportError {
                throw CommandFailure(exitCode: .badInput, message: CommandFailure.describe(error))
            }
        }
        progress?.clear()
        for id in poorer { try remove(id) }
        listing.isTaken(
            ImportReport(
                file: name, summary: summary, replaced: poorer.count, seconds: (clock.now - start) / .seconds(1)))
    }

    // MARK: Recordings

    /// Imports all the workouts of a file.
    private func importRecordings(
        _ item: ImportItem, _ source: RecordingSource, _ said: ActivityIndex.Activity?
    ) async throws {
        let formats = RecordingFile.formats(tables.adding(said), files: files)
        let recordings: [Recording]
        do {
            recordings = try RecordingFile.readAll(source, formats: formats)
        } catch {
            if let kind = item.kindOfOther(error, source, formats) { return listing.isNoWorkout(kind) }
            return try reading(item, source.path) { throw error }
        }
        if recordings.allSatisfy({ $0.facts.start == nil }) {
            if item.isNamed { throw CommandFailure(noWorkoutIn: recordings, of: item.name) }
            return listing.isNoWorkout(.ending(item.ending))
        }
        listing.workouts = recordings.count
        var own: Set<UUID> = []
        for recording in recordings where !interruption.isEnded {
            try await importRecording(recording, item, source, said, &own)
        }
    }

    private func importRecording(
        _ recording: Recording, _ item: ImportItem, _ source: RecordingSource, _ said: ActivityIndex.Activity?,
        _ own: inout Set<UUID>
    ) async throws {
        if let flaw = recording.timeFlaw {
            throw CommandFailure(exitCode: .badInput, message: "\(item.name): \(flaw)")
        }
        let id = try reading(item, source.path) { try RecordingIdentity.id(of: recording, in: source) }
        own.insert(id)
        let isStored = try CommandFailure.storeFault {
            let exported = try recording.facts.workoutID.map { try database.knowsWorkout($0) } ?? false
            return try exported || database.knowsWorkout(id)
        }
        // In a list of a service, two apps may have written the same workout.
        let isListed = recording.file.ownID != nil
        let same = try CommandFailure.storeFault { try sameRides(recording, apart: isListed ? [id] : own) }
        progress?.clear()
        guard !isStored else {
            // An earlier import was interrupted after it stored this workout and before it removed the poorer copies.
            let poorer = same.replaceable
            for match in poorer { try remove(match.workout.uuid) }
            let stored = try CommandFailure.storeFault {
                try database.contains(id) ? id : database.successors(of: id).min { $0.uuidString < $1.uuidString } ?? id
            }
            return listing.isKnown(stored, of: item.name, replacing: poorer.map(\.workout.uuid))
        }
        if let content = same.content, let better = same.better {
            return listing.isSameRide(
                item.name, as: better.workout.uuid, with: better.content.kindsMissing(in: content),
                without: content.kindsMissing(in: better.content))
        }
        let metadata = (said?.labels.metadata ?? [:]).merging(RideContent.metadata(of: recording)) { _, later in later }
        // Keeps a title and notes that only the poorer recording has.
        let log = try await store(recording.adding(metadata, under: same.keptLabels.metadata), id, item, source)
        let poorer = same.replaceable
        for match in poorer { try remove(match.workout.uuid) }
        var file = recording.file
        let lost = log.state.typesUnknownToHealthKit
        file.leftOut += lost.map { "\(NeutralType.words($0)) (no HealthKit type)" }
        if let advice = Self.advice(on: lost, of: log.state, file) { file.warnings.append(advice) }
        listing.isAdded(
            // A line does not show laps, so the log need not be read once more.
            try WorkoutSummary(log, measuresLaps: !listing.isOfLines),
            FileSummary(file), of: item.name,
            replacing: poorer.map(\.workout.uuid), beside: same.matches.first { !$0.isImported }?.workout.uuid)
    }

    /// Returns how to keep what only some activities have, of a file that names none.
    private static func advice(
        on lost: [String], of state: SessionState, _ file: RecordingSummary
    ) -> RecordingWarning? {
        let ofActivities = lost.filter { [NeutralType.cadence, NeutralType.power, NeutralType.speed].contains($0) }
        guard !ofActivities.isEmpty, ["csv", "tsv", "tcx", "gpx"].contains(file.format),
            state.header?.activity.activity == "other"
        else { return nil }
        return RecordingWarning(
            byte: 0,
            message: "the file names no activity; name one to keep \(ofActivities.joined(separator: ", ")): "
                + "--activity cycling")
    }

    /// Stores a recording. Waits if the store cannot be written now, for instance because the disk is full.
    private func store(
        _ recording: Recording, _ id: UUID, _ item: ImportItem, _ source: RecordingSource
    ) async throws -> ReplayedLog {
        let interruption = interruption
        let recording = recording.adding(recording.activity.swimMetadata)
        var isWaiting = false
        while true {
            do {
                let log = try HKHealthStore(environment: environment).save(
                    recording, as: id, findsEfforts: true, isCancelled: { interruption.isEnded })
                efforts[id] = log.efforts
                return log
            } catch is CancellationError {
                throw CommandFailure(
                    exitCode: .interrupted,
                    message: "\(item.name) was not read to its end; nothing of it was stored")
            } catch let error as HKError where error.code == .errorDatabaseInaccessible {
                let reason = CommandFailure.describe(error)
                if interruption.isEnded {
                    throw CommandFailure(
                        exitCode: .serviceMissing, message: "\(item.name) is not stored: \(reason)")
                }
                if !isWaiting {
                    CommandFailure(
                        exitCode: .serviceMissing,
                        message:
                            "\(item.name) is not stored yet: \(reason) It is tried again every second; Ctrl-C stops trying"
                    ).report()
                }
                isWaiting = true
                try await Task.sleep(for: .seconds(1))
            } catch let error as HKError where error.code == .errorWorkoutActivityNotAllowed {
                throw CommandFailure(exitCode: .badInput, message: "\(item.name): \(CommandFailure.describe(error))")
            } catch let error as RecordingError {
                return try reading(item, source.path) { throw error }
            } catch {
                return try CommandFailure.storeFault { throw error }
            }
        }
    }

    private func sameRides(_ recording: Recording, apart: Set<UUID>) throws -> DuplicateRides.Found {
        guard !keepsDuplicates, let start = recording.facts.start else { return DuplicateRides.Found() }
        return try DuplicateRides(database: database).find(
            { RideContent(recording) }, from: start, to: recording.facts.end ?? start, apart: apart, withExports: true)
    }

    private func remove(_ id: UUID) throws {
        try CommandFailure.storeFault {
            guard try database.contains(id) else { return }
            var deletion = WorkoutDeletion()
            let workout = try StoredWorkouts(database).workout(id.uuidString)
            deletion.workouts = [workout]
            // An export has its samples apart from its workouts.
            if !workout.sourceRevision.source.isOfExport {
                deletion.samples = try StoredWorkouts(database).ownSamples(of: workout)
            }
            try deletion.carryOut(database)
        }
    }
}

/// Compares the workouts of an Apple Health export with the recordings in the store.
private final class ExportCopies {
    private let database: any HealthDatabase
    private let keepsAll: Bool
    /// The workouts of the export that are more complete, with the recordings that they replace.
    private var replacing: [(workout: UUID, recordings: [UUID])] = []

    init(_ database: any HealthDatabase, keepsAll: Bool) {
        self.database = database
        self.keepsAll = keepsAll
    }

    /// Returns the workout with the labels of what it replaces. Nil if the store has a recording that is as complete.
    func adopted(_ workout: HKWorkout, _ hasRoute: Bool) throws -> HKWorkout? {
        guard !keepsAll, try !database.knowsWorkout(workout.uuid) else { return workout }
        let same = try DuplicateRides(database: database).find(
            { RideContent(stated: workout, hasRoute: hasRoute) }, from: workout.startDate, to: workout.endDate,
            withExports: false)
        guard same.better == nil else { return nil }
        let poorer = same.replaceable
        guard !poorer.isEmpty else { return workout }
        replacing.append((workout.uuid, poorer.map(\.workout.uuid)))
        let labels = workout.labels.completed(by: same.keptLabels)
        let identity = try workout.identity.with(metadata: labels.added(to: workout.metadata))
        return workout.with(identity) as? HKWorkout ?? workout
    }

    /// The recordings whose replacements are stored.
    func replaced() throws -> [UUID] {
        try replacing.filter { try database.contains($0.workout) }.flatMap(\.recordings)
    }
}

/// Whether the user has interrupted the import.
final class ImportInterruption: Sendable {
    private let state = Atomic(false)

    var isEnded: Bool { state.load(ordering: .relaxed) }

    func end() { state.store(true, ordering: .relaxed) }
}

extension CommandFailure {
    /// Runs `body`, which reads or writes the health store.
    static func storeFault<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as CommandFailure {
            throw failure
        } catch let error as HKError where error.isOfStore {
            throw CommandFailure(exitCode: .serviceMissing, message: describe(error))
        } catch let error as HKError where error.code == .errorInvalidArgument {
            throw CommandFailure(exitCode: .badInput, message: describe(error))
        } catch {
            throw CommandFailure(exitCode: .ownFault, message: describe(error))
        }
    }
}

extension Recording {
    /// The earliest plausible start: no device recorded a workout before this day, on which GPS time begins.
    private static let earliestStart = Date(timeIntervalSince1970: 315_964_800)

    /// Why its times make no workout, which nothing in the file can repair. Nil if they do.
    var timeFlaw: String? {
        guard let start = facts.start else { return nil }
        guard start >= Self.earliestStart else {
            return
                "not imported: it is dated \(Page(timeZone: .gmt).sortableDay(start)), so the clock of the device was not "
                + "set; correct its times, or export it again from its source"
        }
        guard let seconds = facts.seconds, seconds < 1 else { return nil }
        return "not imported: it lasts less than a second; export it again from its source"
    }
}
