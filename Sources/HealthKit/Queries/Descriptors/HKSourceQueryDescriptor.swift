/// The sources of samples.
public struct HKSourceQueryDescriptor<Sample: HKSample>: HKAsyncQuery, Sendable {
    /// Apps and devices, by name.
    public typealias Output = [HKSource]

    /// Whose sources are asked for.
    public var predicate: HKSamplePredicate<Sample>

    /// - Parameter predicate: Whose sources are asked for; only samples that this app may see count.
    public init(predicate: HKSamplePredicate<Sample>) {
        self.predicate = predicate
    }

    /// In order of their names.
    public func result(for healthStore: HKHealthStore) async throws -> [HKSource] {
        let sources: Set<HKSource> = try await healthStore.answer { answer in
            HKSourceQuery(sampleType: predicate.sampleType, samplePredicate: predicate.nsPredicate) {
                answer(Result($1, $2))
            }
        }
        return sources.sorted { ($0.name, $0.bundleIdentifier) < ($1.name, $1.bundleIdentifier) }
    }
}
