/// What may be written to a terminal, or to a pipe or file in its place.
struct TerminalCapability: Sendable, Equatable {
    enum Colour: Sendable, Equatable {
        /// No escape sequences for style at all, not even bold and dim.
        case none
        /// The eight colours of ECMA-48 (SGR 30 … 37) and their bright variants.
        case basic
        /// xterm's palette of 256 colours.
        case palette
    }

    var colour: Colour
    /// Block elements and box drawing may be used; otherwise ASCII only.
    var unicode: Bool

    /// Letters only: for pipes and files.
    static let plain = TerminalCapability(colour: .none, unicode: true)

    init(colour: Colour, unicode: Bool) {
        self.colour = colour
        self.unicode = unicode
    }

    /// Reads the variables that terminal programs agree on.
    ///
    /// A non-empty `NO_COLOR` turns styles off (no-color.org), and so does `TERM=dumb`. ASCII is used only if a locale
    /// is set that is not UTF-8. If none is set, as in most containers, the terminal around it is UTF-8 far more often
    /// than not.
    init(environment: [String: String], isTerminal: Bool) {
        let term = environment["TERM"] ?? ""
        let noColour = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        if !isTerminal || noColour || term.isEmpty || term == "dumb" {
            colour = .none
        } else if term.contains("256color") || environment["COLORTERM"].map({ !$0.isEmpty }) ?? false {
            colour = .palette
        } else {
            colour = .basic
        }
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        unicode = locale.map { $0.lowercased().contains("utf-8") || $0.lowercased().contains("utf8") } ?? true
    }
}
