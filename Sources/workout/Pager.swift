import ArgumentParser
import Foundation

/// Shows long output a screen at a time in the user's pager, as git and man do.
enum Pager {
    /// The pager if `PAGER` is not set. It ends by itself if all fits, shows colours, and leaves the text on the
    /// screen.
    static let standard = "less -FRX"

    /// Returns the command line of the pager. Returns nil if everything is printed at once, because the output is no
    /// terminal, or `PAGER` is empty or `cat`.
    static func command(_ environment: [String: String], isTerminal: Bool) -> String? {
        guard isTerminal, environment["TERM"] != "dumb" else { return nil }
        let command = (environment["PAGER"] ?? standard).trimmingCharacters(in: .whitespaces)
        return command.isEmpty || command == "cat" ? nil : command
    }

    /// Prints lines of ``StyledLine``, through the pager if they do not fit on the screen.
    static func print(styled lines: [String], _ options: PagerOptions) {
        let environment = ProcessInfo.processInfo.environment
        guard !options.noPager, let terminal = Terminal.standard(), terminal.input != nil,
            lines.count >= terminal.size.rows, let command = command(environment, isTerminal: true)
        else { return CommandOutput.standard.print(styled: lines) }
        CommandOutput.standard.flush()
        let text = lines.map { StyledLine.withOwnSequences($0) + "\n" }.joined()
        if !run(command, Data(text.utf8)) { CommandOutput.standard.print(styled: lines) }
    }

    /// - Returns: False if there is no such program, so that nothing was shown.
    private static func run(_ command: String, _ text: Data) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        let input = Pipe()
        process.standardInput = input
        do { try process.run() } catch { return false }
        // The pager handles Ctrl-C.
        let before = signal(SIGINT, SIG_IGN)
        defer { _ = signal(SIGINT, before) }
        // A pager that the user left early reads no more, which is no error.
        try? input.fileHandleForWriting.write(contentsOf: text)
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        // The shell's exit status for a command that it does not find (POSIX.1-2017, 2.8.2).
        return process.terminationStatus != 127
    }
}

/// `--no-pager`.
struct PagerOptions: ParsableArguments {
    @Flag(help: "Print everything at once instead of opening $PAGER (default: \(Pager.standard)).")
    var noPager = false
}
