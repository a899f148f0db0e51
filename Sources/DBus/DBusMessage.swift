/// A message as a value: what libdbus reads and writes, without its pointers.
package struct DBusMessage: Sendable, Equatable {
    package enum Kind: Sendable {
        case call, reply, error, signal
    }

    package var kind: Kind
    package var serial: UInt32 = 0
    /// The serial number of the answered message; zero in calls and signals.
    package var replySerial: UInt32 = 0
    package var sender: String?
    package var destination: String?
    package var path: String?
    package var interface: String?
    package var member: String?
    package var errorName: String?
    package var wantsReply = true
    /// Whether the bus may start a service to deliver it.
    package var startsService = false
    package var body: [DBusValue] = []

    package init(
        kind: Kind, serial: UInt32 = 0, replySerial: UInt32 = 0, sender: String? = nil, destination: String? = nil,
        path: String? = nil, interface: String? = nil, member: String? = nil, errorName: String? = nil,
        wantsReply: Bool = true, startsService: Bool = false, body: [DBusValue] = []
    ) {
        self.kind = kind
        self.serial = serial
        self.replySerial = replySerial
        self.sender = sender
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.errorName = errorName
        self.wantsReply = wantsReply
        self.startsService = startsService
        self.body = body
    }

    package static func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String, _ body: DBusValue...
    ) -> DBusMessage {
        DBusMessage(
            kind: .call, destination: destination, path: path, interface: interface, member: member, body: body)
    }

    /// A call to the bus itself.
    package static func bus(_ member: String, _ body: DBusValue...) -> DBusMessage {
        DBusMessage(
            kind: .call, destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
            interface: "org.freedesktop.DBus", member: member, body: body)
    }

    package static func signal(
        _ path: String, _ interface: String, _ member: String, _ body: DBusValue...
    ) -> DBusMessage {
        DBusMessage(kind: .signal, path: path, interface: interface, member: member, wantsReply: false, body: body)
    }

    package func reply(_ body: DBusValue...) -> DBusMessage {
        DBusMessage(kind: .reply, replySerial: serial, destination: sender, wantsReply: false, body: body)
    }

    package func error(_ name: String, _ text: String) -> DBusMessage {
        DBusMessage(
            kind: .error, replySerial: serial, destination: sender, errorName: name, wantsReply: false,
            body: [.string(text)])
    }

    /// The error, if it is an error reply.
    package var failure: DBusCallError? {
        guard kind == .error else { return nil }
        return .answered(name: errorName ?? "", text: body.first?.asString ?? "")
    }
}
