extension HKHealthStore {
    /// Associates samples with a workout that is saved, and saves those that are not yet. All or none. The totals and
    /// statistics of the workout stay as they are.
    @available(iOS, deprecated: 17.0, message: "Use HKWorkoutBuilder")
    @preconcurrency public func add(
        _ samples: [HKSample], to workout: HKWorkout, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        inBackground { [self] in respond(to: completion) { try associate(samples, with: workout) } }
    }

    /// Associates samples with a saved workout; needs the right to share their types, and a device that is not locked.
    @available(iOS, deprecated: 17.0, message: "Use HKWorkoutBuilder")
    public func addSamples(_ samples: [HKSample], to workout: HKWorkout) async throws {
        try HKError.translating { try associate(samples, with: workout) }
    }

    /// What joins something that is stored cannot wait beside the store: an error while the device is locked. What waited
    /// there is stored from here on.
    func requireStored() throws {
        try environment.requireAvailable()
        guard !isLocked else {
            throw HKError.make(
                .errorDatabaseInaccessible,
                "This cannot be saved or removed while the device is locked (HEALTHKIT_SIMULATE). Nothing was changed; "
                    + "try again once it is unlocked.")
        }
        try environment.mergeLockedWrites()
    }

    private func associate(_ samples: [HKSample], with workout: HKWorkout) throws {
        guard !samples.isEmpty else {
            throw HKError.make(.errorInvalidArgument, "There is nothing to add: the array of samples is empty.")
        }
        try requireSharing(StoreWrite.types(of: samples))
        try requireStored()
        try database.add(samples.map { ($0, nil) }, toWorkout: workout.uuid, from: .current)
    }

    /// Divides an energy into what the body at rest would have spent and what activity did.
    ///
    /// At rest: the basal energy that the store holds for the interval. Without any, the energy cannot be divided, which
    /// is an error. `resultsHandler` is called on a background queue with resting and active energy.
    @available(iOS, deprecated: 11.0, message: "No longer supported")
    @preconcurrency public func splitTotalEnergy(
        _ totalEnergy: HKQuantity, start startDate: Date, end endDate: Date,
        resultsHandler: @escaping @Sendable (HKQuantity?, HKQuantity?, (any Error)?) -> Void
    ) {
        inBackground { [self] in
            do {
                let (resting, active) = try split(totalEnergy, startDate, endDate)
                resultsHandler(resting, active, nil)
            } catch {
                resultsHandler(nil, nil, HKError.wrapping(error))
            }
        }
    }

    private func split(_ energy: HKQuantity, _ start: Date, _ end: Date) throws -> (HKQuantity, HKQuantity) {
        guard energy.is(compatibleWith: .kilocalorie()), start < end else {
            throw HKError.make(
                .errorInvalidArgument,
                "Energy cannot be divided: give one in a unit of energy, and an end after the start.")
        }
        try environment.requireReadable()
        let buckets = try database.statistics(
            selection(HKQuantityType(.basalEnergyBurned), nil), bounds: .dates([start, end]), separatingSources: false)
        guard let basal = buckets.first?.total.sum else {
            throw HKError.make(
                .errorNoData, "Energy cannot be divided: the store holds no basal energy from \(start) to \(end).")
        }
        let total = energy.doubleValue(for: .kilocalorie())
        let unit = HKQuantityType(.basalEnergyBurned).recordingUnit
        let resting = min(total, HKQuantity(unit: unit, doubleValue: basal).doubleValue(for: .kilocalorie()))
        return (
            HKQuantity(unit: .kilocalorie(), doubleValue: resting),
            HKQuantity(unit: .kilocalorie(), doubleValue: total - resting)
        )
    }
}
