/// Numbers the values that many rows share (types, units, sources, metadata). Writers conform to it.
protocol SharedNumbers: AnyObject {
    func id(of type: HKSampleType) throws -> Int64
    func id(of unit: HKUnit) throws -> Int64
    func id(of source: HKSource) throws -> Int64
    func id(ofMetadata metadata: [String: Any]) throws -> Int64
}

/// Returns shared values by number. Readers conform to it.
protocol SharedValues: AnyObject {
    func type(_ id: Int64) throws -> HKSampleType
    func unit(_ id: Int64?) throws -> HKUnit?
    func source(_ id: Int64) throws -> HKSource
    /// Nil for the number 0.
    func metadata(_ id: Int64) throws -> [String: Any]?
}
