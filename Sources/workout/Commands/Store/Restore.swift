import ArgumentParser
import Engine
import Foundation
import HealthKit
import Reports
import SessionLog
import StoredWorkouts

/// `workout restore`: restores the data of a `workout backup`.
struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Replace the store by a backup.",
        discussion: """
            Shows the content of the backup and asks first. The replaced store is kept as another backup beside it. An existing \
            config.json is kept. So are unfinished sessions (see 'workout recover'); those of the backup are added.

            Examples:
              workout restore workouts-2026-11-24.sqlite
              age --decrypt FILE.age | workout restore - --yes
              openssl enc -d -aes-256-cbc -pbkdf2 -in FILE.enc | workout restore - --yes
            """)

    @Argument(help: "The file that 'workout backup' wrote, or '-' for standard input.", completion: .file())
    var file: String

    @Flag(help: "Restore without asking.")
    var yes = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        let environment = HealthEnvironment.current
        try CommandFailure.storeFault { _ = try environment.databaseToRestore() }
        guard yes || file != "-" && Question.canBeAsked else {
            throw CommandFailure(
                exitCode: .wrongUsage, message: "not a terminal; add --yes to restore without asking")
        }
        if file == "-" { return try restoreFromStandardInput(environment) }
        let backup = try CommandFailure.badInput { try StoreBackup(URL(fileURLWithPath: file)) }
        if !yes {
            let page = Page.standard(columnsInPipe: .max)
            let stored = try CommandFailure.storeFault { try Self.count(in: environment) }
            CommandOutput.error.print(
                localized(
                    "%1: a backup of %2: %3.", file, page.minute(backup.made), Backup.contents(of: backup)))
            CommandOutput.error.print(
                localized("It replaces what is stored now: %1.", Page.counted(stored, "workout")))
            guard await Question.isConfirmed("Restore it? [y/N] ") else {
                throw CommandFailure(exitCode: .interrupted, message: "cancelled; nothing was restored")
            }
        }
        try restore(backup, environment)
    }

    private func restoreFromStandardInput(_ environment: HealthEnvironment) throws {
        // This file disappears with the process.
        let name = FileManager.default.temporaryDirectory.appendingPathComponent("restore-\(UUID().uuidString)")
        try PageDestination.failing {
            let piped = try UnfinishedFile(name)
            while let piece = try FileHandle.standardInput.read(upToCount: 1 << 16), !piece.isEmpty {
                try piped.write(Array(piece))
            }
            let path = piped.path
            let backup = try CommandFailure.badInput {
                try StoreBackup(URL(fileURLWithPath: path), named: "standard input")
            }
            try restore(backup, environment)
            withExtendedLifetime(piped) {}
        }
    }

    private func restore(_ backup: StoreBackup, _ environment: HealthEnvironment) throws {
        let old = try keepOld(environment)
        let files = try CommandFailure.storeFault { try environment.restore(backup) }
        if json {
            CommandOutput.standard.print(
                JSONText.object([
                    ("workouts", .integer(backup.workouts)), ("sessionsToRecover", .integer(files.sessions)),
                    ("old", old.map { .string($0.path) } ?? .null),
                ]).text)
        } else {
            print("Restored: \(Backup.contents(of: backup)).")
            if let old { print("The replaced store is in \(old.path).") }
        }
        if files.keptConfiguration, let configuration = environment.configurationFile {
            CommandOutput.error.print(
                "notice: \(configuration.path) was kept; the backup has another one")
        }
        if files.sessions > 0 {
            CommandOutput.error.print("notice: the backup has unfinished sessions. To save them: workout recover")
        }
    }

    /// Writes a backup of the stored data beside the store. Returns nil if there is none.
    private func keepOld(_ environment: HealthEnvironment) throws -> URL? {
        guard let path = environment.storeFile, FileManager.default.fileExists(atPath: path),
            let database = environment.database as? SQLiteHealthDatabase,
            try !CommandFailure.storeFault({ try database.isEmpty() })
        else { return nil }
        let second = Page.standard(columnsInPipe: .max).second(environment.time.now())
            .filter { $0.isNumber }
        let stem = URL(fileURLWithPath: path).deletingPathExtension().path + ".before-restore-\(second)"
        let names = [stem] + (2...99).map { "\(stem)-\($0)" }
        let free = names.first { !FileManager.default.fileExists(atPath: $0 + ".sqlite") }
        let url = URL(fileURLWithPath: (free ?? stem) + ".sqlite")
        return try PageDestination.failing {
            var unfinished = try UnfinishedFile(url)
            try CommandFailure.storeFault { try environment.backUp(to: unfinished) }
            try unfinished.finish(replacing: false)
            return url
        }
    }

    private static func count(in environment: HealthEnvironment) throws -> Int {
        try (environment.database as? SQLiteHealthDatabase)?.workoutCount() ?? 0
    }
}
