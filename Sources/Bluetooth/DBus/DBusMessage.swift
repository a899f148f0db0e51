/// A message as a value: what libdbus reads and writes, without its pointers.
struct DBusMessage: Sendable, Equatable {
    enum Kind: Sendable {
        case call, reply, error, signal
    }

    var kind: Kind
    var serial: UInt32 = 0
    /// Which message it answers. Zero in calls and signals.
    var replySerial: UInt32 = 0
    var sender: String?
    var destination: String?
    var path: String?
    var interface: String?
    var member: String?
    var errorName: String?
    var wantsReply = true
    /// Whether the bus may start a service in order to deliver it.
    var startsService = false
    var body: [DBusValue] = []

    static func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String, _ body: DBusValue...
    ) -> DBusMessage {
        DBusMessage(
            kind: .call, destination: destination, path: path, interface: interface, member: member, body: body)
    }

    /// A call to the bus itself.
    static func bus(_ member: String, _ body: DBusValue...) -> DBusMessage {
        DBusMessage(
            kind: .call, destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
            interface: "org.freedesktop.DBus", member: member, body: body)
    }

    static func signal(_ path: String, _ interface: String, _ member: String, _ body: DBusValue...) -> DBusMessage {
        DBusMessage(kind: .signal, path: path, interface: interface, member: member, wantsReply: false, body: body)
    }

    func reply(_ body: DBusValue...) -> DBusMessage {
        DBusMessage(kind: .reply, replySerial: serial, destination: sender, wantsReply: false, body: body)
    }

    func error(_ name: String, _ text: String) -> DBusMessage {
        DBusMessage(
            kind: .error, replySerial: serial, destination: sender, errorName: name, wantsReply: false,
            body: [.string(text)])
    }

    /// The error that it is, if it is one.
    var failure: DBusCallError? {
        guard kind == .error else { return nil }
        return .answered(name: errorName ?? "", text: body.first?.asString ?? "")
    }
}
