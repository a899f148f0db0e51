/// Why a call over D-Bus brought no reply, or an error as its reply.
package enum DBusCallError: Error, Sendable, Equatable {
    /// What the other side answered: an error's name, such as `org.bluez.Error.Failed`, and its text.
    case answered(name: String, text: String)
    case timedOut
    case cancelled
    /// The connection could not be made, or is gone; the text says why.
    case disconnected(String)
    /// The message was not sent, since D-Bus does not allow it (a path, name or text); the text says what.
    case invalid(String)

    /// The error's name, where the other side answered one.
    package var name: String? {
        if case .answered(let name, _) = self { return name }
        return nil
    }

    package var text: String {
        switch self {
        case .answered(let name, let text): text.isEmpty ? name : "\(name): \(text)"
        case .timedOut: "no answer in time"
        case .cancelled: "given up"
        case .disconnected(let reason): reason
        case .invalid(let reason): reason
        }
    }

    /// Whether it has this name, whoever's error it is: `is("InProgress")`, `is("UnknownObject")`.
    package func `is`(_ short: String...) -> Bool {
        guard let name else { return false }
        return short.contains { name.hasSuffix(".\($0)") }
    }
}
