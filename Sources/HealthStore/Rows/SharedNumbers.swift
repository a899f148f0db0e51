/// Gives what many rows share (types, units, sources, metadata) its number in the store: whoever writes.
protocol SharedNumbers: AnyObject {
    func id(of type: HKSampleType) throws -> Int64
    func id(of unit: HKUnit) throws -> Int64
    func id(of source: HKSource) throws -> Int64
    func id(ofMetadata metadata: [String: Any]) throws -> Int64
}

/// Gives it back by its number: whoever reads.
protocol SharedValues: AnyObject {
    func type(_ id: Int64) throws -> HKSampleType
    func unit(_ id: Int64?) throws -> HKUnit?
    func source(_ id: Int64) throws -> HKSource
    /// Nil for number 0, which is none.
    func metadata(_ id: Int64) throws -> [String: Any]?
}
