import Foundation
import PrivateBus
import Testing

@testable import DBus

@Suite(.needsBus, .timeLimit(.minutes(10)))
@BusActor
struct DBusConnectionTests {
    private let limit = Duration.seconds(240)

    /// Answers `Echo` with its argument, and `Silence` never.
    private func echo(on bus: PrivateBus) async throws -> DBusConnection {
        let connection = try await DBusConnection.open(bus.address, atMost: limit)
        connection.onCall = { [unowned connection] call in
            switch call.member {
            case "Echo":
                var reply = call.reply()
                reply.body = call.body
                try? connection.send(reply)
                return true
            case "Silence":
                return true
            case "Refuse":
                try? connection.send(call.error("org.example.No", "Not today"))
                return true
            default:
                return false
            }
        }
        return connection
    }

    private func call(_ other: DBusConnection, _ member: String, _ body: DBusValue...) -> DBusMessage {
        var message = DBusMessage.call(other.name, "/", "org.example.Echo", member)
        message.body = body
        return message
    }

    private nonisolated static let deep = DBusValue.variant(
        .structure([.array(of: "(nq)", [.structure([.int16(-3), .uint16(9)])]), .variant(.string("ü"))]))

    @Test(
        arguments: [
            .byte(255), .boolean(true), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max), .int64(.min),
            .uint64(.max), .double(-0.1), .string("straps ❤️"), .string(""), .objectPath("/org/bluez/hci0"),
            .signature("a{sv}"), .bytes([0, 1, 0xFF]), .bytes([]), .strings([]), .strings(["a", "b"]),
            .properties([:]), .properties(["a": .bytes([1]), "b": .properties(["c": .double(2)])]),
            .dictionary(key: "q", value: "v", [.init(key: .uint16(0x6B), value: .variant(.bytes([1, 2])))]), deep,
        ] as [DBusValue])
    func `a value survives a round trip`(value: DBusValue) async throws {
        let bus = try await PrivateBus()
        let server = try await echo(on: bus)
        let client = try await DBusConnection.open(bus.address, atMost: limit)
        #expect(try await client.call(call(server, "Echo", value), atMost: limit).body == [value])
        client.close()
        server.close()
    }

    @Test func `a thousand simultaneous calls all get their own answers`() async throws {
        let bus = try await PrivateBus()
        let server = try await echo(on: bus)
        let client = try await DBusConnection.open(bus.address, atMost: limit)
        let calls = (0..<1000).map { number in
            Task { @BusActor in
                let value = DBusValue.uint32(UInt32(number))
                return try await client.call(call(server, "Echo", value), atMost: limit).body == [value]
            }
        }
        var answers = 0
        for call in calls where try await call.value { answers += 1 }
        #expect(answers == 1000)
        #expect(client.callsInFlight == 0)
        client.close()
        server.close()
    }

    @Test func `an error is thrown with its name and text`() async throws {
        let bus = try await PrivateBus()
        let server = try await echo(on: bus)
        let client = try await DBusConnection.open(bus.address, atMost: limit)
        await #expect(throws: DBusCallError.answered(name: "org.example.No", text: "Not today")) {
            try await client.call(call(server, "Refuse"), atMost: limit)
        }
        client.close()
        server.close()
    }

    @Test func `unknown calls are refused, and a ping is answered`() async throws {
        let bus = try await PrivateBus()
        let server = try await echo(on: bus)
        let client = try await DBusConnection.open(bus.address, atMost: limit)
        let error = await #expect(throws: DBusCallError.self) {
            try await client.call(call(server, "Dance"), atMost: limit)
        }
        #expect(error?.is("UnknownMethod") == true)
        let ping = DBusMessage.call(server.name, "/", "org.freedesktop.DBus.Peer", "Ping")
        #expect(try await client.call(ping, atMost: limit).body.isEmpty)
        client.close()
        server.close()
    }

    @Test func `a call ends at its deadline, and a late answer changes nothing`() async throws {
        let bus = try await PrivateBus()
        let server = try await echo(on: bus)
        let client = try await DBusConnection.open(bus.address, atMost: limit)
        var late: DBusMessage?
        let changed = BusWaiters()
        server.onCall = { call in
            late = call
            changed.recheck()
            return true
        }
        await #expect(throws: DBusCallError.timedOut) {
            try await client.call(call(server, "Echo"), atMost: .milliseconds(30))
        }
        #expect(client.callsInFlight == 0)
        let heard = try await changed.wait(atMost: limit) { late }
        try server.send(heard.reply(.string("too late")))
        let ping = DBusMessage.bus("GetId")
        #expect(try await client.call(ping, atMost: limit).body.count == 1)
        client.close()
        server.close()
    }

    @Test func `a call whose task is cancelled ends at once`() async throws {
        let bus = try await PrivateBus()
        let server = try await echo(on: bus)
        let client = try await DBusConnection.open(bus.address, atMost: limit)
        let waiting = Task { @BusActor in try await client.call(call(server, "Silence"), atMost: limit) }
        while client.callsInFlight == 0 { await Task.yield() }
        waiting.cancel()
        await #expect(throws: DBusCallError.cancelled) { try await waiting.value }
        let cancelled = Task { @BusActor in
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await client.call(call(server, "Silence"), atMost: limit)
        }
        await #expect(throws: DBusCallError.cancelled) { try await cancelled.value }
        #expect(client.callsInFlight == 0)
        client.close()
        server.close()
    }

    @Test func `closing, or the death of the bus, ends every call`() async throws {
        let bus = try await PrivateBus()
        let server = try await echo(on: bus)
        let client = try await DBusConnection.open(bus.address, atMost: limit)
        var lost = 0
        server.onLost = { lost += 1 }
        let waiting = (0..<100).map { _ in
            Task { @BusActor in try await client.call(call(server, "Silence"), atMost: limit) }
        }
        while client.callsInFlight < 100 { await Task.yield() }
        bus.kill()
        for task in waiting {
            let error = await #expect(throws: DBusCallError.self) { try await task.value }
            guard case .disconnected = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(client.callsInFlight == 0 && !client.isOpen)
        while server.isOpen { await Task.yield() }
        #expect(lost == 1)
        let error = await #expect(throws: DBusCallError.self) {
            try await client.call(.bus("GetId"), atMost: limit)
        }
        #expect(error?.text == "the connection to the bus is closed")
    }

    @Test(arguments: [
        DBusMessage.call("org.example", "no path", "org.example", "Call"),
        .call("not a name", "/", "org.example", "Call"),
        .call("org.example", "/", "org..example", "Call"),
        .call("org.example", "/", "org.example", "1st"),
        .call("org.example", "/", "org.example", "Call", .string("a\0b")),
        .call("org.example", "/", "org.example", "Call", .objectPath("//")),
        .call("org.example", "/", "org.example", "Call", .signature("{")),
        .call("org.example", "/", "org.example", "Call", .array(of: "s", [.byte(1)])),
        .call("org.example", "/", "org.example", "Call", .array(of: "", [])),
        .call("org.example", "/", "org.example", "Call", .dictionary(key: "v", value: "s", [])),
        .call("org.example", "/", "org.example", "Call", .structure([])),
        .call("org.example", "/", "org.example", "Call", .unsupported(104)),
        .call(
            "org.example", "/", "org.example", "Call",
            (0..<40).reduce(DBusValue.byte(1)) { value, _ in .variant(value) }),
    ])
    func `values that D-Bus does not allow are rejected before libdbus gets them`(message: DBusMessage) async throws {
        let bus = try await PrivateBus()
        let client = try await DBusConnection.open(bus.address, atMost: limit)
        let error = await #expect(throws: DBusCallError.self) { try await client.call(message, atMost: limit) }
        guard case .invalid = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(client.callsInFlight == 0)
        client.close()
    }

    @Test func `an address without a bus is an error that names it`() async throws {
        let error = await #expect(throws: DBusCallError.self) {
            try await DBusConnection.open("unix:path=/nonexistent/bus", atMost: limit)
        }
        #expect(error?.text.contains("cannot connect to unix:path=/nonexistent/bus") == true)
    }

    @Test func `signals and replies arrive in the order they were sent`() async throws {
        let bus = try await PrivateBus()
        let server = try await DBusConnection.open(bus.address, atMost: limit)
        let client = try await DBusConnection.open(bus.address, atMost: limit)
        try await client.addMatch("type='signal',interface='org.example.Count'", atMost: limit)
        server.onCall = { [unowned server] call in
            for number in 0..<50 {
                try? server.send(.signal("/", "org.example.Count", "Next", .uint32(UInt32(number))))
            }
            try? server.send(call.reply())
            try? server.send(.signal("/", "org.example.Count", "Next", .uint32(50)))
            return true
        }
        var seen: [UInt32] = []
        var seenAtReply = 0
        let waiters = BusWaiters()
        client.onSignal = { signal, _ in
            if signal.member == "Next", let number = signal.body.first?.asUInt32 { seen.append(number) }
            waiters.recheck()
        }
        try await client.call(call(server, "Count"), atMost: limit, inOrder: { _ in seenAtReply = seen.count })
        _ = try await waiters.wait(atMost: limit) { seen.count == 51 ? true : nil }
        #expect(seen == (0...50).map { UInt32($0) })
        #expect(seenAtReply == 50)
        client.close()
        server.close()
    }
}
