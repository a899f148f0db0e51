import ArgumentParser
import Foundation
import Reports

/// The language in which a command shows text.
struct LanguageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Language of words, numbers and dates: \(Language.all.map(\.tag).joined(separator: ", ")). Default: the locale.",
            valueName: "language"))
    var language: Language?
}

/// A command with an option for the language. All others use that of the locale. Help and output for programs stay
/// English.
protocol LanguageConfigurable {
    var reader: LanguageOptions { get }
    /// Whether the output is for a program.
    var isForPrograms: Bool { get }
}

extension Language: ExpressibleByArgument {
    public init?(argument: String) {
        guard var language = Self.named(argument) else { return nil }
        // Weeks, dates and numbers are those of the reader's country, whatever the language.
        let locale = Self.of(locale: ProcessInfo.processInfo.environment)
        language.firstWeekday = locale.firstWeekday
        language.region = locale.region
        language.numberRegion = locale.numberRegion
        self = language
    }

    /// Sets the language of messages, words, numbers and dates to that of the option, or else of the locale.
    static func choose(for command: any ParsableCommand) {
        let own = command as? any LanguageConfigurable
        guard !(own?.isForPrograms ?? isForPrograms(CommandLine.arguments)) else { return }
        let language = own?.reader.language ?? of(locale: ProcessInfo.processInfo.environment)
        use(language)
        for file in LanguageFile.installed where file.tag == language.tag { file.warn() }
    }

    /// Sets the language of messages about arguments that cannot be parsed.
    static func chooseForWrongUsage() {
        if !isForPrograms(CommandLine.arguments) { use(of(locale: ProcessInfo.processInfo.environment)) }
    }

    private static func isForPrograms(_ arguments: [String]) -> Bool { arguments.contains("--json") }
}

extension LanguageFile {
    /// Shows the first problems, and how many there are.
    fileprivate func warn() {
        let problems = problems
        guard !problems.isEmpty else { return }
        let most = 3
        let rest = problems.count > most ? "; \(problems.count - most) more" : ""
        CommandOutput.error.print(
            "warning: \(path): " + problems.prefix(most).joined(separator: "; ") + rest)
    }
}
