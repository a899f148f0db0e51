/// The address of a device or adapter: 48 bits of Bluetooth, or what an ANT+ sensor sends of itself.
public struct DeviceAddress: Sendable, Hashable {
    /// An address of Bluetooth is in the lower 48 bits; the first written octet is the highest. An address of ANT+ has one of the bits
    /// above them.
    public let value: UInt64

    private static let antFlag: UInt64 = 1 << 48

    /// An address of Bluetooth.
    public init(value: UInt64) {
        self.value = value & 0xFFFF_FFFF_FFFF
    }

    /// The address of an ANT+ sensor.
    public init(_ ant: ANTDeviceID) {
        value = Self.antFlag | UInt64(ant.kind.rawValue) << 16 | UInt64(ant.number)
    }

    /// Nil for an address of Bluetooth.
    public var ant: ANTDeviceID? {
        guard value & Self.antFlag != 0, let kind = ANTDeviceKind(rawValue: UInt8(truncatingIfNeeded: value >> 16))
        else {
            return nil
        }
        return ANTDeviceID(kind, number: UInt16(truncatingIfNeeded: value))
    }

    /// Reads `AA:BB:CC:DD:EE:FF`, in upper or lower case, with `:` or `-`, and ``ANTDeviceID/init(_:)``. Nil for anything else.
    public init?(_ text: some StringProtocol) {
        let octets = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "-" }
        guard octets.count == 6 else {
            guard let ant = ANTDeviceID(text) else { return nil }
            self.init(ant)
            return
        }
        var value: UInt64 = 0
        for octet in octets {
            guard octet.utf8.count == 2, octet.allSatisfy(\.isHexDigit), let byte = UInt8(octet, radix: 16) else {
                return nil
            }
            value = value << 8 | UInt64(byte)
        }
        self.init(value: value)
    }

    /// The type of a Bluetooth address, which is needed to connect (Core Specification 5.4, volume 6, part B, section 1.3).
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A fixed address registered with the IEEE.
        case `public`
        /// An address that the device generated. It is fixed until the battery is changed (static), or changes every
        /// few minutes (private).
        case random
    }
}

extension DeviceAddress: CustomStringConvertible {
    public var description: String {
        if let ant { return ant.description }
        return (0..<6).map { place in
            let octet = UInt8(truncatingIfNeeded: value >> UInt64(8 * (5 - place)))
            return (octet < 16 ? "0" : "") + String(octet, radix: 16, uppercase: true)
        }.joined(separator: ":")
    }
}

extension DeviceAddress {
    /// Reads six bytes, with the last written octet first, as in the kernel and on the air.
    package init?(littleEndian bytes: some Collection<UInt8>) {
        guard bytes.count == 6 else { return nil }
        self.init(value: UInt64(littleEndian: (Array(bytes) + [0, 0]).span, at: 0))
    }

    package var littleEndianBytes: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) } }
}
