/// A key that was pressed on the terminal.
enum Key: Sendable, Hashable {
    case character(Character)
    /// Control with a letter, in lower case: `control("c")` if the terminal does not make it a signal.
    case control(Character)
    case up, down, left, right
    case enter, tab, backspace, escape
}
