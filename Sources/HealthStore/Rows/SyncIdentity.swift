/// An app's own identifier of an object, by which later versions replace earlier ones.
struct SyncIdentity {
    var identifier: String
    var version: Double

    init(identifier: String, version: Double) {
        self.identifier = identifier
        self.version = version
    }

    /// Nil for metadata without one. Throws for one key without the other.
    init?(_ metadata: [String: Any]?) throws {
        guard let metadata else { return nil }
        let identifier = metadata[HKMetadataKeySyncIdentifier] as? String
        let version = metadata[HKMetadataKeySyncVersion] as? NSNumber
        guard identifier != nil || version != nil else { return nil }
        guard let identifier, let version else {
            throw HKError.make(
                .errorInvalidArgument,
                "HKMetadataKeySyncIdentifier and HKMetadataKeySyncVersion have to be given together: a String and a number."
            )
        }
        self.init(identifier: identifier, version: version.doubleValue)
    }

    var metadata: [String: Any] {
        let number = Int(exactly: version).map { NSNumber(value: $0) } ?? NSNumber(value: version)
        return [HKMetadataKeySyncIdentifier: identifier, HKMetadataKeySyncVersion: number]
    }
}
