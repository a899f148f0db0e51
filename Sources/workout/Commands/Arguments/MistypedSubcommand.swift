import ArgumentParser

/// A subcommand that does not exist, and those that may have been meant.
struct MistypedSubcommand: Equatable {
    /// As it was typed.
    var name: String
    /// What it was typed behind: `workout`, `workout mirror`.
    var parent: String
    var known: [String]

    /// Nil where the arguments begin with a subcommand that exists, or with an option.
    init?(_ arguments: some Sequence<String>, of root: any ParsableCommand.Type) {
        var command = root
        var parent = Self.name(of: root)
        for argument in arguments {
            let subcommands = command.configuration.subcommands
            guard !argument.hasPrefix("-"), !subcommands.isEmpty, command.configuration.defaultSubcommand == nil else {
                return nil
            }
            if let next = subcommands.first(where: { Self.name(of: $0) == argument }) {
                command = next
                parent += " " + argument
                continue
            }
            if argument == "help" { return nil }
            self.init(name: argument, parent: parent, known: subcommands.map(Self.name) + ["help"])
            return
        }
        return nil
    }

    private init(name: String, parent: String, known: [String]) {
        (self.name, self.parent, self.known) = (name, parent, known)
    }

    /// Each of ours says what it is called.
    private static func name(of command: any ParsableCommand.Type) -> String { command.configuration.commandName ?? "" }

    var sentence: String {
        "unknown command '\(DisplayWidth.printable(name))'."
            + NearNames.question(name, in: known) + " '\(parent) --help' lists all commands."
    }
}
