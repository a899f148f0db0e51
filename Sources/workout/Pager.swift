import ArgumentParser
import Foundation

/// Long output, a screen at a time: in the pager of the user, as git and man do.
enum Pager {
    /// What runs if `PAGER` is not set: ends by itself if all fits, shows colours, and leaves the text on the screen.
    static let standard = "less -FRX"

    /// The command line of the pager; nil if everything is printed at once: the output is no terminal, or `PAGER` is empty or `cat`.
    static func command(_ environment: [String: String], isTerminal: Bool) -> String? {
        guard isTerminal, environment["TERM"] != "dumb" else { return nil }
        let command = (environment["PAGER"] ?? standard).trimmingCharacters(in: .whitespaces)
        return command.isEmpty || command == "cat" ? nil : command
    }

    /// Prints lines that ``StyledLine`` made, through the pager if they are more than the screen has.
    static func print(styled lines: [String], _ options: PagerOptions) {
        let environment = ProcessInfo.processInfo.environment
        guard !options.noPager, let terminal = Terminal.standard(), terminal.input != nil,
            lines.count >= terminal.size.rows, let command = command(environment, isTerminal: true)
        else { return CommandOutput.standard.print(styled: lines) }
        CommandOutput.standard.flush()
        let text = lines.map { StyledLine.withOwnSequences($0) + "\n" }.joined()
        if !run(command, Data(text.utf8)) { CommandOutput.standard.print(styled: lines) }
    }

    /// - Returns: False if there is no such program: nothing was shown.
    private static func run(_ command: String, _ text: Data) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        let input = Pipe()
        process.standardInput = input
        do { try process.run() } catch { return false }
        // Ctrl-C is the pager's.
        let before = signal(SIGINT, SIG_IGN)
        defer { _ = signal(SIGINT, before) }
        // A pager that was left early reads no more: that is no fault.
        try? input.fileHandleForWriting.write(contentsOf: text)
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        // What a shell says of a command that it does not find (POSIX.1-2017, 2.8.2).
        return process.terminationStatus != 127
    }
}

/// `--no-pager`.
struct PagerOptions: ParsableArguments {
    @Flag(help: "Print everything at once instead of opening $PAGER (default: \(Pager.standard)).")
    var noPager = false
}
