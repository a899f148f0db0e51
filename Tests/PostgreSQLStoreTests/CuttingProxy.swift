#if PostgreSQL
import Foundation
import Glibc
import Synchronization

/// Stands between clients and a server, and cuts one connection at its COMMIT.
final class CuttingProxy: Sendable {
    enum Cut: Sendable {
        /// The server never gets the COMMIT.
        case before
        /// The server commits, and the client never learns of it.
        case after
    }

    /// The folder of its socket, for clients.
    let folder: String
    private let listener: Int32
    private let server: String
    private let next = Mutex<Cut?>(nil)
    private let count = Mutex(0)

    /// - Parameter server: The path of the server's socket.
    init(to server: String) throws {
        self.server = server
        var template = Array("/tmp/pgcut.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard Self.withAddress(folder + "/.s.PGSQL.5432", { bind(listener, $0, $1) }) == 0, listen(listener, 16) == 0
        else { throw POSIXError(.EIO) }
        Thread.detachNewThread { [self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                serve(client)
            }
        }
    }

    func cutNextCommit(_ cut: Cut) { next.withLock { $0 = cut } }

    /// The number of connections that were cut.
    var cuts: Int { count.withLock { $0 } }

    /// Ends the thread that accepts.
    func close() {
        shutdown(listener, Int32(SHUT_RDWR))
        Glibc.close(listener)
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func serve(_ client: Int32) {
        let upstream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard Self.withAddress(server, { connect(upstream, $0, $1) }) == 0 else {
            Glibc.close(client)
            Glibc.close(upstream)
            return
        }
        let pair = Pair(client: client, server: upstream)
        Thread.detachNewThread { [self] in
            pair.pump(from: client, to: upstream) { bytes in
                guard String(decoding: bytes, as: UTF8.self).contains("COMMIT") else { return true }
                let cut = next.withLock { next in
                    defer { next = nil }
                    return next
                }
                guard let cut else { return true }
                count.withLock { $0 += 1 }
                if cut == .after { pair.swallows.withLock { $0 = true } }
                return cut == .after
            }
        }
        Thread.detachNewThread { pair.pump(from: upstream, to: client) { _ in !pair.swallows.withLock { $0 } } }
    }

    /// Both ends of a connection.
    private final class Pair: Sendable {
        let client: Int32
        let server: Int32
        let swallows = Mutex(false)
        private let running = Mutex(2)

        init(client: Int32, server: Int32) {
            self.client = client
            self.server = server
        }

        /// Forwards until one end closes or `mayPass` says no.
        func pump(from source: Int32, to target: Int32, _ mayPass: (ArraySlice<UInt8>) -> Bool) {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            pumping: while true {
                let count = read(source, &buffer, buffer.count)
                guard count > 0, mayPass(buffer[..<count]) else { break }
                var sent = 0
                while sent < count {
                    let written = buffer[sent..<count].withUnsafeBytes {
                        send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    guard written > 0 else { break pumping }
                    sent += written
                }
            }
            shutdown(client, Int32(SHUT_RDWR))
            shutdown(server, Int32(SHUT_RDWR))
            let isLast = running.withLock { running in
                running -= 1
                return running == 0
            }
            guard isLast else { return }
            Glibc.close(client)
            Glibc.close(server)
        }
    }

    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8).prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }
}
#endif
