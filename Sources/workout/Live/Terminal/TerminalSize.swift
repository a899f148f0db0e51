/// The size of a terminal in character cells.
struct TerminalSize: Sendable, Equatable {
    var columns: Int
    var rows: Int
}
