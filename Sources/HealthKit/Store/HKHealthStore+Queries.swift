// `execute(_:)` and `stop(_:)` stand in the class itself: what an extension declares cannot be overridden.

extension HKHealthStore {
    package func begin(_ query: HKQuery) {
        query.run.begin(query, in: self)
    }

    package func end(_ query: HKQuery) {
        query.run.end()
    }

    /// What this app may see of a type, as far as a predicate asks for it.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a predicate that does not go with the type.
    package func selection(_ type: HKSampleType, _ predicate: NSPredicate?) throws -> SampleSelection {
        SampleSelection(type, try SampleFilter(predicate: predicate, for: type))
    }

    package func selections(_ descriptors: [HKQueryDescriptor]) throws -> [SampleSelection] {
        try descriptors.map { try selection($0.sampleType, $0.predicate) }
    }
}
