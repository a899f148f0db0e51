package import Recordings

/// Something to be saved, as a value: what goes into the store at once, or waits beside it while the device is locked.
// Sendable holds: samples are immutable.
package enum StoreWrite: @unchecked Sendable {
    case objects([HKObject])
    case workout(HKWorkout, log: any SessionEntries, adding: AddedSeries)
    case series(HKSample, SeriesContent)

    package func apply(to database: any HealthDatabase, from source: HKSourceRevision) throws {
        switch self {
        case .objects(let objects): try database.save(objects, from: source)
        case .workout(let workout, let log, let added):
            try database.save(workout, log: log, adding: added, from: source)
        case .series(let sample, let content): try database.save(sample, series: content, from: source)
        }
    }

    /// The types that an app has to be allowed to share to save these. The parts of a correlation count, not the
    /// correlation.
    package static func types(of objects: [HKObject]) -> Set<HKSampleType> {
        var types: Set<HKSampleType> = []
        var latest: HKSampleType?
        for case let sample as HKSample in objects where sample.sampleType !== latest {
            latest = sample.sampleType
            if let correlation = sample as? HKCorrelation {
                types.formUnion(correlation.objects.map(\.sampleType))
                latest = nil
            } else {
                types.insert(sample.sampleType)
            }
        }
        return types
    }
}
