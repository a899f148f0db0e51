import Engine
import Foundation
package import HealthStore
package import SessionLog

/// The data of `workout backup` and `workout restore`: the store, and the files beside it that no other machine has.
///
/// This machine's key and its paired machines are not part of it: with a copy of the key, another machine could pose as
/// this one.
extension HealthEnvironment {
    /// Writes a backup of the present data. Sessions and apps may continue meanwhile.
    ///
    /// - Throws: ``HKError/Code/errorHealthDataUnavailable`` for a store in memory.
    package func backUp(to file: borrowing UnfinishedFile) throws {
        let database = try fileDatabase()
        // Read before the store: see ``StoreBackup/write(_:enclosing:made:to:)``.
        let enclosures = try enclosures()
        try StoreBackup.write(database, enclosing: enclosures, made: time.now(), to: file)
    }

    /// Returns the journals of sessions that run or wait to be recovered, and `config.json`.
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

    /// The files that restoring added or kept.
    package struct RestoredFiles: Sendable, Equatable {
        /// The number of restored sessions that wait to be recovered.
        package var sessions = 0
        /// Whether an existing `config.json` that differs from the backup's was kept.
        package var keptConfiguration = false
    }

    /// Replaces the store by a backup. Existing journals and `config.json` stay, and journals of the backup are added.
    ///
    /// - Throws: ``HKError/Code/errorHealthDataUnavailable`` for a store in memory;
    ///   ``HKError/Code/errorAnotherWorkoutSessionStarted`` while a session runs.
    package func restore(_ backup: StoreBackup) throws -> RestoredFiles {
        let database = try databaseToRestore()
        // The files come first, because restoring them twice does no harm: a journal whose workout is stored is not
        // recovered.
        let files = try restore(backup.enclosures)
        try backup.restore(to: database)
        return files
    }

    /// - Throws: ``HKError`` for a store on a server, and while a session runs.
    @discardableResult
    package func databaseToRestore() throws -> SQLiteHealthDatabase {
        let database = try fileDatabase()
        try requireNoSession()
        return database
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

    /// Returns the place of an enclosure, or nil for one with an unknown name.
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
                // A journal that cannot be read has no writer.
                continue
            }
            throw HKError.make(
                .errorAnotherWorkoutSessionStarted,
                "A session is running and will be stored when it ends. End it first, then restore.")
        }
    }

    private func fileDatabase() throws -> SQLiteHealthDatabase {
        guard storeFile != nil, let database = database as? SQLiteHealthDatabase else {
            if let storeFault { throw storeFault }
            if case .postgreSQL = location {
                throw HKError.make(
                    .errorHealthDataUnavailable,
                    "A store on PostgreSQL is backed up with its server's tools: run 'pg_dump --schema=healthkit "
                        + "--enable-row-security' as a member of healthkit_study, and bring it back with 'pg_restore'.")
            }
            throw HKError.make(
                .errorHealthDataUnavailable, "A store in memory has no backup: name a file with HEALTHKIT_STORE.")
        }
        return database
    }
}
