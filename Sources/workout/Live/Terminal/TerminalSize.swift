/// How many character cells a terminal has.
struct TerminalSize: Sendable, Equatable {
    var columns: Int
    var rows: Int
}
