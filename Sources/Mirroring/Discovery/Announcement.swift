#if Mirroring
import NIOCore
import NIOPosix

/// This machine's announcement in the local network: its address, and the first bits of its certificate's fingerprint. No version, and
/// nothing about sessions.
struct Announcement: Sendable, Equatable {
    /// The announced name. A name longer than 63 bytes (RFC 6763, section 4.1.1) is cut.
    let name: String
    let port: UInt16
    let fingerprint: PeerFingerprint
    let waitsForPairing: Bool
    /// The index of the interface, or ``Avahi/any``.
    let interface: Int32
    /// ``Avahi/ipv4``, ``Avahi/ipv6`` or ``Avahi/any``.
    let network: Int32

    /// Creates the announcement of a listener. Returns nil if other machines can't reach its address.
    init?(name: String, of fingerprint: PeerFingerprint, on listener: SocketAddress, waitsForPairing: Bool) {
        guard let host = listener.ipAddress, let port = listener.port.flatMap(UInt16.init(exactly:)), port > 0,
            !MirrorAddress.isLoopback(host), !host.hasPrefix("::ffff:127.")
        else { return nil }
        switch host {
        case "::": (interface, network) = (Avahi.any, Avahi.any)
        case "0.0.0.0": (interface, network) = (Avahi.any, Avahi.ipv4)
        default:
            let devices = (try? System.enumerateDevices()) ?? []
            interface = devices.first { $0.address?.ipAddress == host }.map { Int32($0.interfaceIndex) } ?? Avahi.any
            network = host.contains(":") ? Avahi.ipv6 : Avahi.ipv4
        }
        self.name = Self.label(name)
        self.port = port
        self.fingerprint = fingerprint
        self.waitsForPairing = waitsForPairing
    }

    var texts: [String] {
        ["id=\(fingerprint.description.prefix(NearbyMachine.prefixLength))"] + (waitsForPairing ? ["pair=1"] : [])
    }

    private static func label(_ name: String) -> String {
        var label = ""
        for character in name where label.utf8.count + String(character).utf8.count <= 63 { label.append(character) }
        return label.isEmpty ? "OpenHealthKit" : label
    }
}
#endif
