/// Why a D-Bus call failed.
package enum DBusCallError: Error, Sendable, Equatable {
    /// An error reply: its name, such as `org.bluez.Error.Failed`, and its text.
    case answered(name: String, text: String)
    case timedOut
    case cancelled
    /// The connection failed or is lost; the text says why.
    case disconnected(String)
    /// The message was not sent, because D-Bus does not allow it (a path, name or text); the text says what.
    case invalid(String)

    /// The name of an error reply.
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

    /// Whether the last component of its name is this one: `is("InProgress")`, `is("UnknownObject")`.
    package func `is`(_ short: String...) -> Bool {
        guard let name else { return false }
        return short.contains { name.hasSuffix(".\($0)") }
    }
}
