#if Bluetooth
import GATT
import CBlueZ
import Foundation

/// A socket for the attribute channel of a link, with one message per packet. It has one owner and closes with it.
///
/// Connecting needs no capability; the kernel searches for the device itself.
///
/// Source: Linux, net/bluetooth/l2cap_sock.c.
struct L2CAPSocket: ~Copyable {
    /// The fixed channel of the Attribute Protocol (Core Specification 5.4, volume 3, part A, section 2.1).
    static let attributeChannel: UInt16 = 4

    enum Security: UInt8, Sendable {
        case low = 1
        /// Encrypted, and paired if necessary.
        case medium = 2
    }

    let descriptor: Int32

    /// Takes over a connected socket.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        setNonBlocking(descriptor)
    }

    /// Begins to connect. Once the socket is writable, `connectionError` has the result.
    ///
    /// - Throws: `SystemFault` if the kernel refuses.
    init(
        connectingTo address: DeviceAddress, _ kind: DeviceAddress.Kind, from adapter: DeviceAddress?,
        security: Security
    ) throws(SystemFault) {
        descriptor = socket(
            AF_BLUETOOTH, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
            Int32(BTPROTO_L2CAP))
        if descriptor < 0 { throw SystemFault("open a Bluetooth socket") }
        // connect() only knows the channel if the socket is bound to one.
        var local = Self.address(adapter, kind: UInt8(BDADDR_LE_PUBLIC))
        let bound = withSocketAddress(&local) { bind(descriptor, $0, $1) }
        if bound != 0 { throw SystemFault("bind a Bluetooth socket to the adapter") }
        var level = bt_security(level: security.rawValue, key_size: 0)
        let set = setsockopt(
            descriptor, SOL_BLUETOOTH, BT_SECURITY, &level, socklen_t(MemoryLayout<bt_security>.size))
        if set != 0 { throw SystemFault("ask for encryption") }
        var remote = Self.address(address, kind: UInt8(kind == .public ? BDADDR_LE_PUBLIC : BDADDR_LE_RANDOM))
        let connected = withSocketAddress(&remote) { connect(descriptor, $0, $1) }
        if connected != 0 && errno != EINPROGRESS && errno != EAGAIN { throw SystemFault("connect") }
    }

    deinit { close(descriptor) }

    /// Tells the kernel to encrypt a socket's link, and to pair if necessary.
    ///
    /// - Returns: False if the kernel refuses.
    static func encrypt(_ descriptor: Int32) -> Bool {
        var level = bt_security(level: Security.medium.rawValue, key_size: 0)
        return setsockopt(descriptor, SOL_BLUETOOTH, BT_SECURITY, &level, socklen_t(MemoryLayout<bt_security>.size))
            == 0
    }

    /// The kernel's error for the socket since the last call, or 0 for none.
    var pendingError: Int32 {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno
    }

    /// Sends one message.
    ///
    /// - Returns: False if there is no room at the moment.
    func send(_ message: [UInt8]) throws(SystemFault) -> Bool {
        while true {
            let count = Glibc.send(descriptor, message, message.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
            if count >= 0 { return true }
            // The kernel reports "not connected" while it encrypts. A link that has ended is detected when reading.
            if errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOTCONN { return false }
            if errno != EINTR { throw SystemFault("send") }
        }
    }

    enum Received {
        case message(Int)
        case nothing
        case end
    }

    /// Receives one message.
    func receive(into room: inout [UInt8]) throws(SystemFault) -> Received {
        while true {
            let count = recv(descriptor, &room, room.count, 0)
            if count > 0 { return .message(count) }
            if count == 0 { return .end }
            if errno == EAGAIN || errno == EWOULDBLOCK { return .nothing }
            if errno != EINTR { throw SystemFault("receive") }
        }
    }

    /// Ends the connection and wakes a thread that waits on the socket.
    func hangUp() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    private static func address(_ address: DeviceAddress?, kind: UInt8) -> sockaddr_l2 {
        var result = sockaddr_l2()
        result.l2_family = sa_family_t(AF_BLUETOOTH)
        result.l2_cid = attributeChannel.littleEndian
        result.l2_bdaddr_type = kind
        if let address { result.l2_bdaddr = bdaddr_t(address) }
        return result
    }
}

/// The system's error for an action.
struct SystemFault: Error, Equatable, CustomStringConvertible {
    var action: String
    /// The value of `errno`.
    var code: Int32

    init(_ action: String, code: Int32 = errno) {
        self.action = action
        self.code = code
    }

    var reason: String { String(cString: strerror(code)) }
    var description: String { "cannot \(action): \(reason)" }
}

extension bdaddr_t {
    /// The kernel stores the last written octet first.
    init(_ address: DeviceAddress) {
        self.init()
        withUnsafeMutableBytes(of: &self) { bytes in
            for place in bytes.indices { bytes[place] = UInt8(truncatingIfNeeded: address.value >> UInt64(8 * place)) }
        }
    }
}

func withSocketAddress<Address, Result>(
    _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
    withUnsafeBytes(of: &address) { bytes in
        bytes.withMemoryRebound(to: sockaddr.self) { body($0.baseAddress!, socklen_t(bytes.count)) }
    }
}

func setNonBlocking(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
}
#endif
