import ArgumentParser
import Engine
import Foundation
import HealthKit
import Reports
import SessionLog
import StoredWorkouts

/// `workout backup`: writes the whole store to one file.
struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Write the whole store to one file.",
        discussion: """
            The backup contains workouts and all other samples, routes, attachments, the profile, the permissions of apps, \
            config.json and unfinished sessions (see 'workout recover'). The store may be in use meanwhile. The file is itself a \
            store: HEALTHKIT_STORE=FILE workout list. 'workout restore' brings it back, on this or another machine.

            The file is not encrypted. To encrypt it, pipe it.

            Examples:
              workout backup ~/backups/
              workout backup - | age --passphrase --output FILE.age
              workout backup - | openssl enc -aes-256-cbc -pbkdf2 -out FILE.enc
            """)

    @Argument(help: "Output file, folder, or '-' for standard output.", completion: .file())
    var file: String

    @Flag(help: "Overwrite an existing file.")
    var force = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let environment = HealthEnvironment.current
        if file == "-" { return try writeToStandardOutput(environment) }
        let destination = PageDestination(file, replaces: force)
        let day = Page.standard(columnsInPipe: .max).sortableDay(environment.time.now())
        let url = destination.file(named: "workouts-\(day)", ending: "sqlite")
        try destination.check(url)
        try PageDestination.failing {
            var unfinished = try UnfinishedFile(url)
            try CommandFailure.storeFault { try environment.backUp(to: unfinished) }
            try unfinished.finish(replacing: force)
        }
        let backup = try CommandFailure.badInput { try StoreBackup(url) }
        if json {
            CommandOutput.standard.print(Self.json(of: backup).text)
        } else {
            print("\(url.path)  \(Self.contents(of: backup))")
        }
    }

    private func writeToStandardOutput(_ environment: HealthEnvironment) throws {
        let name = FileManager.default.temporaryDirectory.appendingPathComponent("backup-\(UUID().uuidString)")
        try PageDestination.failing {
            let unfinished = try UnfinishedFile(name)
            try CommandFailure.storeFault { try environment.backUp(to: unfinished) }
            try unfinished.forEachPiece { CommandOutput.standard.write($0) }
        }
    }

    static func json(of backup: StoreBackup) -> JSONText {
        .object([
            ("file", .string(backup.url.path)), ("workouts", .integer(backup.workouts)),
            ("sessionsToRecover", .integer(sessions(in: backup))),
        ])
    }

    /// `412 workouts, 1 session to recover`
    static func contents(of backup: StoreBackup) -> String {
        let sessions = sessions(in: backup)
        return Page.counted(backup.workouts, "workout")
            + (sessions == 0 ? "" : ", " + localized("%1 to recover", Page.counted(sessions, "session")))
    }

    private static func sessions(in backup: StoreBackup) -> Int {
        backup.enclosures.count { $0.name.hasSuffix(".jsonl") }
    }
}
