import Analytics
import Foundation
import Synchronization

/// An unreliable connection between two machines: a TCP proxy that lets each connection pass some bytes and then
/// breaks it. A seed decides how, and at which byte. After a number of failures it works without faults.
final class FlakyLink: Sendable {
    enum Fault: CaseIterable, Sendable {
        /// Both sides see an orderly end.
        case close
        /// Both sides see a reset.
        case reset
        /// One side sees the end, the other nothing until it sends.
        case halfOpen
        /// Nothing arrives any more, without an error.
        case blackHole
        /// Bytes are delayed for a moment: they arrive late, and in pieces of another size.
        case delay
    }

    let address: String
    private let listener: Int32
    private let host: String
    private let port: UInt16
    private let state: Mutex<State>

    private struct State {
        var generator: SeededGenerator
        var faultsLeft: Int
        var faults: [Fault]
        var isOpen = true
        var isDown = false
        var sockets: Set<Int32> = []
        var happened: [Fault] = []
    }

    /// - Parameter target: `127.1.2.3:PORT`.
    init(to target: String, seed: UInt64, faults: Int, of kinds: [Fault] = [.close, .reset, .delay]) throws {
        let parts = target.split(separator: ":")
        host = String(parts.first ?? "")
        port = UInt16(parts.last ?? "") ?? 0
        state = Mutex(State(generator: SeededGenerator(seed: seed), faultsLeft: faults, faults: kinds))
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) { [listener] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer -> UInt16? in
                guard bind(listener, pointer, length) == 0, listen(listener, 128) == 0,
                    getsockname(listener, pointer, &length) == 0
                else { return nil }
                return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    UInt16(bigEndian: $0.pointee.sin_port)
                }
            }
        }
        guard let port else { throw POSIXError(.EADDRNOTAVAIL) }
        self.address = "127.0.0.1:\(port)"
        let thread = Thread { [weak self, listener] in
            // If both pumps closed it, the second could close a socket of another test that has got its number.
            defer { Foundation.close(listener) }
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                guard let self else {
                    Foundation.close(client)
                    return
                }
                self.serve(client)
            }
        }
        thread.start()
    }

    /// The failures so far.
    var happened: [Fault] { state.withLock { $0.happened } }

    /// While it is down, connections break, including new ones.
    func setDown(_ isDown: Bool) {
        state.withLock { state in
            state.isDown = isDown
            if isDown { Self.breakAll(state.sockets) }
        }
    }

    func close() {
        state.withLock { state in
            guard state.isOpen else { return }
            state.isOpen = false
            shutdown(listener, Int32(SHUT_RDWR))
            Self.breakAll(state.sockets)
        }
    }

    /// Called with the lock held: none of them is closed until it is released.
    private static func breakAll(_ sockets: Set<Int32>) {
        for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) }
    }

    private func serve(_ client: Int32) {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr(host)
        let isConnected = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        let isServed = state.withLock { state in
            guard isConnected, state.isOpen, !state.isDown else { return false }
            state.sockets.formUnion([client, server])
            return true
        }
        guard isServed else {
            Foundation.close(client)
            Foundation.close(server)
            return
        }
        for socket in [client, server] {
            var on: Int32 = 1
            setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        }
        let plan = state.withLock { state -> (Fault, Int)? in
            guard state.faultsLeft > 0 else { return nil }
            state.faultsLeft -= 1
            let fault = state.faults.randomElement(using: &state.generator) ?? .close
            state.happened.append(fault)
            // A handshake takes some 2 to 3 KB each way: some connections break during it, most after it.
            return (fault, Int.random(in: 200...12_000, using: &state.generator))
        }
        let pair = Pair(client, server, plan)
        for isUp in [true, false] {
            let thread = Thread { [weak self] in
                pair.pump(isUp) { self?.state.withLock { $0.sockets.subtract([client, server]) } }
            }
            thread.start()
        }
    }

    /// The two ends of one connection.
    private final class Pair: Sendable {
        private let client: Int32
        private let server: Int32
        private let plan: (fault: Fault, bytes: Int)?
        private let state = Mutex(State())

        private struct State {
            var passed = 0
            var isBroken = false
            var pumps = 2
        }

        init(_ client: Int32, _ server: Int32, _ plan: (Fault, Int)?) {
            self.client = client
            self.server = server
            self.plan = plan
        }

        /// - Parameter whenOver: Called before the sockets' numbers may be reused.
        func pump(_ isUp: Bool, whenOver: () -> Void) {
            let (from, to) = isUp ? (client, server) : (server, client)
            var buffer = [UInt8](repeating: 0, count: 1 << 14)
            while true {
                let count = recv(from, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                let passes = state.withLock { state in
                    guard let plan else { return true }
                    state.passed += count
                    if state.passed >= plan.bytes { state.isBroken = true }
                    return !state.isBroken || plan.fault == .delay
                }
                guard passes else {
                    // Discards everything until the ends notice.
                    if plan?.fault == .blackHole { continue }
                    breakDown()
                    break
                }
                if plan?.fault == .delay { usleep(2_000) }
                var sent = 0
                while sent < count {
                    let step = plan?.fault == .delay ? min(700, count - sent) : count - sent
                    let written = buffer.withUnsafeBytes {
                        send(to, $0.baseAddress! + sent, step, Int32(MSG_NOSIGNAL))
                    }
                    guard written > 0 else { break }
                    sent += written
                }
                guard sent == count else { break }
            }
            // With the lock held, because the other pump, if it ends last, closes the sockets, and their numbers may
            // be reused.
            let isLast = state.withLock { state in
                state.pumps -= 1
                let isLast = state.pumps == 0
                if plan?.fault == .halfOpen, state.isBroken, !isLast { return false }
                shutdown(client, Int32(SHUT_RDWR))
                shutdown(server, Int32(SHUT_RDWR))
                return isLast
            }
            if isLast {
                whenOver()
                Foundation.close(client)
                Foundation.close(server)
            }
        }

        private func breakDown() {
            switch plan?.fault {
            case .reset:
                var linger = linger(l_onoff: 1, l_linger: 0)
                for socket in [client, server] {
                    setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
                }
                shutdown(client, Int32(SHUT_RDWR))
                shutdown(server, Int32(SHUT_RDWR))
            case .halfOpen: shutdown(client, Int32(SHUT_RDWR))
            default: break
            }
        }
    }
}
