public import Foundation

/// Something that happened between this machine and a device, as a recorded capture tells it.
public struct CapturedEvent: Sendable, Equatable {
    public var date: Date
    public var address: BluetoothAddress
    public var content: Content

    public enum Content: Sendable, Equatable {
        /// A link was opened; or values came on one that was there before the capture began.
        case connected(BluetoothAddress.Kind)
        /// A notification or indication.
        case value(GATTCharacteristic, [UInt8])
        /// What a read of a characteristic gave.
        case read(GATTCharacteristic, [UInt8])
        /// The device said its name.
        case name(String)
        case ended(LinkLoss)
    }

    public init(_ date: Date, _ address: BluetoothAddress, _ content: Content) {
        self.date = date
        self.address = address
        self.content = content
    }
}

extension LinkLoss {
    /// Why a controller says that a link has ended (Core Specification 5.4, volume 1, part F, section 1.3).
    package init(controllerReason: UInt8) {
        self =
            switch controllerReason {
            case 0x08: .timeout
            case 0x13, 0x14, 0x15: .remote
            case 0x16: .local
            case 0x05, 0x06, 0x3D: .authentication
            default: .unknown
            }
    }
}
