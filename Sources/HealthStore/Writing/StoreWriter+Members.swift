extension StoreWriter {
    func join(
        _ samples: [(sample: HKSample, series: SeriesContent?)], workout: UUID, from source: HKSourceRevision
    ) throws {
        var members = SavedBatch(writer: self, source: source, parent: try row(ofWorkout: workout))
        for (sample, series) in samples {
            if let series {
                try members.add(sample, series: series)
            } else {
                try members.addOrAssociate([sample])
            }
        }
        try members.store()
    }

    func row(ofWorkout workout: UUID) throws -> Int64 {
        guard let (row, _) = try find(workout), try reader.type(row.type) is HKWorkoutType else {
            throw HKError.make(
                .errorInvalidArgument,
                "The workout \(workout) is not in the store. Save it before what belongs to it.")
        }
        return row.id
    }
}
