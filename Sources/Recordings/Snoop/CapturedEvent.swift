public import Foundation
public import GATT

/// An event between this machine and a device in a recorded capture.
public struct CapturedEvent: Sendable, Equatable {
    public var date: Date
    public var address: DeviceAddress
    public var content: Content

    public enum Content: Sendable, Equatable {
        /// A link was opened, or values arrived on a link that existed before the capture.
        case connected(DeviceAddress.Kind)
        /// A notification or indication.
        case value(GATTCharacteristic, [UInt8])
        /// The value of a characteristic that was read.
        case read(GATTCharacteristic, [UInt8])
        /// The device's name was received.
        case name(String)
        case ended(LinkLoss)
    }

    public init(_ date: Date, _ address: DeviceAddress, _ content: Content) {
        self.date = date
        self.address = address
        self.content = content
    }
}
