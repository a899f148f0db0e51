#if Bluetooth
import CBlueZ
import Foundation
import Synchronization

/// The kernel's Bluetooth management interface: power, scanning, pairing.
///
/// Every process can list adapters; the rest needs `CAP_NET_ADMIN`. One thread reads, and ends with `close`.
final class ManagementSocket: Sendable {
    private struct State {
        var descriptor: Int32
        var isClosed = false
        var waiting: [Waiting] = []
        var listeners: [Int: AsyncStream<ManagementEvent>.Continuation] = [:]
        var nextNumber = 0
    }

    private struct Waiting {
        var number: Int
        var command: UInt16
        var index: UInt16
        var deadline: ContinuousClock.Instant
        var continuation: CheckedContinuation<Answer?, Never>
    }

    struct Answer: Sendable {
        var status: UInt8
        var parameters: [UInt8]
    }

    private let state: Mutex<State>
    private let watch: DescriptorWatch

    /// - Throws: `SystemFault` if there are no Bluetooth sockets.
    convenience init() throws(SystemFault) {
        let descriptor = socket(
            AF_BLUETOOTH, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
            Int32(BTPROTO_HCI))
        if descriptor < 0 { throw SystemFault("open a Bluetooth socket") }
        var address = sockaddr_hci()
        address.hci_family = sa_family_t(AF_BLUETOOTH)
        address.hci_dev = UInt16(HCI_DEV_NONE)
        address.hci_channel = UInt16(HCI_CHANNEL_CONTROL)
        if withSocketAddress(&address, { bind(descriptor, $0, $1) }) != 0 {
            let fault = SystemFault("bind a Bluetooth management socket")
            Glibc.close(descriptor)
            throw fault
        }
        try self.init(descriptor: descriptor)
    }

    /// Takes over a socket with a management interface at its other end.
    init(descriptor: Int32) throws(SystemFault) {
        setNonBlocking(descriptor)
        state = Mutex(State(descriptor: descriptor))
        watch = try DescriptorWatch()
        watch.start(
            "Bluetooth management", DescriptorWatch.Interest(descriptor: descriptor, events: POLLIN, timeout: nil)
        ) { [self] _ in turn() }
    }

    /// Ends everything; waiting commands get no answer.
    func close() {
        state.withLock { $0.isClosed = true }
        watch.wake()
    }

    /// Returns the events from now on, for one reader. The newest 1,024 are kept for it.
    func events() -> AsyncStream<ManagementEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ManagementEvent.self, bufferingPolicy: .bufferingNewest(1024))
        let number: Int? = state.withLock { state in
            if state.isClosed { return nil }
            state.nextNumber += 1
            state.listeners[state.nextNumber] = continuation
            return state.nextNumber
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    /// Sends a command.
    ///
    /// - Returns: Nil if there was no answer in time, or the socket is closed.
    func command(
        _ command: UInt16, index: UInt16 = ManagementCommand.noIndex, _ parameters: [UInt8] = [],
        within limit: Duration = .seconds(10)
    ) async -> Answer? {
        let deadline = ContinuousClock.now + limit
        return await withCheckedContinuation { (continuation: CheckedContinuation<Answer?, Never>) in
            let isSent = state.withLock { state in
                guard !state.isClosed else { return false }
                state.nextNumber += 1
                state.waiting.append(
                    Waiting(
                        number: state.nextNumber, command: command, index: index, deadline: deadline,
                        continuation: continuation))
                let message = ManagementCommand.message(command, index: index, parameters)
                guard send(state.descriptor, message, message.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL)) >= 0
                else {
                    state.waiting.removeLast()
                    return false
                }
                return true
            }
            if !isSent { continuation.resume(returning: nil) }
            watch.wake()
        }
    }

    private func turn() -> DescriptorWatch.Interest? {
        var room = [UInt8](repeating: 0, count: 2048)
        var isOver = state.withLock(\.isClosed)
        let descriptor = state.withLock(\.descriptor)
        while !isOver {
            let count = recv(descriptor, &room, room.count, 0)
            if count > 0 {
                if let event = ManagementEvent(room[..<count]) { handle(event) }
            } else if count < 0 && errno == EINTR {
                continue
            } else {
                isOver = count == 0 || errno != EAGAIN
                break
            }
        }
        return isOver ? end() : expire()
    }

    private func handle(_ event: ManagementEvent) {
        let (answered, listeners) = state.withLock { state in
            guard case .answered(let command, let index, let status, let parameters) = event else {
                return ((nil, nil) as (Waiting?, Answer?), Array(state.listeners.values))
            }
            guard let place = state.waiting.firstIndex(where: { $0.command == command && $0.index == index }) else {
                return ((nil, nil), [])
            }
            return ((state.waiting.remove(at: place), Answer(status: status, parameters: parameters)), [])
        }
        answered.0?.continuation.resume(returning: answered.1)
        for listener in listeners { listener.yield(event) }
    }

    private func expire() -> DescriptorWatch.Interest? {
        let now = ContinuousClock.now
        let (late, interest) = state.withLock { state in
            let late = state.waiting.filter { $0.deadline <= now }
            state.waiting.removeAll { $0.deadline <= now }
            let next = state.waiting.map(\.deadline).min()
            return (
                late,
                DescriptorWatch.Interest(descriptor: state.descriptor, events: POLLIN, timeout: next.map { $0 - now })
            )
        }
        for waiting in late { waiting.continuation.resume(returning: nil) }
        return interest
    }

    private func end() -> DescriptorWatch.Interest? {
        let (waiting, listeners) = state.withLock { state in
            state.isClosed = true
            defer {
                state.waiting = []
                state.listeners = [:]
            }
            Glibc.close(state.descriptor)
            state.descriptor = -1
            return (state.waiting, state.listeners.values)
        }
        for waiting in waiting { waiting.continuation.resume(returning: nil) }
        for listener in listeners { listener.finish() }
        return nil
    }
}
#endif
