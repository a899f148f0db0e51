/// The maker and model of a device, from the texts of the Device Information service.
///
/// Source: Bluetooth SIG, Device Information Service 1.1, section 3.
public struct DeviceInformation: Sendable, Equatable {
    /// The characteristics, by the numbers that the SIG assigned.
    public enum Field: UInt16, Sendable, CaseIterable {
        case modelNumber = 0x2A24
        case serialNumber = 0x2A25
        case firmwareRevision = 0x2A26
        case hardwareRevision = 0x2A27
        case softwareRevision = 0x2A28
        case manufacturerName = 0x2A29

        public var uuid: BluetoothUUID { BluetoothUUID(rawValue) }
    }

    private var texts: [Field: String] = [:]

    public init() {}

    public subscript(field: Field) -> String? {
        get { texts[field] }
        set { texts[field] = newValue }
    }

    /// Adds the value of a characteristic. Other characteristics are ignored.
    public mutating func update(with bytes: some Collection<UInt8>, from characteristic: BluetoothUUID) {
        guard let field = characteristic.assigned.flatMap(Field.init) else { return }
        texts[field] = Self.text(bytes)
    }

    /// Returns the text of a characteristic: UTF-8, up to the first NUL, without surrounding white space. Bytes that
    /// are not UTF-8 become U+FFFD.
    ///
    /// - Returns: Nil if nothing is left.
    public static func text(_ bytes: some Collection<UInt8>) -> String? {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        var text = Array(bytes.prefix { $0 != 0 }.drop(while: isBlank))
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }
}
