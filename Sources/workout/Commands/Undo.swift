import ArgumentParser
import Foundation
import HealthKit
import Reports
import SessionLog
import StoredWorkouts

/// `workout undo`: takes back the last change of stored workouts.
struct Undo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo the last edit, merge, split or deletion.",
        discussion: """
            Restores the workouts that the change replaced or deleted, with their IDs and samples. Run it again to undo the change \
            before. With an ID, later changes of the results go first. Changes are kept for \(WorkoutReplacement.keptDays) days, then purged.

            Examples:
              workout undo
              workout undo 8F3A        # the last change of this workout
              workout undo --list
            """)

    @Argument(
        help: "Undo the last change of this workout: its ID, or a unique prefix of it.",
        completion: StoredCompletion.workouts)
    var id: String?

    @Flag(help: "List the changes that can be undone, latest first.")
    var list = false

    @Flag(help: "Print one JSON object per change.")
    var json = false

    func validate() throws {
        if list, id != nil { throw ValidationError("--list lists all changes; leave the ID out.") }
    }

    func run() async throws {
        let environment = HealthEnvironment.current
        let page = Page.standard(columnsInPipe: .max)
        let now = Date()
        let lines = try await CommandFailure.ownFault {
            try self.list ? self.changes(environment, page, at: now) : self.undo(environment, page, at: now)
        }
        for line in lines { print(line) }
    }

    func changes(_ environment: HealthEnvironment, _ page: Page, at now: Date) throws -> [String] {
        let changes = try environment.database.undoableChanges(at: now)
        if json { return changes.map(Self.json) }
        guard !changes.isEmpty else { return ["Nothing to undo."] }
        return changes.map {
            "\(page.minute($0.date))  \(Language.current.message($0.name))  (\(localized("until")) \(page.day($0.end)))"
        }
    }

    func undo(_ environment: HealthEnvironment, _ page: Page, at now: Date) throws -> [String] {
        let store = HKHealthStore(environment: environment)
        guard let change = try store.undoEdit(of: try changed(environment, at: now), at: now) else {
            throw CommandFailure(
                exitCode: .badInput,
                message: "nothing to undo; changes are kept for \(WorkoutReplacement.keptDays) days")
        }
        if json { return [Self.json(change)] }
        let restored = try StoredWorkouts(environment.database).all(WorkoutFilter(ids: Set(change.old)))
        return [localized("Undone: %1", Language.current.message(change.name))]
            + WorkoutListing(workouts: restored).lines(page)
    }

    /// Returns the ID of the changed workout. A deleted one is found by the change that deleted it.
    private func changed(_ environment: HealthEnvironment, at now: Date) throws -> UUID? {
        guard let id else { return nil }
        let prefix = id.uppercased().filter { $0 != "-" }
        let ids = try environment.database.undoableChanges(at: now).flatMap { $0.new + $0.old }
        let found = Set(ids.filter { $0.begins(with: prefix) })
        guard let only = found.first, !prefix.isEmpty else {
            throw CommandFailure(
                exitCode: .badInput, message: "no change of workout \(id); 'workout undo --list' lists all changes")
        }
        guard found.count == 1 else {
            throw CommandFailure(
                exitCode: .badInput, message: "\(id) is ambiguous: \(found.count) workouts; write more of the ID")
        }
        return only
    }

    private static func json(_ change: UndoableChange) -> String {
        JSONText.object([
            ("name", .string(change.name)), ("date", .date(change.date)), ("until", .date(change.end)),
            ("old", .array(change.old.map { .string($0.uuidString) })),
            ("new", .array(change.new.map { .string($0.uuidString) })),
        ]).text
    }

    /// Returns how long a change made now can be undone.
    static func sentence(_ page: Page, _ now: Date) -> String {
        localized("To undo this until %1: workout undo", page.day(WorkoutReplacement.end(ofKeepingSince: now)))
    }
}
