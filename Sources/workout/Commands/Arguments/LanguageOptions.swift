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

/// A command that shows words, numbers and dates in the reader's language. Errors, help and output for programs stay
/// English, and so do all other commands.
protocol LanguageConfigurable {
    var reader: LanguageOptions { get }
    /// Whether the output is for a program.
    var isForPrograms: Bool { get }
}

extension Language: ExpressibleByArgument {
    public init?(argument: String) {
        guard var language = Self.named(argument) else { return nil }
        // Weeks begin as in the reader's country, in any language.
        language.firstWeekday = Self.of(locale: ProcessInfo.processInfo.environment).firstWeekday
        self = language
    }

    /// Sets the language of words, numbers and dates to that of the option, or else of the locale.
    static func choose(for command: any ParsableCommand) {
        guard let command = command as? any LanguageConfigurable, !command.isForPrograms else { return }
        use(command.reader.language ?? of(locale: ProcessInfo.processInfo.environment))
    }
}
