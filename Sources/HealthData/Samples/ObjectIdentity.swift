import Foundation
package import SessionLog

/// The properties of every health object: its UUID, its origin and its metadata.
// Sendable holds: metadata contains only immutable values, since only `MetadataCoding` creates it.
package struct ObjectIdentity: @unchecked Sendable {
    package var uuid: UUID
    package var sourceRevision: HKSourceRevision
    package var device: HKDevice?
    /// Values are `String`, `NSNumber`, `Date` or `HKQuantity`. Nil instead of empty.
    package private(set) var metadata: [String: Any]?

    /// Creates the identity of an object without metadata.
    package init(uuid: UUID = .next(), sourceRevision: HKSourceRevision = .current, device: HKDevice? = nil) {
        self.uuid = uuid
        self.sourceRevision = sourceRevision
        self.device = device
    }

    /// Creates an identity. Throws if metadata contains a value of a type that HealthKit does not allow there.
    package init(
        uuid: UUID = .next(), sourceRevision: HKSourceRevision = .current, device: HKDevice? = nil,
        metadata: [String: Any]?
    ) throws(SampleError) {
        self.init(uuid: uuid, sourceRevision: sourceRevision, device: device)
        self.metadata = try MetadataCoding.normalized(metadata)
    }

    /// Creates an identity from a log or a file. Throws if metadata contains a quantity whose unit cannot be read.
    package init(
        uuid: UUID = .next(), sourceRevision: HKSourceRevision = .current, device: DeviceDescription?,
        neutralMetadata: [String: MetadataValue]
    ) throws(SampleError) {
        self.init(uuid: uuid, sourceRevision: sourceRevision, device: device.map(HKDevice.init))
        self.metadata = try MetadataCoding.metadata(neutralMetadata)
    }

    /// Returns the same identity with other metadata.
    package func with(metadata: [String: Any]?) throws(SampleError) -> ObjectIdentity {
        try ObjectIdentity(uuid: uuid, sourceRevision: sourceRevision, device: device, metadata: metadata)
    }

    /// Returns the same identity from another source. The store does so for an object that an app saves.
    package func with(sourceRevision: HKSourceRevision) -> ObjectIdentity {
        var copy = self
        copy.sourceRevision = sourceRevision
        return copy
    }

    /// Returns the part that a session log keeps. The source is not among it, since the whole log has one.
    package func origin() throws(SampleError) -> SampleOrigin {
        SampleOrigin(id: uuid, device: device?.properties, metadata: try MetadataCoding.neutral(metadata))
    }

    /// Creates the identity of a sample that an app added, from a session log.
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
