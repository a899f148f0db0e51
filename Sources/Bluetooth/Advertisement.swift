public import Foundation
public import GATT

/// The latest advertised data of a nearby device.
public struct Advertisement: Sendable, Equatable {
    public var address: DeviceAddress
    public var addressKind: DeviceAddress.Kind
    /// The device's name; nil until it is received.
    public var name: String?
    /// The advertised services. Devices don't have to advertise all of them.
    public var services: Set<BluetoothUUID>
    /// Received signal strength in dBm, −127 … 20. Nil if unknown.
    public var signalInDecibelMilliwatts: Int?
    /// The manufacturer's bytes, by the company number of the SIG.
    public var manufacturerData: [UInt16: [UInt8]]
    /// Whether another program, or an earlier run, is connected to it.
    public var isConnected: Bool
    /// Whether it is bonded with this machine.
    public var isBonded: Bool
    /// The address of the adapter that received it; nil if unknown.
    public var adapter: DeviceAddress?
    /// When it was received, on the wall clock.
    public var date: Date

    public init(
        address: DeviceAddress, addressKind: DeviceAddress.Kind = .random, name: String? = nil,
        services: Set<BluetoothUUID> = [], signalInDecibelMilliwatts: Int? = nil,
        manufacturerData: [UInt16: [UInt8]] = [:], isConnected: Bool = false, isBonded: Bool = false,
        adapter: DeviceAddress? = nil, date: Date
    ) {
        self.address = address
        self.addressKind = addressKind
        self.name = name
        self.services = services
        self.signalInDecibelMilliwatts = signalInDecibelMilliwatts
        self.manufacturerData = manufacturerData
        self.isConnected = isConnected
        self.isBonded = isBonded
        self.adapter = adapter
        self.date = date
    }
}
