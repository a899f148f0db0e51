public import Foundation

/// An event between this machine and a device in a recorded capture.
public struct CapturedEvent: Sendable, Equatable {
    public var date: Date
    public var address: BluetoothAddress
    public var content: Content

    public enum Content: Sendable, Equatable {
        /// A link was opened, or values arrived on a link that existed before the capture.
        case connected(BluetoothAddress.Kind)
        /// A notification or indication.
        case value(GATTCharacteristic, [UInt8])
        /// The value of a characteristic that was read.
        case read(GATTCharacteristic, [UInt8])
        /// The device's name was received.
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
    /// The controller's reason for the end of a link (Core Specification 5.4, volume 1, part F, section 1.3).
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
