import SessionLog

extension DeviceDescription {
    /// Reads the description of a device in an export:
    /// `<<HKDevice: 0x282a45810>, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,7, …>`.
    ///
    /// The address belongs to the process that wrote the export and means nothing. The creation date that newer systems
    /// write is ignored. Any other text becomes the name.
    init?(healthExport text: String) {
        var rest = Substring(text)
        if rest.hasPrefix("<<HKDevice"), let end = rest.firstIndex(of: ">") {
            rest = rest[rest.index(after: end)...]
            if rest.hasSuffix(">") { rest = rest.dropLast() }
        }
        self.init()
        // Values may contain commas (`Watch6,7`), also followed by spaces. A part without a known key belongs to the
        // value before it.
        var parts: [(property: WritableKeyPath<DeviceDescription, String?>?, value: Substring)] = []
        for part in rest.split(separator: ", ", omittingEmptySubsequences: true) {
            let halves = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if halves.count == 2, let key = Self.key(halves[0]) {
                parts.append((key.property, halves[1]))
            } else if let last = parts.indices.last {
                parts[last].value = rest[parts[last].value.startIndex..<part.endIndex]
            }
        }
        for part in parts {
            guard let property = part.property else { continue }
            let value = part.value.drop { $0 == " " }
            if !value.isEmpty, value != "(null)" { self[keyPath: property] = String(value) }
        }
        if parts.isEmpty, !rest.isEmpty { name = String(rest) }
        if self == DeviceDescription() { return nil }
    }

    private struct Key {
        /// Nil for known properties that are ignored.
        var property: WritableKeyPath<DeviceDescription, String?>?
    }

    private static func key(_ name: Substring) -> Key? {
        switch name.lowercased().filter({ $0 != " " && $0 != "_" }) {
        case "name": Key(property: \.name)
        case "manufacturer": Key(property: \.manufacturer)
        case "model": Key(property: \.model)
        case "hardware", "hardwareversion": Key(property: \.hardwareVersion)
        case "firmware", "firmwareversion": Key(property: \.firmwareVersion)
        case "software", "softwareversion": Key(property: \.softwareVersion)
        case "localidentifier": Key(property: \.localIdentifier)
        case "udi", "udideviceidentifier": Key(property: \.udiDeviceIdentifier)
        case "creationdate": Key(property: nil)
        default: nil
        }
    }
}
