import Foundation
package import SessionLog

/// What every health object has, whatever it is of: who it is, where it came from, what was noted about it.
// Sendable holds: metadata holds only immutable values, since it enters through `MetadataCoding` alone.
package struct ObjectIdentity: @unchecked Sendable {
    package var uuid: UUID
    package var sourceRevision: HKSourceRevision
    package var device: HKDevice?
    /// Values are `String`, `NSNumber`, `Date` or `HKQuantity`; nil rather than empty.
    package private(set) var metadata: [String: Any]?

    /// Of an object without metadata.
    package init(uuid: UUID = .next(), sourceRevision: HKSourceRevision = .current, device: HKDevice? = nil) {
        self.uuid = uuid
        self.sourceRevision = sourceRevision
        self.device = device
    }

    /// Throws when metadata holds a value of a type that HealthKit does not allow there.
    package init(
        uuid: UUID = .next(), sourceRevision: HKSourceRevision = .current, device: HKDevice? = nil,
        metadata: [String: Any]?
    ) throws(SampleError) {
        self.init(uuid: uuid, sourceRevision: sourceRevision, device: device)
        self.metadata = try MetadataCoding.normalized(metadata)
    }

    /// Throws when metadata holds a quantity whose unit cannot be read.
    package init(
        uuid: UUID = .next(), sourceRevision: HKSourceRevision = .current, device: DeviceDescription?,
        neutralMetadata: [String: MetadataValue]
    ) throws(SampleError) {
        self.init(uuid: uuid, sourceRevision: sourceRevision, device: device.map(HKDevice.init))
        self.metadata = try MetadataCoding.metadata(neutralMetadata)
    }

    /// The same with other metadata.
    package func with(metadata: [String: Any]?) throws(SampleError) -> ObjectIdentity {
        try ObjectIdentity(uuid: uuid, sourceRevision: sourceRevision, device: device, metadata: metadata)
    }

    /// The same, come from elsewhere: what the store makes of an object that an app saves.
    package func with(sourceRevision: HKSourceRevision) -> ObjectIdentity {
        var copy = self
        copy.sourceRevision = sourceRevision
        return copy
    }

    /// What a session log keeps of it, the source apart: that is the log's.
    package func origin() throws(SampleError) -> SampleOrigin {
        SampleOrigin(id: uuid, device: device?.properties, metadata: try MetadataCoding.neutral(metadata))
    }

    /// What a session log said of a sample that an app added.
    package init(_ origin: SampleOrigin, sourceRevision: HKSourceRevision = .current) throws(SampleError) {
        try self.init(
            uuid: origin.id, sourceRevision: sourceRevision, device: origin.device, neutralMetadata: origin.metadata)
    }

    // MARK: Archives

    init?(coder: NSCoder) {
        guard let uuid = coder.decodeUUID(forKey: "uuid"),
            let revision = coder.decodeValue(of: HKSourceRevision.self, forKey: "sourceRevision"),
            let metadata = coder.decodeMetadata(forKey: "metadata")
        else { return nil }
        self.init(
            uuid: uuid, sourceRevision: revision, device: coder.decodeValue(of: HKDevice.self, forKey: "device"))
        self.metadata = metadata.isEmpty ? nil : metadata
    }

    func encode(with coder: NSCoder) {
        coder.encode(uuid: uuid, forKey: "uuid")
        coder.encode(sourceRevision, forKey: "sourceRevision")
        coder.encodeIfPresent(device, forKey: "device")
        coder.encode(metadata: metadata, forKey: "metadata")
    }
}
