/// The contents of a device's advertising packets.
///
/// Source: Core Specification 5.4, volume 3, part C, section 11; Core Specification Supplement 11, part A.
package struct AdvertisingData: Sendable, Equatable {
    package var name: String?
    package var services: Set<BluetoothUUID> = []
    package var manufacturerData: [UInt16: [UInt8]] = [:]

    /// Reads complete structures; one that is cut off ends the data.
    package init(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        var next = 0
        while next < bytes.count, bytes[next] > 0 {
            let end = next + 1 + Int(bytes[next])
            guard end <= bytes.count else { return }
            add(bytes[next + 1], bytes[(next + 2)..<end])
            next = end
        }
    }

    private mutating func add(_ kind: UInt8, _ data: ArraySlice<UInt8>) {
        switch kind {
        case 0x02, 0x03: addServices(data, size: 2)
        case 0x06, 0x07: addServices(data, size: 16)
        // A shortened name does not replace a complete one.
        case 0x08: name = name ?? DeviceInformation.text(data)
        case 0x09: name = DeviceInformation.text(data) ?? name
        case 0xFF where data.count >= 2:
            let company = UInt16(littleEndian: data.span, at: 0)
            manufacturerData[company] = Array(data.dropFirst(2))
        default: break
        }
    }

    private mutating func addServices(_ data: ArraySlice<UInt8>, size: Int) {
        var rest = data
        while rest.count >= size {
            if let uuid = BluetoothUUID(littleEndian: rest.prefix(size)) { services.insert(uuid) }
            rest = rest.dropFirst(size)
        }
    }
}
