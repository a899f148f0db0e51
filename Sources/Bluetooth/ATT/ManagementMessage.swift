#if Bluetooth
import GATT

/// The messages of the kernel's Bluetooth management interface.
///
/// Source: BlueZ, doc/mgmt-api.txt. All numbers are little-endian; `index` is the number of an adapter.
enum ManagementCommand {
    static let readIndexList: UInt16 = 0x0003
    static let readInformation: UInt16 = 0x0004
    static let setPowered: UInt16 = 0x0005
    static let setBondable: UInt16 = 0x0009
    static let setLowEnergy: UInt16 = 0x000D
    static let disconnect: UInt16 = 0x0014
    static let pairDevice: UInt16 = 0x0019
    static let unpairDevice: UInt16 = 0x001B
    static let confirmationReply: UInt16 = 0x001C
    static let confirmationRefusal: UInt16 = 0x001D
    static let passkeyReply: UInt16 = 0x001E
    static let passkeyRefusal: UInt16 = 0x001F
    static let startDiscovery: UInt16 = 0x0023
    static let stopDiscovery: UInt16 = 0x0024

    static let noIndex: UInt16 = 0xFFFF
    /// Public and random addresses of Low Energy.
    static let lowEnergyScan: [UInt8] = [0x06]

    static func message(_ command: UInt16, index: UInt16, _ parameters: [UInt8]) -> [UInt8] {
        [command, index, UInt16(clamping: parameters.count)].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            + parameters
    }

    static func device(_ address: DeviceAddress, _ kind: DeviceAddress.Kind) -> [UInt8] {
        address.littleEndianBytes + [kind == .public ? 1 : 2]
    }
}

/// The statuses that are handled.
enum ManagementStatus {
    static let success: UInt8 = 0x00
    static let connectFailed: UInt8 = 0x04
    static let authenticationFailed: UInt8 = 0x05
    static let timeout: UInt8 = 0x08
    static let busy: UInt8 = 0x0A
    static let rejected: UInt8 = 0x0B
    static let disconnected: UInt8 = 0x0E
    static let notPowered: UInt8 = 0x0F
    static let cancelled: UInt8 = 0x10
    static let invalidIndex: UInt8 = 0x11
    static let blocked: UInt8 = 0x12
    static let alreadyPaired: UInt8 = 0x13
    static let permissionDenied: UInt8 = 0x14

    static func name(_ status: UInt8) -> String {
        switch status {
        case connectFailed: "connection failed"
        case authenticationFailed: "authentication failed"
        case timeout: "timeout"
        case busy: "busy"
        case rejected: "rejected"
        case disconnected: "disconnected"
        case notPowered: "not powered"
        case cancelled: "cancelled"
        case invalidIndex: "no such adapter"
        case blocked: "blocked by rfkill"
        case permissionDenied: "permission denied"
        default: "management status 0x" + String(status, radix: 16)
        }
    }
}

enum ManagementEvent: Sendable, Equatable {
    case answered(command: UInt16, index: UInt16, status: UInt8, [UInt8])
    case adapterRemoved(index: UInt16)
    case settings(index: UInt16, AdapterSettings)
    case discovering(index: UInt16, Bool)
    case found(index: UInt16, DeviceAddress, DeviceAddress.Kind, signal: Int?, AdvertisingData)
    case confirmation(index: UInt16, DeviceAddress, DeviceAddress.Kind, isJustWorks: Bool, passkey: UInt32)
    case passkeyWanted(index: UInt16, DeviceAddress, DeviceAddress.Kind)
    case passkeyShown(index: UInt16, DeviceAddress, passkey: UInt32)
    case pairingFailed(index: UInt16, DeviceAddress)
    /// Pairing has made a key. Both sides keep it, or it is only for this link.
    case key(index: UInt16, DeviceAddress, isKept: Bool)
    case other(UInt16)

    /// - Returns: Nil for bytes that are not an event, or that are cut off.
    init?(_ bytes: some Collection<UInt8>) {
        guard let event = decodingInPlace(bytes, { Self($0) }) else { return nil }
        self = event
    }

    private init?(_ bytes: Span<UInt8>) {
        var cursor = FieldCursor()
        guard let code = cursor.uint16(bytes), let index = cursor.uint16(bytes), cursor.uint16(bytes) != nil
        else { return nil }
        switch code {
        case 0x0001, 0x0002:
            guard let command = cursor.uint16(bytes), let status = cursor.uint8(bytes) else { return nil }
            self = .answered(command: command, index: index, status: status, Self.rest(bytes, cursor))
        case 0x0005:
            self = .adapterRemoved(index: index)
        case 0x0006:
            guard let settings = cursor.uint32(bytes) else { return nil }
            self = .settings(index: index, AdapterSettings(rawValue: settings))
        case 0x000A:
            guard let hint = cursor.uint8(bytes), let (address, _) = Self.device(bytes, &cursor) else { return nil }
            self = .key(index: index, address, isKept: hint != 0)
        case 0x000F:
            guard let (address, kind) = Self.device(bytes, &cursor), let hint = cursor.uint8(bytes),
                let passkey = cursor.uint32(bytes)
            else { return nil }
            self = .confirmation(index: index, address, kind, isJustWorks: hint != 0, passkey: passkey)
        case 0x0010:
            guard let (address, kind) = Self.device(bytes, &cursor) else { return nil }
            self = .passkeyWanted(index: index, address, kind)
        case 0x0011:
            guard let (address, _) = Self.device(bytes, &cursor) else { return nil }
            self = .pairingFailed(index: index, address)
        case 0x0012:
            guard let (address, kind) = Self.device(bytes, &cursor), let signal = cursor.uint8(bytes),
                cursor.uint32(bytes) != nil, let length = cursor.uint16(bytes)
            else { return nil }
            let decibel = Int(Int8(bitPattern: signal))
            // 127 means unknown.
            self = .found(
                index: index, address, kind, signal: decibel == 127 ? nil : decibel,
                AdvertisingData(Self.rest(bytes, cursor).prefix(Int(length))))
        case 0x0013:
            guard cursor.uint8(bytes) != nil, let isOn = cursor.uint8(bytes) else { return nil }
            self = .discovering(index: index, isOn != 0)
        case 0x0017:
            guard let (address, _) = Self.device(bytes, &cursor), let passkey = cursor.uint32(bytes) else { return nil }
            self = .passkeyShown(index: index, address, passkey: passkey)
        default:
            self = .other(code)
        }
    }

    private static func device(
        _ bytes: Span<UInt8>, _ cursor: inout FieldCursor
    ) -> (DeviceAddress, DeviceAddress.Kind)? {
        let octets = (0..<6).compactMap { _ in cursor.uint8(bytes) }
        guard let address = DeviceAddress(littleEndian: octets), let kind = cursor.uint8(bytes) else { return nil }
        return (address, kind == 1 ? .public : .random)
    }

    private static func rest(_ bytes: Span<UInt8>, _ cursor: FieldCursor) -> [UInt8] {
        bytes.extracting(cursor.next...).withUnsafeBufferPointer { Array($0) }
    }
}

/// The abilities and current settings of an adapter.
struct AdapterSettings: OptionSet, Sendable {
    var rawValue: UInt32
    static let powered = AdapterSettings(rawValue: 1 << 0)
    static let lowEnergy = AdapterSettings(rawValue: 1 << 9)
}

/// The answer to `readInformation`.
struct AdapterInformation: Sendable, Equatable {
    var address: DeviceAddress
    var supported: AdapterSettings
    var current: AdapterSettings

    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 17, let address = DeviceAddress(littleEndian: bytes.prefix(6)) else { return nil }
        func settings(_ start: Int) -> AdapterSettings {
            AdapterSettings(rawValue: UInt32(littleEndian: bytes.span, at: start))
        }
        self.address = address
        supported = settings(9)
        current = settings(13)
    }
}
#endif
