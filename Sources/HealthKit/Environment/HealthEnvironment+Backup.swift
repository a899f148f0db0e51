import Foundation
package import HealthStore
package import SessionLog

/// What `workout backup` keeps and `workout restore` brings back: the store, and the files beside it that no other machine has.
///
/// This machine's key and the machines that it is paired with stay here: a copy of a key would be another machine that poses as this one.
extension HealthEnvironment {
    /// Writes a backup of this moment. Sessions and apps may go on meanwhile.
    ///
    /// - Throws: ``HKError/Code/errorHealthDataUnavailable`` for a store in memory.
    package func backUp(to file: borrowing UnfinishedFile) throws {
        let database = try fileDatabase()
        // Before the store: see ``StoreBackup/write(_:enclosing:made:to:)``.
        let enclosures = try enclosures()
        try StoreBackup.write(database, enclosing: enclosures, made: time.now(), to: file)
    }

    /// The journals of sessions that run or wait to be recovered, and `config.json`.
    private func enclosures() throws -> [StoreBackup.Enclosure] {
        var files: [(name: String, url: URL)] = []
        if let configurationFile { files.append((Self.configurationName, configurationFile)) }
        if let journalFolder {
            files += SessionJournal.left(in: journalFolder).map { (Self.sessions + $0.lastPathComponent, $0) }
            let undelivered = journalFolder.appendingPathComponent(SessionJournal.undelivered)
            files += SessionJournal.left(in: undelivered).map { (Self.undelivered + $0.lastPathComponent, $0) }
        }
        return try files.compactMap { file in
            // A session that ended meanwhile has removed its journal: its workout is in the store.
            try ConfigurationFile.contents(of: file.url).map { StoreBackup.Enclosure(name: file.name, content: $0) }
        }
    }

    /// What restoring left as it was.
    package struct RestoredFiles: Sendable, Equatable {
        /// How many sessions wait to be recovered that did not before.
        package var sessions = 0
        /// Whether `config.json` was there already, and other than in the backup.
        package var keptConfiguration = false
    }

    /// Replaces the store by a backup. Existing journals and `config.json` stay; those of the backup come beside them.
    ///
    /// - Throws: ``HKError/Code/errorHealthDataUnavailable`` for a store in memory; ``HKError/Code/errorAnotherWorkoutSessionStarted``
    ///   while a session runs.
    package func restore(_ backup: StoreBackup) throws -> RestoredFiles {
        let database = try fileDatabase()
        try requireNoSession()
        // First, as what is restored twice does no harm: a journal whose workout is stored is not recovered.
        let files = try restore(backup.enclosures)
        try backup.restore(to: database)
        return files
    }

    private func restore(_ enclosures: [StoreBackup.Enclosure]) throws -> RestoredFiles {
        var restored = RestoredFiles()
        for enclosure in enclosures {
            guard let url = url(of: enclosure) else { continue }
            if let present = try ConfigurationFile.contents(of: url) {
                if enclosure.name == Self.configurationName, present != enclosure.content {
                    restored.keptConfiguration = true
                }
                continue
            }
            try DurableFile.makeFolder(url.deletingLastPathComponent())
            try DurableFile.write(enclosure.content, to: url)
            if enclosure.name != Self.configurationName { restored.sessions += 1 }
        }
        return restored
    }

    /// Where an enclosure belongs; nil for one of a name that means nothing here.
    private func url(of enclosure: StoreBackup.Enclosure) -> URL? {
        if enclosure.name == Self.configurationName { return configurationFile }
        for (prefix, folder) in [
            (Self.sessions, journalFolder),
            (Self.undelivered, journalFolder?.appendingPathComponent(SessionJournal.undelivered)),
        ] where enclosure.name.hasPrefix(prefix) && enclosure.name.hasSuffix(".jsonl") {
            let id = enclosure.name.dropFirst(prefix.count).dropLast(".jsonl".count)
            if UUID(uuidString: String(id)) != nil { return folder?.appendingPathComponent("\(id).jsonl") }
        }
        return nil
    }

    private static let configurationName = "config.json"
    private static let sessions = "sessions/"
    private static let undelivered = "undelivered/"

    private func requireNoSession() throws {
        guard let journalFolder else { return }
        for url in SessionJournal.left(in: journalFolder) {
            do {
                guard try SessionJournal(resuming: url) == nil else { continue }
            } catch {
                // It cannot be read, so nobody is writing it.
                continue
            }
            throw HKError.make(
                .errorAnotherWorkoutSessionStarted,
                "A session is running and will be stored when it ends. End it first, then restore.")
        }
    }

    private func fileDatabase() throws -> SQLiteHealthDatabase {
        guard storeFile != nil, let database = database as? SQLiteHealthDatabase else {
            throw storeFault
                ?? HKError.make(
                    .errorHealthDataUnavailable,
                    "A store in memory has no backup: name a file with HEALTHKIT_STORE.")
        }
        return database
    }
}
