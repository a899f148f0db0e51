extension SQLiteHealthDatabase {
    package func add(
        _ samples: [(sample: HKSample, series: SeriesContent?)], toWorkout workout: UUID, from source: HKSourceRevision
    ) throws {
        try write { writer in
            guard let (row, _) = try writer.find(workout), try writer.reader.type(row.type) is HKWorkoutType else {
                throw HKError.make(
                    .errorInvalidArgument,
                    "The workout \(workout) is not in the store. Save it before what belongs to it.")
            }
            var members = SavedBatch(writer: writer, source: source, parent: row.id)
            for (sample, series) in samples {
                if let series {
                    try members.add(sample, series: series)
                } else {
                    try members.addOrAssociate([sample])
                }
            }
            try members.store()
        }
    }
}
