import ArgumentParser
import Foundation
import HealthKit
import StoredWorkouts

/// `workout store`: the health store itself.
struct Store: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Inspect, check, copy, back up or migrate the health store.",
        discussion: """
            These commands use the store of HEALTHKIT_STORE. 'backup' and 'restore' are the commands of the same names; a store on \
            PostgreSQL is backed up with pg_dump.

            Examples:
              workout store info
              workout store copy old.sqlite 'postgresql:///health?person=anna'
            """,
        subcommands: [Info.self, Check.self, Copy.self, Migrate.self, Backup.self, Restore.self])

    struct Info: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "info",
            abstract: "Show where the store is, its size, and its samples by type.",
            discussion: """
                Example:
                  workout store info
                """)

        @Flag(help: "Print one JSON object.")
        var json = false

        func run() throws {
            let environment = HealthEnvironment.current
            let facts = try CommandFailure.storeFault { try environment.storeToInspect().facts() }
            let people = environment.person == nil ? [] : try CommandFailure.storeFault { try environment.people() }
            if json { return print(Self.json(facts, people, environment).text) }
            print(environment.location.name)
            if let person = environment.person {
                print("Person:   \(person) (\(people.count) \(people.count == 1 ? "person" : "people") in the store)")
            }
            print("Schema:   version \(facts.schema.version)")
            print("Size:     \(ByteCount.text(Int(facts.bytes)))\(environment.person == nil ? "" : " (all people)")")
            if facts.isUnfinishedCopy {
                CommandOutput.error.print(
                    "warning: this is an unfinished copy. Finish it with the same 'workout store copy'.")
            }
            guard !facts.types.isEmpty else { return print("It has no samples.") }
            let identifiers = facts.types.map(\.identifier)
            let names = identifiers.map { QuantityLabel.of($0, among: identifiers) }
            let counts = facts.types.map { String($0.count) }
            let (width, digits) = (names.map(\.count).max() ?? 0, counts.map(\.count).max() ?? 0)
            let page = Page.standard(columnsInPipe: .max)
            for (index, type) in facts.types.enumerated() {
                let name = names[index] + String(repeating: " ", count: width - names[index].count)
                let count = String(repeating: " ", count: digits - counts[index].count) + counts[index]
                print(
                    "\(name)  \(count)  \(page.sortableDay(type.dates.lowerBound)) – \(page.sortableDay(type.dates.upperBound))"
                )
            }
        }

        private static func json(
            _ facts: StoreFacts, _ people: [StoredPerson], _ environment: HealthEnvironment
        ) -> JSONText {
            .object([
                ("store", .string(environment.location.name)),
                ("person", environment.person.map { .string($0) }),
                ("people", environment.person == nil ? nil : .integer(people.count)),
                ("version", .integer(facts.schema.version)), ("bytes", .integer(Int(facts.bytes))),
                ("rows", .integer(facts.rows)), ("unfinishedCopy", facts.isUnfinishedCopy ? .boolean(true) : nil),
                (
                    "types",
                    .array(
                        facts.types.map { type in
                            .object([
                                ("type", .string(type.identifier)), ("count", .integer(type.count)),
                                ("start", .date(type.dates.lowerBound)), ("end", .date(type.dates.upperBound)),
                            ])
                        })
                ),
            ])
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Read the whole store and look for damage.",
            discussion: """
                Reads every row. Exit status 65 if something is damaged.

                Example:
                  workout store check
                """)

        @Flag(help: "Print one JSON object.")
        var json = false

        func run() throws {
            let store = try CommandFailure.storeFault { try HealthEnvironment.current.storeToInspect() }
            let (problems, rows) = try CommandFailure.storeFault {
                (try store.checkIntegrity(), try store.facts().rows)
            }
            if json {
                print(
                    JSONText.object([
                        ("rows", .integer(rows)), ("problems", .array(problems.map { .string($0) })),
                    ]).text)
            } else if problems.isEmpty {
                print("No damage in \(rows) rows.")
            } else {
                for problem in problems { print(problem) }
            }
            guard problems.isEmpty else {
                throw CommandFailure(
                    exitCode: .badInput,
                    message: "\(store.location.title) is damaged. Restore a backup; the other rows can still be read.")
            }
        }
    }

    struct Migrate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "migrate",
            abstract: "Bring the store's tables to this version.",
            discussion: """
                Every command does so at its first use of the store, if it may. On a server only the owner of the tables may: have \
                the owner run this command after an update. It creates the tables of an empty database, too.

                Examples:
                  workout store migrate --dry-run
                  workout store migrate
                """)

        @Flag(help: "List the steps; change nothing.")
        var dryRun = false
        @Flag(help: "Print one JSON object.")
        var json = false

        func run() throws {
            let store = try CommandFailure.storeFault { try HealthEnvironment.current.anyStore() }
            let state = try CommandFailure.storeFault { dryRun ? try store.schema() : try store.migrate() }
            if json {
                return print(
                    JSONText.object([
                        ("version", .integer(state.version)), ("newest", .integer(state.newest)),
                        ("steps", .array(state.pending.map { .string($0) })), ("dryRun", .boolean(dryRun)),
                    ]).text)
            }
            guard !state.pending.isEmpty else { return print("Up to date: version \(state.version).") }
            print(
                "\(dryRun ? "Would go" : "Went") from version \(state.version) to \(state.newest): "
                    + state.pending.joined(separator: ", ") + ".")
        }
    }
}
