#if Bluetooth || Mirroring
import CDBus
package import Foundation
import Glibc

/// One private connection to a bus: calls with deadlines, signals and calls from others in the order of arrival.
///
/// Closing it releases everything that belongs to it: match rules, scans, subscriptions, agents. It must be closed; releasing the
/// last reference is not enough.
@BusActor
package final class DBusConnection: BusPollable {
    /// The largest number of unanswered calls; more have to wait. The bus allows 128.
    static let callLimit = 64
    /// How often to check an unfinished authentication, in milliseconds.
    private static let authenticationInterval: Int32 = 25

    private struct Call {
        var serial: UInt32 = 0
        var deadline = 0
        var inOrder: ((DBusMessage) -> Void)?
        var resume: (Result<DBusMessage, DBusCallError>) -> Void
    }

    /// Nil once closed.
    private var connection: OpaquePointer?
    nonisolated let descriptor: Int32
    private var calls: [Int: Call] = [:]
    private var callOfSerial: [UInt32: Int] = [:]
    private var unsent: [(call: Int, message: DBusMessage)] = []
    private var nextCall = 0

    var isReady = true
    /// The unique name from the bus, such as `:1.42`.
    package private(set) var name = ""
    /// Called for every signal, with its time of arrival.
    package var onSignal: ((DBusMessage, Date) -> Void)?
    /// Called for every call from others. Returns false for an unknown method; otherwise it answers, now or later.
    package var onCall: ((DBusMessage) -> Bool)?
    /// Called once if the connection ends without ``close()``.
    package var onLost: (() -> Void)?

    /// The number of unanswered calls, for tests.
    package var callsInFlight: Int { calls.count }
    package var isOpen: Bool { connection != nil }

    private init(connection: OpaquePointer, descriptor: Int32) {
        self.connection = connection
        self.descriptor = descriptor
    }

    /// Connects, and introduces itself to the bus.
    ///
    /// - Throws: ``DBusCallError`` `.disconnected` if there is no bus, or it refuses this user.
    package static func open(_ address: String, atMost limit: Duration) async throws(DBusCallError) -> DBusConnection {
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        guard !address.utf8.contains(0), let pointer = dbus_connection_open_private(address, &error) else {
            let reason = error.message.map { String(cString: $0) } ?? "no reason given"
            throw .disconnected("cannot connect to \(address): \(reason)")
        }
        dbus_connection_set_exit_on_disconnect(pointer, 0)
        var descriptor: Int32 = -1
        guard dbus_connection_get_unix_fd(pointer, &descriptor) != 0 else {
            dbus_connection_close(pointer)
            dbus_connection_unref(pointer)
            throw .disconnected("the connection to \(address) has no descriptor")
        }
        let connection = DBusConnection(connection: pointer, descriptor: descriptor)
        BusSchedule.shared.add(connection)
        do throws(DBusCallError) {
            let answer = try await connection.call(.bus("Hello"), atMost: limit)
            connection.name = answer.body.first?.asString ?? ""
            return connection
        } catch {
            connection.close()
            if case .timedOut = error { throw .disconnected("\(address) does not answer") }
            if case .disconnected = error {
                throw .disconnected("\(address) accepted the connection and closed it; it may not serve this user")
            }
            throw error
        }
    }

    package func close() { shut("the connection to the bus was closed") }

    /// Sends a call, and waits for the reply until `limit` has passed or the task is cancelled.
    ///
    /// `inOrder` is called with the reply before the next message is handled; the task resumes somewhat later.
    @discardableResult
    package func call(
        _ message: DBusMessage, atMost limit: Duration, inOrder: ((DBusMessage) -> Void)? = nil
    ) async throws(DBusCallError) -> DBusMessage {
        nextCall += 1
        let key = nextCall
        let result: Result<DBusMessage, DBusCallError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // The cancellation handler may already have run.
                guard !Task.isCancelled else { return continuation.resume(returning: .failure(.cancelled)) }
                guard connection != nil else {
                    return continuation.resume(
                        returning: .failure(.disconnected("the connection to the bus is closed")))
                }
                var call = Call(inOrder: inOrder) { continuation.resume(returning: $0) }
                call.deadline = BusSchedule.shared.after(limit) { [weak self] in
                    self?.finish(key, .failure(.timedOut))
                }
                calls[key] = call
                unsent.append((key, message))
                sendUnsent()
            }
        } onCancel: {
            Task { @BusActor in self.finish(key, .failure(.cancelled)) }
        }
        return try result.get()
    }

    /// Sends a signal, a reply or an error.
    package func send(_ message: DBusMessage) throws(DBusCallError) {
        _ = try transmit(message)
    }

    package func addMatch(_ rule: String, atMost limit: Duration) async throws(DBusCallError) {
        try await call(.bus("AddMatch", .string(rule)), atMost: limit)
    }

    // MARK: for the schedule

    var interest: (events: Int16, limit: Int32?) {
        guard let connection else { return (0, nil) }
        if dbus_connection_get_is_authenticated(connection) == 0 {
            return (Int16(POLLIN), Self.authenticationInterval)
        }
        let remains = dbus_connection_get_dispatch_status(connection) == DBUS_DISPATCH_DATA_REMAINS
        let sends = dbus_connection_has_messages_to_send(connection) != 0
        return (Int16(POLLIN) | (sends ? Int16(POLLOUT) : 0), remains ? 0 : nil)
    }

    func pump() {
        guard let connection else { return }
        guard
            isReady || dbus_connection_has_messages_to_send(connection) != 0
                || dbus_connection_get_is_authenticated(connection) == 0
                || dbus_connection_get_dispatch_status(connection) == DBUS_DISPATCH_DATA_REMAINS
        else { return }
        isReady = false
        dbus_connection_read_write(connection, 0)
        // Handling one may close the connection.
        while let connection = self.connection, let pointer = dbus_connection_pop_message(connection) {
            let date = Date()
            let message = DBusMessage(reading: pointer)
            let serial = dbus_message_get_reply_serial(pointer)
            dbus_message_unref(pointer)
            if let message {
                handle(message, date)
            } else if let key = callOfSerial[serial] {
                finish(key, .failure(.invalid("the answer is too large, or nested too deeply")))
            }
        }
    }

    private func handle(_ message: DBusMessage, _ date: Date) {
        switch message.kind {
        case .reply, .error:
            // Drop a reply that nobody waits for.
            guard let key = callOfSerial[message.replySerial] else { return }
            finish(key, message.failure.map { .failure($0) } ?? .success(message))
        case .signal:
            if message.interface == "org.freedesktop.DBus.Local", message.member == "Disconnected" {
                let lost = onLost
                shut("the bus closed the connection")
                lost?()
            } else {
                onSignal?(message, date)
            }
        case .call:
            if message.interface == "org.freedesktop.DBus.Peer", message.member == "Ping" {
                if message.wantsReply { _ = try? transmit(message.reply()) }
            } else if onCall?(message) != true, message.wantsReply {
                let text = "There is no method \(message.member ?? "") at \(message.path ?? "")"
                _ = try? transmit(message.error("org.freedesktop.DBus.Error.UnknownMethod", text))
            }
        }
    }

    /// The only place that removes calls from the table, so each call ends exactly once.
    private func finish(_ key: Int, _ result: Result<DBusMessage, DBusCallError>) {
        guard let call = calls.removeValue(forKey: key) else { return }
        BusSchedule.shared.cancel(call.deadline)
        if call.serial != 0 {
            callOfSerial[call.serial] = nil
        } else {
            unsent.removeAll { $0.call == key }
        }
        if case .success(let message) = result { call.inOrder?(message) }
        call.resume(result)
        sendUnsent()
    }

    private func sendUnsent() {
        while callOfSerial.count < Self.callLimit, connection != nil, !unsent.isEmpty {
            let (key, message) = unsent.removeFirst()
            do throws(DBusCallError) {
                let serial = try transmit(message)
                calls[key]?.serial = serial
                callOfSerial[serial] = key
            } catch {
                finish(key, .failure(error))
            }
        }
    }

    private func transmit(_ message: DBusMessage) throws(DBusCallError) -> UInt32 {
        guard let connection else { throw .disconnected("the connection to the bus is closed") }
        let pointer = try message.written()
        defer { dbus_message_unref(pointer) }
        var serial: dbus_uint32_t = 0
        guard dbus_connection_send(connection, pointer, &serial) != 0 else {
            throw .invalid("no memory for a message")
        }
        return serial
    }

    private func shut(_ reason: String) {
        guard let connection else { return }
        self.connection = nil
        BusSchedule.shared.remove(self)
        // The last messages, such as an UnregisterAgent, are sent before closing, without waiting for replies.
        dbus_connection_read_write(connection, 0)
        dbus_connection_close(connection)
        dbus_connection_unref(connection)
        for key in calls.keys.sorted() { finish(key, .failure(.disconnected(reason))) }
        onSignal = nil
        onCall = nil
        onLost = nil
    }
}
#endif
