import ArgumentParser
import Foundation
import HealthKit
import StoredWorkouts

/// `workout person`: the people whose data a store on a server holds.
struct Person: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "person",
        abstract: "List, add or choose the people of a store on PostgreSQL.",
        discussion: """
            A store on PostgreSQL holds the data of many people, and each command uses one of them: the one of 'workout person use', of \
            HEALTHKIT_PERSON=NAME, or of ?person=NAME at the end of HEALTHKIT_STORE. Without any of them it uses the person 'default'.

            Examples:
              workout person add anna --login anna
              workout person use anna
              HEALTHKIT_PERSON=anna workout list
            """,
        subcommands: [Add.self, List.self, Use.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a person.",
            discussion: """
                The owner of the store adds people. With --login, only members of that database role can use the person's data. \
                Without it, everybody who may use the store can.

                Example:
                  workout person add anna --login anna
                """)

        @Argument(help: "The person's name.")
        var name: String
        @Option(help: ArgumentHelp("The database role whose members may use this person's data.", valueName: "role"))
        var login: String?

        func run() throws {
            try CommandFailure.storeFault { try HealthEnvironment.current.addPerson(name, login: login) }
            print("Added \(name). To use this person's data: workout person use \(name)")
        }
    }

    struct Use: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "use",
            abstract: "Use a person's data from now on.",
            discussion: """
                Writes the person to config.json, for you on this machine. HEALTHKIT_PERSON and ?person=NAME in HEALTHKIT_STORE win \
                over it.

                Example:
                  workout person use anna
                """)

        @Argument(help: "The person's name.")
        var name: String

        func run() throws {
            let environment = HealthEnvironment.current
            try CommandFailure.storeFault { try environment.usePerson(name) }
            print("Commands and apps use the data of \(name) now.")
            if let person = HealthEnvironment(variables: ProcessInfo.processInfo.environment).person, person != name {
                CommandOutput.error.print(
                    "warning: HEALTHKIT_PERSON or HEALTHKIT_STORE names \(person) and takes precedence.")
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the people of the store.",
            discussion: """
                Example:
                  workout person list
                """)

        @Flag(help: "Print one JSON object.")
        var json = false

        func run() throws {
            let environment = HealthEnvironment.current
            let people = try CommandFailure.storeFault { try environment.people() }
            if json {
                let list = people.map { person in
                    JSONText.object([("name", .string(person.name)), ("login", person.login.map { .string($0) })])
                }
                return print(JSONText.object([("people", .array(list))]).text)
            }
            let width = people.map(\.name.count).max() ?? 0
            for person in people {
                let mark = person.name == environment.person ? "* " : "  "
                let gap = String(repeating: " ", count: width - person.name.count)
                let login = person.login.map { gap + "  login " + $0 } ?? ""
                print(mark + person.name + login)
            }
        }
    }
}
