import Foundation

/// Gives records with equal types, units and sources one object that says so.
///
/// The same watch comes with a device address of its own in every few hundred records, so there are two steps: the bytes
/// as they are written, then what they mean.
struct HealthRecordKinds: ~Copyable {
    private var written = ByteCache<HealthRecordKind>(places: 4096, stride: 512)
    private var meant: Set<HealthRecordKind> = []
    private static let meantLimit = 16_384

    private let key: UnsafeMutablePointer<UInt8>
    private static let keyCapacity = 512

    init() { key = .allocate(capacity: Self.keyCapacity) }

    deinit { key.deallocate() }

    mutating func kind(
        type: UnsafeBufferPointer<UInt8>, unit: UnsafeBufferPointer<UInt8>?, name: UnsafeBufferPointer<UInt8>?,
        version: UnsafeBufferPointer<UInt8>?, device: UnsafeBufferPointer<UInt8>?
    ) -> HealthRecordKind {
        var count = 0
        var fits = true
        func append(_ part: UnsafeBufferPointer<UInt8>?) {
            // 0 for a part that is not there, otherwise one more than its length.
            let length = (part?.count ?? -1) + 1
            guard count + 2 + length <= Self.keyCapacity else {
                fits = false
                return
            }
            key[count] = UInt8(truncatingIfNeeded: length)
            key[count + 1] = UInt8(truncatingIfNeeded: length >> 8)
            count += 2
            if let start = part?.baseAddress, length > 1 {
                memcpy(key + count, start, length - 1)
                count += length - 1
            }
        }
        append(type)
        append(unit)
        append(name)
        append(version)
        append(device)

        let written = UnsafeBufferPointer(start: key, count: fits ? count : 0)
        if fits, let known = self.written.value(written) { return known }
        let made = HealthRecordKind(
            type: XMLText.string(type), unit: unit.map(XMLText.string),
            source: HealthSource(
                name: name.map(XMLText.string) ?? "", version: version.map(XMLText.string),
                device: device.flatMap { DeviceDescription(healthExport: XMLText.string($0)) }))
        if meant.count >= Self.meantLimit { meant.removeAll() }
        let kind = meant.insert(made).memberAfterInsert
        if fits { self.written.keep(kind, for: written) }
        return kind
    }
}
